// What the agent means to do, above the composer: done, at work, to come. A long plan shows what is around the work.
//
//   ● read the test
//   ⠹ mend the separator
//   ◌ run the tests
import type { PlanEntries } from "../../../session/session-facts.js";
import { safeLine } from "../../../text/safe.js";
import { fitted } from "../dialogs/dialog-rows.js";
import type { StatusLook } from "./status-rows.js";

const ENTRIES_MAX = 5;

export interface PlanPlace {
  readonly widthCells: number;
  readonly rowsMax: number;
  /** What moves before the entry that is at work; empty when something else moves already. */
  readonly spinner: string;
  /** That entry with what is to be said behind it. */
  readonly atWork: (words: string) => string;
}

/** Whether there is still something to do in it. */
export function isPlanOpen(plan: PlanEntries): boolean {
  return plan.some(({ status }) => status !== "completed");
}

export function planRows(plan: PlanEntries, place: PlanPlace, look: StatusLook): string[] {
  if (!isPlanOpen(plan)) return [];
  const { style, glyphs } = look;
  const entriesMax = entriesFitting(plan.length, place.rowsMax);
  const at = Math.max(
    0,
    plan.findIndex(({ status }) => status !== "completed"),
  );
  const before = entriesMax > 2 ? 1 : 0;
  const from = Math.max(0, Math.min(at - before, plan.length - entriesMax));
  const shown = plan.slice(from, from + entriesMax);
  const left = plan.length - from - shown.length;
  const rows = shown.map(({ text, status }) => {
    const words = safeLine(text);
    if (status === "in_progress") {
      return `  ${style.paint("accent", place.spinner || glyphs.waiting)} ${place.atWork(words)}`;
    }
    const short = fitted(words, Math.max(1, place.widthCells - 4), glyphs);
    if (status === "completed") return `  ${style.paint("ok", glyphs.done)} ${style.paint("dim", short)}`;
    return `  ${style.paint("dim", glyphs.waiting)} ${short}`;
  });
  return left > 0 && rows.length < place.rowsMax && rows.length > 1
    ? [...rows, style.paint("dim", `  ${glyphs.more} ${left} more`)]
    : rows;
}

// The row that says how many there are besides takes the place of an entry only where two others are left.
function entriesFitting(count: number, rowsMax: number): number {
  const entries = Math.max(1, Math.min(ENTRIES_MAX, rowsMax));
  return count > entries && entries === rowsMax && rowsMax > 2 ? entries - 1 : entries;
}
