// The log of one tab: the newest lines, each with a number that is never reused, so that a reader keeps its place. The newest
// line of each handler comes first; earlier ones fill the room that is left.
import type { LogEntry } from "../../contract/daemon.js";
import { type MessageKind, messageTypes } from "../../contract/handler-types.js";

export const TAB_LINES_MAX = 500;

export interface TabLogLine {
  readonly number: number;
  readonly time: string;
  readonly handler: string;
  /** Untrusted. */
  readonly color: string;
  readonly kind: MessageKind;
  readonly content: string;
  readonly shows: "latest" | "every";
  /** "unknown": the connection was lost before the end. */
  readonly progress: "none" | "running" | "unknown";
}

export interface LogState {
  readonly lines: readonly TabLogLine[];
  readonly nextNumber: number;
}

export const emptyLog: LogState = { lines: [], nextNumber: 0 };

const kindsByNumber: ReadonlyMap<number, MessageKind> = new Map(
  (Object.keys(messageTypes) as MessageKind[]).map((kind) => [messageTypes[kind], kind]),
);

export function kindOfLine({ type }: Pick<LogEntry, "type">): MessageKind {
  return kindsByNumber.get(type) ?? "normal";
}

/** Our ids grow, also over restarts; ids of other daemons are only unique. */
export function isNewerLine(id: string, lastId: string | null): boolean {
  const areNumbers = /^\d+$/.test(id) && /^\d+$/.test(lastId ?? "");
  return areNumbers ? BigInt(id) > BigInt(lastId ?? 0) : id === "" || id !== lastId;
}

export function written(log: LogState, entry: LogEntry): LogState {
  const line: TabLogLine = {
    number: log.nextNumber,
    time: entry.timestamp,
    handler: entry.handler_name,
    color: entry.handler_color,
    kind: kindOfLine(entry),
    content: entry.content,
    shows: entry.streaming === true || kindOfLine(entry) === "debug" ? "every" : "latest",
    progress: entry.is_progress === true ? "running" : "none",
  };
  const before = endedProgress(log.lines, entry.handler_name);
  return { lines: [...before.slice(1 - TAB_LINES_MAX), line], nextNumber: log.nextNumber + 1 };
}

/** The next line of a handler ends its progress. */
function endedProgress(lines: readonly TabLogLine[], handler: string): readonly TabLogLine[] {
  const isOpen = (line: TabLogLine) => line.progress !== "none" && line.handler === handler;
  return lines.some(isOpen)
    ? lines.map((line): TabLogLine => (isOpen(line) ? { ...line, progress: "none" } : line))
    : lines;
}

/** After a disconnect, running progress is unknown. */
export function withUnknownProgress(log: LogState): LogState {
  if (!isBusy(log)) return log;
  const lines = log.lines.map(
    (line): TabLogLine => (line.progress === "running" ? { ...line, progress: "unknown" } : line),
  );
  return { ...log, lines };
}

export function isBusy({ lines }: LogState): boolean {
  return lines.some(({ progress }) => progress === "running");
}

/** The newest line of each handler and the newest of the others, together at most `count`, in the order in which they came. */
export function linesFor(log: LogState, count: number): readonly TabLogLine[] {
  const latest = new Set(latestLines(log).slice(-count));
  const others = log.lines.filter((line) => !latest.has(line));
  const filling = new Set(others.slice(Math.max(0, others.length - (count - latest.size))));
  return log.lines.filter((line) => latest.has(line) || filling.has(line));
}

/** The newest line of each handler, in the order in which they came, and every line of those that stream. */
export function latestLines({ lines }: LogState): readonly TabLogLine[] {
  const spoken = new Set<string>();
  const latest = lines.toReversed().filter(({ handler, shows }) => {
    if (shows === "every") return true;
    const isNewest = !spoken.has(handler);
    spoken.add(handler);
    return isNewest;
  });
  return latest.reverse();
}
