// Makes the live area recognisable cell by cell. Every character of a live row is replaced by one that no transcript line
// contains, of the same width: narrow ones by Braille patterns, wide ones by full-width forms. Whatever of it is found
// in the scrollback afterwards is a ghost, also a piece of a row that the terminal has wrapped or cut.

import { linkBytes, type Token, tokens } from "../../src/text/row.js";
import { clusterWidth, graphemes } from "../../src/text/width.js";

const NARROW_FIRST = 0x2801;
const NARROW_COUNT = 254;
const WIDE_FIRST = 0xff01;
const WIDE_COUNT = 94;
/** The bar that marks what is alive stays itself. */
export const LIVE_BAR = "▌";

const LIVE_GLYPH = /[▌\u2801-\u28ff\uff01-\uff5e]/u;
const LIVE_GLYPHS = /[▌\u2801-\u28ff\uff01-\uff5e]/gu;

export function hasLiveGlyph(row: string): boolean {
  return LIVE_GLYPH.test(row);
}

export function withoutLiveGlyphs(text: string): string {
  return text.replace(LIVE_GLYPHS, "");
}

/** Styles and blanks stay as they are; different characters stay different. */
export function disguised(row: string): string {
  return tokens(row).map(disguisedToken).join("");
}

function disguisedToken(token: Token): string {
  if (token.kind === "text") return disguisedText(token.text);
  return token.kind === "sgr" ? `\x1b[${token.params}m` : linkBytes(token.uri, token.id);
}

function disguisedText(text: string): string {
  return graphemes(text).map(disguisedCluster).join("");
}

function disguisedCluster(cluster: string): string {
  if (cluster === " " || cluster === LIVE_BAR) return cluster;
  const code = cluster.codePointAt(0) ?? 0;
  const cells = clusterWidth(cluster);
  if (cells === 0) return "";
  return String.fromCodePoint(cells === 2 ? WIDE_FIRST + (code % WIDE_COUNT) : NARROW_FIRST + (code % NARROW_COUNT));
}
