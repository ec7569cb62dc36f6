// How the attached view looks, and the few signs it needs besides those of blocks, with their twins for terminals without
// UTF-8. A handler's own colour becomes the role nearest to it, so that it fits every theme and stays readable.
import type { Glyphs } from "../blocks/glyphs.js";
import type { Role } from "../style/look.js";
import type { Style } from "../style/style.js";

export interface AttachLook {
  readonly style: Style;
  readonly glyphs: Glyphs;
}

export interface KeySigns {
  readonly enter: string;
  readonly upDown: string;
  readonly leftRight: string;
}

const unicodeSigns: KeySigns = { enter: "⏎", upDown: "↑↓", leftRight: "←→" };
const asciiSigns: KeySigns = { enter: "<enter>", upDown: "up/down", leftRight: "left/right" };

export function keySigns({ live }: Glyphs): KeySigns {
  return /^[\x20-\x7e]+$/.test(live) ? asciiSigns : unicodeSigns;
}

/** Below this the colour is a grey and says nothing. */
const SATURATION_MIN = 0.15;

/** Where on the circle of hues each role begins, in degrees. */
const HUES: readonly (readonly [fromDegrees: number, role: Role])[] = [
  [0, "danger"],
  [20, "warn"],
  [75, "ok"],
  [165, "info"],
  [195, "accent"],
  [255, "user"],
  [330, "danger"],
];

/** `color` comes from outside; what is no colour is plain text. */
export function roleOfColour(color: string): Role {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(color.trim());
  const long = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color.trim());
  const channels = (long ?? short)?.slice(1).map((part) => Number.parseInt(part.padStart(2, part), 16));
  if (channels === undefined) return "text";
  const [red = 0, green = 0, blue = 0] = channels;
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if (most === 0 || (most - least) / most < SATURATION_MIN) return "text";
  const hue = hueOf([red, green, blue], most, most - least);
  return HUES.findLast(([from]) => hue >= from)?.[1] ?? "text";
}

function hueOf([red, green, blue]: readonly [number, number, number], most: number, range: number): number {
  if (most === red) return (((green - blue) / range) * 60 + 360) % 360;
  return most === green ? ((blue - red) / range) * 60 + 120 : ((red - green) / range) * 60 + 240;
}
