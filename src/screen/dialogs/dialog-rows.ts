// Dialogs as rows of the live area: a bar on the left says that something wants an answer, the title stands first, the
// keys last and dim. Nothing reaches the right edge.
//
//   ▌ Which package manager?                from setup
//   ▌   npm      lock file found
//   ▌ ❯ pnpm     fastest here
//   ▌ type to filter · enter choose · esc cancel
import { safeLine, safeReveal } from "../../text/safe.js";
import { shortenEnd } from "../../text/shorten.js";
import { textWidth } from "../../text/width.js";
import { wrapRow } from "../../text/wrap.js";
import type { Glyphs } from "../blocks/glyphs.js";
import type { Frame } from "../frame.js";
import type { Role } from "../style/look.js";
import type { Style } from "../style/style.js";
import { type ChoicesState, matching } from "./choices.js";

export interface DialogLook {
  readonly style: Style;
  readonly glyphs: Glyphs;
}

export interface DialogHead {
  readonly title: string;
  /** More words under the title. */
  readonly message: string;
  /** How many wait besides this one, who asks. */
  readonly aside: string;
  readonly danger: "danger" | "normal";
}

const CHOICES_SHOWN_MAX = 8;
const BAR_CELLS = 2;

/** The rows with the bar in front of each; the cursor moves along. */
export function withBar(frame: Frame, danger: DialogHead["danger"], { style, glyphs }: DialogLook): Frame {
  const role: Role = danger === "danger" ? "danger" : "accent";
  const bar = style.paint(role, glyphs.live);
  const { cursor } = frame;
  return {
    rows: frame.rows.map((row) => `${bar} ${row}`),
    cursor: cursor === null ? null : { row: cursor.row, column: cursor.column + BAR_CELLS },
  };
}

/** Title and message. What is approved is shown whole, with everything invisible made visible. */
export function headRows({ title, message, aside }: DialogHead, widthCells: number, { style }: DialogLook): string[] {
  const name = wrapRow(style.paint("bold", safeReveal(title)), widthCells, { at: "words" });
  const first = name[0] ?? "";
  const room = widthCells - textWidth(safeReveal(title)) - 2;
  const isRoomy = name.length === 1 && aside !== "" && room >= textWidth(aside);
  const head = isRoomy ? [`${first}  ${style.paint("dim", aside)}`] : name;
  const words = message
    .split("\n")
    .flatMap((line) => (line === "" ? [] : wrapRow(safeReveal(line), widthCells, { at: "words" })));
  return [...head, ...words];
}

export function choiceRows(state: ChoicesState, widthCells: number, { style, glyphs }: DialogLook): string[] {
  const shown = matching(state);
  const from = Math.max(0, Math.min(state.cursor - CHOICES_SHOWN_MAX + 1, shown.length - CHOICES_SHOWN_MAX));
  const labelCells = Math.max(0, ...shown.map((index) => textWidth(safeLine(state.choices[index]?.label ?? ""))));
  const rows = shown.slice(from, from + CHOICES_SHOWN_MAX).map((index, offset) => {
    const { label, detail } = state.choices[index] ?? { label: "", detail: "" };
    const isHere = from + offset === state.cursor;
    const number = state.typing === "numbers" ? `${index + 1}  ` : "";
    const name = safeLine(label);
    const gap = detail === "" ? "" : " ".repeat(labelCells - textWidth(name) + 2);
    const text = shortenEnd(`${number}${name}${gap}${safeLine(detail)}`, Math.max(1, widthCells - 2));
    return isHere ? `${style.paint("accent", glyphs.selected)} ${style.paint("bold", text)}` : `  ${text}`;
  });
  if (shown.length === 0) rows.push(style.paint("dim", "  nothing matches"));
  const hidden = shown.length - CHOICES_SHOWN_MAX;
  return hidden > 0 ? [...rows, style.paint("dim", `  ${glyphs.more} ${hidden} more`)] : rows;
}

/** What the keys do, dim, as many as fit. */
export function hintRow(hints: readonly string[], widthCells: number, { style, glyphs }: DialogLook): string {
  const separator = ` ${glyphs.separator} `;
  const fitting = [...hints];
  while (fitting.length > 1 && textWidth(fitting.join(separator)) > widthCells) fitting.pop();
  return style.paint("dim", shortenEnd(fitting.join(separator), widthCells));
}
