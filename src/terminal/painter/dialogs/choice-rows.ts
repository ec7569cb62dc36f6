// A list to choose from, as rows. Long lists show a window around the cursor and how many there are beyond it; what the
// cursor is on is never cut, and an answer to an approval only where it would not be seen at all otherwise.
//
//     npm   lock file found            1  allow once
//   ❯ pnpm  fastest here               2  always allow edit in src/**  this project
//     … 12 more                      ❯ 3  no
import { safeLine, safeReveal } from "../../../text/safe.js";
import { textWidth } from "../../../text/width.js";
import { wrapRow } from "../../../text/wrap.js";
import { type Choice, type ChoicesState, matching } from "./choices.js";
import { type DialogLook, fitted } from "./dialog-rows.js";

const ROWS_DEFAULT = 9;
const POINTER_CELLS = 2;
/** Of a choice that is longer than a row. */
const WRAPPED_ROWS_MAX = 4;

/** Rows of one choice, which stay together. */
type Group = readonly string[];

export function choiceRows(
  state: ChoicesState,
  widthCells: number,
  look: DialogLook,
  rowsMax: number = ROWS_DEFAULT,
): string[] {
  const shown = matching(state);
  if (shown.length === 0) return [look.style.paint("dim", "  nothing matches")];
  const { from, to } = nearby(shown.length, state.cursor, rowsMax);
  const labelCells = labelColumn(state, shown, widthCells);
  const groupsWith = (extent: Extent) =>
    shown.slice(from, to).map((index, offset) => {
      const isHere = from + offset === state.cursor;
      return choiceGroup(state, index, { isHere, widthCells, labelCells, extent, look });
    });
  const around = { focus: state.cursor - from, before: from, after: shown.length - to };
  // The answers to an approval are few: before one of them disappears, their details do, and then all but their beginning.
  const extents: readonly Extent[] = state.typing === "numbers" ? ["all", "without details", "one row"] : ["all"];
  const groups = extents.map(groupsWith);
  return windowed(groups.find((some) => rowsIn(some) <= rowsMax) ?? groups.at(-1) ?? [], around, rowsMax, look);
}

/** How much of a choice is shown that the cursor is not on. */
type Extent = "all" | "without details" | "one row";

function rowsIn(groups: readonly Group[]): number {
  return groups.reduce((sum, group) => sum + group.length, 0);
}

// Only choices that could be in the window are laid out: a list may have thousands.
function nearby(count: number, cursor: number, rowsMax: number): { from: number; to: number } {
  return { from: Math.max(0, cursor - rowsMax), to: Math.min(count, cursor + rowsMax + 1) };
}

function labelColumn({ choices }: ChoicesState, shown: readonly number[], widthCells: number): number {
  let cells = 0;
  for (const index of shown) {
    const { label, detail } = choices[index] ?? { label: "", detail: "" };
    if (detail !== "") cells = Math.max(cells, textWidth(safeLine(label)));
  }
  return Math.min(cells, Math.floor(widthCells / 2));
}

interface Place {
  readonly isHere: boolean;
  readonly widthCells: number;
  readonly labelCells: number;
  readonly extent: Extent;
  readonly look: DialogLook;
}

function choiceGroup(state: ChoicesState, index: number, place: Place): Group {
  const { isHere, widthCells, extent, look } = place;
  const { style, glyphs } = look;
  const choice = state.choices[index] ?? { label: "", detail: "" };
  const mark = markOf(state, index);
  const room = Math.max(1, widthCells - POINTER_CELLS);
  const isWhole = isHere || (state.typing === "numbers" && extent !== "one row");
  const text = mark + (state.typing === "numbers" ? answerText(choice, place) : itemText(choice, place, isWhole));
  const hangingIndentCells = textWidth(mark) + (state.typing === "numbers" ? 0 : POINTER_CELLS);
  const indent = { at: "words", hangingIndentCells } as const;
  const rows = isWhole ? wrapRow(text, room, indent) : [fitted(text, room, glyphs)];
  const kept = state.typing === "numbers" ? rows : rows.slice(0, WRAPPED_ROWS_MAX);
  const pointer = isHere ? `${style.paint("accent", glyphs.selected)} ` : "  ";
  return kept.map((row, at) => (at === 0 ? pointer : "  ") + (isHere ? style.paint("bold", row) : row));
}

function markOf({ typing, ticked }: ChoicesState, index: number): string {
  if (typing === "numbers") return `${index + 1}  `;
  return ticked === null ? "" : `[${ticked.has(index) ? "x" : " "}] `;
}

function answerText({ label, detail }: Choice, { extent, look }: Place): string {
  const isBare = detail === "" || extent !== "all";
  return safeReveal(label) + (isBare ? "" : `  ${look.style.paint("dim", safeReveal(detail))}`);
}

// Details line up behind the longest label; where there is no room for them, they are the first to go.
function itemText({ label, detail }: Choice, { labelCells, widthCells, look }: Place, isWhole: boolean): string {
  const name = safeLine(label);
  if (detail === "") return name;
  const isNarrow = !isWhole && widthCells - labelCells < DETAIL_CELLS_MIN;
  const gap = " ".repeat(Math.max(0, labelCells - textWidth(name)) + 2);
  return isNarrow ? name : `${name}${gap}${look.style.paint("dim", safeLine(detail))}`;
}

const DETAIL_CELLS_MIN = 14;

interface Surroundings {
  /** Which group has to be seen. */
  readonly focus: number;
  /** Choices that were not even laid out. */
  readonly before: number;
  readonly after: number;
}

function windowed(groups: readonly Group[], around: Surroundings, rowsMax: number, { style, glyphs }: DialogLook) {
  if (around.before + around.after === 0 && rowsIn(groups) <= rowsMax) return groups.flat();
  const { from, to } = fittingRange(groups, around.focus, Math.max(1, rowsMax - 1));
  const hidden = around.before + around.after + groups.length - (to - from);
  const rows = groups.slice(from, to).flat();
  if (rowsMax < 2) return rows.slice(0, 1);
  return [...rows.slice(0, rowsMax - 1), style.paint("dim", `  ${glyphs.more} ${hidden} more`)];
}

// From the focus outwards: one below it, so that one sees what comes, then what is above.
function fittingRange(groups: readonly Group[], focus: number, rowsMax: number): { from: number; to: number } {
  let from = focus;
  let to = focus + 1;
  let rows = groups[focus]?.length ?? 0;
  const fits = (group: Group | undefined): boolean => {
    if (group === undefined || rows + group.length > rowsMax) return false;
    rows += group.length;
    return true;
  };
  if (fits(groups[to])) to += 1;
  while (fits(groups[from - 1])) from -= 1;
  while (fits(groups[to])) to += 1;
  return { from, to };
}
