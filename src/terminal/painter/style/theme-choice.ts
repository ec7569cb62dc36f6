// Which theme to use. A person names one, or leaves it to the terminal: what it says its background is decides between
// light and dark, also when it changes later. Where nobody knows, the terminal's own palette is readable on any ground.
import { rgbOf } from "./colour.js";
import { THEMES, type ThemeName } from "./themes.js";

export type Ground = "dark" | "light";

/** What is known of the terminal's background; the first that says something is believed. */
export interface GroundHints {
  /** A report of mode 2031 (`CSI ? 997 ; 1 n` or `; 2 n`), the newest; it follows the person's system. */
  readonly reported?: Ground | null;
  /** The answer to OSC 11, without its frame: "rgb:1e1e/1e1e/2e2e". */
  readonly background?: string | null;
  /** The variable COLORFGBG: "15;0". */
  readonly colorfgbg?: string | undefined;
}

/** Asks for the background: the answer is `OSC 11 ; rgb:… ST`. */
export const BACKGROUND_QUERY = "\x1b]11;?\x1b\\";
/** Asks to be told when the person's system turns light or dark, and takes that back. */
export const GROUND_REPORTS_ON = "\x1b[?2031h";
export const GROUND_REPORTS_OFF = "\x1b[?2031l";

const BACKGROUND_ANSWER = /^\x1b\]11;([^\x07\x1b]{1,64})(?:\x07|\x1b\\)$/;
const GROUND_REPORT = /^\x1b\[\?997;([12])n$/;

/** What one answer or report of the terminal says about its ground; null when it is about something else. */
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

/** The theme after this one, for a key or a command without an argument. */
export function nextTheme(current: ThemeName): ThemeName {
  const names: readonly ThemeName[] = [...(Object.keys(THEMES) as (keyof typeof THEMES)[]), "terminal"];
  return names[(names.indexOf(current) + 1) % names.length] ?? "terminal";
}

/** Halfway for the eye is not halfway in light: this grey has as much contrast to black as to white. */
const MIDDLE = 0.18;

export function luminance(rgb: readonly [number, number, number]): number {
  const [red, green, blue] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

// Channels have one to four digits: "f", "ff", "fff" and "ffff" are all the brightest.
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

// "foreground;background", some with a third field between. 7 is light grey, 8 is dark grey; above 8 all are bright.
function groundOfVariable(value: string | undefined): Ground | null {
  const last = /^(?:[\w]+;){1,2}(\d{1,2})$/.exec(value ?? "")?.[1];
  if (last === undefined || Number(last) > 15) return null;
  return Number(last) === 7 || Number(last) > 8 ? "light" : "dark";
}
