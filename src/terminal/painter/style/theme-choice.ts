// Which theme and how many colours to use: as set, or by the terminal's background, also when it changes later. Without
// a report, the terminal's own palette is readable on any background.

import type { ColourDepth } from "../../../text/look.js";
import type { ThemeName } from "../../../text/themes.js";
import type { Environment } from "../profile.js";
import { rgbOf } from "./role-codes.js";

type Ground = "dark" | "light";

/** What is known of the background; the first known field wins. */
export interface GroundHints {
  /** The newest report of mode 2031 (`CSI ? 997 ; 1 n` or `; 2 n`). */
  readonly reported?: Ground | null;
  /** The reply to OSC 11: "rgb:1e1e/1e1e/2e2e". */
  readonly background?: string | null;
  /** The variable COLORFGBG: "15;0". */
  readonly colorfgbg?: string | undefined;
}

/** The reply is `OSC 11 ; rgb:… ST`. */
export const BACKGROUND_QUERY = "\x1b]11;?\x1b\\";
/** Reports when the system turns light or dark. */
export const GROUND_REPORTS_ON = "\x1b[?2031h";
export const GROUND_REPORTS_OFF = "\x1b[?2031l";

const BACKGROUND_ANSWER = /^\x1b\]11;([^\x07\x1b]{1,64})(?:\x07|\x1b\\)$/;
const GROUND_REPORT = /^\x1b\[\?997;([12])n$/;

/** The background in a report; null for another report. */
export function hintIn(sequence: string): GroundHints | null {
  const background = BACKGROUND_ANSWER.exec(sequence)?.[1];
  if (background !== undefined) return { background };
  const report = GROUND_REPORT.exec(sequence)?.[1];
  return report === undefined ? null : { reported: report === "1" ? "dark" : "light" };
}

const AUTOMATIC: Readonly<Record<Ground, ThemeName>> = { dark: "harbour", light: "paper" };

export function themeFor(setting: ThemeName | "auto", hints: GroundHints): ThemeName {
  if (setting !== "auto") return setting;
  const ground = groundOf(hints);
  return ground === null ? "terminal" : AUTOMATIC[ground];
}

export function groundOf({ reported, background, colorfgbg }: GroundHints): Ground | null {
  if (reported != null) return reported;
  const rgb = background == null ? null : rgbOfAnswer(background);
  if (rgb !== null) return luminance(rgb) > MIDDLE ? "light" : "dark";
  return groundOfVariable(colorfgbg);
}

/** This grey has the same contrast to black and to white. */
const MIDDLE = 0.18;

export function luminance(rgb: readonly [number, number, number]): number {
  const [red, green, blue] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

// Channels have one to four digits: "f", "ff", "fff" and "ffff" are equal.
function rgbOfAnswer(answer: string): readonly [number, number, number] | null {
  const hex = /^#([0-9a-f]{6})$/i.exec(answer);
  if (hex !== null) return rgbOf(`#${hex[1] ?? ""}`);
  const match = /^rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(answer);
  if (match === null) return null;
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((digits) => {
    return (Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255;
  });
  return [red, green, blue];
}

// "foreground;background", some with a third field between. 7 and above 8 are light.
function groundOfVariable(value: string | undefined): Ground | null {
  const last = /^(?:[\w]+;){1,2}(\d{1,2})$/.exec(value ?? "")?.[1];
  if (last === undefined || Number(last) > 15) return null;
  return Number(last) === 7 || Number(last) > 8 ? "light" : "dark";
}

const SET: Readonly<Record<string, ColourDepth>> = { never: "none", "16": "16", "256": "256", true: "truecolor" };

export function colourDepthOf(
  environment: Environment,
  setting: "auto" | "never" | "16" | "256" | "true" = "auto",
): ColourDepth {
  const set = SET[setting];
  if (set !== undefined) return set;
  const term = environment["TERM"] ?? "";
  if (environment["NO_COLOR"] || term === "dumb") return "none";
  if (/^(?:truecolor|24bit)$/.test(environment["COLORTERM"] ?? "")) return "truecolor";
  if (/kitty|direct|ghostty/.test(term)) return "truecolor";
  return /256color/.test(term) ? "256" : "16";
}
