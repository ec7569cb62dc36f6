// Where the user writes: pi-tui's editor on our screen, with its history, its completion of commands and files, and a
// hint while it is empty. A text of more lines than are shown says how many stand above and below.
//
//   › … 24 lines above, 4 below          › line 1▏
//     line 25                              line 2
//     line 26▏                             … 28 lines below
//
// An agent may suggest a text. It stands in an empty composer, marked as the agent's, until the user edits or sends it. While it
// is new, every key is for the empty composer. While any of its words may be left, what is sent is a prompt and never a
// command. Once none are, undo, yank and history forget them, too.
//
//   › run the tests again▏
//     from the agent · enter send · ctrl+c clear
import type { TUI } from "@earendil-works/pi-tui";
import type { AgentCommands } from "../../session/session-facts.js";
import { isCommand, ownCommands, type SlashCommand, slashCommands } from "../../session/slash-command.js";
import { ComponentHost, editorTheme } from "../../terminal/component-host.js";
import { hintRow } from "../../terminal/painter/dialogs/dialog-rows.js";
import { FileFinder } from "../../terminal/painter/dialogs/file-finder.js";
import type { Frame } from "../../terminal/painter/frame.js";
import { humanCount } from "../../text/humanize.js";
import { safeLines } from "../../text/safe.js";
import type { AppLook } from "./app-look.js";
import { Completions } from "./completions.js";
import { ComposerEditor } from "./composer-editor.js";
import { listFiles } from "./file-list.js";
import { COMPOSER_HINT } from "./first-frame.js";
import type { PromptHistory } from "./history-file.js";

export interface ComposerOptions {
  readonly tui: TUI;
  readonly look: AppLook;
  readonly folder: string;
  readonly history: PromptHistory;
  /** The files to complete; those below the folder when nothing is said. */
  readonly files?: (() => Promise<readonly string[]>) | undefined;
  nowMs(): number;
  /** How long a suggestion leaves all keys to the empty composer. */
  readonly quietMs: number;
  readonly onSubmit: (written: Written) => void;
  /** The suggestion is the user's now: edited, cleared or sent. */
  readonly onTaken: () => void;
}

/** "prompt": its beginning came from elsewhere, so that it is never read as a command. */
export interface Written {
  readonly text: string;
  readonly as: "typed" | "prompt";
}

const SUGGESTION_HINTS = ["from the agent", "enter send", "ctrl+c clear"];
/** For what looks like a command and holds words of the agent. */
const PROMPT_HINTS = ["goes to the agent, is not run here", "ctrl+c clear"];
/** A longer suggestion is shown from its beginning, not from its end. */
const SUGGESTION_UNITS_SHORT = 60;

const MARK_CELLS = 2;
/** What the editor's list keeps free on both sides, and the column at the edge that stays empty. */
const LIST_EDGE_CELLS = 5;
/** Completions below what is written: in a low window fewer, so that what is written stays in sight. */
const COMPLETIONS_SHOWN = { low: 3, usual: 5, tall: 10 } as const;
const LOW_WINDOW_ROWS = 16;
const TALL_WINDOW_ROWS = 24;

export class Composer {
  private readonly options: ComposerOptions;
  private readonly editor: ComposerEditor;
  private readonly host: ComponentHost;
  private readonly files: FileFinder;
  private as: Written["as"] = "typed";
  /** The text that the agent suggested, and since when it is shown. */
  private suggested: { readonly text: string; readonly sinceMs: number } | null = null;

