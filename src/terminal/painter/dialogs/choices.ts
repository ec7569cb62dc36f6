// The state of a list: typing filters, arrows and pages move, the key of a choice or Enter chooses, space marks.
import { safeLine, safeReveal } from "../../../text/safe.js";
import { textWidth } from "../../../text/width.js";
import { wrapRow } from "../../../text/wrap.js";
import type { Appearance } from "../blocks/glyphs.js";
import { fitted } from "./dialog-rows.js";
import { fuzzyScore, NO_FIT } from "./fuzzy-match.js";

export interface Choice {
  /** The letter that chooses it; "" where only arrows and Enter do. */
  readonly key?: string;
  readonly label: string;
  readonly detail: string;
  /** "always": below the matches when nothing typed matches it. */
  readonly stays?: "always";
}

export interface ChoicesState {
  readonly choices: readonly Choice[];
  /** "keys": the key of a choice chooses it; "filter": letters filter. */
  readonly typing: "keys" | "filter";
  readonly filter: string;
  /** Among those that match; -1 while nothing typed matches, until it is moved. */
  readonly cursor: number;
  /** Indexes into all choices; null where one choice is the answer. */
  readonly ticked: ReadonlySet<number> | null;
}

export type ChoicesKey =
  | { readonly type: "move"; readonly by: number }
  | { readonly type: "page"; readonly by: number }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "toggle" }
  | { readonly type: "backspace" }
  | { readonly type: "clear" }
  | { readonly type: "enter" };

type ChoicesStep = { readonly state: ChoicesState; readonly chosen: number | null };

export function openChoices(
  choices: readonly Choice[],
  options: { typing: ChoicesState["typing"]; cursor: number; ticked?: Iterable<number> },
): ChoicesState {
  const { typing, cursor, ticked } = options;
  return { choices, typing, filter: "", cursor, ticked: ticked === undefined ? null : new Set(ticked) };
}

/** Indexes of the matching choices: in order, or the best match first, and those that stay. */
export function matching({ choices, filter }: ChoicesState): number[] {
  const words = wordsIn(filter);
  if (words.length === 0) return choices.map((_, index) => index);
  return choices
    .map((choice, index) => ({ index, score: scoreOf(words, choice) }))
    .filter(({ index, score }) => score !== NO_FIT || choices[index]?.stays === "always")
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ index }) => index);
}

// Labels match fuzzily, details only literally: long details contain nearly any letters.
function scoreOf(words: readonly string[], { label, detail }: Choice): number {
  let sum = 0;
  for (const word of words) {
    const score = fuzzyScore(word, label);
    const isInDetail = score === NO_FIT && detail.toLowerCase().includes(word.toLowerCase());
    if (score === NO_FIT && !isInDetail) return NO_FIT;
    sum += isInDetail ? 0 : score;
  }
  return sum;
}

export function reduceChoices(state: ChoicesState, key: ChoicesKey): ChoicesStep {
  switch (key.type) {
    case "move":
      return stay({ ...state, cursor: around(state.cursor + key.by, matching(state).length) });
    case "page":
      return stay({ ...state, cursor: Math.max(0, Math.min(matching(state).length - 1, state.cursor + key.by)) });
    case "enter":
      return { state, chosen: matching(state)[state.cursor] ?? null };
    case "toggle":
      return stay(toggled(state));
    case "backspace":
      return stay(filtered(state, Array.from(state.filter).slice(0, -1).join("")));
    case "clear":
      return stay(filtered(state, ""));
    case "text":
      return state.typing === "keys"
        ? keyed(state, key.text)
        : stay(filtered(state, state.filter + safeLine(key.text)));
  }
}

// A choice that only stays was not meant by words that match nothing.
function filtered(state: ChoicesState, filter: string): ChoicesState {
  const next = { ...state, filter, cursor: 0 };
  const [best] = matching(next);
  const choice = best === undefined ? undefined : state.choices[best];
  const isMatch = choice !== undefined && scoreOf(wordsIn(filter), choice) !== NO_FIT;
  return isMatch ? next : { ...next, cursor: -1 };
}

function wordsIn(filter: string): string[] {
  return filter.split(/\s+/).filter(Boolean);
}

function stay(state: ChoicesState): ChoicesStep {
  return { state, chosen: null };
}

function around(place: number, count: number): number {
  return count === 0 ? 0 : ((place % count) + count) % count;
}

function toggled(state: ChoicesState): ChoicesState {
  const index = matching(state)[state.cursor];
  if (state.ticked === null || index === undefined) return state;
  const ticked = new Set(state.ticked);
  if (!ticked.delete(index)) ticked.add(index);
  return { ...state, ticked };
}

function keyed(state: ChoicesState, text: string): ChoicesStep {
  const index = text === "" ? -1 : state.choices.findIndex(({ key }) => key === text);
  return index < 0 ? stay(state) : { state: { ...state, cursor: index }, chosen: index };
}

const ROWS_DEFAULT = 9;
const POINTER_CELLS = 2;
const WRAPPED_ROWS_MAX = 4;
/** A choice may take this part of the rows, so that its neighbours stay in sight. */
const WRAPPED_PART = 3;

