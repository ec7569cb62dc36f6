// What the AI SDK throws, in our words: what went wrong, what to do about it, and whether to try again.
import { APICallError, InvalidResponseDataError } from "ai";
import type { ModelChoice } from "./model-choice.js";
import { ModelError, type ModelErrorKind } from "./model-error.js";

type RemoteChoice = Extract<ModelChoice, { kind: "remote" }>;

const BODY_CHARS_MAX = 300;

export function modelErrorOf(error: unknown, choice: RemoteChoice): ModelError {
  if (error instanceof ModelError) return error;
  const call = findCause(error, (cause) => APICallError.isInstance(cause)) as APICallError | null;
  const words = deepestWords(error);
  const where = new URL(choice.baseUrl).host;
  const status = call?.statusCode;
  // What began well and then failed, or ended without saying why, broke off.
  if ((status !== undefined && status < 300) || InvalidResponseDataError.isInstance(error)) {
    return new ModelError("cut", `the answer of ${where} broke off: ${words}`, { cause: error });
  }
  if (call !== null && status !== undefined) return statusError(call, status, choice);
  if (isOfNetwork(error) || call !== null) {
    const advice = choice.provider.keyVariable === null ? `; is ${choice.provider.id} running there?` : "";
    return new ModelError("network", `no connection to ${where}: ${words}${advice}`, { cause: error });
  }
  // Providers also report in the middle of a stream that they are overloaded.
  if (/overloaded/i.test(words))
    return new ModelError("overloaded", `${choice.provider.id} is overloaded`, { cause: error });
  return new ModelError("refused", `${choice.provider.id}: ${words}`, { cause: error });
}

function statusError(call: APICallError, status: number, choice: RemoteChoice): ModelError {
  const { provider, id } = choice;
  const said = shortened(call.message || call.responseBody || "");
  const kind = kindOf(status, `${call.message} ${call.responseBody ?? ""}`);
  const words: Record<ModelErrorKind, string> = {
    auth: `${provider.id} refused the key (${status}): ${keyAdvice(choice)}`,
    "not-found": `${provider.id} knows no model "${id}" at ${choice.baseUrl} (${status}): choose another one`,
    "too-long": `the conversation is too long for ${id}: ${said}`,
    "rate-limit": `${provider.id} is limiting requests (${status})`,
    overloaded: `${provider.id} is overloaded or broken (${status})`,
    network: `${provider.id} did not answer in time (${status})`,
    cut: said,
    refused: `${provider.id} refused the request (${status}): ${said}`,
  };
  return new ModelError(kind, words[kind], { retryAfterMs: retryAfterMs(call.responseHeaders ?? {}), cause: call });
}

function kindOf(status: number, words: string): ModelErrorKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 404) return "not-found";
  if (
    status === 413 ||
    (status === 400 && /too long|context.{0,20}(length|window|size)|maximum context/i.test(words))
  ) {
    return "too-long";
  }
  if (status === 429) return "rate-limit";
  if (status === 408 || status === 409) return "network";
  return status >= 500 ? "overloaded" : "refused";
}

function keyAdvice({ provider, key }: RemoteChoice): string {
  if (provider.keyVariable === null) return "this server wants a key; use --model compatible:NAME with PALAVER_API_KEY";
  return key === null ? `set ${provider.keyVariable}` : `check the value of ${provider.keyVariable}`;
}

/** `Retry-After` is seconds or a date; some providers say milliseconds in a header of their own. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number = Date.now()): number | null {
  const ownMs = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] !== undefined && ownMs >= 0) return ownMs;
  const told = headers["retry-after"];
  if (told === undefined) return null;
  const seconds = Number(told);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const dateMs = Date.parse(told);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}

function isOfNetwork(error: unknown): boolean {
  const isNetwork = (cause: unknown) =>
    cause instanceof Error &&
    (/^(ECONN|ENOTFOUND|EAI_|EPIPE|ETIMEDOUT|UND_ERR|EHOSTUNREACH|ENETUNREACH)/.test(
      String((cause as { code?: unknown }).code),
    ) ||
      /^(terminated|fetch failed|socket hang up|other side closed)$/i.test(cause.message));
  return findCause(error, isNetwork) !== null;
}

function findCause(error: unknown, is: (cause: unknown) => boolean): unknown {
  let cause = error;
  for (let depth = 0; depth < 8 && cause !== undefined && cause !== null; depth += 1) {
    if (is(cause)) return cause;
    cause = (cause as { cause?: unknown; lastError?: unknown }).cause ?? (cause as { lastError?: unknown }).lastError;
  }
  return null;
}

function deepestWords(error: unknown): string {
  let words = typeof error === "string" ? error : "";
  findCause(error, (cause) => {
    const { message } = cause as { message?: unknown };
    if (typeof message === "string" && message !== "") words = message;
    return false;
  });
  return shortened(words || JSON.stringify(error) || String(error));
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > BODY_CHARS_MAX ? `${line.slice(0, BODY_CHARS_MAX)}…` : line;
}
