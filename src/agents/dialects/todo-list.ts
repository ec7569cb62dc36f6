// A plan that an agent keeps with a tool: the list is in the input of the call. It is shown as a plan, and its call as one row
// without the texts that are meant for the model.
import { isRecord } from "../../contract/json-value.js";
import { plainWord } from "../../contract/plain-word.js";
import type { SessionEvent } from "../../contract/session-events.js";

type PlanEntries = Extract<SessionEvent, { type: "plan.changed" }>["entries"];

export interface TodoCall {
  readonly entries: PlanEntries;
  readonly name: string;
  readonly args: { readonly title: string };
}

/** Null when the input is no list of todos. */
export function todoCall(input: unknown): TodoCall | null {
  const todos = isRecord(input) ? input["todos"] : null;
  if (!Array.isArray(todos) || !todos.every(isRecord)) return null;
  const entries = todos.map(({ content, title, text, status }) => ({
    text: plainWord(content ?? title ?? text ?? ""),
    status: statuses.get(plainWord(status ?? "")) ?? "pending",
  }));
  const done = entries.filter(({ status }) => status === "completed").length;
  return {
    entries,
    name: "plan",
    args: { title: entries.length === 0 ? "empty" : `${done} of ${entries.length} done` },
  };
}

const statuses: ReadonlyMap<string, PlanEntries[number]["status"]> = new Map([
  ["in_progress", "in_progress"],
  ["completed", "completed"],
  ["done", "completed"],
]);
