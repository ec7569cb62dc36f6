// The commands and keys that only the screen reader has: continue a long output, speak the status, search, pick from a list.
// Every answer is lines of text.
import type { KeyAction } from "../../session/keymap.js";
import type { Block } from "../../session/transcript/block.js";
import { wholeSpeech } from "../../terminal/painter/reader/block-speech.js";
import { statusSpeech } from "../../terminal/painter/reader/status-speech.js";
import { matchesIn } from "../../terminal/painter/viewer/line-search.js";
import { humanCount } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import type { App } from "../inline/app.js";
import type { Option } from "../inline/slash-runner.js";
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

// The open list, if any. Its choices are spoken with numbers. The next typed line picks one by number or by part of its text,
// narrows the list, or, when it is empty, closes it. Of a long list only the first entries are spoken.

const SAID_MAX = 20;

interface OpenListPorts {
  say(lines: readonly string[]): void;
  /** It is gone, and no other came in its place. */
  onClosed(): void;
}

interface List {
  readonly title: string;
  /** Those that are left after narrowing. */
  readonly options: readonly Option[];
  readonly onChosen: (value: string) => void;
}

export class OpenList {
  private readonly ports: OpenListPorts;
  private open: List | null = null;

  constructor(ports: OpenListPorts) {
    this.ports = ports;
  }

  get isOpen(): boolean {
    return this.open !== null;
  }

  choose(title: string, options: readonly Option[], onChosen: (value: string) => void): void {
    this.open = { title, options, onChosen };
    this.ports.say(linesOf(this.open));
  }

  pick(line: string): void {
    if (this.open === null) return;
    const list = this.open;
    const typed = line.trim().toLowerCase();
    const found = list.options.filter((option) => wordsOf(option).toLowerCase().includes(typed));
    const byNumber = /^\d+$/.test(typed) ? list.options.slice(0, SAID_MAX)[Number(typed) - 1] : undefined;
    const chosen = byNumber ?? (found.length === 1 ? found[0] : undefined);
    if (typed === "") this.close(() => this.ports.say(["Notice: nothing was chosen."]));
    else if (chosen !== undefined) this.close(() => list.onChosen(chosen.value));
    else if (found.length === 0) this.ports.say(["No entry in the list matches.", ...linesOf(list)]);
    else this.choose(list.title, found, list.onChosen);
  }

  // A choice may open the next list.
  private close(run: () => void): void {
    this.open = null;
    run();
    if (!this.isOpen) this.ports.onClosed();
  }
}

function linesOf({ title, options }: List): string[] {
  const said = options.slice(0, SAID_MAX).map((option, at) => `${at + 1} ${wordsOf(option)}`);
  const hidden = options.length - said.length;
  const more = hidden <= 0 ? [] : [`${humanCount(hidden)} more; type a part of the words to narrow the list.`];
  return [
    `List: ${safeLine(title)}`,
    ...said,
    ...more,
    "Type a number and press Enter; an empty line chooses nothing.",
  ];
}

function wordsOf({ label, detail }: Option): string {
  return [label, detail].map(safeLine).filter(Boolean).join(", ");
}
