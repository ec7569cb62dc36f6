// Where the person writes: pi-tui's editor on our screen, with its history, its completion of commands and files, and a
// hint while it is empty. A text of more lines than are shown says how many stand above and below.
//
//   › … 24 lines above, 4 below          › line 1▏
//     line 25                              line 2
//     line 26▏                             … 28 lines below
import type { TUI } from "@earendil-works/pi-tui";
import type { AgentCommands } from "../../session/session-facts.js";
import { slashCommands } from "../../session/slash-command.js";
import { ComponentHost, editorTheme } from "../../terminal/component-host.js";
import type { Frame } from "../../terminal/painter/frame.js";
import { humanCount } from "../../text/humanize.js";
import type { AppLook } from "./app-look.js";
import { Completions } from "./completions.js";
import { ComposerEditor } from "./composer-editor.js";
import { FileFinder } from "./file-finder.js";
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
  readonly onSubmit: (text: string) => void;
}

const MARK_CELLS = 2;
/** What the editor's list keeps free on both sides, and the column at the edge that stays empty. */
const LIST_EDGE_CELLS = 5;
/** Completions below what is written: in a low window fewer, so that what is written stays in sight. */
const COMPLETIONS_SHOWN = { low: 3, usual: 5 } as const;
const LOW_WINDOW_ROWS = 16;

export class Composer {
  private readonly options: ComposerOptions;
  private readonly editor: ComposerEditor;
  private readonly host: ComponentHost;
  private readonly files: FileFinder;

  constructor(options: ComposerOptions) {
    this.options = options;
    this.editor = new ComposerEditor(options.tui, editorTheme(options.look));
    const list = options.files ?? (() => listFiles(options.folder));
    this.files = new FileFinder({ list, nowMs: () => options.nowMs() });
    this.offer([]);
    this.editor.onSubmit = (text) => {
      if (text.trim() === "") return;
      this.editor.addToHistory(text);
      options.history.append(text);
      options.onSubmit(text);
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
  offer(agentCommands: AgentCommands): void {
    const commands = [...slashCommands, ...agentCommands].map(({ name, summary }) => ({ name, description: summary }));
    const roomCells = () => Math.max(1, this.options.tui.terminal.columns - MARK_CELLS - LIST_EDGE_CELLS);
    this.editor.complete(new Completions(commands, this.options.folder, this.files, roomCells));
  }

  get text(): string {
    return this.editor.getExpandedText();
  }

  set text(text: string) {
    this.editor.setText(text);
    this.host.refresh();
  }

  key(sequence: string): void {
    const isLow = this.options.tui.terminal.rows < LOW_WINDOW_ROWS;
    this.editor.setAutocompleteMaxVisible(isLow ? COMPLETIONS_SHOWN.low : COMPLETIONS_SHOWN.usual);
    this.host.key(sequence);
  }

  /** While the agent works the empty composer is quiet: whoever writes now knows how. */
  frame(widthCells: number, hint: "shown" | "hidden", rowsMax: number = Number.POSITIVE_INFINITY): Frame {
    const { style, glyphs } = this.options.look;
    const field = this.host.frame(Math.max(1, widthCells - MARK_CELLS));
    const mark = style.paint("user", glyphs.prompt);
    const words = hint === "shown" ? COMPOSER_HINT.slice(0, Math.max(0, widthCells - MARK_CELLS - 1)) : "";
    const isEmpty = this.editor.getText() === "";
    const texts = isEmpty ? [style.paint("dim", words), ...field.rows.slice(1)] : field.rows;
    // Completions stand right below the line that they complete, and have their own way of being few.
    const { hidden } = this.editor;
    const room = this.isCompleting ? Number.POSITIVE_INFINITY : rowsMax - (hidden.above + hidden.below > 0 ? 1 : 0);
    const part = texts.length <= room ? { from: 0, to: texts.length } : partAround(field.cursor?.row ?? 0, rowsMax - 1);
    const above = hidden.above + part.from;
    const below = this.isCompleting ? 0 : hidden.below + texts.length - part.to;
    const before = above > 0 ? [this.countRow(above, "above", below)] : [];
    const after = above === 0 && below > 0 ? [this.countRow(below, "below", 0)] : [];
    const written = [...before, ...texts.slice(part.from, part.to), ...after];
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