  constructor(options: ComposerOptions) {
    this.options = options;
    this.editor = new ComposerEditor(options.tui, editorTheme(options.look));
    this.editor.editing = () => options.look.editing ?? "emacs";
    const list = options.files ?? (() => listFiles(options.folder));
    this.files = new FileFinder({ list, nowMs: () => options.nowMs() });
    this.offer([]);
    this.editor.onSubmit = (text) => {
      this.editor.beginInsert();
      if (text.trim() === "") return;
      const { as } = this;
      this.editor.rememberFolded(text);
      this.mark("typed");
      this.taken();
      // The history holds the user's own words: one of them may become a command.
      if (as === "typed") {
        this.editor.addToHistory(text);
        options.history.append(text);
      }
      options.onSubmit({ text, as });
    };
    for (const text of options.history.load()) this.editor.addToHistory(text);
    this.host = new ComponentHost(this.editor);
    this.host.focus = "focused";
  }

  /** Whether a list of completions is open, which Esc closes first. */
  get isCompleting(): boolean {
    return this.editor.isShowingAutocomplete();
  }

  /** Its rows are other ones now: another look, or completions that have arrived. */
  refresh(): void {
    this.host.refresh();
  }

  /** The commands to complete after a slash: ours, and those of the agent. */
  offer(agentCommands: AgentCommands, ours: readonly SlashCommand[] = slashCommands): void {
    const commands = [...ours, ...ownCommands(agentCommands, ours)].map(({ name, summary }) => ({
      name,
      description: summary,
    }));
    const roomCells = () => Math.max(1, this.options.tui.terminal.columns - MARK_CELLS - LIST_EDGE_CELLS);
    this.editor.complete(new Completions(commands, this.options.folder, this.files, roomCells));
  }

  get text(): string {
    return this.editor.getExpandedText();
  }

  set text(text: string) {
    this.draft = { text, as: "typed" };
  }

  /** What the user has written, which a suggestion is not. */
  get draft(): Written {
    return this.suggested === null ? { text: this.text, as: this.as } : { text: "", as: "typed" };
  }

  set draft({ text, as }: Written) {
    this.editor.setText(text);
    this.editor.beginInsert();
    this.mark(as);
    this.taken();
    this.host.refresh();
  }

  insert(text: string): void {
    if (this.suggested !== null) this.suggest(null);
    this.editor.insertTextAtCursor(text);
    this.host.refresh();
  }

  /** Whether keys belong to a draft, to an open list or to vi's normal mode. */
  get hasDraft(): boolean {
    return this.isCompleting || this.draft.text !== "" || this.editor.mode === "normal";
  }

  /** Whether the next Esc ends vi's insert mode: after a word Esc belongs to the typing and neither stops nor refuses. */
  get takesEscape(): boolean {
    return this.editor.editing() === "vi" && this.editor.mode === "insert" && this.draft.text !== "";
  }

  /** Shows what the agent suggests while nothing else is written; null takes it away again. */
  suggest(text: string | null): void {
    const safe = text === null ? null : safeLines(text).join("\n");
    if (safe === (this.suggested?.text ?? null) || this.hasDraft) return;
    const isShort = safe === null || (safe.length <= SUGGESTION_UNITS_SHORT && !safe.includes("\n"));
    this.editor.showText(safe ?? "", isShort ? "end" : "start");
    this.suggested = safe === null ? null : { text: this.text, sinceMs: this.options.nowMs() };
    this.as = safe === null ? "typed" : "prompt";
    this.host.refresh();
  }

  /** A message that was sent from here, with its pastes as they stood here. */
  folded(text: string): string {
    return this.editor.folded(text);
  }

  /** The whole text, suggestions included. */
  get written(): Written {
    return { text: this.text, as: this.as };
  }

  key(sequence: string): void {
    const before = this.beginEdit();
    this.editor.handleInput(sequence);
    this.endEdit(before);
  }

  /** To another line, or another message. */
  step(direction: 1 | -1): void {
    const before = this.beginEdit();
    this.editor.step(direction);
    this.endEdit(before);
  }

