// What each role is in SGR parameters, for a theme at a colour depth. Three tables: the colours of the theme, the palette
// of the terminal, and no colour at all, where weight and reverse say what they can.

import { colour256, truecolour } from "./colour.js";
import { type ColourDepth, ROLES, type Role } from "./look.js";
import { THEMES, type Theme, type ThemeName } from "./themes.js";

/** Parameters per role, and for the changed words of `add` and `remove`. */
export type RoleCodes = Readonly<Record<Role | "addMark" | "removeMark", string>>;

// Blue is left out because it is hard to read on black in most palettes, and bright colours because they vanish on white.
const PALETTE: RoleCodes = {
  text: "",
  dim: "2",
  accent: "36",
  user: "35",
  ok: "32",
  warn: "33",
  danger: "31",
  info: "36",
  add: "32",
  remove: "31",
  select: "7",
  addMark: "7;32",
  removeMark: "7;31",
};

const COLOURLESS: RoleCodes = {
  text: "",
  dim: "2",
  accent: "1",
  user: "1",
  ok: "",
  warn: "1",
  danger: "1",
  info: "",
  add: "",
  remove: "",
  select: "7",
  addMark: "7",
  removeMark: "7",
};

// The tints of a line have no near relatives among the 256 colours, so only the changed words get a background there.
const MARKS_256 = {
  dark: { addMark: "48;5;22", removeMark: "48;5;52" },
  light: { addMark: "48;5;157", removeMark: "48;5;217" },
} as const;

export function roleCodes(themeName: ThemeName, depth: ColourDepth): RoleCodes {
  if (depth === "none") return COLOURLESS;
  if (depth === "16" || themeName === "terminal") return PALETTE;
  return depth === "256" ? codes256(THEMES[themeName]) : codesTruecolour(THEMES[themeName]);
}

function codes256(theme: Theme): RoleCodes {
  const foreground = (role: Role) => `38;5;${colour256(theme.colours[role])}`;
  const marks = MARKS_256[theme.ground];
  return {
    ...everyRole(foreground),
    select: `${foreground("text")};48;5;${colour256(theme.colours.select)}`,
    addMark: `${foreground("text")};${marks.addMark}`,
    removeMark: `${foreground("text")};${marks.removeMark}`,
  };
}

function codesTruecolour({ colours, tints }: Theme): RoleCodes {
  const text = truecolour("38", colours.text);
  return {
    ...everyRole((role) => truecolour("38", colours[role])),
    add: `${truecolour("38", colours.add)};${truecolour("48", tints.add)}`,
    remove: `${truecolour("38", colours.remove)};${truecolour("48", tints.remove)}`,
    select: `${text};${truecolour("48", colours.select)}`,
    addMark: `${text};${truecolour("48", tints.addMark)}`,
    removeMark: `${text};${truecolour("48", tints.removeMark)}`,
  };
}

function everyRole(code: (role: Role) => string): Record<Role, string> {
  return Object.fromEntries(ROLES.map((role) => [role, code(role)])) as Record<Role, string>;
}
