// The attached view on an emulator: the production app and screen, a daemon that answers when it is told to, a clock that
// moves when told, and a list of what was sent.

import type { Ask, AskOutcome } from "../../../src/contract/asks.js";
import type { LogEntry, StateEntry } from "../../../src/contract/daemon.js";
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import type { HostedSession } from "../../../src/session/attach/attach-state.js";
import { type RemoteConnection, SessionEngine } from "../../../src/session/engine/source.js";
import { createKeymap } from "../../../src/session/keymap.js";
import { responseTo } from "../../../src/session/outcome-words.js";
import type { Block } from "../../../src/session/transcript/block.js";
import { asciiGlyphs, unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import type { Style } from "../../../src/terminal/painter/style/style.js";
import { AttachApp } from "../../../src/views/attach/attach-app.js";
import type { AttachDaemon, AttachNews } from "../../../src/views/attach/attach-daemon.js";
import { SessionTabs } from "../../../src/views/attach/session-tabs.js";
import { PacedScreen } from "../../../src/views/inline/paced-screen.js";
import { Emulator } from "../../rigs/emulator.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";
import { buildState, LINE_AT_MS } from "../../session/attach/daemon-samples.js";
import { colourless } from "../../terminal/painter/visible.js";

export const ENTER = "\r";
export const ESCAPE = "\x1b";
export const TAB = "\t";
export const SHIFT_TAB = "\x1b[Z";
export const UP = "\x1b[A";
export const DOWN = "\x1b[B";
export const RIGHT = "\x1b[C";
export const LEFT = "\x1b[D";
export const END = "\x1b[F";
export const PAGE_UP = "\x1b[5~";
export const WHEEL_UP = "\x1b[<64;10;5M";
export const BACKSPACE = "\x7f";
export const CTRL_C = "\x03";
export const CTRL_O = "\x0f";
export const CTRL_PAGE_DOWN = "\x1b[6;5~";

export interface StageOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly style?: Style;
  readonly glyphs?: "unicode" | "ascii";
}

/** A hosted session whose engine is here: it is told what its agent does, and keeps what would be sent to it. */
export class StagedSession implements RemoteConnection {
  readonly source: SessionEngine;
  readonly sent: LinesCommand[] = [];
  phase: RemoteConnection["phase"] = "catching up";
  stopped: "no" | "stopped" = "no";
  private readonly earlier: AttachStage["earlier"];

  constructor(clock: ManualClock, earlier: AttachStage["earlier"]) {
    this.earlier = earlier;
    this.source = new SessionEngine({
      clock,
      send: (command) => void this.sent.push(command),
      respond: (ask, outcome) => {
        this.sent.push(responseTo(ask, outcome));
        return "delivered";
      },
    });
  }

  hear(event: SessionEvent): void {
    this.source.take({ type: "event", event });
  }

  /** Another view settled the ask. */
  settled(askId: string, outcome: AskOutcome): void {
    this.source.take({ type: "settled-elsewhere", askId, outcome });
  }

  /** All that there was has been told. */
  caughtUp(): void {
    this.phase = "live";
    this.hear({ type: "status.changed", sessionId: null, key: "live", text: "" });
    this.hear({ type: "status.changed", sessionId: null, key: "live", text: null });
  }

  readEarlier(chars: number): Promise<readonly Block[] | null> {
    return this.earlier(chars);
  }

  async open(): Promise<void> {}
  restart(): void {}
  catchUp(): void {}

  async close(): Promise<void> {
    this.stopped = "stopped";
  }
}

export class AttachStage {
  readonly clock = new ManualClock();
  readonly emulator: Emulator;
  readonly app: AttachApp;
  readonly screenOf: PacedScreen;
  readonly actions: string[] = [];
  readonly shownTabs: string[] = [];
  readonly shownAsks: string[] = [];
  readonly answers: { askId: string; outcome: AskOutcome }[] = [];
  readonly joined = new Map<string, StagedSession>();
  states: readonly StateEntry[] | null = buildState;
  openAsks: readonly Ask[] = [];
  hosted: readonly HostedSession[] = [];
  /** Why the next action is refused; null when it is taken. */
  refusal: string | null = null;
  /** Why the state cannot be read; null when it can. */
  stateError: string | null = null;
  /** What the daemon does with an action, besides taking it. */
  onAction: (key: string, value: string) => Promise<void> = () => Promise.resolve();
  /** What was said in the hosted session before the part that it begins with. */
  earlier: (chars: number) => Promise<readonly Block[] | null> = () => Promise.resolve(null);
  left: "no" | "left" = "no";
  speed: "drained" | "full" = "drained";
  private unread = "";