  private beginEdit(): string {
    const { rows } = this.options.tui.terminal;
    const room = rows < LOW_WINDOW_ROWS ? "low" : rows < TALL_WINDOW_ROWS ? "usual" : "tall";
    this.editor.setAutocompleteMaxVisible(COMPLETIONS_SHOWN[room]);
    const { nowMs, quietMs } = this.options;
    if (this.suggested !== null && nowMs() - this.suggested.sinceMs < quietMs) this.suggest(null);
    return this.text;
  }

  private endEdit(before: string): void {
    this.host.refresh();
    if (this.as === "prompt" && this.isUsersOwn(before)) this.mark("typed");
    if (this.suggested !== null && this.text !== this.suggested.text) this.taken();
  }

  /** Nothing of the agent's is left: the text was cleared, or is an earlier prompt. */
  private isUsersOwn(before: string): boolean {
    const { text } = this;
    return text === "" || (text !== before && this.options.history.load().includes(text));
  }

  // What was the agent's must not come back as the user's own.
  private mark(as: Written["as"]): void {
    if (this.as === "prompt" && as === "typed") this.editor.forget();
    this.as = as;
  }

  private taken(): void {
    if (this.suggested === null) return;
    this.suggested = null;
    this.options.onTaken();
  }

  private get hints(): readonly string[] {
    if (this.suggested !== null) return SUGGESTION_HINTS;
    return this.as === "prompt" && isCommand(this.text) ? PROMPT_HINTS : [];
  }

  /** While the agent works the empty composer has no placeholder. */
  frame(widthCells: number, hint: "shown" | "hidden", rowsMax: number = Number.POSITIVE_INFINITY): Frame {
    const { style, glyphs } = this.options.look;
    const field = this.host.frame(Math.max(1, widthCells - MARK_CELLS));
    const mark = style.paint("user", this.editor.mode === "normal" ? glyphs.selected : glyphs.prompt);
    const words = hint === "shown" ? COMPOSER_HINT.slice(0, Math.max(0, widthCells - MARK_CELLS - 1)) : "";
    const isEmpty = this.editor.getText() === "";
    const texts = isEmpty ? [style.paint("dim", words), ...field.rows.slice(1)] : field.rows;
    // Completions stand right below the line that they complete, and have their own way of being few.
    const { hidden } = this.editor;
    const note = this.hints.length === 0 ? [] : [hintRow(this.hints, widthCells - MARK_CELLS, this.options.look)];
    const most = rowsMax - note.length;
    const room = this.isCompleting ? Number.POSITIVE_INFINITY : most - (hidden.above + hidden.below > 0 ? 1 : 0);
    const part = texts.length <= room ? { from: 0, to: texts.length } : partAround(field.cursor?.row ?? 0, most - 1);
    const above = hidden.above + part.from;
    const below = this.isCompleting ? 0 : hidden.below + texts.length - part.to;
    const before = above > 0 ? [this.countRow(above, "above", below)] : [];
    const after = above === 0 && below > 0 ? [this.countRow(below, "below", 0)] : [];
    const written = [...before, ...texts.slice(part.from, part.to), ...after, ...note];
    const rows = written.map((row, index) => (index === 0 ? `${mark} ${row}` : `  ${row}`));
    const { cursor } = field;
    if (cursor === null) return { rows, cursor };
    return { rows, cursor: { row: cursor.row - part.from + before.length, column: cursor.column + MARK_CELLS } };
  }

  private countRow(count: number, where: "above" | "below", besides: number): string {
    const { style, glyphs } = this.options.look;
    const more = besides === 0 ? "" : `, ${humanCount(besides)} below`;
    const words = `${humanCount(count)} ${count === 1 ? "line" : "lines"} ${where}${more}`;
    return style.paint("dim", `${glyphs.more} ${words}`);
  }
}

/** Which rows are shown where there is room for a few: the cursor's is among them. */
function partAround(cursorRow: number, rowsMax: number): { readonly from: number; readonly to: number } {
  const shown = Math.max(1, rowsMax);
  const from = Math.max(0, cursorRow - shown + 1);
  return { from, to: from + shown };
}
