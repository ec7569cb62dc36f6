// From what a handler prints to a line of the log: the parts joined, the marks of a progress taken off and kept as facts, the
// kind told from the words.
import { inspect } from "node:util";
import type { HandlerLog } from "../handlers/handler.js";
import type { LogHub } from "./log-hub.js";
import { messageKindOf } from "./message-kind.js";

interface LogPlace {
  readonly tabTitle: string;
  readonly name: string;
  readonly color: string;
  isStreaming(): boolean;
}

/** A message that begins like this opens a progress; the other one closes it. */
const PROGRESS_OPENS = "[...";
const PROGRESS_CLOSES = "...]";

export function handlerLog(hub: LogHub, place: LogPlace): HandlerLog {
  return (...parts) => {
    const { content, progress } = readMessage(parts);
    hub.publish({
      content,
      kind: messageKindOf(content),
      tabTitle: place.tabTitle,
      handlerName: place.name,
      handlerColor: place.color,
      progress,
      isStreaming: isStreaming(place),
    });
  };
}

export function readMessage(parts: readonly unknown[]): { content: string; progress: "none" | "opens" | "closes" } {
  const message = parts.map(textOf).join(" ");
  if (message.startsWith(PROGRESS_OPENS)) {
    return { content: message.slice(PROGRESS_OPENS.length).trim(), progress: "opens" };
  }
  if (message.startsWith(PROGRESS_CLOSES)) {
    return { content: message.slice(PROGRESS_CLOSES.length).trim(), progress: "closes" };
  }
  return { content: message, progress: "none" };
}

function textOf(part: unknown): string {
  if (typeof part === "string") return part;
  if (part instanceof Error) return part.message;
  return inspect(part, { depth: 3, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 10_000 });
}

// A log never throws, so neither may the question that comes with it.
function isStreaming(place: LogPlace): boolean {
  try {
    return place.isStreaming();
  } catch {
    return false;
  }
}
