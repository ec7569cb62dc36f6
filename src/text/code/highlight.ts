// Code as safe lines of runs, each run with its look, neither cut nor padded. Large code has no looks.
import { safeLine } from "../safe.js";
import { graphemes } from "../width.js";
import { type Run, runGrammar } from "./grammar-run.js";
import type { Language } from "./languages.js";

/** Longer lines are data, and some grammars take quadratic time on them. */
const COLOURED_LINE_UNITS_MAX = 2000;
const COLOURED_UNITS_MAX = 200_000;

/** The coloured runs of each line. The lines must be safe. */
export function highlightRuns(lines: readonly string[], language: Language | undefined): (readonly Run[])[] {
  const run = language === undefined || !isColoured(lines) ? undefined : runGrammar(lines.join("\n"), language);
  return lines.map((line, index) => {
    const runs = run?.lines[index];
    return runs !== undefined && spells(runs, line) ? withWholeClusters(runs) : plain(line);
  });
}

function isColoured(lines: readonly string[]): boolean {
  let units = 0;
  for (const { length } of lines) {
    units += length + 1;
    if (length > COLOURED_LINE_UNITS_MAX || units > COLOURED_UNITS_MAX) return false;
  }
  return true;
}

function plain(text: string): readonly Run[] {
  return [{ text, look: undefined }];
}

function spells(runs: readonly Run[], line: string): boolean {
  return runs.map(({ text }) => text).join("") === line;
}

// A colour between a letter and its accent costs the accent: some terminals join only what comes without a sequence in between.
function withWholeClusters(runs: readonly Run[]): readonly Run[] {
  const whole: Run[] = [];
  for (const { text, look } of runs) {
    const last = whole.at(-1);
    const joined = last === undefined ? 0 : joinedUnits(last.text, text);
    if (last !== undefined && joined > 0)
      whole[whole.length - 1] = { ...last, text: last.text + text.slice(0, joined) };
    if (joined < text.length || text === "") whole.push({ text: text.slice(joined), look });
  }
  return whole;
}

/** How much of `next` belongs to the last cluster of `text`. */
function joinedUnits(text: string, next: string): number {
  if (next === "" || next.charCodeAt(0) < 0x80) return 0;
  const last = graphemes(text.slice(-CLUSTER_UNITS)).at(-1) ?? "";
  const [first = last] = graphemes(last + next.slice(0, CLUSTER_UNITS));
  return Math.max(0, first.length - last.length);
}

const CLUSTER_UNITS = 32;

/** A growing line is coloured in steps, because each runs the grammar again. */
const PEEK_UNITS = 32;
/** Deeper nesting restarts the colouring. */
const WITNESS_UNITS_MAX = 2000;

interface Witness {
  readonly state: string;
  readonly text: string;
}

const NO_WITNESS: Witness = { state: "", text: "" };

const NOTHING_PEEKED: { line: string; runs: readonly Run[] } = { line: "", runs: [] };

/** Code that grows line by line. */
export class LineHighlighter {
  private readonly language: Language | undefined;
  /** One entry per nested state, so that leaving a block finds the shorter witness again. */
  private witnesses: Witness[] = [];
  private peeked = NOTHING_PEEKED;

  constructor(language: Language | undefined) {
    this.language = language;
  }

  take(line: string): readonly Run[] {
    return this.colour(line, "complete");
  }

  /** A growing line, its last characters not yet coloured; keeps the state. */
  peek(line: string): readonly Run[] {
    const safe = safeLine(line);
    const units = safe.length - (safe.length % PEEK_UNITS);
    const head = safe.slice(0, units);
    if (head !== this.peeked.line) this.peeked = { line: head, runs: this.colour(head, "growing") };
    return withWholeClusters([...this.peeked.runs, ...plain(safe.slice(units))]);
  }

  private colour(line: string, phase: "complete" | "growing"): readonly Run[] {
    const safe = safeLine(line);
    if (this.language === undefined || safe.length > COLOURED_LINE_UNITS_MAX) return plain(safe);
    const before = this.witnesses.at(-1)?.text ?? "";
    // The newline ends a line comment.
    const run = runGrammar(`${before}${safe}\n`, this.language);
    if (run === undefined) return plain(safe);
    if (phase === "complete") this.remember({ state: run.state, text: `${before}${safe}\n` });
    const runs = run.lines.at(-2) ?? [];
    return spells(runs, safe) ? withWholeClusters(runs) : plain(safe);
  }

  private remember(reached: Witness): void {
    this.peeked = NOTHING_PEEKED;
    const known = [NO_WITNESS, ...this.witnesses].findIndex(({ state }) => state === reached.state);
    if (known >= 0) this.witnesses.length = known;
    else if (reached.text.length > WITNESS_UNITS_MAX) this.witnesses = [];
    else this.witnesses.push(reached);
  }
}
