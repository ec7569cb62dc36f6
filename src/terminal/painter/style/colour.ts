// Colours as the parameters of SGR, at the depth that a terminal has.

import type { Hex } from "./themes.js";

/** The six levels that each channel of the 6 × 6 × 6 cube of the 256 colours can take. */
const CUBE_LEVELS = [0, 95, 135, 175, 215, 255];
const CUBE_FIRST = 16;
const GREYS_FIRST = 232;
const GREYS = 24;

type Rgb = readonly [red: number, green: number, blue: number];

export function rgbOf(hex: Hex): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];
}

/** `38;2;108;182;255` for a foreground, `48;…` for a background. */
export function truecolour(ground: "38" | "48", hex: Hex): string {
  return `${ground};2;${rgbOf(hex).join(";")}`;
}

/** The nearest of the 256 colours that are the same in every terminal: the cube and the greys, not the palette. */
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
