// What the reader does when it is told to, by a command or a key: reads on, says how things stand, finds, copies, changes
// between sessions and modes. Everything it answers is lines.

import { activeSession } from "../../session/engine/engine-state.js";
import type { Source } from "../../session/engine/source.js";
import { neighbour } from "../../session/session-list.js";
import type { Block } from "../../session/transcript/block.js";
import { clipboardBytes } from "../../terminal/device/modes.js";
import { wholeSpeech } from "../../terminal/painter/reader/block-speech.js";
import { statusSpeech } from "../../terminal/painter/reader/status-speech.js";
import { matchesIn } from "../../terminal/painter/viewer/line-search.js";
import { safeLine } from "../../text/safe.js";
import type { AppLook } from "../inline/app-look.js";
import type { Option, SlashRunner } from "../inline/slash-runner.js";
import { OpenReading } from "./open-reading.js";
import type { ReaderCommand } from "./reader-commands.js";
import type { ReaderAction, ReaderKeys } from "./reader-keys.js";

export interface ReaderDeedParts {
  readonly source: Source;
  readonly keys: ReaderKeys;
  readonly slash: SlashRunner;
  readonly look: AppLook;
  place(): { readonly agent: string; readonly branch: string | null };
  readonly clipboard: "osc52" | "none";
  nowMs(): number;
  write(bytes: string): void;
  say(lines: readonly string[]): void;
  choose(title: string, options: readonly Option[], onChosen: (value: string) => void): void;
  /** The last block of which only a part was said. */
  lastCut(): Block | null;
  questions(): number;
  repeatQuestion(): boolean;
  edit(): void;
}

const SEARCH_LINES_MAX = 20;

export class ReaderActions {
  private readonly parts: ReaderDeedParts;
  private reading: { readonly block: Block; readonly pages: OpenReading } | null = null;

  constructor(parts: ReaderDeedParts) {
    this.parts = parts;
  }

  obey(command: ReaderCommand): void {
    this.commands[command]();
  }

  act(action: ReaderAction): void {
    this.actions[action]();
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

  private readonly actions: Readonly<Record<ReaderAction, () => void>> = {
    "open-whole": () => this.open(),
    "open-viewer": () => this.open(),
    "new-session": () => this.parts.slash.obeyNamed("new"),
    "next-session": () => this.goTo(1),
    "previous-session": () => this.goTo(-1),
    "queue-edit": () => this.parts.source.dispatch({ type: "queue.take-back" }),
    "toggle-thinking": () => this.toggleThinking(),
    "history-search": () => this.searchHistory(),
    "next-mode": () => this.nextMode(),
  };

  search(words: string): void {
    if (words === "") {
      this.parts.say([
        "Notice: /search and some words finds them in the transcript; /open reads the last long output.",
      ]);
      return;
    }
    const lines = activeSession(this.parts.source.state).journal.blocks.flatMap((block) => wholeSpeech(block));
    const found = lines.filter((line) => matchesIn(line, words).length > 0);
    const shown = found.slice(-SEARCH_LINES_MAX);
    const count = `${found.length} ${found.length === 1 ? "line" : "lines"} with ${safeLine(words)}`;
    const which = found.length > shown.length ? `, these are the last ${shown.length}` : "";
    this.parts.say([`Found: ${count}${which}.`, ...shown]);
  }

  // The terminal puts it on the clipboard, also over ssh; one that cannot would show the letters instead.
  copy(text: string): void {
    const { clipboard, source, write } = this.parts;
    const refusal = "this terminal has no clipboard; /export writes a file";
    if (clipboard === "none") source.dispatch({ type: "notice", level: "warn", text: refusal });
    else write(clipboardBytes(text));
  }

  private open(): void {
    const block = this.parts.lastCut();
    if (block !== null && (this.reading?.block !== block || this.reading.pages.isAtEnd)) {
      this.reading = { block, pages: new OpenReading(wholeSpeech(block)) };
    }
    this.parts.say(this.reading?.pages.page() ?? ["Notice: nothing was cut short."]);
  }

  private status(): void {
    const { state } = this.parts.source;
    const moment = {
      nowMs: this.parts.nowMs(),
      sessions: state.sessions.length,
      questions: this.parts.questions(),
    };
    this.parts.say(statusSpeech(activeSession(state).facts, { ...this.parts.place(), ...moment }));
  }

  private goTo(step: 1 | -1): void {
    const { source } = this.parts;
    source.dispatch({ type: "activate", id: neighbour(source.state, step) });
  }

  private toggleThinking(): void {
    const { look } = this.parts;
    look.thinking = look.thinking === "shown" ? "hidden" : "shown";
    this.parts.say([`Notice: thinking is ${look.thinking}.`]);
  }

  private searchHistory(): void {
    const { keys, choose } = this.parts;
    const options = keys.sent.map((text) => ({ label: text.replaceAll("\n", " "), detail: "", value: text }));
    if (options.length === 0) this.parts.say(["Notice: nothing was sent yet."]);
    else choose("What you sent before", options, (text) => keys.setText(text));
  }

  private nextMode(): void {
    const mode = activeSession(this.parts.source.state).facts.settings.find(({ kind }) => kind === "mode");
    if (mode === undefined || mode.options.length === 0) return;
    const at = mode.options.findIndex(({ value }) => value === mode.value);
    const next = mode.options[(at + 1) % mode.options.length];
    if (next === undefined) return;
    const command = { type: "set_config", key: mode.key, value: next.value } as const;
    this.parts.source.dispatch({ type: "command", command });
    this.parts.say([`Notice: mode ${safeLine(next.label)}.`]);
  }
}
