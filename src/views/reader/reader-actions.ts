// What only the reader does when it is told to, by a command or a key: reads on, says how things stand, finds. Everything it
// answers is lines.
import type { KeyAction } from "../../session/keymap.js";
import type { Block } from "../../session/transcript/block.js";
import { wholeSpeech } from "../../terminal/painter/reader/block-speech.js";
import { statusSpeech } from "../../terminal/painter/reader/status-speech.js";
import { matchesIn } from "../../terminal/painter/viewer/line-search.js";
import { humanCount } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import type { App } from "../inline/app.js";
import type { ReaderCommand } from "./reader-commands.js";

export interface ReaderActionParts {
  readonly app: App;
  say(lines: readonly string[]): void;
  /** The last block of which only a part was said. */
  lastCut(): Block | null;
  questions(): number;
  repeatQuestion(): boolean;
  edit(): void;
}

const SEARCH_LINES_MAX = 20;
const PAGE_LINES = 40;

export class ReaderActions {
  private readonly parts: ReaderActionParts;
  /** What is read out page by page, and the lines that are left of it. */
  private reading: { readonly block: Block; left: readonly string[] } | null = null;

  constructor(parts: ReaderActionParts) {
    this.parts = parts;
  }

  obey(command: ReaderCommand): void {
    this.commands[command]();
  }

  /** false when the key has another meaning, or none. */
  act(action: KeyAction): boolean {
    if (action === "open-whole" || action === "open-viewer") this.open();
    else if (action === "next-mode") this.parts.app.nextMode();
    else return this.parts.app.act(action);
    return true;
  }

  forgetReading(): void {
    this.reading = null;
  }

  private readonly commands: Readonly<Record<ReaderCommand, () => void>> = {
    open: () => this.open(),
    status: () => this.status(),
    repeat: () => {
      if (!this.parts.repeatQuestion()) this.parts.say(["Notice: no question is open."]);
    },
    edit: () => this.parts.edit(),
  };

  search(words: string): void {
    if (words === "") {
      this.parts.say([
        "Notice: /search and some words finds them in the transcript; /open reads the last long output.",
      ]);
      return;
    }
    const lines = this.parts.app.active.journal.blocks.flatMap((block) => wholeSpeech(block));
    const found = lines.filter((line) => matchesIn(line, words).length > 0);
    const shown = found.slice(-SEARCH_LINES_MAX);
    const count = `${found.length} ${found.length === 1 ? "line" : "lines"} with ${safeLine(words)}`;
    const which = found.length > shown.length ? `, these are the last ${shown.length}` : "";
    this.parts.say([`Found: ${count}${which}.`, ...shown]);
  }

  private open(): void {
    const block = this.parts.lastCut();
    if (block !== null && (this.reading?.block !== block || this.reading.left.length === 0)) {
      this.reading = { block, left: wholeSpeech(block) };
    }
    if (this.reading === null) {
      this.parts.say(["Notice: nothing was cut short."]);
      return;
    }
    const page = this.reading.left.slice(0, PAGE_LINES);
    this.reading.left = this.reading.left.slice(PAGE_LINES);
    const count = this.reading.left.length;
    this.parts.say([...page, count === 0 ? "End." : `${humanCount(count)} more lines; /open continues.`]);
  }

  private status(): void {
    const { active, branch, nowMs, options, ports } = this.parts.app;
    const sessions = ports.source.state.sessions.length;
    const moment = { nowMs, sessions, questions: this.parts.questions() };
    this.parts.say(statusSpeech(active.facts, { agent: options.agent, branch, ...moment }));
  }
}
