// A *row*: safe text plus our own SGR and OSC 8 sequences. Other escapes are not part of a row and vanish. Rows are
// measured and cut in cells; each piece opens and closes its own styles and links, so it can stand alone.
import { applySgr, PLAIN, type Style, styleChange } from "./sgr.js";
import { isNarrow } from "./simple-cells.js";
import { clusterWidth, graphemes, textWidth } from "./width.js";

export type Token =
  | { kind: "text"; text: string }
  | { kind: "sgr"; params: string }
  | { kind: "link"; uri: string; id?: string };

/** Some terminals cannot handle longer links. */
const LINK_URI_UNITS_MAX = 2000;

const ESCAPE = /\x1b(?:\[[\x20-\x3f]*[\x40-\x7e]?|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[\x20-\x2f]*[\x30-\x7e]?)/g;
const SGR = /^\x1b\[([0-9;:]*)m$/;
const LINK = /^\x1b\]8;([^;]*);([^\x07\x1b]*)(?:\x07|\x1b\\)$/;

export function tokens(row: string): Token[] {
  const found: Token[] = [];
  let textStart = 0;
  for (const match of row.matchAll(ESCAPE)) {
    if (match.index > textStart) pushText(found, row.slice(textStart, match.index));
    textStart = match.index + match[0].length;
    const token = escapeToken(match[0]);
    if (token !== undefined) found.push(token);
  }
  if (textStart < row.length) pushText(found, row.slice(textStart));
  return found;
}

export function plainText(row: string): string {
  return row.includes("\x1b") ? row.replace(ESCAPE, "") : row;
}

/** The sequence that starts a link, or with an empty `uri` ends it. What a URI may not contain is percent-encoded. */
export function linkBytes(uri: string, id?: string): string {
  const encoded = uri.replace(/[^\x21-\x7e]/gu, encodeCharacter);
  const params = id ? `id=${id.replace(/[^\w.-]/g, "_")}` : "";
  return `\x1b]8;${params};${encoded.length > LINK_URI_UNITS_MAX ? "" : encoded}\x1b\\`;
}

function encodeCharacter(character: string): string {
  return /\p{Surrogate}/u.test(character) ? "%EF%BF%BD" : encodeURIComponent(character);
}

// Text on both sides of a removed escape becomes one token.
function pushText(found: Token[], text: string): void {
  const last = found.at(-1);
  if (last?.kind === "text") last.text += text;
  else found.push({ kind: "text", text });
}

function escapeToken(sequence: string): Token | undefined {
  const sgr = SGR.exec(sequence);
  if (sgr) return { kind: "sgr", params: sgr[1] ?? "" };
  const link = LINK.exec(sequence);
  if (!link) return undefined;
  const id = /(?:^|:)id=([^:]*)/.exec(link[1] ?? "")?.[1];
  return { kind: "link", uri: link[2] ?? "", ...(id ? { id } : {}) };
}

/** Visible cells. */
export function rowWidth(row: string): number {
  return textWidth(plainText(row));
}

/**
 * The cells from `fromCell` to `toCell`, excluded, in their styles. A wide cluster cut by an edge leaves spaces; a mark
 * without a cell stays with the cell before it.
 *
 *     | a | 日    | b |      sliceRow(row, 0, 2)  →  | a |   |
 *     0   1   2   3   4      sliceRow(row, 2, 4)  →  |   | b |
 */
export function sliceRow(row: string, fromCell: number, toCell: number): string {
  const from = Math.max(0, fromCell);
  if (toCell <= from) return "";
  const plain = plainText(row);
  const slice = isNarrow(plain) ? narrowSlice(plain, from, toCell) : carefulSlice(plain, from, toCell);
  const body = plain === row ? plain.slice(slice.startOffset, slice.endOffset) : (cutRow(row, [slice])[0] ?? "");
  return " ".repeat(slice.spacesBefore) + body + " ".repeat(slice.spacesAfter);
}

type Slice = { startOffset: number; endOffset: number; spacesBefore: number; spacesAfter: number };

function narrowSlice(plain: string, from: number, to: number): Slice {
  const startOffset = Math.min(from, plain.length);
  return { startOffset, endOffset: Math.min(to, plain.length), spacesBefore: 0, spacesAfter: 0 };
}

// Keeps the clusters that lie wholly inside.
function carefulSlice(plain: string, from: number, to: number): Slice {
  const slice: Slice = { startOffset: -1, endOffset: -1, spacesBefore: 0, spacesAfter: 0 };
  let cell = 0;
  let offset = 0;
  for (const cluster of graphemes(plain)) {
    const next = cell + clusterWidth(cluster);
    if (next > to || (cell >= to && next > cell)) {
      if (cell < to) slice.spacesAfter = to - Math.max(cell, from);
      break;
    }
    const isInside = cell >= from;
    if (isInside && slice.startOffset < 0) slice.startOffset = offset;
    if (!isInside && next > from) slice.spacesBefore = next - from;
    offset += cluster.length;
    if (isInside) slice.endOffset = offset;
    cell = next;
  }
  if (slice.startOffset < 0) return { ...slice, startOffset: offset, endOffset: offset };
  return slice;
}

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
