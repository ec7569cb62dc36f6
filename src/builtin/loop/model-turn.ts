// One round with the model: its parts become one message, streamed as it grows. A failure that may pass is tried again
// after a pause the person sees; one that came in the middle of the answer ends the broken message first. An abort ends
// the round at any point, also in a pause.
import { errorMessage } from "../../contract/plain-word.js";
import type { SessionFront, UI } from "../../sdk/exports.js";
import type { Clock } from "../../system/timers.js";
import type { Model, ModelPart, ModelRequest } from "../models/model.js";
import { modelName } from "../models/model.js";
import { ModelError, pauseBeforeRetryMs, TRIES_MAX } from "../models/model-error.js";
import { priced } from "../models/price-table.js";
import type { AssistantMessage } from "../session/history.js";
import { untilAborted } from "./stoppable-stream.js";

export type TurnPorts = Pick<SessionFront, "stream"> & {
  readonly ui: Pick<UI, "notify" | "setWorkingMessage">;
  readonly clock: Clock;
  /** From 0 to 1. */
  chance(): number;
};

export type TurnOutcome =
  | { readonly end: "answered" | "aborted"; readonly message: AssistantMessage }
  | { readonly end: "failed"; readonly message: AssistantMessage; readonly error: ModelError };

export async function modelTurn(model: Model, request: ModelRequest, ports: TurnPorts): Promise<TurnOutcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await oneTry(model, request, ports);
    if (outcome.end !== "failed") return outcome;
    const pauseMs = pauseBeforeRetryMs(outcome.error, tries, ports.chance());
    if (pauseMs === null || request.signal.aborted) return outcome;
    await pause(outcome.error, { pauseMs, nextTry: tries + 1 }, request.signal, ports);
    if (request.signal.aborted) return { end: "aborted", message: { ...outcome.message, stop_reason: "aborted" } };
  }
}

async function oneTry(model: Model, request: ModelRequest, ports: TurnPorts): Promise<TurnOutcome> {
  const { clock } = ports;
  const { signal } = request;
  const builder = new MessageBuilder({ provider: model.provider, model: model.id, timestamp: clock.nowMs() });
  const { message } = builder;
  const stream = ports.stream(message);
  let speaking = false;
  const begin = async () => {
    if (!speaking) await stream.start();
    speaking = true;
  };
  let error: ModelError | null = null;
  let finished = false;
  try {
    for await (const part of untilAborted(model.stream(request), { signal, clock })) {
      // The beginning is sent before the first part is in it: what grew is told by what follows.
      if (part.type !== "usage" && part.type !== "finish") await begin();
      const growth = builder.take(part);
      if (growth !== null) await stream.grew(growth.place, growth.kind, growth.delta);
      finished ||= part.type === "finish";
    }
    if (!finished && !signal.aborted) throw new ModelError("cut", `${modelName(model)} broke off in the middle`);
  } catch (thrown) {
    error = modelErrorOf(thrown);
  }
  if (message.usage !== undefined) message.usage = priced(model, message.usage);
  if (signal.aborted && !finished) message.stop_reason = "aborted";
  else if (error !== null) Object.assign(message, { stop_reason: "error", error_message: error.message });
  if (speaking) await stream.end();
  if (signal.aborted) return { end: "aborted", message };
  return error === null ? { end: "answered", message } : { end: "failed", message, error };
}

async function pause(
  error: ModelError,
  { pauseMs, nextTry }: { pauseMs: number; nextTry: number },
  signal: AbortSignal,
  { ui, clock }: TurnPorts,
): Promise<void> {
  const words = `${error.message}; trying again in ${seconds(pauseMs)} (${nextTry} of ${TRIES_MAX})`;
  ui.notify(words, "warn");
  ui.setWorkingMessage(words);
  await clock.wait(pauseMs, signal);
  ui.setWorkingMessage(null);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

function modelErrorOf(thrown: unknown): ModelError {
  if (thrown instanceof ModelError) return thrown;
  return new ModelError("refused", errorMessage(thrown), { cause: thrown });
}

type Growth = { readonly place: number; readonly kind: "text" | "thinking"; readonly delta: string };

// Puts the message together from the parts of a stream and says which part of it grew. The object stays the same while it
// grows, so that what streams it sees it whole at every moment.
class MessageBuilder {
  readonly message: AssistantMessage;

  constructor(head: Pick<AssistantMessage, "provider" | "model" | "timestamp">) {
    this.message = { role: "assistant", content: [], stop_reason: "stop", ...head };
  }

  /** Adds a part; says what grew when it is something to stream. */
  take(part: ModelPart): Growth | null {
    switch (part.type) {
      case "text":
        return this.#grow("text", part.delta);
      case "thinking":
        return this.#grow("thinking", part.delta);
      case "signature":
        this.#sign(part.signature);
        return null;
      case "tool-call":
        this.message.content.push({ type: "tool_call", id: part.id, name: part.name, arguments: part.input });
        return null;
      case "usage":
        this.message.usage = part.usage;
        return null;
      case "finish":
        this.message.stop_reason = part.reason === "refused" ? "error" : part.reason;
        return null;
    }
  }

  #grow(kind: Growth["kind"], delta: string): Growth | null {
    if (delta === "") return null;
    const { content } = this.message;
    const last = content.at(-1);
    if (last?.type !== kind) {
      content.push(kind === "text" ? { type: "text", text: delta } : { type: "thinking", thinking: delta });
    } else if (last.type === "text") last.text += delta;
    else last.thinking += delta;
    return { place: content.length - 1, kind, delta };
  }

  #sign(signature: unknown): void {
    const last = this.message.content.at(-1);
    if (last?.type === "thinking") last.signature = signature;
    else this.message.content.push({ type: "thinking", thinking: "", signature });
  }
}
