// A model behind a provider package of the AI SDK, called without the SDK's own loop: retries, tools and errors are ours, and its stream
// of parts costs more than all the rest of an answer. Only this file knows the packages, and it is loaded when a model is opened.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  InvalidResponseDataError,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3Message,
  type LanguageModelV3StreamPart,
  type LanguageModelV3Usage,
} from "@ai-sdk/provider";
import type { Usage } from "../../contract/messages.js";
import type { AssistantMessage, HistoryMessage, ToolResultMessage } from "../session/history.js";
import {
  type FinishReason,
  type Model,
  ModelError,
  type ModelErrorKind,
  type ModelPart,
  type ModelRequest,
} from "./model.js";
import { type ModelChoice, missingKey } from "./model-choice.js";
import { modelFetch } from "./model-fetch.js";

type RemoteChoice = Extract<ModelChoice, { kind: "remote" }>;

/** Anthropic requires a limit. */
const OUTPUT_TOKENS_MAX = 32_000;

export function openSdkModel(choice: RemoteChoice): Model {
  const { provider, id, contextTokens, price } = choice;
  const languageModel = languageModelOf(choice);
  return {
    provider: provider.id,
    id,
    contextTokens,
    price,
    compaction: "summary",
    async *stream(request) {
      const variable = missingKey(choice);
      if (variable !== null) throw new ModelError("auth", `${provider.id} needs a key: set ${variable}`);
      try {
        const { stream } = await languageModel.doStream({
          prompt: prompt(request, choice),
          ...toolOptions(request),
          abortSignal: request.signal,
          ...outputLimit(choice),
        });
        for await (const part of stream) yield* ourParts(part);
      } catch (error) {
        throw modelErrorOf(error, choice);
      }
    },
  };
}

function outputLimit({ provider, outputTokensMax }: RemoteChoice): { maxOutputTokens?: number } {
  if (outputTokensMax !== null) return { maxOutputTokens: outputTokensMax };
  return provider.api === "anthropic" ? { maxOutputTokens: OUTPUT_TOKENS_MAX } : {};
}

// The packages want the whole of `fetch`, and read of its answer what ours has.
const providerFetch = modelFetch as unknown as typeof fetch;

function languageModelOf({ provider, id, baseUrl, key }: RemoteChoice): LanguageModelV3 {
  if (provider.api === "anthropic")
    return createAnthropic({ baseURL: baseUrl, apiKey: key ?? "", fetch: providerFetch })(id);
  const credentials = key === null ? {} : { apiKey: key };
  const settings = { name: provider.id, baseURL: baseUrl, includeUsage: true, fetch: providerFetch, ...credentials };
  return createOpenAICompatible(settings)(id);
}

// Anthropic reads again cheaply what is marked: the system prompt, and the conversation up to its end.
function prompt({ system, messages }: ModelRequest, { provider }: RemoteChoice): LanguageModelV3Message[] {
  const translated: LanguageModelV3Message[] = [
    { role: "system", content: system },
    ...sdkMessages(messages, provider.id),
  ];
  if (provider.api !== "anthropic") return translated;
  const providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
  return translated.map((message, at) =>
    at === 0 || at === translated.length - 1 ? { ...message, providerOptions } : message,
  );
}

function toolOptions({ tools }: ModelRequest): Pick<LanguageModelV3CallOptions, "tools" | "toolChoice"> {
  if (tools.length === 0) return {};
  return { tools: tools.map((tool) => ({ type: "function", ...tool })), toolChoice: { type: "auto" } };
}

function* ourParts(part: LanguageModelV3StreamPart): Generator<ModelPart> {
  switch (part.type) {
    case "text-delta":
      yield { type: "text", delta: part.delta };
      return;
    case "reasoning-delta":
      yield { type: "thinking", delta: part.delta };
      if (part.providerMetadata !== undefined) yield { type: "signature", signature: part.providerMetadata };
      return;
    case "reasoning-end":
      if (part.providerMetadata !== undefined) yield { type: "signature", signature: part.providerMetadata };
      return;
    case "tool-call":
      yield { type: "tool-call", id: part.toolCallId, name: part.toolName, input: inputOf(part.input) };
      return;
    case "finish": {
      const usage = usageOf(part.usage);
      if (usage !== null) yield { type: "usage", usage };
      const reason = finishReasonOf(part.finishReason.unified, part.finishReason.raw);
      if (reason !== null) yield { type: "finish", reason };
      return;
    }
    case "error":
      throw part.error;
    default:
      return;
  }
}

