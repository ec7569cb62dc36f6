// The text of a paragraph or heading as it grows, in pieces that can be read one by one: those that are final, and the rest as it
// looks now, with marks that are still open closed for the moment.
import { MarkupScanner, type Piece } from "./markup-scanner.js";

const ENDS_IN_MARK = /[*_~`\\]$/;
const CLOSING_HASHES = /(?:^|[ \t])#+[ \t]*$/;

export class ProsePieces {
  private readonly kind: "paragraph" | "heading";
  private readonly scanner = new MarkupScanner();

  constructor(kind: "paragraph" | "heading") {
    this.kind = kind;
  }

  /** The pieces that are final with this text, each once. */
  append(text: string): readonly Piece[] {
    this.scanner.append(text);
    return this.scanner.take();
  }

  /** What is not final, as it looks now; null when there is none. */
  tail(): Piece | null {
    const { source, gap } = this.scanner.rest();
    const trimmed = source.trimEnd();
    if (trimmed === "") return null;
    return { source: trimmed + (ENDS_IN_MARK.test(trimmed) ? "" : this.scanner.closers()), gap };
  }

  /** The last piece, when no text follows. */
  end(): Piece | null {
    const { source, gap } = this.scanner.rest();
    const trimmed = (this.kind === "heading" ? source.replace(CLOSING_HASHES, "") : source).trim();
    return trimmed === "" ? null : { source: trimmed, gap };
  }
}
