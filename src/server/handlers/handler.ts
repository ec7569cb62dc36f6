// What a program registers with a daemon: objects with a few methods. The table below derives the kind of an object from its
// methods, the most capable kind first.

import { inspect } from "node:util";
import type { HandlerKind, MessageKind } from "../../contract/handler-types.js";
import type { LogHub } from "../logs/log-hub.js";

/** Takes anything; several parts are joined by a space. It never throws and never makes the caller wait. */
export type HandlerLog = (...parts: unknown[]) => void;

/** One key and its meaning, such as `{ L: "Large" }`. */
export type Shortcut = Readonly<Record<string, string>>;

/** Methods that a handler of any kind may have. */
export interface OptionalMethods {
  /** Keys that change the value to themselves, or run the handler, from any tab; in the order of the help. */
  shortcuts?(): readonly Shortcut[];
  /** The user pressed Esc in the field. */
  cancel?(): void | Promise<void>;
  /** The handler's tab came to the front for the first time. */
  onTabActive?(): void | Promise<void>;
  /** Called once, with the log that belongs to this handler. */
  setLog?(log: HandlerLog): void;
  /** True: every line is shown, not only the newest. */
  alwaysShowAllLogs?(): boolean;
}

interface Named extends OptionalMethods {
  /** Read once, at registration. */
  name(): string;
}

/** Something to look at. */
export interface DisplayHandler extends Named {
  content(): string;
  label?(): string;
}

/** A value to change. `label` and `value` are called on every read of the state. */
export interface EditHandler extends Named {
  label(): string;
  value(): string;
  change(value: string): void | Promise<void>;
}

/** Something to run. */
export interface ExecutionHandler extends Named {
  label(): string;
  execute(): void | Promise<void>;
}

/** A conversation: it gets one answer after another for as long as it waits for the user. */
export interface InteractiveHandler extends EditHandler {
  waitingForUser(): boolean;
}

/** Only log lines. */
export interface LoggableHandler extends Named {
  setLog(log: HandlerLog): void;
}

export type Handler = DisplayHandler | EditHandler | ExecutionHandler | InteractiveHandler | LoggableHandler;

type Method = "name" | "content" | "value" | "change" | "execute" | "waitingForUser" | "setLog";

/** The first row whose methods all exist decides. */
export const detectionTable: readonly { readonly kind: HandlerKind; readonly methods: readonly Method[] }[] = [
  { kind: "interactive", methods: ["name", "value", "change", "waitingForUser"] },
  { kind: "edit", methods: ["name", "value", "change"] },
  { kind: "execution", methods: ["name", "execute"] },
  { kind: "display", methods: ["name", "content"] },
  { kind: "loggable", methods: ["name", "setLog"] },
];

/** Null when the candidate is no handler. */
export function kindOf(candidate: unknown): HandlerKind | null {
  if (typeof candidate !== "object" || candidate === null) return null;
  const has = (method: Method) => typeof (candidate as Record<string, unknown>)[method] === "function";
  return detectionTable.find(({ methods }) => methods.every(has))?.kind ?? null;
}

/** What keeps an object from being a handler, and the methods of those that are. */
export function handlerProblem(candidate: unknown): string {
  const given = (typeof candidate === "object" ? candidate : null) as Record<string, unknown> | null;
  if (given === null) return "it is no object";
  const noMethod = detectionTable.flatMap(({ methods }) => methods).find((name) => isOther(given[name]));
  if (noMethod !== undefined) return `${noMethod} must be a method, as in { ${noMethod}: () => … }`;
  if (given["name"] === undefined) return 'name is missing, as in { name: () => "Mode" }';
  const kinds = detectionTable.map(({ methods }) => methods.slice(1).join(" + "));
  return `besides name it needs one of ${kinds.join(", ")}`;
}

function isOther(value: unknown): boolean {
  return value !== undefined && typeof value !== "function";
}

// Turns what a handler prints into a log line: joins the parts, removes progress marks and derives the kind from the words.
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

/** `[...` and `...]` at the start of a message are marks. */
export function readMessage(parts: readonly unknown[]): { content: string; progress: "none" | "opens" | "closes" } {
  const message = parts.map(textOf).join(" ");
  const [, mark, content = ""] = /^(\[\.{3}|\.{3}\])([\s\S]*)$/.exec(message) ?? [];
  if (mark === undefined) return { content: message, progress: "none" };
  return { content: content.trim(), progress: mark.startsWith("[") ? "opens" : "closes" };
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
