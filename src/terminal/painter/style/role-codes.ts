// Roles as SGR parameters: in the colours of a theme, the terminal's palette, or without colour.
import { type ColourDepth, ROLES, type Role } from "../../../text/look.js";
import { type Hex, THEMES, type Theme, type ThemeName } from "../../../text/themes.js";

export type RoleCodes = Readonly<Record<Role | "addMark" | "removeMark", string>>;

// Blue is hard to read on black in most palettes, and bright colours on white.
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

// The 256 colours have nothing near the tints of a line, so only changed words get a background.
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

/** The levels of a channel in the colour cube. */
const CUBE_LEVELS = [0, 95, 135, 175, 215, 255];
const CUBE_FIRST = 16;
const GREYS_FIRST = 232;
const GREYS = 24;

type Rgb = readonly [red: number, green: number, blue: number];

export function rgbOf(hex: Hex): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];
}

export function truecolour(ground: "38" | "48", hex: Hex): string {
  return `${ground};2;${rgbOf(hex).join(";")}`;
}

/** The nearest colour of the cube and the greys, which are the same in every terminal. */
export function colour256(hex: Hex): number {
  const rgb = rgbOf(hex);
  const steps = rgb.map(nearestLevel);
  const [red = 0, green = 0, blue = 0] = steps;
  const cube = CUBE_FIRST + 36 * red + 6 * green + blue;
  const [redLevel = 0, greenLevel = 0, blueLevel = 0] = steps.map((step) => CUBE_LEVELS[step] ?? 0);
  const grey = Math.max(0, Math.min(GREYS - 1, Math.round(((rgb[0] + rgb[1] + rgb[2]) / 3 - 8) / 10)));
  const greyLevel = 8 + 10 * grey;
  const isCubeNearer =
    distance(rgb, [redLevel, greenLevel, blueLevel]) <= distance(rgb, [greyLevel, greyLevel, greyLevel]);
  return isCubeNearer ? cube : GREYS_FIRST + grey;
}

function nearestLevel(value: number): number {
  const distances = CUBE_LEVELS.map((level) => Math.abs(level - value));
  return distances.indexOf(Math.min(...distances));
}

function distance(a: Rgb, b: Rgb): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}
