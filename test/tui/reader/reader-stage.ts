// The reader in front of an emulator, with a clock that moves when told: what is said is what the terminal shows, as text.
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { createKeymap } from "../../../src/core/keymap.js";
import { asciiGlyphs } from "../../../src/screen/blocks/glyphs.js";
import { Emulator } from "../../../src/testing/emulator.js";
import type { AppLook } from "../../../src/tui/app/app-look.js";
import { ReaderApp, type ReaderOptions } from "../../../src/tui/reader/reader-app.js";
import { ManualClock } from "../../screen/rig.js";
import { colourless } from "../../screen/visible.js";

export const ENTER = "\r";
export const ESCAPE = "\x1b";
export const UP = "\x1b[A";
export const DOWN = "\x1b[B";
export const BACKSPACE = "\x7f";
export const CTRL_C = "\x03";

export class ReaderStage {
  readonly clock = new ManualClock();
  readonly emulator: Emulator;
  readonly sent: LinesCommand[] = [];
  readonly remembered: string[] = [];
  readonly drafts: string[] = [];
  readonly app: ReaderApp;
  readonly look: AppLook = {
    style: colourless,
    glyphs: asciiGlyphs,
    wrap: "words",
    thinking: "shown",
    motion: "full",
    outputLinesMax: 2,
  };
  bytes = "";
  left: "no" | "left" = "no";
  speed: "drained" | "full" = "drained";
  private unread = "";

  constructor(options: Partial<ReaderOptions> = {}) {
    this.emulator = new Emulator({ columns: options.columns ?? 120, rows: 30 });
    this.app = new ReaderApp(
      {
        agent: "agent.py",
        folder: "/",
        look: this.look,
        keymap: createKeymap({}).keymap,
        history: { load: () => ["an older prompt"], append: (text) => this.remembered.push(text) },
        draft: { recover: () => null, changed: (text) => this.drafts.push(text), end: () => undefined },
        shell: "sh",
        typingGuardMs: 400,
        columns: 120,
        clipboard: "osc52",
        bell: "off",
        ...options,
      },
      {
        clock: this.clock,
        terminal: {
          write: (bytes) => {
            this.bytes += bytes;
            this.unread += bytes;
            return this.speed;
          },
        },
        send: (command) => this.sent.push(command),
        leave: () => {
          this.left = "left";
        },
        restart: () => undefined,
        edit: (text) => Promise.resolve({ text: `${text} edited` }),
        exportTranscript: (_, format, path) => `written as ${format} to ${path}`,
        settings: () => [{ key: "theme", value: "harbour", words: "the colours", values: ["harbour", "ember"] }],
        change: () => null,
      },
    );
    this.app.linkChanged("opened", []);
  }

  ready(): this {
    this.hear({ type: "agent.readied", sessionId: null, ui: true, protocolVersion: "1" });
    return this;
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

  wait(ms: number): void {
    for (let passed = 0; passed < ms; passed += 20) this.clock.advance(20);
  }

  /** All of it, from the beginning. */
  async all(): Promise<string[]> {
    await this.emulator.write(this.unread);
    this.unread = "";
    const lines = this.emulator.lines().map((line) => line.trimEnd());
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }
}
