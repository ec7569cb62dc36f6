// pi-tui's editor with six additions. It reports how many lines it hides. It takes a text that undo does not know. It forgets
// all earlier texts. And its completion menu follows the text: after an edit the menu is computed again or closed, and Enter
// and Tab use it only when it was drawn for the text on the line. A mark of a paste inside another paste is text, and a sent
// paste is folded in the history, too. And it has vi's normal mode, where that is set.
//
//   › /com▏          ctrl+u →   › ▏              ctrl+w of "/que" →   › /▏
//     ❯ compact                                                         ❯ help
//                                                                         keys
import { Editor } from "@earendil-works/pi-tui";
import { enterNormal, type ViState, type ViStep, type ViText, viInsert, viKey } from "../../session/vi-keys.js";
import { keyName, pastedText, typedText } from "../../terminal/dialogs/key-names.js";
import { type Completions, completionPlace } from "./completions.js";

/** The editor updates an open menu after letters and Backspace; the same method is called here after all other edits. */
interface MenuUpdate {
  updateAutocomplete(): void;
}

/** What the editor itself shows an earlier prompt with. */
interface PlacedText {
  setTextInternal(text: string, cursor: "start" | "end"): void;
}

/** What vi's keys change. */
interface EditedState {
  state: { lines: string[]; cursorLine: number; cursorCol: number };
  /** Letters of one word are undone together; a command ends the word. */
  lastAction: unknown;
  pushUndoSnapshot(): void;
}

/** Long pastes, how their marks become their texts, and the way through the history. */
interface Folding {
  pastes: Map<number, string>;
  pasteCounter: number;
  historyIndex: number;
  expandPasteMarkers(text: string): string;
  navigateHistory(direction: 1 | -1): void;
  isOnFirstVisualLine(): boolean;
  isOnLastVisualLine(): boolean;
}

/** A text with the marks of its pastes. */
interface Folded {
  readonly text: string;
  readonly pastes: ReadonlyMap<number, string>;
}

const FOLDED_MAX = 50;
const DRAFT = -1;

