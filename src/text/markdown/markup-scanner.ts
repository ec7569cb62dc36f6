// Finds the places up to which growing inline Markdown is final: a space, line break or ideograph with no markup open
// before it. Text before is rendered once; the rest is rendered again with each token. In doubt it waits. A run of
// marks is judged when the next character is known, so the cuts between tokens do not matter.
//
//     plain words are final **this waits for its end** and so on
//                         ↑ final up to here           ↑ final again
import { SIMPLE_CELLS } from "../simple-cells.js";

/** Markup still open after this many units or marks is text. */
const HELD_UNITS_MAX = 1000;
const OPENERS_MAX = 12;

export interface Piece {
  readonly source: string;
  readonly gap: "" | " " | "\n";
}

interface Opener {
  readonly mark: string;
  readonly length: number;
}

const SPECIAL = new Uint8Array(128);
for (const mark of "\\`*_~[]()<>!&:@.\n \t") SPECIAL[mark.charCodeAt(0)] = 1;

const NONE: Piece[] = [];
const SPACE = /\s/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;

export class MarkupScanner {
  private source = "";
  private at = 0;
  /** Final plain words that were not handed out yet. */
  private plainStart = 0;
  private plainEnd = 0;
  private gapAfterPlain: " " | "" = " ";
  /** The current piece, and whether it is one plain word so far. */
  private pieceStart = 0;
  private isPlain = true;
  private gap: Piece["gap"] = "";
  private hasBegun = false;
  private openers: Opener[] = [];
  private codeTicks = 0;
  private parens = 0;
  private isInTag = false;
  private isHostile = false;
  private readonly ready: Piece[] = [];

  append(text: string): void {
    this.source += text;
    while (this.at < this.source.length && this.step()) {
      if (this.at - this.pieceStart > HELD_UNITS_MAX || this.openers.length > OPENERS_MAX) this.letGo();
    }
  }

  take(): Piece[] {
    this.flushPlain();
    if (this.pieceStart > 0) this.forget();
    return this.ready.length === 0 ? NONE : this.ready.splice(0);
  }

  /** The text that is not final; call after `take`. */
  rest(): Piece {
    return { source: this.source.slice(this.pieceStart), gap: this.gap };
  }

  /** The marks that close open markup, so that unfinished text already looks as it will. */
  closers(): string {
    const ticks = "`".repeat(this.codeTicks);
    if (this.openers.some(({ mark }) => mark === "[")) return ticks;
    const marks = this.openers.map(({ mark, length }) => mark.repeat(length));
    return ticks + marks.reverse().join("");
  }

  /** Reads one character or run; false when the next one is needed first. */
  private step(): boolean {
    const code = this.source.charCodeAt(this.at);
    if (code < 128 ? SPECIAL[code] === 0 && code > 31 && code !== 127 : SIMPLE_CELLS[code] !== 0) {
      this.at++;
      if (SIMPLE_CELLS[code] === 2 && this.isPlain) this.cutBehindIdeograph();
      return true;
    }
    const mark = this.source.charAt(this.at);
    if (mark === " " || mark === "\n" || mark === "\t") return this.readSpace();
    this.isPlain = false;
    if (code < 32 || (code > 126 && code < 160)) this.isHostile = true;
    if (mark === "\\" && this.codeTicks === 0) return this.readEscape();
    if (mark === "`") return this.readTicks();
    if (this.codeTicks > 0) return this.skip(1);
    if (this.parens > 0) return this.readTarget(mark);
    if (this.isInTag) return this.readTag(mark);
    return this.readMark(mark);
  }

  private readMark(mark: string): boolean {
    if (mark === "*" || mark === "_" || mark === "~") return this.readDelimiters(mark);
    if (mark === "[") this.openers.push({ mark, length: 1 });
    if (mark === "]") return this.readBracketEnd();
    if (mark === "<") return this.readTagStart();
    return this.skip(1);
  }

  private skip(units: number): boolean {
    this.at += units;
    return true;
  }

  // A backslash escapes the next character. Before a line break it is a break.
  private readEscape(): boolean {
    const next = this.source[this.at + 1];
    if (next === undefined) return false;
    return this.skip(next === "\n" ? 1 : 2);
  }

  private runLength(mark: string): number | undefined {
    let end = this.at;
    while (this.source[end] === mark) end++;
    if (end - this.at > HELD_UNITS_MAX) return HELD_UNITS_MAX;
    return end === this.source.length ? undefined : end - this.at;
  }

  private readTicks(): boolean {
    const length = this.runLength("`");
    if (length === undefined) return false;
    if (this.codeTicks === 0) this.codeTicks = length;
    else if (this.codeTicks === length) this.codeTicks = 0;
    return this.skip(length);
  }

  private readDelimiters(mark: string): boolean {
    const length = this.runLength(mark);
    if (length === undefined) return false;
    // One tilde means "about".
    if (mark === "~" && length !== 2) return this.skip(length);
    const before = this.at === this.pieceStart ? " " : this.source.charAt(this.at - 1);
    const after = this.source[this.at + length] ?? " ";
    const opens = flanks(after, before);
    const closes = flanks(before, after);
    const isInsideWord = mark === "_" && opens && closes;
    if (!isInsideWord || PUNCTUATION.test(before) || PUNCTUATION.test(after)) {
      if (!(closes && this.close(mark, length)) && opens) this.openers.push({ mark, length });
    }
    return this.skip(length);
  }

