// What happens beside the agent's words, as lines for standard error: tools that ended, notices, failures. Everything in
// them comes from outside and is made harmless here.
import type { SessionEvent } from "../../contract/session-events.js";
import { safeLine } from "../../text/safe.js";

/** "few" leaves out what only tells of progress. */
export type Notes = "all" | "few";

export function asideLines(event: SessionEvent, notes: Notes): string[] {
  switch (event.type) {
    case "agent.failed":
    case "command.failed":
      return [`✕ ${safeLine(event.message)}`];
    case "notice.shown":
      return notes === "all" || event.level !== "info" ? [safeLine(event.message)] : [];
    case "fault.reported":
      return [`▲ ${safeLine(event.fault.message)}`];
    case "events.missed":
      return [`▲ ${event.count} events of the agent were lost`];
    case "tool.finished":
      return notes === "all" || event.isError ? [`${event.isError ? "✕" : "●"} ${safeLine(event.name)}`] : [];
    case "log.written":
      return notes === "all" ? [safeLine(event.text)] : [];
    default:
      return [];
  }
}