type Group = readonly string[];

export function choiceRows(
  state: ChoicesState,
  widthCells: number,
  look: Appearance,
  rowsMax: number = ROWS_DEFAULT,
): string[] {
  const shown = matching(state);
  if (shown.length === 0) return [look.style.paint("dim", "  nothing matches")];
  const { from, to } = nearby(shown.length, state.cursor, rowsMax);
  const labelCells = labelColumn(state, shown, widthCells);
  const groupsWith = (extent: Extent) =>
    shown.slice(from, to).map((index, offset) => {
      const isHere = from + offset === state.cursor;
      const wrappedRows = Math.max(2, Math.min(WRAPPED_ROWS_MAX, Math.floor(rowsMax / WRAPPED_PART)));
      return choiceGroup(state, index, { isHere, widthCells, labelCells, extent, wrappedRows, look });
    });
  const around = { focus: Math.max(0, state.cursor - from), before: from, after: shown.length - to };
  // Before an answer is hidden, details go; in an approval then all but the first row.
  const isApproval = state.typing === "keys";
  const extents: readonly Extent[] = isApproval ? ["all", "without details", "one row"] : ["all", "without details"];
  const groups = extents.map(groupsWith);
  const otherwise = isApproval ? groups.at(-1) : groups[0];
  return windowed(groups.find((some) => rowsIn(some) <= rowsMax) ?? otherwise ?? [], around, rowsMax, look);
}

/** How much is shown of a choice: in an approval without the cursor, in a list below it. */
type Extent = "all" | "without details" | "one row";

function rowsIn(groups: readonly Group[]): number {
  return groups.reduce((sum, group) => sum + group.length, 0);
}

// Lays out only choices that may be visible: a list may have thousands.
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
  readonly wrappedRows: number;
  readonly look: Appearance;
}

function choiceGroup(state: ChoicesState, index: number, place: Place): Group {
  const { isHere, widthCells, extent, wrappedRows, look } = place;
  const { style, glyphs } = look;
  const choice = state.choices[index] ?? { label: "", detail: "" };
  const mark = markOf(state, index, look);
  const room = Math.max(1, widthCells - POINTER_CELLS);
  const isWhole = isHere || (state.typing === "keys" && extent !== "one row");
  const text = mark + (state.typing === "keys" ? answerText(choice, place) : itemText(choice, place, isWhole));
  const hangingIndentCells = textWidth(mark) + (state.typing === "keys" ? 0 : POINTER_CELLS);
  const indent = { at: "words", hangingIndentCells } as const;
  const rows = isWhole ? wrapRow(text, room, indent) : [fitted(text, room, glyphs)];
  const kept = state.typing === "keys" ? rows : rows.slice(0, wrappedRows);
  const pointer = isHere ? `${style.paint("accent", glyphs.selected)} ` : "  ";
  return kept.map((row, at) => (at === 0 ? pointer : "  ") + (isHere ? style.paint("bold", row) : row));
}

function markOf({ typing, ticked, choices }: ChoicesState, index: number, { glyphs }: Appearance): string {
  if (typing === "keys") return `${choices[index]?.key || glyphs.separator}  `;
  return ticked === null ? "" : `[${ticked.has(index) ? "x" : " "}] `;
}

function answerText({ label, detail }: Choice, { extent, look }: Place): string {
  const isBare = detail === "" || extent !== "all";
  return safeReveal(label) + (isBare ? "" : `  ${look.style.paint("dim", safeReveal(detail))}`);
}

// Details line up behind the longest label, and are left out where there is no room.
function itemText({ label, detail }: Choice, place: Place, isWhole: boolean): string {
  const { labelCells, widthCells, extent, look } = place;
  const name = safeLine(label);
  const isBare = isWhole && extent !== "all";
  if (detail === "" || isBare) return name;
  const isNarrow = !isWhole && widthCells - labelCells < DETAIL_CELLS_MIN;
  const gap = " ".repeat(Math.max(0, labelCells - textWidth(name)) + 2);
  return isNarrow ? name : `${name}${gap}${look.style.paint("dim", safeLine(detail))}`;
}

const DETAIL_CELLS_MIN = 14;

interface Surroundings {
  readonly focus: number;
  /** Choices that were not laid out. */
  readonly before: number;
  readonly after: number;
}

function windowed(groups: readonly Group[], around: Surroundings, rowsMax: number, { style, glyphs }: Appearance) {
  if (around.before + around.after === 0 && rowsIn(groups) <= rowsMax) return groups.flat();
  const { from, to } = fittingRange(groups, around.focus, Math.max(1, rowsMax - 1));
  const hidden = around.before + around.after + groups.length - (to - from);
  const rows = groups.slice(from, to).flat();
  if (rowsMax < 2) return rows.slice(0, 1);
  return [...rows.slice(0, rowsMax - 1), style.paint("dim", `  ${glyphs.more} ${hidden} more`)];
}

// From the focus outwards: one below it first, then above.
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
