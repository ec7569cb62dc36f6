// Where the person writes: pi-tui's editor on our screen, with its history, its completion of commands and files, and a
// hint while it is empty.
import { Editor, type TUI } from "@earendil-works/pi-tui";
import type { AgentCommands } from "../../core/front-state.js";
import { slashCommands } from "../../core/slash-command.js";
import type { Frame } from "../../screen/frame.js";
import { ComponentHost } from "../component-host.js";
import type { AppLook } from "./app-look.js";
import { Completions } from "./completions.js";
import { editorTheme } from "./editor-theme.js";
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
/** Completions below what is written: in a low window fewer, so that what is written stays in sight. */
const COMPLETIONS_SHOWN = { low: 3, usual: 5 } as const;
const LOW_WINDOW_ROWS = 16;

export class Composer {
  private readonly options: ComposerOptions;
  private readonly editor: Editor;
  private readonly host: ComponentHost;
  private readonly files: FileFinder;

  constructor(options: ComposerOptions) {
    this.options = options;
    this.editor = new Editor(options.tui, editorTheme(options.look));
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
    this.editor.setAutocompleteProvider(new Completions(commands, this.options.folder, this.files));
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
  frame(widthCells: number, hint: "shown" | "hidden"): Frame {
    const { style, glyphs } = this.options.look;
    const field = this.host.frame(Math.max(1, widthCells - MARK_CELLS));
    const mark = style.paint("user", glyphs.prompt);
    const isEmpty = this.editor.getText() === "";
    const rows = field.rows.map((row, index) => {
      if (index > 0) return `  ${row}`;
      if (!isEmpty) return `${mark} ${row}`;
      const words = hint === "shown" ? COMPOSER_HINT.slice(0, Math.max(0, widthCells - MARK_CELLS - 1)) : "";
      return `${mark} ${style.paint("dim", words)}`;
    });
    const { cursor } = field;
    return { rows, cursor: cursor === null ? null : { row: cursor.row, column: cursor.column + MARK_CELLS } };
  }
}