const PASTE_MARK = /\[paste #(\d+)(?: (?:\+\d+ lines|\d+ chars))?\]/g;

const UNDO = "\x1f";
const UP = "\x1b[A";
const DOWN = "\x1b[B";

/** Where the editor keeps texts that a key brings back. */
interface Kept {
  undoStack: { clear(): void };
  killRing: { ring: string[] };
  historyDraft: unknown;
}

export class ComposerEditor extends Editor {
  hidden: { readonly above: number; readonly below: number } = { above: 0, below: 0 };
  private completions: Completions | null = null;
  /** The text and cursor that the drawn menu was computed for; null when no menu was drawn. */
  private drawnFor: string | null = null;
  /** What stood here before the last key, if it had pastes. */
  private beforeKey: Folded | null = null;
  private readonly sentFolded = new Map<string, Folded>();
  private draftPastes: ReadonlyMap<number, string> = new Map();

  constructor(...args: ConstructorParameters<typeof Editor>) {
    super(...args);
    const folding = this as unknown as Folding;
    // In one pass: a mark inside a pasted text is only text. Otherwise pastes could multiply each other.
    folding.expandPasteMarkers = (text) =>
      text.replace(PASTE_MARK, (mark, id) => folding.pastes.get(Number(id)) ?? mark);
    const navigate = folding.navigateHistory.bind(this);
    folding.navigateHistory = (direction) => this.browse(() => navigate(direction), direction);
  }

  /** A text that was sent from here, with its pastes as they stood here. */
  folded(text: string): string {
    return this.sentFolded.get(text)?.text.trim() ?? text;
  }

  /** The text that the last key sent. */
  rememberFolded(text: string): void {
    if (this.beforeKey === null) return;
    this.sentFolded.set(text, this.beforeKey);
    const oldest = this.sentFolded.keys().next().value;
    if (this.sentFolded.size > FOLDED_MAX && oldest !== undefined) this.sentFolded.delete(oldest);
  }

  // Each text has pastes of its own, numbered from 1: those of the draft come back with it.
  private browse(navigate: () => void, direction: 1 | -1): void {
    const folding = this as unknown as Folding;
    const { historyIndex: from, pastes } = folding;
    navigate();
    const { historyIndex: to } = folding;
    if (from === to) return;
    if (from === DRAFT) this.draftPastes = pastes;
    const sent = to === DRAFT ? undefined : this.sentFolded.get(this.getText());
    folding.pastes = new Map(to === DRAFT ? this.draftPastes : sent?.pastes);
    folding.pasteCounter = folding.pastes.size;
    if (sent !== undefined) {
      (this as unknown as PlacedText).setTextInternal(sent.text, direction === -1 ? "start" : "end");
    }
    // As in a shell, one line has the cursor at its end; up in a longer text would stop at each of its rows.
    if (to !== DRAFT && folding.isOnLastVisualLine()) {
      (this as unknown as PlacedText).setTextInternal(this.getText(), "end");
    }
  }

  /** A shell's ctrl+p and ctrl+n: another line of the text; from the first or last one, another message. */
  step(direction: 1 | -1): void {
    const folding = this as unknown as Folding;
    const isOlder = direction === -1 && folding.isOnFirstVisualLine();
    const isNewer = direction === 1 && folding.isOnLastVisualLine() && folding.historyIndex !== DRAFT;
    if ((isOlder || isNewer) && !this.isShowingAutocomplete()) folding.navigateHistory(direction);
    else this.handleInput(direction === -1 ? UP : DOWN);
  }

  // The line break at the end of a paste begins no further line.
  private countLines(pastesBefore: number): void {
    const { pastes, pasteCounter } = this as unknown as Folding;
    const { lines, cursorLine, cursorCol } = (this as unknown as EditedState).state;
    const pasted = pastes.get(pasteCounter) ?? "";
    if (pastes.size <= pastesBefore || !pasted.endsWith("\n")) return;
    const count = pasted.split("\n").length;
    const line = lines[cursorLine] ?? "";
    const counted = line.replace(
      `[paste #${pasteCounter} +${count} lines]`,
      `[paste #${pasteCounter} +${count - 1} lines]`,
    );
    lines[cursorLine] = counted;
    (this as unknown as EditedState).state.cursorCol = cursorCol + counted.length - line.length;
  }

  /** Closes the menu. */
  complete(completions: Completions): void {
    this.completions = completions;
    this.setAutocompleteProvider(completions);
  }

  /** What is written is sent or replaced: the next text begins in insert mode. */
  beginInsert(): void {
    this.vi = { ...this.vi, mode: "insert", pending: "" };
  }

  /** Another text, which undo neither removes nor brings back. */
  showText(text: string, cursor: "start" | "end"): void {
    this.closeMenu();
    (this as unknown as PlacedText).setTextInternal(text, cursor);
  }

  /** Nothing that stood here before comes back by undo, yank, vi's put, or down from the history. */
  forget(): void {
    const kept = this as unknown as Kept;
    kept.undoStack.clear();
    kept.killRing.ring = [];
    kept.historyDraft = null;
    this.vi = { ...this.vi, register: "" };
  }

  /** "vi": letters are commands after Esc. */
  editing: () => "emacs" | "vi" = () => "emacs";
  private vi: ViState = viInsert;

  get mode(): ViState["mode"] {
    return this.editing() === "vi" ? this.vi.mode : "insert";
  }

  /** Esc in vi's insert mode, or a letter in its normal mode; false when the key is the editor's. */
  private viInput(data: string): boolean {
    const { lines, cursorLine, cursorCol } = (this as unknown as EditedState).state;
    const at = lines.slice(0, cursorLine).reduce((sum, line) => sum + line.length + 1, 0) + cursorCol;
    const written = { text: lines.join("\n"), at };
    if (this.mode === "insert") {
      if (keyName(data) !== "escape" || this.isShowingAutocomplete()) return false;
      this.applyVi(enterNormal(this.vi, written), written);
      return true;
    }
    const text = typedText(data);
    if (text === "" || pastedText(data) !== null) return keyName(data) === "escape";
    this.applyVi(viKey(this.vi, written, text), written);
    return true;
  }

  private applyVi({ state, written, undo }: ViStep, before: ViText): void {
    const inner = this as unknown as EditedState;
    this.vi = state;
    inner.lastAction = null;
    if (undo === true) super.handleInput(UNDO);
    else {
      if (written.text !== before.text) inner.pushUndoSnapshot();
      const lines = written.text.split("\n");
      const above = written.text.slice(0, written.at).split("\n");
      inner.state = { lines, cursorLine: above.length - 1, cursorCol: above.at(-1)?.length ?? 0 };
    }
  }

  override handleInput(data: string): void {
    const { pastes } = this as unknown as Folding;
    const pasteCount = pastes.size;
    this.beforeKey = pasteCount === 0 ? null : { text: this.getText(), pastes: new Map(pastes) };
    if (this.editing() === "vi" && this.viInput(data)) return;
    if (this.isShowingAutocomplete() && this.drawnFor !== this.place) this.closeMenu();
    const before = this.place;
    super.handleInput(data);
    this.countLines(pasteCount);
    if (this.isShowingAutocomplete() && this.place !== before) this.followText();
  }

  override render(widthCells: number): string[] {
    this.drawnFor = this.isShowingAutocomplete() ? (this.completions?.computedFor ?? null) : null;
    return super.render(widthCells);
  }

  protected override renderTopBorder(widthCells: number, above: number): string {
    this.hidden = { above, below: 0 };
    return super.renderTopBorder(widthCells, above);
  }

  protected override renderBottomBorder(widthCells: number, below: number): string {
    this.hidden = { ...this.hidden, below };
    return super.renderBottomBorder(widthCells, below);
  }

  private get place(): string {
    const { line, col } = this.getCursor();
    return completionPlace(this.getLines(), line, col);
  }

  private followText(): void {
    const { line, col } = this.getCursor();
    const isBlank = (this.getLines()[line] ?? "").slice(0, col).trim() === "";
    if (isBlank) this.closeMenu();
    else (this as unknown as MenuUpdate).updateAutocomplete();
  }

  private closeMenu(): void {
    if (this.completions !== null) this.setAutocompleteProvider(this.completions);
  }
}
