// Turns what a handler prints into a log line: joins the parts, removes progress marks and derives the kind from the words.
import { inspect } from "node:util";
import type { MessageKind } from "../../contract/daemon.js";
import type { HandlerLog } from "../handlers/handler.js";
import type { LogHub } from "./log-hub.js";

// The first row that matches decides: a message with "success" and "error" is an error.
const WORDS: readonly (readonly [MessageKind, readonly string[]])[] = [
  ["error", ["error", "failed", "exit status 1", "undeclared", "undefined", "fatal"]],
  ["warning", ["warning", "warn"]],
  ["success", ["success", "completed", "successful", "done"]],
  ["info", ["info", "starting", "initializing"]],
  ["debug", ["debug"]],
];

/** "0 failed" is not a failure. */
const NONE_OF_THEM = /\b(?:no|0|without)\s+(?:errors?|failed|failures|warnings?)\b/g;

export function messageKindOf(content: string): MessageKind {
  const words = content.toLowerCase().replace(NONE_OF_THEM, "");
  return WORDS.find(([, signs]) => signs.some((sign) => words.includes(sign)))?.[0] ?? "normal";
}

interface LogPlace {
  readonly tabTitle: string;
  readonly name: string;
  readonly color: string;
  isStreaming(): boolean;
}

/** Marks at the start of a message. */
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

// A log never throws.
function isStreaming(place: LogPlace): boolean {
  try {
    return place.isStreaming();
  } catch {
    return false;
  }
}
