// The log of one tab: the newest lines, each with a number of its own that is never given again, so that whoever reads can
// keep his place while old lines go. A handler usually speaks of one thing at a time: its newest line stands for it, unless
// it streams or somebody wants to see everything.
import { type LogEntry, type MessageKind, messageTypes } from "../../contract/daemon.js";

export const BOOK_LINES_MAX = 500;

export interface BookLine {
  readonly number: number;
  readonly time: string;
  readonly handler: string;
  /** As the handler's author wrote it; may be anything. */
  readonly color: string;
  readonly kind: MessageKind;
  readonly content: string;
  readonly shows: "latest" | "every";
  /** "unknown": the connection was lost before the end was heard. */
  readonly progress: "none" | "running" | "unknown";
}

export interface LogState {
  readonly lines: readonly BookLine[];
  readonly nextNumber: number;
}

export const emptyBook: LogState = { lines: [], nextNumber: 0 };

const kindsByNumber: ReadonlyMap<number, MessageKind> = new Map(
  (Object.keys(messageTypes) as MessageKind[]).map((kind) => [messageTypes[kind], kind]),
);

/** A number that is not known here is an ordinary line. */
export function kindOfLine({ type }: Pick<LogEntry, "type">): MessageKind {
  return kindsByNumber.get(type) ?? "normal";
}

export function written(book: LogState, entry: LogEntry): LogState {
  const line: BookLine = {
    number: book.nextNumber,
    time: entry.timestamp,
    handler: entry.handler_name,
    color: entry.handler_color,
    kind: kindOfLine(entry),
    content: entry.content,
    shows: entry.streaming === true || kindOfLine(entry) === "debug" ? "every" : "latest",
    progress: entry.is_progress === true ? "running" : "none",
  };
  const before = endedProgress(book.lines, entry.handler_name);
  return { lines: [...before.slice(1 - BOOK_LINES_MAX), line], nextNumber: book.nextNumber + 1 };
}

/** Whatever a handler says next ends the progress it spoke of. */
function endedProgress(lines: readonly BookLine[], handler: string): readonly BookLine[] {
  const isOpen = (line: BookLine) => line.progress !== "none" && line.handler === handler;
  return lines.some(isOpen)
    ? lines.map((line): BookLine => (isOpen(line) ? { ...line, progress: "none" } : line))
    : lines;
}

/** Nobody hears any more how a progress goes on. */
export function lostSight(book: LogState): LogState {
  if (!isBusy(book)) return book;
  const lines = book.lines.map(
    (line): BookLine => (line.progress === "running" ? { ...line, progress: "unknown" } : line),
  );
  return { ...book, lines };
}

export function isBusy({ lines }: LogState): boolean {
  return lines.some(({ progress }) => progress === "running");
}

/** The newest line of each handler, in the order in which they came, and every line of those that stream. */
export function latestLines({ lines }: LogState): readonly BookLine[] {
  const spoken = new Set<string>();
  const latest = lines.toReversed().filter(({ handler, shows }) => {
    if (shows === "every") return true;
    const isNewest = !spoken.has(handler);
    spoken.add(handler);
    return isNewest;
  });
  return latest.reverse();
}
