// A list to choose from: typing narrows it, arrows and pages move, a digit or Enter chooses; where several may be chosen,
// a blank ticks. Pure state; the rows are drawn beside.
import { safeLine } from "../../../text/safe.js";
import { fuzzyScore, NO_FIT } from "./fuzzy-match.js";

export interface Choice {
  readonly label: string;
  readonly detail: string;
}

export interface ChoicesState {
  readonly choices: readonly Choice[];
  /** "numbers" choose by digit and do not filter; "filter" is for longer lists, where letters narrow. */
  readonly typing: "numbers" | "filter";
  readonly filter: string;
  /** Index into the choices that match. */
  readonly cursor: number;
  /** What is ticked, as indexes into all choices; null where one choice is the answer. */
  readonly ticked: ReadonlySet<number> | null;
}

export type ChoicesKey =
  | { readonly type: "move"; readonly by: number }
  /** Like `move`, but it stops at the ends. */
  | { readonly type: "page"; readonly by: number }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "toggle" }
  | { readonly type: "backspace" }
  | { readonly type: "enter" };

export type ChoicesStep = { readonly state: ChoicesState; readonly chosen: number | null };

export function openChoices(
  choices: readonly Choice[],
  options: { typing: ChoicesState["typing"]; cursor: number; ticked?: Iterable<number> },
): ChoicesState {
  const { typing, cursor, ticked } = options;
  return { choices, typing, filter: "", cursor, ticked: ticked === undefined ? null : new Set(ticked) };
}

/** The choices that are shown, as indexes into all of them: in their order, or the best match first. */
export function matching({ choices, filter }: ChoicesState): number[] {
  const words = filter.split(/\s+/).filter(Boolean);
  if (words.length === 0) return choices.map((_, index) => index);
  return choices
    .map((choice, index) => ({ index, score: scoreOf(words, choice) }))
    .filter(({ score }) => score !== NO_FIT)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ index }) => index);
}

// Labels match by their letters, details only as they stand: long details contain nearly any few letters somewhere.
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
      return stay({ ...state, filter: Array.from(state.filter).slice(0, -1).join(""), cursor: 0 });
    case "text":
      return state.typing === "numbers" ? digit(state, key.text) : narrowed(state, key.text);
  }
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

function digit(state: ChoicesState, text: string): ChoicesStep {
  const index = /^[1-9]$/.test(text) ? Number(text) - 1 : -1;
  return index >= 0 && index < state.choices.length
    ? { state: { ...state, cursor: index }, chosen: index }
    : stay(state);
}

function narrowed(state: ChoicesState, text: string): ChoicesStep {
  return stay({ ...state, filter: state.filter + safeLine(text), cursor: 0 });
}
