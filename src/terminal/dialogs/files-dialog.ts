// Files of a folder: typing searches, up and down move, Enter sends the file at the cursor. With several, Tab marks: a
// space may be part of a search. Where nothing can be listed, the typed path is the one to choose.
//
//   ▌ Which tests?  1 chosen  in parser
//   ▌ › pars▏
//   ▌   [x] src/parser.ts
//   ▌ ❯ [ ] test/parser.test.ts
//   ▌ enter send · tab mark · esc cancel · type to search
import { basename } from "node:path";
import type { DialogParams } from "../../contract/dialogs.js";
import { fitAnswer } from "../../session/answer-fit.js";
import type { KeyUse } from "../../session/typing-guard.js";
import { shortenMiddle } from "../../text/shorten.js";
import { type ChoicesState, choiceRows, openChoices, reduceChoices } from "../painter/dialogs/choices.js";
import { DIALOG_ROWS_DEFAULT, type DialogFrame, dialogFrame } from "../painter/dialogs/dialog-frame.js";
import {
  ALL_KEYS,
  type DialogKeys,
  enterProblem,
  enterUse,
  listHints,
  messageWhole,
  type WholeText,
} from "../painter/dialogs/dialog-keys.js";
import { fitted } from "../painter/dialogs/dialog-rows.js";
import { FileFinder } from "../painter/dialogs/file-finder.js";
import type { Frame } from "../painter/frame.js";
import type { AskDialog, DialogOutcome, DialogParts } from "./ask-dialog.js";
import { moveOf } from "./choice-dialog.js";
import { isCancel, keyName, typedText } from "./key-names.js";
import { LineField, marked } from "./text-dialog.js";

const FOUND_MAX = 200;
const LIST_ROWS_MAX = 10;
const MARK_CELLS = 2;
/** The pointer and "[x] ". */
const TICK_CELLS = 6;
const FOLDER_CELLS_MAX = 24;
/** Home and End are for what is typed. */
const LIST_KEYS: ReadonlySet<string> = new Set("up down tab shift+tab pageUp pageDown".split(" "));

export class FilesDialog implements AskDialog {
  private readonly params: DialogParams<"files">;
  private readonly parts: DialogParts;
  private readonly finder: FileFinder;
  private readonly field: LineField;
  /** In the order in which they were marked. */
  private readonly chosen: Set<string>;
  private cursor = 0;
  private hasMoved = false;
  private problem = "";
  private found: { readonly query: string; readonly paths: readonly string[] } | null = null;

  constructor(params: DialogParams<"files">, parts: DialogParts) {
    this.params = params;
    this.parts = parts;
    const presets = [params.opts?.default].flat().filter((path) => typeof path === "string");
    this.chosen = new Set(this.isMany ? presets : []);
    const preset = this.isMany ? "" : (presets[0] ?? "");
    this.field = new LineField({ preset, hint: "", secret: "no", look: parts.look });
    this.finder = parts.files?.(params) ?? new FileFinder({ list: async () => [], nowMs: () => 0 });
    void this.finder.freshened().then(() => {
      this.found = null;
      // A move before there was a list chose nothing.
      this.hasMoved = false;
      parts.tui.requestRender();
    });
  }

  frame(widthCells: number, rowsMax: number = DIALOG_ROWS_DEFAULT): DialogFrame {
    const { title } = this.params;
    const message = this.params.message ?? "";
    const content = {
      head: { title, message, aside: this.aside(), danger: "normal" as const },
      list: (width: number, rows: number) => this.list(width, Math.min(rows, LIST_ROWS_MAX)),
      problem: enterProblem(this.keys) || this.problem,
      hints: listHints(this.keys, this.hints()),
      wholeHint: this.whole() === null ? "" : "ctrl+o full view",
    };
    return dialogFrame(content, widthCells, rowsMax, this.parts.look);
  }

  use(sequence: string): KeyUse {
    const name = keyName(sequence);
    if (isCancel(name)) return "cancel";
    if (name === "ctrl+o" && this.whole() !== null) return "command";
    if (name === "enter") return this.hasPreset ? enterUse(this.parts, "filled") : "enter";
    if (LIST_KEYS.has(name ?? "")) return "move";
    // In an empty field there is nothing to edit: such a key is no answer to anything.
    return typedText(sequence) !== "" || this.field.text !== "" ? "text" : "other";
  }

