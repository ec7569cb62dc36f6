// What every stage of the terminal UI has: an emulator, a clock that moves when told, an agent that says what the test wants,
// a person who types, and lists of what came of it. The app on it is the screen's or the reader's.
import { ANSWER_HOLD_MS, ENTER_PAUSE_MS } from "../../src/contract/limits.js";
import type { LinesCommand } from "../../src/contract/lines-commands.js";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { SessionEngine } from "../../src/session/engine/source.js";
import { createKeymap } from "../../src/session/keymap.js";
import { responseTo } from "../../src/session/outcome-words.js";
import type { SavedSessions } from "../../src/session/saved-session.js";
import type { ClipboardImage } from "../../src/system/clipboard-image.js";
import type { AppOptions, AppPorts } from "../../src/views/inline/app.js";
import type { AppLook } from "../../src/views/inline/app-look.js";
import type { ScreenRenderer } from "../../src/views/inline/screen-renderer.js";
import type { Setting } from "../../src/views/inline/slash-runner.js";
import { Emulator } from "../rigs/emulator.js";
import { ManualClock } from "../rigs/simulator/manual-clock.js";

export const ENTER = "\r";
export const ESCAPE = "\x1b";
export const UP = "\x1b[A";
export const DOWN = "\x1b[B";
export const BACKSPACE = "\x7f";
export const CTRL_X = "\x18";
export const CTRL_C = "\x03";
/** The time of day on the stage; its clock begins at 0. */
export const WALL_MS = 1_767_236_400_000;

export abstract class TalkStage {
  readonly clock = new ManualClock();
  readonly emulator: Emulator;
  readonly sent: LinesCommand[] = [];
  readonly remembered: string[] = [];
  readonly drafts: string[] = [];
  /** What the end of the view leaves for the next run. */
  readonly draftsLeft: string[] = [];
  readonly changed: string[] = [];
  readonly settings: Setting[] = [
    { key: "theme", value: "harbour", words: "the colours", values: ["harbour", "ember", "paper"] },
  ];
  abstract readonly renderer: Pick<ScreenRenderer, "key">;
  readonly engine = new SessionEngine({
    clock: this.clock,
    send: (command) => this.sent.push(command),
    respond: (ask, outcome) => (this.sent.push(responseTo(ask, outcome)) > 0 ? "delivered" : "lost"),
  });
  left: "no" | "left" = "no";
  restarts = 0;
  saved: SavedSessions | undefined;
  speed: "drained" | "full" = "drained";
  /** Why the editor of the user fails; null when it does not. */
  editorTrouble: string | null = null;
  /** The image that stands on the clipboard. */
  clipboard: ClipboardImage = { problem: "the clipboard has no image" };
  /** What an earlier run left unsent. */
  protected unsent: string | null = null;
  /** Everything that was ever written. */
  written = "";
  private unread = "";

  constructor(columns: number, rows: number) {
    this.emulator = new Emulator({ columns, rows });
  }

  ready(): this {
    this.hear({ type: "agent.readied", sessionId: null, ui: true, protocolVersion: "1" });
    return this;
  }

  hear(...events: SessionEvent[]): void {
    for (const event of events) this.engine.take({ type: "event", event });
  }

  linkChanged(change: "opened" | "closed", words: readonly string[]): void {
    this.engine.take({ type: "agent", change, words });
  }

  type(...sequences: string[]): void {
    for (const sequence of sequences) {
      const keys = sequence.startsWith("\x1b") || sequence.length === 1 ? [sequence] : [...sequence];
      for (const key of keys) this.renderer.key(key);
    }
  }

  /** One key by itself, and the silence that makes an answer of it. */
  answer(key: string): void {
    this.type(key);
    this.wait(ANSWER_HOLD_MS);
  }

  /** Moves the selection, and sends it after the pause that Enter needs. */
  choose(...moves: string[]): void {
    this.type(...moves);
    this.wait(ENTER_PAUSE_MS);
    this.type(ENTER);
  }

  /** Time passes until everything that was to come has come. */
  wait(ms: number): void {
    for (let passed = 0; passed < ms; passed += 20) this.clock.advance(20);
  }

  /** The emulator reads what was written since the last time. */
  protected async catchUp(): Promise<void> {
    const bytes = this.unread;
    this.unread = "";
    await this.emulator.write(bytes);
  }

  get bytesWaiting(): number {
    return this.unread.length;
  }

  protected readonly write = (bytes: string): "drained" | "full" => {
    this.written += bytes;
    this.unread += bytes;
    return this.speed;
  };

  protected options(look: AppLook): AppOptions {
    return {
      agent: "agent.py",
      folder: "/",
      look,
      keymap: createKeymap({}).keymap,
      history: { load: () => ["an older prompt"], append: (text) => this.remembered.push(text) },
      draft: {
        recover: () => this.unsent,
        changed: (text) => this.drafts.push(text),
        end: async (left) => void this.draftsLeft.push(left),
      },
      shell: "sh",
      typingGuardMs: 800,
      wallMs: () => WALL_MS,
      clipboardImage: async () => this.clipboard,
    };
  }

  protected ports(): AppPorts {
    return {
      clock: this.clock,
      terminal: { write: this.write },
      source: this.engine,
      leave: () => {
        this.left = "left";
      },
      restart: () => {
        this.restarts += 1;
      },
      saved: this.saved,
      edit: (text) =>
        Promise.resolve(this.editorTrouble === null ? { text: `${text} edited` } : { trouble: this.editorTrouble }),
      exportTranscript: async (_, format, path) => `written as ${format} to ${path}`,
      settings: () => this.settings,
      change: (key, value, use) => {
        this.changed.push([`${key}=${value}`, use].filter(Boolean).join(", "));
        return null;
      },
    };
  }
}
