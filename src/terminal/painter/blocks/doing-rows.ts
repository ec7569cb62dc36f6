// What the agent is doing: spinner line, plan and widgets. Only one thing moves: the running tool, the current plan
// entry, or the line "working".
//
//   ● read the test
//   ⠹ mend the separator  12 s · esc stop
//   ◌ run the tests
import type { PlanEntries, SessionFacts } from "../../../session/session-facts.js";
import { safeLine } from "../../../text/safe.js";
import { fitted } from "../dialogs/dialog-rows.js";
import { type Appearance, spinnerAt } from "./glyphs.js";
import { widgetRows, workingRows, workWords } from "./status-rows.js";
import type { LiveMoment } from "./transcript-view.js";

interface DoingPlace {
  readonly widthCells: number;
  /** At least the spinner line and one row of the plan are shown. */
  readonly rowsMax: number;
  /** Whether a running tool in the transcript shows a spinner and the stop hint. */
  readonly movesAbove: "yes" | "no";
}

export function doingRows(state: SessionFacts, moment: LiveMoment, place: DoingPlace, look: Appearance): string[] {
  const { widthCells, rowsMax } = place;
  const { plan } = state;
  const isAtWork = state.phase === "working" && state.workingSinceMs !== null;
  const isInPlan = isPlanOpen(plan) && plan.some(({ status }) => status === "in_progress");
  const movesHere = isAtWork && place.movesAbove === "no" && state.workingMessage === null && isInPlan;
  const working = movesHere || place.movesAbove === "yes" ? [] : workingRows(state, moment, look, widthCells);
  const widgets = widgetRows(state, "above", look);
  const left = Math.max(1, rowsMax - working.length);
  const spinner = spinnerAt(look.glyphs, moment.tick);
  const planned = planRows(
    plan,
    {
      widthCells,
      rowsMax: Math.max(1, left - Math.min(widgets.length, Math.floor(left / 2))),
      spinner: movesHere ? spinner : "",
      atWork: (words) =>
        movesHere ? workWords(words, state, moment, look, widthCells - 4) : fitted(words, widthCells - 4, look.glyphs),
    },
    look,
  );
  return [...working, ...planned, ...fewer(widgets, left - planned.length, look)];
}

function fewer(rows: readonly string[], rowsMax: number, { style, glyphs }: Appearance): string[] {
  if (rows.length <= rowsMax) return [...rows];
  if (rowsMax < 1) return [];
  if (rowsMax === 1) return [`${rows[0] ?? ""} ${style.paint("dim", glyphs.more)}`];
  const shown = rows.slice(0, rowsMax - 1);
  return [...shown, style.paint("dim", `  ${glyphs.more} ${rows.length - shown.length} more`)];
}

const ENTRIES_MAX = 5;

interface PlanPlace {
  readonly widthCells: number;
  readonly rowsMax: number;
  /** The spinner of the current entry; "" when something else moves. */
  readonly spinner: string;
  readonly atWork: (words: string) => string;
}

function isPlanOpen(plan: PlanEntries): boolean {
  return plan.some(({ status }) => status !== "completed");
}

function planRows(plan: PlanEntries, place: PlanPlace, look: Appearance): string[] {
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

// The count of further entries replaces an entry only where two others stay.
function entriesFitting(count: number, rowsMax: number): number {
  const entries = Math.max(1, Math.min(ENTRIES_MAX, rowsMax));
  return count > entries && entries === rowsMax && rowsMax > 2 ? entries - 1 : entries;
}
