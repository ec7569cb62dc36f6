// How long an event counts: for good, until another one takes its place, or only for those who are there at the moment; and
// whether its own moment does.
import type { SessionEvent } from "../contract/session-events.js";

const passing: ReadonlySet<SessionEvent["type"]> = new Set([
  "turn.started",
  "turn.finished",
  "command.answered",
  "editor-text.changed",
  // The end of an ask is told with who settled it; this is the agent's side of it.
  "ask.withdrawn",
]);

export function isPassing({ type }: SessionEvent): boolean {
  return passing.has(type);
}

const timed: ReadonlySet<SessionEvent["type"]> = new Set([
  "prompt.started",
  "prompt.finished",
  "tool.started",
  "tool.finished",
  "notice.shown",
]);

/** Whether a person sees when it happened, or how long it took; the moment of others would only be weight. */
export function isTimed({ type }: SessionEvent): boolean {
  return timed.has(type);
}

/** Of events with the same key only the newest counts; null for those that stay beside each other. */
export function newestKey(event: SessionEvent): string | null {
  const session = event.sessionId ?? "";
  switch (event.type) {
    case "status.changed":
    case "widget.changed":
      return `${event.type} ${session} ${event.key}`;
    case "working.changed":
    case "title.changed":
    case "plan.changed":
    case "commands.changed":
    case "settings.changed":
      return `${event.type} ${session}`;
    case "usage.changed": {
      const told = [event.usage === undefined ? "" : "usage", event.context === undefined ? "" : "context"];
      return `${event.type} ${session} ${told.join(" ")}`;
    }
    default:
      return null;
  }
}