  // Closes an opener of the same length within the same bracket; openers in between become text.
  private close(mark: string, length: number): boolean {
    for (let i = this.openers.length - 1; i >= 0; i--) {
      const opener = this.openers[i];
      if (opener?.mark === "[") return false;
      if (opener?.mark !== mark) continue;
      if (opener.length !== length) return false;
      this.openers.length = i;
      return true;
    }
    return false;
  }

  private readBracketEnd(): boolean {
    const next = this.source[this.at + 1];
    if (next === undefined) return false;
    const opening = this.openers.findLastIndex(({ mark }) => mark === "[");
    if (opening < 0) return this.skip(1);
    this.openers.splice(opening, 1);
    if (next !== "(") return this.skip(1);
    this.parens = 1;
    return this.skip(2);
  }

  // Inside the parentheses of a link.
  private readTarget(mark: string): boolean {
    if (mark === "(") this.parens++;
    if (mark === ")") this.parens--;
    return this.skip(1);
  }

  private readTagStart(): boolean {
    const next = this.source[this.at + 1];
    if (next === undefined) return false;
    if (/[a-zA-Z/!?]/.test(next)) this.isInTag = true;
    return this.skip(1);
  }

  private readTag(mark: string): boolean {
    if (mark === ">") this.isInTag = false;
    return this.skip(1);
  }

  private isSettled(): boolean {
    return this.openers.length === 0 && this.codeTicks === 0 && this.parens === 0 && !this.isInTag;
  }

  private readSpace(): boolean {
    const longest = Math.min(this.source.length, this.at + HELD_UNITS_MAX);
    let end = this.at;
    while (end < longest && isBlank(this.source.charCodeAt(end))) end++;
    if (end === this.source.length && end < this.at + HELD_UNITS_MAX) return false;
    const space = this.source.slice(this.at, end);
    if (space.includes("\n")) this.isHostile = false;
    if (this.isSettled() && !this.isHostile) this.cut(space, end);
    this.at = end;
    return true;
  }

  private cutBehindIdeograph(): void {
    this.plainEnd = this.at;
    this.gapAfterPlain = "";
    this.pieceStart = this.at;
  }

  private cut(space: string, end: number): void {
    const isEscaped = space.startsWith("\n") && this.isBackslashed();
    const isBreak = isEscaped || / {2,}\n/.test(space);
    if (this.isPlain && !isBreak) {
      // The text before the space may have been handed out without one.
      if (this.at === this.plainStart) {
        if (this.hasBegun && this.gap === "") this.gap = " ";
        this.begin(end);
        return;
      }
      this.plainEnd = this.at;
      this.gapAfterPlain = " ";
      this.pieceStart = end;
      return;
    }
    this.flushPlain();
    this.push(this.pieceStart, isEscaped ? this.at - 1 : this.at, isBreak ? "\n" : " ");
    this.begin(end);
  }

  // Whether the backslash before a line break is not itself escaped.
  private isBackslashed(): boolean {
    let start = this.at;
    while (start > this.pieceStart && this.source[start - 1] === "\\") start--;
    return (this.at - start) % 2 === 1;
  }

  private push(start: number, end: number, gapAfter: Piece["gap"]): void {
    const source = this.source.slice(start, end);
    if (source !== "") {
      this.ready.push({ source, gap: this.gap });
      this.hasBegun = true;
    }
    if (source !== "" || gapAfter === "\n") this.gap = gapAfter;
  }

  private begin(at: number): void {
    this.pieceStart = at;
    this.plainStart = at;
    this.plainEnd = at;
    this.isPlain = true;
  }

  private flushPlain(): void {
    if (this.plainEnd > this.plainStart) this.push(this.plainStart, this.plainEnd, this.gapAfterPlain);
    this.plainStart = this.pieceStart;
    this.plainEnd = this.pieceStart;
  }

  // Open markup becomes text. The piece ends at its last space, or inside a long word.
  private letGo(): void {
    this.flushPlain();
    const units = Math.min(HELD_UNITS_MAX, this.at - this.pieceStart);
    const space = /\s\S*$/u.exec(this.source.slice(this.pieceStart, this.pieceStart + units))?.index ?? 0;
    const end = this.pieceStart + (space > 0 ? space : this.wordCut(units));
    this.push(this.pieceStart, end, space > 0 ? " " : "");
    this.begin(end + (space > 0 ? (/^\s+/u.exec(this.source.slice(end))?.[0].length ?? 0) : 0));
    this.openers = [];
    this.codeTicks = 0;
    this.parens = 0;
    this.isInTag = false;
    this.isHostile = false;
    this.at = this.pieceStart;
  }

  // Between two characters that never form one cluster, if possible.
  private wordCut(unitsMax: number): number {
    for (let units = unitsMax; units > unitsMax / 2; units--) {
      const at = this.pieceStart + units;
      if (SIMPLE_CELLS[this.source.charCodeAt(at)] && SIMPLE_CELLS[this.source.charCodeAt(at - 1)]) return units;
    }
    return unitsMax;
  }

  private forget(): void {
    this.source = this.source.slice(this.pieceStart);
    this.at -= this.pieceStart;
    this.pieceStart = 0;
    this.plainStart = 0;
    this.plainEnd = 0;
  }
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 9;
}

/** Whether a run of marks between `inner` and `outer` belongs to `inner`. */
function flanks(inner: string, outer: string): boolean {
  if (SPACE.test(inner)) return false;
  return !PUNCTUATION.test(inner) || SPACE.test(outer) || PUNCTUATION.test(outer);
}
