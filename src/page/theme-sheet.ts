// The five themes as CSS variables, generated from the terminal's themes when the page is built. On the page the background is
// ours, so dim text is adjusted to the contrast that small text needs.
import { type Hex, THEMES, type Theme } from "../text/themes.js";

/** WCAG AA for text. */
const CONTRAST_MIN = 4.5;

type Rgb = readonly [number, number, number];

export function themeSheet(): string {
  const named = Object.entries(THEMES).map(([name, theme]) => `:root[data-theme="${name}"] { ${variables(theme)} }`);
  return [
    `:root { ${variables(THEMES.harbour)} }`,
    `@media (prefers-color-scheme: light) { :root { ${variables(THEMES.paper)} } }`,
    ...named,
  ].join("\n");
}

function variables(theme: Theme): string {
  const { background, colours, tints, ground } = theme;
  // On the tints of a diff, text is as readable as on the background.
  const grounds = [background, tints.add, tints.remove];
  const readable = Object.entries(colours).map(([role, hex]) => [
    role,
    role === "select" ? hex : grounds.reduce((colour, on) => readableOn(colour, on, colours.text), hex),
  ]);
  const all = { ...Object.fromEntries(readable), ground: background, tint_add: tints.add, tint_remove: tints.remove };
  const marks = { mark_add: tints.addMark, mark_remove: tints.removeMark };
  const list = Object.entries({ ...all, ...marks }).map(([name, hex]) => `--${name.replace("_", "-")}: ${hex};`);
  return [`color-scheme: ${ground};`, ...list].join(" ");
}

/** The colour, moved towards that of text until it can be read. */
function readableOn(colour: Hex, ground: Hex, text: Hex): Hex {
  const STEPS = 20;
  for (let step = 0; step <= STEPS; step++) {
    const mixed = mix(colour, text, step / STEPS);
    if (contrast(mixed, ground) >= CONTRAST_MIN) return mixed;
  }
  return text;
}

function mix(from: Hex, to: Hex, part: number): Hex {
  const [a, b] = [rgb(from), rgb(to)];
  const channels = a.map((value, at) => Math.round(value + ((b[at] ?? 0) - value) * part));
  return `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

export function contrast(a: Hex, b: Hex): number {
  const [light = 0, dark = 0] = [luminance(rgb(a)), luminance(rgb(b))].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function rgb(hex: Hex): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}
