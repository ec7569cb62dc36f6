// One round with the model: its parts become one message, streamed as it grows. A failure that may pass is tried again
// after a pause the person sees; one that came in the middle of the answer ends the broken message first. An abort ends
// the round at any point, also in a pause.
import type { AgentEvent } from "../../contract/agent-events.js";
import { MessageStream } from "../../sdk/message-stream.js";
import type { UI } from "../../sdk/ui.js";
import type { Clock } from "../../system/timers.js";
import type { Model, ModelRequest } from "../models/model.js";
import { modelName } from "../models/model.js";
import { ModelError } from "../models/model-error.js";
import { priced } from "../models/price-table.js";
import type { AssistantMessage } from "../session/history.js";
import { MessageBuilder } from "./message-builder.js";
import { pauseBeforeRetryMs, TRIES_MAX } from "./retry-policy.js";
import { untilAborted } from "./stoppable-stream.js";

export type TurnPorts = {
  /** Resolves when the front end has kept up. */
  emit(event: AgentEvent): Promise<void>;
  readonly ui: Pick<UI, "notify" | "setWorkingMessage">;
  readonly clock: Clock;
  readonly updates: "whole" | "deltas";
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
  const { emit, updates, clock } = ports;
  const { signal } = request;
  const builder = new MessageBuilder({ provider: model.provider, model: model.id, timestamp: clock.nowMs() });
  const { message } = builder;
  const stream = new MessageStream(message, { emit, updates, nowMs: clock.nowMs });
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
  return new ModelError("refused", thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });
}
