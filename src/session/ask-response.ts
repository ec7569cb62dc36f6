// The outcome of an ask as the response that goes to the agent.
import type { Ask, AskOutcome } from "../contract/asks.js";
import type { LinesCommand } from "../contract/lines-commands.js";

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
