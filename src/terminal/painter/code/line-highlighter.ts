// Colours code that is still arriving, line by line. A line is coloured once, with the state that the lines before it left
// behind, and never waits for what follows; so it can go into the scrollback as soon as it is complete. The price is that a
// construct which a grammar recognises only by a later line keeps the colours of its first line.
//
// A grammar cannot be stopped and resumed, so its state is kept as a *witness*: the few lines that lead into it.
//
//     /* opens        ← state "comment", witness: this line
//      * more         ← still "comment": coloured behind the witness, and the witness stays as short as it was
//      */             ← state "" again: no witness

import { safeLine } from "../../../text/safe.js";
import type { Style } from "../style/style.js";
import { COLOURED_LINE_UNITS_MAX, rowOfRuns } from "./code-rows.js";
import { runGrammar } from "./grammar-run.js";
import type { Language } from "./languages.js";

/** The colours of a growing line follow its end in steps of this size, because each step runs the grammar again. */
const PEEK_UNITS = 32;
/** Deeper nesting than this is coloured as if it began anew. */
const WITNESS_UNITS_MAX = 2000;

interface Witness {
  readonly state: string;
  readonly text: string;
}

const NO_WITNESS: Witness = { state: "", text: "" };

const NOTHING_PEEKED = { line: "", row: "" };

export class LineHighlighter {
  private readonly language: Language | undefined;
  private readonly style: Style;
  /** One entry per state on the way in, so that leaving a nested block finds the shorter witness again. */
  private witnesses: Witness[] = [];
  private peeked = NOTHING_PEEKED;

  constructor(language: Language | undefined, style: Style) {
    this.language = style.depth === "none" ? undefined : language;
    this.style = style;
  }

  /** The row of the next complete line. */
  take(line: string): string {
    return this.colour(line, "complete");
  }

  /** The row of a line that is still growing, its last few characters not yet coloured; leaves the state alone. */
  peek(line: string): string {
    const safe = safeLine(line);
    const units = safe.length - (safe.length % PEEK_UNITS);
    const head = safe.slice(0, units);
    if (head !== this.peeked.line) this.peeked = { line: head, row: this.colour(head, "growing") };
    return this.peeked.row + safe.slice(units);
  }

  private colour(line: string, phase: "complete" | "growing"): string {
    const safe = safeLine(line);
    if (this.language === undefined || safe.length > COLOURED_LINE_UNITS_MAX) return safe;
    const before = this.witnesses.at(-1)?.text ?? "";
    // The newline belongs to the line: it is what ends a line comment.
    const run = runGrammar(`${before}${safe}\n`, this.language);
    if (run === undefined) return safe;
    if (phase === "complete") this.remember({ state: run.state, text: `${before}${safe}\n` });
    return rowOfRuns(run.lines.at(-2), safe, this.style);
  }

  private remember(reached: Witness): void {
    this.peeked = NOTHING_PEEKED;
    const known = [NO_WITNESS, ...this.witnesses].findIndex(({ state }) => state === reached.state);
    if (known >= 0) this.witnesses.length = known;
    else if (reached.text.length > WITNESS_UNITS_MAX) this.witnesses = [];
    else this.witnesses.push(reached);
  }
}
