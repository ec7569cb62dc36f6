// What the agent means to do, above the composer: done, at work, to come. A long plan shows what is around the work.
//
//   ● read the test
//   ⠹ mend the separator
//   ◌ run the tests
import type { PlanEntries } from "../../core/front-state.js";
import { safeLine } from "../../text/safe.js";
import { shortenEnd } from "../../text/shorten.js";
import { foreignRow } from "./foreign-row.js";
import type { StatusLook } from "./status-rows.js";
import type { LiveMoment } from "./transcript-view.js";

const ROWS_MAX = 5;

export function planRows(plan: PlanEntries, widthCells: number, moment: LiveMoment, look: StatusLook): string[] {
  if (plan.length === 0 || plan.every(({ status }) => status === "completed")) return [];
  const { style, glyphs } = look;
  const at = Math.max(
    0,
    plan.findIndex(({ status }) => status !== "completed"),
  );
  const from = Math.max(0, Math.min(at - 1, plan.length - ROWS_MAX));
  const shown = plan.slice(from, from + ROWS_MAX);
  const left = plan.length - from - shown.length;
  const rows = shown.map(({ text, status }) => {
    const words = shortenEnd(foreignRow(safeLine(text)), Math.max(1, widthCells - 4));
    if (status === "completed") return `  ${style.paint("ok", glyphs.done)} ${style.paint("dim", words)}`;
    const frame = glyphs.spinner[moment.tick % glyphs.spinner.length] ?? "";
    const sign = status === "in_progress" ? style.paint("accent", frame) : style.paint("dim", glyphs.waiting);
    return `  ${sign} ${words}`;
  });
  return left > 0 ? [...rows, style.paint("dim", `  ${glyphs.more} ${left} more`)] : rows;
}