  constructor({ columns = 80, rows = 24, style = colourless, glyphs = "unicode" }: StageOptions = {}) {
    this.emulator = new Emulator({ columns, rows });
    const { clock } = this;
    const look = {
      style,
      glyphs: glyphs === "unicode" ? unicodeGlyphs : asciiGlyphs,
      wrap: "words" as const,
      thinking: "shown" as const,
      motion: "full" as const,
      outputLinesMax: 5,
    };
    const size = { columns, rows };
    const daemon = this.daemon();
    const sessions: SessionTabs = new SessionTabs({
      look,
      clock,
      keymap: createKeymap({}).keymap,
      folder: "/",
      typingGuardMs: 800,
      shell: "sh",
      history: { load: () => [], append: () => undefined },
      size: { columns, rows: rows - 1 },
      isSeen: () => this.screenOf.isSeen,
      draw: (urgency) => this.app.draw(urgency),
      redraw: () => this.screenOf.resize(this.screenOf.size),
      screenWanted: (change) => (change === "given" ? this.screenOf.close() : this.screenOf.open()),
      daemon,
      write: (bytes) => this.write(bytes),
      leave: () => {
        this.left = "left";
      },
      edit: (text) => Promise.resolve({ text }),
      exportTranscript: async () => "",
    });
    this.app = new AttachApp({
      clock,
      wallMs: () => LINE_AT_MS / 2,
      daemon,
      look,
      typingGuardMs: 800,
      screen: () => this.screenOf,
      sessions: () => sessions,
      leave: () => {
        this.left = "left";
      },
    });
    this.screenOf = new PacedScreen({
      frameIntervalMs: 16,
      apply: (bytes) => this.write(bytes),
      clock,
      size,
      view: (window) => this.app.frame(window),
    });
    this.screenOf.open();
  }

  /** The daemon is there and has said what it has. */
  async connect(...lines: LogEntry[]): Promise<this> {
    this.app.hear({ type: "connected" });
    await this.settle();
    this.log(...lines);
    return this;
  }

  log(...lines: LogEntry[]): void {
    for (const one of lines) this.app.hear({ type: "line", entry: one });
  }

  async news(...news: AttachNews[]): Promise<void> {
    for (const one of news) this.app.hear(one);
    await this.settle();
  }

  /** The daemon says something new of itself. */
  async changeState(states: readonly StateEntry[] | null): Promise<void> {
    this.states = states;
    await this.news({ type: "refresh" });
  }

  async type(...sequences: string[]): Promise<void> {
    for (const sequence of sequences) {
      const isKey = sequence.startsWith("\x1b") || Array.from(sequence).length === 1;
      for (const key of isKey ? [sequence] : Array.from(sequence)) this.app.key(key);
    }
    await this.settle();
  }

  /** Whatever was promised by now has come. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    this.clock.advance(20);
  }

  async wait(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 20) this.clock.advance(20);
    await this.settle();
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.read();
    this.emulator.resize(columns, rows);
    this.app.resize({ columns, rows });
    await this.settle();
  }

  async rows(): Promise<string[]> {
    this.clock.advance(20);
    await this.read();
    return this.emulator.viewport().map((row) => row.slice(0, this.emulator.columns).trimEnd());
  }

  async screen(): Promise<string> {
    return (await this.rows()).join("\n");
  }

  /** Everything that was written since somebody looked last. */
  get bytesWaiting(): string {
    return this.unread;
  }

  private write(bytes: string): "drained" | "full" {
    this.unread += bytes;
    return this.speed;
  }

  private async read(): Promise<void> {
    const bytes = this.unread;
    this.unread = "";
    await this.emulator.write(bytes);
  }

  private daemon(): AttachDaemon {
    const answered = () => (this.refusal === null ? Promise.resolve() : Promise.reject(new Error(this.refusal)));
    return {
      state: () =>
        this.stateError === null ? Promise.resolve(this.states) : Promise.reject(new Error(this.stateError)),
      act: (key, value) => {
        this.actions.push(value === "" ? key : `${key}=${value}`);
        void this.onAction(key, value);
        return answered();
      },
      cancel: (key) => {
        this.actions.push(`cancel ${key}`);
        return Promise.resolve();
      },
      showTab: (title) => {
        this.shownTabs.push(title);
        return Promise.resolve();
      },
      asks: () => Promise.resolve(this.openAsks),
      answer: (askId, outcome) => {
        this.answers.push({ askId, outcome });
        return answered();
      },
      shown: (askId) => {
        this.shownAsks.push(askId);
        return Promise.resolve();
      },
      sessions: () => Promise.resolve(this.hosted),
      openSession: (id) => this.join(id),
      follow: () => new Promise(() => undefined),
    };
  }

  private join(id: string): StagedSession {
    const session = new StagedSession(this.clock, (chars) => this.earlier(chars));
    this.joined.set(id, session);
    return session;
  }
}
