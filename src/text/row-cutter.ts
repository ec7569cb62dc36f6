// Cuts a styled row into pieces by offsets into its plain text. Each piece opens and closes its own styles and links,
// so it can stand alone.
import { linkBytes, type Token, tokens } from "./row-tokens.js";
import { applySgr, PLAIN, type Style, styleChange } from "./sgr.js";

/** A stretch of the plain text, as UTF-16 offsets; `insteadText` is shown in its place. */
export type Piece = { startOffset: number; endOffset: number; insteadText?: string };

/** The pieces of a row, which must be in order and must not overlap. */
export function cutRow(row: string, pieces: readonly Piece[]): string[] {
  const cutter = new RowCutter(tokens(row));
  return pieces.map((piece) => cutter.take(piece));
}

/** Text in a style and a link that begins and ends plain, or continues what the row so far has open. */
export class RowWriter {
  private bytes = "";
  private style: Style = PLAIN;
  private link = "";

  add(text: string, style: Style, link: string): void {
    if (text === "") return;
    if (link !== this.link) this.bytes += link === "" ? linkBytes("") : link;
    this.bytes += styleChange(this.style, style) + text;
    this.link = link;
    this.style = style;
  }

  finish(): string {
    const closing = styleChange(this.style, PLAIN) + (this.link === "" ? "" : linkBytes(""));
    const row = this.bytes + closing;
    this.bytes = "";
    this.style = PLAIN;
    this.link = "";
    return row;
  }
}

class RowCutter {
  private readonly writer = new RowWriter();
  private readonly list: readonly Token[];
  private index = 0;
  /** Offset in the plain text at which the current token begins. */
  private offset = 0;
  private style: Style = PLAIN;
  private link = "";

  constructor(list: readonly Token[]) {
    this.list = list;
  }

  take(piece: Piece): string {
    let isReplaced = false;
    for (; this.index < this.list.length; this.index++) {
      const token = this.list[this.index];
      if (token === undefined) break;
      if (token.kind !== "text") {
        this.change(token);
        continue;
      }
      const part = token.text.slice(Math.max(0, piece.startOffset - this.offset), piece.endOffset - this.offset);
      if (part !== "" && !isReplaced) this.writer.add(piece.insteadText ?? part, this.style, this.link);
      isReplaced ||= part !== "" && piece.insteadText !== undefined;
      if (this.offset + token.text.length > piece.endOffset) break;
      this.offset += token.text.length;
    }
    return this.writer.finish();
  }

  private change(token: Exclude<Token, { kind: "text" }>): void {
    if (token.kind === "sgr") this.style = applySgr(this.style, token.params);
    else this.link = token.uri === "" ? "" : linkBytes(token.uri, token.id);
  }
}
