// Which printable characters may reach a terminal, once escapes and control characters are gone. Invisible characters
// can reorder neighbours, hide text or carry messages, and terminals disagree on their width; a cluster without an end
// makes one cell cost as much as a file.

import { TAG_FLAGS } from "./emoji.js";
import { withPlainSigns } from "./reserved-signs.js";
import { mayHoldCluster } from "./simple-cells.js";
import { graphemes } from "./width.js";

/** A cluster keeps this many UTF-16 units; the longest emoji in use has 15. */
export const CLUSTER_UNITS_MAX = 32;

/** A tab reaches up to the next multiple of this, counted from the start of the line. */
export const TAB_STOP_CELLS = 8;

const REPLACEMENT = "\ufffd";

const BROKEN = /[\p{Surrogate}\p{Noncharacter_Code_Point}]/gu;

// Everything invisible goes, except what holds visible text together: joiners, variation selectors, the old Hangul
// fillers, and the format characters that are drawn (Arabic and Kaithi number signs, Syriac abbreviations).
const INVISIBLE =
  /(?![\u200c-\u200d\u115f\u1160\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\p{Variation_Selector}\u{110bd}\u{110cd}])[\p{Default_Ignorable_Code_Point}\p{Format}]/gu;
const SEPARATORS = /[\u2028\u2029]/g;
// Looks for all of them at once, because most text has none.
const UNFIT = new RegExp(`${BROKEN.source}|${SEPARATORS.source}|${INVISIBLE.source}`, "u");

/** Printable text without invisible characters, lone surrogates, separators, bottomless clusters and signs of our own. */
export function tamePrintable(text: string): string {
  const visible = text.includes("\u{1f3f4}") ? removeAround(text, TAG_FLAGS) : removeInvisible(text);
  return boundClusters(withPlainSigns(visible));
}

function removeInvisible(text: string): string {
  if (!UNFIT.test(text)) return text;
  return text.replace(BROKEN, REPLACEMENT).replace(SEPARATORS, " ").replace(INVISIBLE, "");
}

function removeAround(text: string, kept: RegExp): string {
  let result = "";
  let start = 0;
  for (const match of text.matchAll(kept)) {
    result += removeInvisible(text.slice(start, match.index)) + match[0];
    start = match.index + match[0].length;
  }
  return result + removeInvisible(text.slice(start));
}

// What a bottomless cluster loses is replaced by one visible character, so that nothing disappears unseen.
function boundClusters(text: string): string {
  if (!mayHoldCluster(text, CLUSTER_UNITS_MAX)) return text;
  return graphemes(text)
    .map((cluster) => (cluster.length > CLUSTER_UNITS_MAX ? clusterHead(cluster) + REPLACEMENT : cluster))
    .join("");
}

/** The first code points of a cluster that fit into the maximum. */
export function clusterHead(cluster: string): string {
  const isPairCut = /[\ud800-\udbff]/.test(cluster.charAt(CLUSTER_UNITS_MAX - 1));
  return cluster.slice(0, isPairCut ? CLUSTER_UNITS_MAX - 1 : CLUSTER_UNITS_MAX);
}
