// A list to choose from: typing narrows it, arrows move, a digit or Enter chooses. Pure state; the rows are drawn beside.
import { safeLine } from "../../text/safe.js";

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
}

export type ChoicesKey =
  | { readonly type: "move"; readonly by: number }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "backspace" }
  | { readonly type: "enter" };

export type ChoicesStep = { readonly state: ChoicesState; readonly chosen: number | null };

export function openChoices(
  choices: readonly Choice[],
  options: { typing: ChoicesState["typing"]; cursor: number },
): ChoicesState {
  return { choices, typing: options.typing, filter: "", cursor: options.cursor };
}

/** The choices that are shown, as indexes into all of them. */
export function matching({ choices, filter }: ChoicesState): number[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.flatMap(({ label, detail }, index) => {
    const text = `${label} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word)) ? [index] : [];
  });
}

export function reduceChoices(state: ChoicesState, key: ChoicesKey): ChoicesStep {
  const shown = matching(state);
  switch (key.type) {
    case "move":
      return stay({ ...state, cursor: shown.length === 0 ? 0 : (state.cursor + key.by + shown.length) % shown.length });
    case "enter":
      return { state, chosen: shown[state.cursor] ?? null };
    case "backspace":
      return stay({ ...state, filter: Array.from(state.filter).slice(0, -1).join(""), cursor: 0 });
    case "text":
      return state.typing === "numbers" ? digit(state, key.text) : narrowed(state, key.text);
  }
}

function stay(state: ChoicesState): ChoicesStep {
  return { state, chosen: null };
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
