// What the agent is doing, above the composer: one line that moves, the plan, and the widgets that wish to stand there. One
// thing moves at a time: the tool that runs, or the entry of the plan that is at work, or the line that says "working".
//
//   ● read the test
//   ⠹ mend the separator  12 s · esc stop
//   ◌ run the tests
import type { SessionFacts } from "../../../session/session-facts.js";
import { fitted } from "../dialogs/dialog-rows.js";
import { isPlanOpen, planRows } from "./plan-rows.js";
import { type StatusLook, widgetRows, workingRows, workWords } from "./status-rows.js";
import type { LiveMoment } from "./transcript-view.js";

export interface DoingPlace {
  readonly widthCells: number;
  /** As many rows as there is room for; the line that moves and one row of the plan are there anyway. */
  readonly rowsMax: number;
  /** Whether a tool in the transcript moves already and says how to stop it. */
  readonly movesAbove: "yes" | "no";
}

export function doingRows(state: SessionFacts, moment: LiveMoment, place: DoingPlace, look: StatusLook): string[] {
  const { widthCells, rowsMax } = place;
  const { plan } = state;
  const isAtWork = state.phase === "working" && state.workingSinceMs !== null;
  const isInPlan = isPlanOpen(plan) && plan.some(({ status }) => status === "in_progress");
  const movesHere = isAtWork && place.movesAbove === "no" && state.workingMessage === null && isInPlan;
  const working = movesHere || place.movesAbove === "yes" ? [] : workingRows(state, moment, look, widthCells);
  const widgets = widgetRows(state, "above", look);
  const left = Math.max(1, rowsMax - working.length);
  const spinner = look.glyphs.spinner[moment.tick % look.glyphs.spinner.length] ?? "";
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

function fewer(rows: readonly string[], rowsMax: number, { style, glyphs }: StatusLook): string[] {
  if (rows.length <= rowsMax) return [...rows];
  if (rowsMax < 1) return [];
  if (rowsMax === 1) return [`${rows[0] ?? ""} ${style.paint("dim", glyphs.more)}`];
  const shown = rows.slice(0, rowsMax - 1);
  return [...shown, style.paint("dim", `  ${glyphs.more} ${rows.length - shown.length} more`)];
}
