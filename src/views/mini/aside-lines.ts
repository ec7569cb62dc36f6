// Everything besides the agent's text, as lines for standard error: finished tools, notices, failures. All of it comes from
// outside and is made safe here.
import type { SessionEvent } from "../../contract/session-events.js";
import { faultWords } from "../../session/fault-words.js";
import { toolArgument } from "../../session/transcript/tool-words.js";
import { safeLine } from "../../text/safe.js";

/** "few" leaves out what only tells of progress. */
export type Notes = "all" | "few";

/** `args` are the arguments of a tool that finished. */
export function asideLines(event: SessionEvent, notes: Notes, args: unknown = null): string[] {
  switch (event.type) {
    case "agent.failed":
    case "command.failed":
      return [`✕ ${safeLine(event.message)}`];
    case "notice.shown":
      return notes === "all" || event.level !== "info" ? [safeLine(event.message)] : [];
    case "fault.reported":
      return [`▲ ${safeLine(faultWords(event.fault))}`];
    case "events.missed":
      return [`▲ ${event.count === 1 ? "1 event of the agent was" : `${event.count} events of the agent were`} lost`];
    case "tool.finished":
      return notes === "all" || event.isError ? [toolLine(event, args)] : [];
    case "log.written":
      return notes === "all" ? [safeLine(event.text)] : [];
    default:
      return [];
  }
}

function toolLine({ name, isError }: Extract<SessionEvent, { type: "tool.finished" }>, args: unknown): string {
  return [isError ? "✕" : "●", safeLine(name), toolArgument(args)].filter(Boolean).join(" ");
}
