// Entries and lines as a daemon sends them, for the tests of the attached view.
import type { LogEntry, StateEntry } from "../../../src/contract/daemon.js";
import { messageTypes } from "../../../src/contract/handler-types.js";

/** Lines have this moment; whoever attaches before it has them all unread. */
export const LINE_AT_MS = 1_000;

/** An entry of the state; `kind` is the number on the wire. */
export function entry(tab: string, name: string, kind: number, rest: Partial<StateEntry> = {}): StateEntry {
  return {
    tab_title: tab,
    handler_name: name,
    handler_color: "#6cb6ff",
    handler_type: kind,
    label: name,
    value: "",
    shortcut: name,
    shortcuts: null,
    ...rest,
  };
}

let lineCount = 0;

export function line(tab: string, handler: string, content: string, rest: Partial<LogEntry> = {}): LogEntry {
  lineCount += 1;
  return {
    id: String(1_000_000 + lineCount),
    timestamp: "12:04:31",
    content,
    type: messageTypes.normal,
    tab_title: tab,
    handler_name: handler,
    handler_color: "#6cb6ff",
    handler_type: 4,
    at_ms: LINE_AT_MS,
    ...rest,
  };
}

export const buildState: readonly StateEntry[] = [
  entry("BUILD", "watch", 4),
  entry("BUILD", "Mode", 1, { value: "development", shortcuts: [{ d: "development" }, { p: "production" }] }),
  entry("BUILD", "Browser", 1, { value: "off" }),
  entry("BUILD", "Restart", 2, { shortcuts: [{ r: "restart" }] }),
  entry("SERVER", "Address", 0, { value: "http://127.0.0.1:4100/main.js" }),
  entry("TESTS", "tests", 4),
  entry("TESTS", "Test", 2, { label: "Run the tests" }),
];