  key(sequence: string): DialogOutcome {
    const name = keyName(sequence) ?? "";
    if (isCancel(name)) return { type: "cancelled" };
    if (name === "ctrl+o" && this.whole() !== null) return { type: "whole" };
    if (name === "enter") return this.enter();
    this.problem = "";
    if (LIST_KEYS.has(name)) this.listKey(name);
    else this.searchKey(sequence);
    return null;
  }

  letGo(): void {
    this.hasMoved = false;
  }

  whole(): WholeText | null {
    return messageWhole({ title: this.params.title, message: this.params.message ?? "" }, this.parts);
  }

  private get isMany(): boolean {
    return this.params.opts?.multiple === true;
  }

  private get hasPreset(): boolean {
    return [this.params.opts?.default].flat().some((path) => typeof path === "string" && path !== "");
  }

  private get keys(): DialogKeys {
    return this.parts.keys?.() ?? ALL_KEYS;
  }

  private listKey(name: string): void {
    this.hasMoved = true;
    const path = this.paths[this.cursor];
    if (name !== "tab" || !this.isMany) {
      const move = moveOf(name);
      if (move !== null) this.cursor = reduceChoices(this.choices(Number.POSITIVE_INFINITY), move).state.cursor;
    } else if (path !== undefined && !this.chosen.delete(path)) this.chosen.add(path);
  }

  private searchKey(sequence: string): void {
    const before = this.field.text;
    this.field.key(sequence);
    if (this.field.text !== before) this.cursor = 0;
  }

  // An Enter that follows neither a move nor a search chooses nothing.
  private enter(): DialogOutcome {
    const here = this.hasMoved || this.field.text !== "" ? this.paths[this.cursor] : undefined;
    const paths = this.chosen.size > 0 ? [...this.chosen] : here === undefined ? [] : [here];
    if (paths.length === 0) {
      this.problem = this.nothingWords();
      return null;
    }
    const refused = paths.map((path) => this.finder.problem(path)).find((problem) => problem !== null);
    const answer = fitAnswer({ question: { kind: "files", params: this.params } }, paths);
    this.problem = refused ?? (answer.kind === "unfit" ? answer.problem : "");
    return this.problem === "" && answer.kind === "answered" ? { type: "answered", value: answer.value } : null;
  }

  private nothingWords(): string {
    const query = this.field.text;
    if (query === "") return "type a search, or press up or down first";
    return this.finder.isListed
      ? (this.finder.problem(query) ?? "nothing matches")
      : "the files are still being listed";
  }

  /** What fits the search; without one, also what was marked. */
  private get paths(): readonly string[] {
    const query = this.field.text;
    if (this.found?.query !== query) this.found = { query, paths: this.finder.offered(query, FOUND_MAX) };
    const { paths } = this.found;
    return query === "" ? [...[...this.chosen].filter((path) => !paths.includes(path)), ...paths] : paths;
  }

  private choices(labelCells: number): ChoicesState {
    const { paths } = this;
    const ticked = paths.flatMap((path, index) => (this.chosen.has(path) ? [index] : []));
    return openChoices(
      paths.map((path) => ({ label: shortenMiddle(path, labelCells), detail: "" })),
      { typing: "filter", cursor: this.cursor, ...(this.isMany ? { ticked } : {}) },
    );
  }

  private list(widthCells: number, rowsMax: number): Frame {
    const { look } = this.parts;
    const { rows, cursor } = marked(this.field.frame(widthCells - MARK_CELLS), this.parts);
    const choices = this.choices(Math.max(1, widthCells - TICK_CELLS));
    const words = this.emptyWords(choices);
    const below =
      words === ""
        ? choiceRows(choices, widthCells, look, Math.max(1, rowsMax - 1))
        : [look.style.paint("dim", fitted(`  ${words}`, widthCells, look.glyphs))];
    return { rows: [...rows, ...below].slice(0, Math.max(1, rowsMax)), cursor };
  }

  private emptyWords({ choices }: ChoicesState): string {
    if (choices.length > 0) return "";
    if (!this.finder.isListed) return "looking for files";
    return this.field.text === "" ? "type a path" : "nothing matches";
  }

  private aside(): string {
    const { folder } = this.params;
    const count = this.isMany ? `${this.chosen.size} chosen` : "";
    const where = folder === undefined ? "" : `in ${shortenMiddle(basename(folder), FOLDER_CELLS_MAX)}`;
    return [count, this.parts.aside(), where].filter(Boolean).join("  ");
  }

  private hints(): string[] {
    const whole = this.whole() === null ? [] : ["ctrl+o full view"];
    const keys = this.isMany ? ["enter send", "tab mark"] : ["enter choose"];
    return [...keys, "esc cancel", "type to search", ...whole];
  }
}
