// Characters that terminals measure differently, and what it means when this one disagrees with us. Each is printed once,
// the cursor is asked where it stands, and the row is wiped again before anybody can read it.
import { textWidth } from "../../text/width.js";

/**
 * "plain" ones everybody must agree on: without UTF-8, or with another idea of a wide character, no line is where it
 * should be. "ambiguous" ones are narrow here and wide where a terminal is set up for East Asian text. "disputed" ones
 * differ from terminal to terminal, and the painter places the cursor after them itself.
 */
export type ProbeKind = "plain" | "ambiguous" | "disputed";

export interface WidthProbe {
  readonly kind: ProbeKind;
  readonly name: string;
  readonly text: string;
}

export interface WidthDifference extends WidthProbe {
  readonly expectedCells: number;
  readonly measuredCells: number;
}

export const widthProbes: readonly WidthProbe[] = [
  { kind: "plain", name: "é", text: "\u00e9" },
  { kind: "plain", name: "漢", text: "\u6f22" },
  { kind: "plain", name: "한", text: "\ud55c" },
  { kind: "ambiguous", name: "●", text: "\u25cf" },
  { kind: "ambiguous", name: "▌", text: "\u258c" },
  { kind: "ambiguous", name: "…", text: "\u2026" },
  { kind: "ambiguous", name: "─", text: "\u2500" },
  { kind: "disputed", name: "an emoji", text: "\u{1f680}" },
  { kind: "disputed", name: "an emoji of Unicode 14", text: "\u{1fae0}" },
  { kind: "disputed", name: "an emoji of Unicode 15", text: "\u{1fabf}" },
  { kind: "disputed", name: "a sign made an emoji (U+FE0F)", text: "\u26a0\ufe0f" },
  { kind: "disputed", name: "a keycap", text: "1\ufe0f\u20e3" },
  { kind: "disputed", name: "a skin tone", text: "\u{1f44d}\u{1f3fd}" },
  { kind: "disputed", name: "a flag", text: "\u{1f1e9}\u{1f1ea}" },
  { kind: "disputed", name: "a joined emoji", text: "\u{1f469}\u200d\u{1f4bb}" },
  { kind: "disputed", name: "a joined flag", text: "\u{1f3f3}\ufe0f\u200d\u{1f308}" },
  { kind: "disputed", name: "Hangul in pieces", text: "\u1112\u1161\u11ab" },
  { kind: "disputed", name: "Devanagari", text: "\u0928\u093f" },
  { kind: "disputed", name: "Thai", text: "\u0e01\u0e33" },
];

/** `cells` as they were measured, one for each probe, in order. */
export function widthDifferences(cells: readonly number[]): WidthDifference[] {
  return widthProbes.flatMap((probe, index) => {
    const expectedCells = textWidth(probe.text);
    const measuredCells = cells[index] ?? expectedCells;
    return measuredCells === expectedCells ? [] : [{ ...probe, expectedCells, measuredCells }];
  });
}
