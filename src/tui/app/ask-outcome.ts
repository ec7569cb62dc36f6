// What became of a question: as the answer that goes to the agent, and as words for the transcript.
import type { Ask, AskOutcome } from "../../contract/asks.js";
import type { LinesCommand } from "../../contract/lines-commands.js";

/** No answer is an error to the agent, a cancel is an answer. */
export function responseTo(ask: Ask, outcome: AskOutcome): LinesCommand {
  const { id } = ask;
  switch (outcome.kind) {
    case "answered":
      return { type: "ui_response", id, result: outcome.value, error: null };
    case "cancelled":
      return { type: "ui_response", id, result: ask.question.kind === "confirm" ? false : null, error: null };
    case "expired":
      return { type: "ui_response", id, result: null, error: "timeout" };
    case "withdrawn":
      return { type: "ui_response", id, result: null, error: outcome.reason };
  }
}

const ANSWER_CHARS_MAX = 80;

export function outcomeWords(outcome: AskOutcome): string {
  switch (outcome.kind) {
    case "answered":
      return answerWords(outcome.value);
    case "cancelled":
      return "cancelled";
    case "expired":
      return "nobody answered in time";
    case "withdrawn":
      return "withdrawn";
  }
}

// A secret comes as null: that it was answered is all there is to say. Of a form the names are enough.
function answerWords(value: unknown): string {
  if (value === null || value === undefined) return "answered";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return shortened(value);
  if (Array.isArray(value)) return value.length === 0 ? "nothing" : shortened(value.join(", "));
  const fields = value as Readonly<Record<string, unknown>>;
  if (typeof fields["ok"] === "boolean") {
    return listed([fields["ok"] ? "yes" : "no", fields["remember"] === true ? "always" : "", text(fields["reason"])]);
  }
  if (typeof fields["choiceId"] === "string")
    return listed([fields["choiceId"].replaceAll("_", " "), text(fields["reason"])]);
  return listed(Object.keys(fields).map((name) => name.replaceAll("_", " ")));
}

function listed(words: readonly string[]): string {
  return shortened(words.filter(Boolean).join(", "));
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function shortened(text: string): string {
  const [first = "", ...more] = text.split("\n");
  const cut = first.length > ANSWER_CHARS_MAX || more.length > 0 ? "…" : "";
  return first.slice(0, ANSWER_CHARS_MAX) + cut;
}
