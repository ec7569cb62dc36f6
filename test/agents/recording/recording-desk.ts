// What the tests of recordings share: a folder of their own, a clock that is turned by hand, and an agent's link that is
// played by the test itself.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { DialectLinkHandlers, SessionLink } from "../../../src/agents/dialect-link.js";
import { Recorder } from "../../../src/agents/recordings/recorder.js";
import type { RecordingEntry } from "../../../src/agents/recordings/recording.js";
import type { Ask } from "../../../src/contract/asks.js";
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { createRedactor } from "../../../src/text/redact.js";

export const header = {
  agent: "gemini",
  palaver: "0.1.0",
  startedAt: "2026-11-15T10:00:00.000Z",
  size: { columns: 80, rows: 24 },
};

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "palaver-recording-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export class HandClock {
  nowMs = 1_000;
  private timers: { atMs: number; run: () => void }[] = [];

  readonly now = (): number => this.nowMs;

  readonly after = (delayMs: number, run: () => void): (() => void) => {
    const timer = { atMs: this.nowMs + delayMs, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  };

  /** Goes to the next timer and lets it run; false when nobody waits. */
  step(): boolean {
    const next = this.timers.sort((a, b) => a.atMs - b.atMs).shift();
    if (next === undefined) return false;
    this.nowMs = Math.max(this.nowMs, next.atMs);
    next.run();
    return true;
  }
}

export function recordInMemory(secrets: readonly string[] = []) {
  const clock = new HandClock();
  const lines: string[] = [];
  const ports = { nowMs: clock.now, write: (line: string) => lines.push(line), redaction: createRedactor(secrets) };
  const recorder = new Recorder(header, ports);
  return {
    clock,
    recorder,
    lines,
    entries: () => lines.map((line) => JSON.parse(line) as RecordingEntry),
    events: () =>
      lines.flatMap((line) => {
        const entry = JSON.parse(line) as RecordingEntry;
        return entry.dir === "in" ? [entry.event] : [];
      }),
  };
}

export function entriesIn(path: string): unknown[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** A link whose agent is the test: it says things through `say` and looks at what was sent. */
export function scriptedLink() {
  const sent: LinesCommand[] = [];
  const flows: string[] = [];
  let handlers: DialectLinkHandlers | null = null;
  let leave: (code: number) => void = () => undefined;
  const open = (given: DialectLinkHandlers): SessionLink => {
    handlers = given;
    const exited = new Promise<Awaited<SessionLink["exited"]>>((resolve) => {
      leave = (code) => resolve({ code, signal: null, error: null, stderrTail: "" });
    });
    return {
      exited,
      send: (command) => (sent.push(command) > 0 ? "delivered" : "lost"),
      setFlow: (flow) => void flows.push(flow),
      stop() {
        leave(0);
        return exited;
      },
    };
  };
  const say = (event: SessionEvent) => handlers?.onEvent(event);
  return { open, sent, flows, say, leave: (code: number) => leave(code) };
}

export function inputAsk(id: string, opts: Record<string, unknown>): SessionEvent {
  return raised({ kind: "input", params: { title: "Token?", opts } }, id);
}

export function raised(question: Ask["question"], id: string): SessionEvent {
  const ask: Ask = { id, sessionId: null, turnId: null, origin: { kind: "agent" }, question, deadlineMs: 31_000 };
  return { type: "ask.raised", sessionId: null, ask };
}

export function said(text: string): SessionEvent {
  return { type: "message.finished", sessionId: null, message: { role: "assistant", content: text } };
}