/** What is no JSON is kept as text: the tool refuses it in words that the model reads. */
function inputOf(json: string): unknown {
  if (json.trim() === "") return {};
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

function usageOf({ inputTokens: read, outputTokens: written }: LanguageModelV3Usage): Usage | null {
  if (read.total === undefined && written.total === undefined) return null;
  const { total = 0, cacheRead: cache_read = 0, cacheWrite: cache_write = 0 } = read;
  const input = read.noCache ?? Math.max(0, total - cache_read - cache_write);
  const output = written.total ?? 0;
  return { input, output, cache_read, cache_write, total_tokens: total + output };
}

/** Null when the stream ended without saying why: it was cut. A word that the SDK does not know is an end all the same. */
function finishReasonOf(reason: string, raw: string | undefined): FinishReason | null {
  return finishReasons.get(reason) ?? (raw === undefined ? null : "stop");
}

const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["length", "length"],
  ["tool-calls", "tool_use"],
  ["content-filter", "refused"],
]);

type ProviderOptions = NonNullable<LanguageModelV3Message["providerOptions"]>;
type AssistantPart = Extract<LanguageModelV3Message, { role: "assistant" }>["content"][number];
type ToolPart = Extract<LanguageModelV3Message, { role: "tool" }>["content"][number];

function sdkMessages(messages: readonly HistoryMessage[], provider: string): LanguageModelV3Message[] {
  const translated: LanguageModelV3Message[] = [];
  for (const message of messages) {
    if (message.role === "user") translated.push({ role: "user", content: [{ type: "text", text: message.content }] });
    else if (message.role === "assistant") {
      const content = assistantParts(message, provider);
      if (content.length > 0) translated.push({ role: "assistant", content });
    } else {
      const last = translated.at(-1);
      const result = toolResult(message);
      // All results of one round are one message: providers want them together.
      if (last?.role === "tool") last.content.push(result);
      else translated.push({ role: "tool", content: [result] });
    }
  }
  return translated;
}

function assistantParts(message: AssistantMessage, provider: string): AssistantPart[] {
  return message.content.flatMap((block): AssistantPart[] => {
    if (block.type === "tool_call") {
      return [{ type: "tool-call", toolCallId: block.id, toolName: block.name, input: block.arguments ?? {} }];
    }
    if (block.type === "text") return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }];
    // A signature counts only with the provider that gave it.
    if (block.signature === undefined || message.provider !== provider) return [];
    return [{ type: "reasoning", text: block.thinking, providerOptions: block.signature as ProviderOptions }];
  });
}

function toolResult(message: ToolResultMessage): ToolPart {
  const value = message.content.map(({ text }) => text).join("\n") || "(no output)";
  return {
    type: "tool-result",
    toolCallId: message.tool_call_id,
    toolName: message.tool_name,
    output: { type: message.is_error ? "error-text" : "text", value },
  };
}

// What the AI SDK throws, in our words: what went wrong, what to do about it, and whether to try again.
const BODY_CHARS_MAX = 300;

function modelErrorOf(error: unknown, choice: RemoteChoice): ModelError {
  if (error instanceof ModelError) return error;
  const call = findCause(error, (cause) => APICallError.isInstance(cause)) as APICallError | null;
  const words = deepestWords(error);
  const where = new URL(choice.baseUrl).host;
  const status = call?.statusCode;
  // What began well and then failed, or ended without saying why, broke off.
  if ((status !== undefined && status < 300) || InvalidResponseDataError.isInstance(error)) {
    return new ModelError("cut", `connection to ${where} lost: ${words}`, { cause: error });
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
    "not-found": `${provider.id} has no model "${id}" at ${choice.baseUrl} (${status}); choose another`,
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
  if (provider.keyVariable === null) return "this server needs a key; use --model compatible:NAME with PALAVER_API_KEY";
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
