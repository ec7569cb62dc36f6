// The whole terminal UI on an emulator: the production app, a clock that moves when told, and a list of what it sent.
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import type { Situation } from "../../../src/core/attention.js";
import { createKeymap } from "../../../src/core/keymap.js";
import { unicodeGlyphs } from "../../../src/screen/blocks/glyphs.js";
import { InlineScreen } from "../../../src/screen/inline-screen.js";
import { Emulator } from "../../../src/testing/emulator.js";
import type { AppLook } from "../../../src/tui/app/app-look.js";
import type { Setting } from "../../../src/tui/app/slash-runner.js";
import { TerminalApp } from "../../../src/tui/app/terminal-app.js";
import { ManualClock, XTERM_JS } from "../../screen/rig.js";
import { colourless } from "../../screen/visible.js";

export const ENTER = "\r";
export const ESCAPE = "\x1b";
export const DOWN = "\x1b[B";
export const CTRL_C = "\x03";

export class Stage {
  readonly clock = new ManualClock();
  readonly emulator: Emulator;
  readonly sent: LinesCommand[] = [];
  readonly remembered: string[] = [];
  readonly app: TerminalApp;
  readonly drafts: string[] = [];
  readonly situations: Situation[] = [];
  readonly changed: string[] = [];
  readonly settings: Setting[] = [
    { key: "theme", value: "harbour", words: "the colours", values: ["harbour", "ember", "paper"] },
  ];
  readonly look: AppLook = {
    style: colourless,
    glyphs: unicodeGlyphs,
    wrap: "words",
    thinking: "shown",
    motion: "full",
    outputLinesMax: 5,
  };
  left: "no" | "left" = "no";
  private unread = "";

  constructor(columns = 60, rows = 20) {
    this.emulator = new Emulator({ columns, rows });
    const size = () => ({ columns: this.emulator.columns, rows: this.emulator.rows });
    const terminal = {
      write: (bytes: string) => {
        this.unread += bytes;
        return "drained" as const;
      },
    };
    const screen = new InlineScreen({
      apply: terminal.write,
      clock: this.clock,
      size: size(),
      profile: XTERM_JS,
      onViolation: "throw",
    });
    this.app = new TerminalApp(
      {
        agent: "agent.py",
        look: this.look,
        folder: "/",
        keymap: createKeymap({}).keymap,
        draft: { recover: () => null, changed: (text) => this.drafts.push(text), end: () => undefined },
        shell: "sh",
        typingGuardMs: 400,
        history: { load: () => ["an older prompt"], append: (text) => this.remembered.push(text) },
      },
      {
        clock: this.clock,
        terminal,
        face: screen,
        attention: { update: (situation) => this.situations.push(situation) },
        send: (command) => this.sent.push(command),
        leave: () => {
          this.left = "left";
        },
        restart: () => undefined,
        edit: (text) => Promise.resolve({ text: `${text} edited` }),
        exportTranscript: (_, format, path) => `written as ${format} to ${path}`,
        settings: () => this.settings,
        change: (key, value) => {
          this.changed.push(`${key}=${value}`);
          return null;
        },
      },
    );
    this.app.draw("now");
  }

  ready(): void {
    this.hear({ type: "agent.readied", sessionId: null, ui: true, protocolVersion: "1" });
  }

  hear(...events: SessionEvent[]): void {
    for (const event of events) this.app.hear(event);
  }

  type(...sequences: string[]): void {
    for (const sequence of sequences) {
      const keys = sequence.startsWith("\x1b") || sequence.length === 1 ? [sequence] : [...sequence];
      for (const key of keys) this.app.key(key);
    }
  }

  /** Time passes until everything that was to come has come. */
  wait(ms: number): void {
    for (let passed = 0; passed < ms; passed += 20) this.clock.advance(20);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.read();
    this.emulator.resize(columns, rows);
    this.app.resize({ columns, rows });
  }

  async read(): Promise<string[]> {
    const bytes = this.unread;
    this.unread = "";
    await this.emulator.write(bytes);
    return this.emulator.viewport();
  }

  /** The screen without trailing blanks and empty rows at its end. */
  async screen(): Promise<string> {
    return (await this.read())
      .map((row) => row.trimEnd())
      .join("\n")
      .trimEnd();
  }

  get bytesWaiting(): number {
    return this.unread.length;
  }
}
