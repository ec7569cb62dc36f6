// pi-tui's editor with four additions. It reports how many lines it hides. It takes a text that undo does not know. It forgets
// all earlier texts. And its completion menu follows the text: after an edit the menu is computed again or closed, and Enter
// and Tab use it only when it was drawn for the text on the line.
//
//   › /com▏          ctrl+u →   › ▏              ctrl+w of "/que" →   › /▏
//     ❯ compact                                                         ❯ help
//                                                                         keys
import { Editor } from "@earendil-works/pi-tui";
import { type Completions, completionPlace } from "./completions.js";

/** The editor updates an open menu after letters and Backspace; the same method is called here after all other edits. */
interface MenuUpdate {
  updateAutocomplete(): void;
}

/** What the editor itself shows an earlier prompt with. */
interface PlacedText {
  setTextInternal(text: string, cursor: "start" | "end"): void;
}

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

  /** Closes the menu. */
  complete(completions: Completions): void {
    this.completions = completions;
    this.setAutocompleteProvider(completions);
  }

  /** Another text, which undo neither removes nor brings back. */
  showText(text: string, cursor: "start" | "end"): void {
    this.closeMenu();
    (this as unknown as PlacedText).setTextInternal(text, cursor);
  }

  /** Nothing that stood here before comes back by undo, yank, or down from the history. */
  forget(): void {
    const kept = this as unknown as Kept;
    kept.undoStack.clear();
    kept.killRing.ring = [];
    kept.historyDraft = null;
  }

  override handleInput(data: string): void {
    if (this.isShowingAutocomplete() && this.drawnFor !== this.place) this.closeMenu();
    const before = this.place;
    super.handleInput(data);
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
