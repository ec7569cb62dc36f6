// The five themes as data. We never set the background of the terminal; `background` is the one that each theme is made
// for. It decides whether a theme is light or dark, and every contrast is measured against it: 4.5 to 1 for what is read,
// 3 to 1 for what is dim. Prose is left in the terminal's own foreground; the role `text` is for text on a tint.

import type { Role } from "./look.js";

export type Hex = `#${string}`;

export interface Theme {
  readonly name: string;
  readonly ground: "dark" | "light";
  readonly background: Hex;
  /** Foregrounds, except `select`, which is a background for `text`. */
  readonly colours: Readonly<Record<Role, Hex>>;
  readonly tints: Tints;
}

/** Backgrounds: of a changed line, and of the words that changed within it. */
export interface Tints {
  readonly add: Hex;
  readonly remove: Hex;
  readonly addMark: Hex;
  readonly removeMark: Hex;
}

export const THEMES = {
  harbour: {
    name: "harbour",
    ground: "dark",
    background: "#0f151c",
    colours: {
      text: "#d7dde5",
      dim: "#7d8896",
      accent: "#6cb6ff",
      user: "#9ecbff",
      ok: "#7ee787",
      warn: "#e3b341",
      danger: "#ff7b72",
      info: "#79c0ff",
      add: "#7ee787",
      remove: "#ff7b72",
      select: "#2f4864",
    },
    tints: { add: "#12261e", remove: "#2a181c", addMark: "#1f5132", removeMark: "#67252a" },
  },
  ember: {
    name: "ember",
    ground: "dark",
    background: "#17120e",
    colours: {
      text: "#e6ddd4",
      dim: "#8f8478",
      accent: "#ff9d66",
      user: "#ffc09c",
      ok: "#a5d66f",
      warn: "#f2c14e",
      danger: "#ff6b6b",
      info: "#8ec7ff",
      add: "#a5d66f",
      remove: "#ff6b6b",
      select: "#5a3a26",
    },
    tints: { add: "#1f2412", remove: "#2e1815", addMark: "#3f5220", removeMark: "#6b2626" },
  },
  moss: {
    name: "moss",
    ground: "dark",
    background: "#10160f",
    colours: {
      text: "#d5dfd2",
      dim: "#7b8a78",
      accent: "#8fd694",
      user: "#b9e8bc",
      ok: "#7ee787",
      warn: "#d9c76a",
      danger: "#f28b82",
      info: "#8ac6d1",
      add: "#7ee787",
      remove: "#f28b82",
      select: "#2f4a33",
    },
    tints: { add: "#142a18", remove: "#2a1a16", addMark: "#22532c", removeMark: "#632b26" },
  },
  paper: {
    name: "paper",
    ground: "light",
    background: "#ffffff",
    colours: {
      text: "#24292f",
      dim: "#6e7781",
      accent: "#0a58ca",
      user: "#084298",
      ok: "#1a7f37",
      warn: "#9a6700",
      danger: "#cf222e",
      info: "#0969da",
      add: "#1a7f37",
      remove: "#cf222e",
      select: "#dbe9f9",
    },
    tints: { add: "#ecfff0", remove: "#fff5f4", addMark: "#abf2bc", removeMark: "#ffc9c4" },
  },
  dawn: {
    name: "dawn",
    ground: "light",
    background: "#fdf6ec",
    colours: {
      text: "#3b3228",
      dim: "#8a7f72",
      accent: "#b4541a",
      user: "#8c3f10",
      ok: "#3f7d3a",
      warn: "#95620b",
      danger: "#b3261e",
      info: "#2b6cb0",
      add: "#3f7d3a",
      remove: "#b3261e",
      select: "#f3e0cc",
    },
    tints: { add: "#f1fbe8", remove: "#fff6f2", addMark: "#c4e8b4", removeMark: "#f8cdc4" },
  },
} as const satisfies Readonly<Record<string, Theme>>;

/** "terminal" leaves every colour to the palette of the terminal, whatever its depth. */
export type ThemeName = keyof typeof THEMES | "terminal";
