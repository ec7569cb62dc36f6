// Opens whatever model was chosen. The SDK is loaded here, on first use, so that the offline agent starts without it.

import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { withoutOutputs } from "../../session/shell-output.js";
import { type Clock, realClock } from "../../system/timers.js";
import type { Results, Script, Step, ToolOutcome } from "../offline/offline-request.js";
import { NEEDS_MODEL, scriptFor } from "../offline/understanding.js";
import type { HistoryMessage, ToolResultMessage } from "../session/history.js";
import type { Model, ModelPart, ModelRequest } from "./model.js";
import type { ModelChoice } from "./model-choice.js";
import { CONTEXT_TOKENS_DEFAULT } from "./provider-table.js";

export async function openModel(choice: ModelChoice, results: Results = "shown", clock = realClock): Promise<Model> {
  if (choice.kind === "offline") return openOfflineModel((prompt, known) => scriptFor(prompt, results, known), clock);
  lendRequire();
  const { openSdkModel } = await import("./sdk-model.js");
  return openSdkModel(choice);
}

// The SDK brings the client of a gateway that we never call, and that client is CommonJS: as it loads it asks a global
// `require` for modules of Node, and in a bundle of ES modules there is none. It gets the real one, here, where nothing but
// a model is opened. Run from source, Node answers it and this is not used.
function lendRequire(): void {
  const scope = globalThis as { require?: NodeJS.Require };
  scope.require ??= createRequire(import.meta.url);
}

// The model that is always there: no network, no key, no thinking. It plays a script for what the user wrote, and otherwise
// behaves like any other model: it streams, calls tools and reads their results, so that loop, tools, permissions and
// dialogs can be tried and tested for real.
type ScriptOf = (prompt: string, known: "way" | "nothing") => Script;

export function openOfflineModel(scriptOf: ScriptOf, clock: Clock): Model {
  return {
    provider: "palaver",
    id: "offline",
    contextTokens: CONTEXT_TOKENS_DEFAULT,
    compaction: "forget",
    stream: (request) => stream(request, scriptOf, clock),
  };
}

async function* stream(
  { messages, signal }: ModelRequest,
  scriptOf: ScriptOf,
  clock: Clock,
): AsyncGenerator<ModelPart> {
  const prompt = messages.findLastIndex(({ role }) => role === "user");
  const rounds = roundsAfter(messages.slice(prompt + 1));
  const before = messages.slice(0, prompt);
  const script = scriptOf(requestIn(messages.slice(0, prompt + 1)), before.some(tellsTheWay) ? "way" : "nothing");
  let ending: "stop" | "tool_use" = "stop";
  for (const step of nextSteps(script, rounds)) {
    for (const part of partsOf(step)) {
      if ("stream" in step) await clock.wait(step.wordMs, signal);
      yield part;
    }
    if ("calls" in step) ending = "tool_use";
  }
  yield { type: "finish", reason: ending };
}

function tellsTheWay(message: HistoryMessage): boolean {
  return (
    message.role === "assistant" &&
    message.content.some((block) => block.type === "text" && block.text.startsWith(NEEDS_MODEL))
  );
}

/** "go on", alone or at the end of what is said, means the request before it. */
const GO_ON = /(?:^|[.!?]\s+)(?:please )?(?:go on|continue)(?: from there)?[.!]?\s*$/i;

function requestIn(messages: readonly HistoryMessage[]): string {
  const said = messages.flatMap((message) => (message.role === "user" ? [withoutOutputs(message.content)] : []));
  return said.findLast((text) => !GO_ON.test(text)) ?? said.at(-1) ?? "";
}

// The script is played from its beginning with the answers that are known already; what it says after the last of them
// is new. It ends at the next calls, whose answers are not known yet.
function* nextSteps(script: Script, rounds: readonly (readonly ToolOutcome[])[]): Generator<Step> {
  let played = 0;
  let step = script.next([]);
  while (step.done !== true) {
    if (played === rounds.length) yield step.value;
    if (!("calls" in step.value)) step = script.next([]);
    else if (played === rounds.length) return;
    else {
      step = script.next(rounds[played] ?? []);
      played += 1;
    }
  }
}

/** The results of each round since the prompt. */
function roundsAfter(messages: readonly HistoryMessage[]): ToolOutcome[][] {
  const rounds: ToolOutcome[][] = [];
  for (const message of messages) {
    if (message.role === "assistant") rounds.push([]);
    else if (message.role === "tool_result") rounds.at(-1)?.push(outcomeOf(message));
  }
  return rounds;
}

function outcomeOf({ content, is_error, details }: ToolResultMessage): ToolOutcome {
  return { text: content.map(({ text }) => text).join("\n"), isError: is_error, details: details ?? {} };
}

function* partsOf(step: Step): Generator<ModelPart> {
  if ("say" in step) yield* spoken(step.say);
  else if ("stream" in step) yield* spoken(step.stream);
  else if ("think" in step) yield { type: "thinking", delta: step.think };
  else for (const [name, input] of step.calls) yield { type: "tool-call", id: `call-${randomUUID()}`, name, input };
}

// Word by word, as a model would.
function* spoken(text: string): Generator<ModelPart> {
  for (const [delta] of text.matchAll(/\s*\S+\s*/g)) yield { type: "text", delta };
}
