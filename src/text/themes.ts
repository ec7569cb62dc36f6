// The five themes as data. Palaver never sets the terminal's background; `background` is the one a theme is made for, and
// contrasts are measured against it: 4.5 to 1 for text, 3 to 1 for dim text. Prose keeps the terminal's own foreground.
import { ROLES, type Role, type THEME_NAMES } from "./look.js";

export type Hex = `#${string}`;

/** Backgrounds of a changed line, and of the words that changed within it. */
const TINTS = ["add", "remove", "addMark", "removeMark"] as const;

export interface Theme {
  readonly ground: "dark" | "light";
  readonly background: Hex;
  /** Foregrounds, except `select`, which is a background for `text`. */
  readonly colours: Readonly<Record<Role, Hex>>;
  readonly tints: Readonly<Record<(typeof TINTS)[number], Hex>>;
}

// Colours in the order of ROLES, tints in that of TINTS.
export const THEMES = {
  harbour: theme(
    "dark",
    "#0f151c",
    "#d7dde5 #7d8896 #6cb6ff #9ecbff #7ee787 #e3b341 #ff7b72 #79c0ff #7ee787 #ff7b72 #2f4864",
    "#12261e #2a181c #1f5132 #67252a",
  ),
  ember: theme(
    "dark",
    "#17120e",
    "#e6ddd4 #8f8478 #ff9d66 #ffc09c #a5d66f #f2c14e #ff6b6b #8ec7ff #a5d66f #ff6b6b #5a3a26",
    "#1f2412 #2e1815 #3f5220 #6b2626",
  ),
  moss: theme(
    "dark",
    "#10160f",
    "#d5dfd2 #7b8a78 #8fd694 #b9e8bc #7ee787 #d9c76a #f28b82 #8ac6d1 #7ee787 #f28b82 #2f4a33",
    "#142a18 #2a1a16 #22532c #632b26",
  ),
  paper: theme(
    "light",
    "#ffffff",
    "#24292f #6e7781 #0a58ca #084298 #1a7f37 #9a6700 #cf222e #0969da #1a7f37 #cf222e #dbe9f9",
    "#ecfff0 #fff5f4 #abf2bc #ffc9c4",
  ),
  dawn: theme(
    "light",
    "#fdf6ec",
    "#3b3228 #8a7f72 #b4541a #8c3f10 #3f7d3a #95620b #b3261e #2b6cb0 #3f7d3a #b3261e #f3e0cc",
    "#f1fbe8 #fff6f2 #c4e8b4 #f8cdc4",
  ),
} as const satisfies Readonly<Record<(typeof THEME_NAMES)[number], Theme>>;

/** "terminal" leaves every colour to the palette of the terminal, whatever its depth. */
export type ThemeName = keyof typeof THEMES | "terminal";

function theme(ground: Theme["ground"], background: Hex, colours: string, tints: string): Theme {
  return { ground, background, colours: named(ROLES, colours), tints: named(TINTS, tints) };
}

function named<Name extends string>(names: readonly Name[], colours: string): Record<Name, Hex> {
  const list = colours.split(" ");
  return Object.fromEntries(names.map((name, index) => [name, list[index]])) as Record<Name, Hex>;
}
