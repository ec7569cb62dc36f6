// What waits above the composer: a question of another session, and queued messages, the next one first. Of those a few are
// shown, and how many there are besides.
//
//   ▌ Publish?  in docs · alt+down
//   ◌ and then update the changelog
//   ◌ run the tests again
//   … 3 more queued  ctrl+up edit
import { humanCount, humanLines } from "../../../text/humanize.js";
import { safeLine } from "../../../text/safe.js";
import { shortenEnd } from "../../../text/shorten.js";
import { BAR_CELLS, fitted } from "../dialogs/dialog-rows.js";
import type { Appearance } from "./glyphs.js";
import { wordsWithDetails } from "./status-rows.js";

export interface QueuePlace {
  readonly widthCells: number;
  readonly rowsMax: number;
  /** The key that moves the last message back to the composer; "" when it has none. */
  readonly editKey: string;
  /** "restart": no agent runs that could take it. */
  readonly waitsFor: "the agent" | "restart";
  readonly look: Appearance;
}

const MARK_CELLS = 4;
const SESSION_CELLS_MAX = 20;
/** Rows are made with every frame, so that a long message is cut before it is cleaned. */
const SHOWN_UNITS_MAX = 1_000;

export function queueRows(queue: readonly string[], place: QueuePlace): string[] {
  const { widthCells, rowsMax, editKey, waitsFor, look } = place;
  if (queue.length === 0) return [];
  const { style, glyphs } = look;
  const isFolded = queue.length > rowsMax;
  const shown = isFolded ? queue.slice(0, Math.max(1, rowsMax - 1)) : queue;
  const rest = queue.length - shown.length;
  const more = rest === 0 ? "" : `${humanCount(rest)} more`;
  const hints = [waitsFor === "restart" ? "/restart sends it" : "", editKey === "" ? "" : `${editKey} edit`];
  const row = (sign: string, words: string, details: readonly string[]) => {
    const [first = ""] = details;
    const kept = { all: details, fewer: [first], least: [first] };
    const text = wordsWithDetails(words, kept, widthCells - MARK_CELLS, look) ?? words;
    return style.paint("dim", `  ${sign} ${text}`);
  };
  const hasOwnRow = rest > 0 && rowsMax > 1;
  const rows = shown.map((text, at) => {
    const isLast = at === shown.length - 1 && !hasOwnRow;
    return row(glyphs.waiting, queuedWords(text), isLast ? [more, ...hints].filter(Boolean) : []);
  });
  return hasOwnRow ? [...rows, row(glyphs.more, `${more} queued`, hints.filter(Boolean))] : rows;
}

export interface AskElsewhere {
  readonly title: string;
  /** The name of its session. */
  readonly session: string;
  /** The key that goes there; "" where none does. */
  readonly key: string;
}

export function elsewhereRow({ title, session, key }: AskElsewhere, widthCells: number, look: Appearance): string {
  const place = `in ${shortenEnd(safeLine(session), SESSION_CELLS_MAX)}`;
  const details = { all: [place, key], fewer: [place], least: [place] };
  const words = safeLine(title.slice(0, SHOWN_UNITS_MAX));
  const bar = look.style.paint("warn", look.glyphs.live);
  return `${bar} ${wordsWithDetails(words, details, widthCells - BAR_CELLS, look) ?? fitted(words, widthCells - BAR_CELLS, look.glyphs)}`;
}

/** The first line of a message, and how many lines follow it. */
export function queuedWords(text: string): string {
  const written = text.trim();
  const [first = ""] = written.slice(0, SHOWN_UNITS_MAX).split("\n");
  let rest = 0;
  for (let at = written.indexOf("\n"); at >= 0; at = written.indexOf("\n", at + 1)) rest += 1;
  return rest === 0 ? safeLine(first) : `${safeLine(first)} +${humanLines(rest)}`;
}
