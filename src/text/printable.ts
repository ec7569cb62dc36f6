// Which printable characters may reach a terminal. Invisible characters can reorder or hide text, terminals disagree on
// their width, and an endless cluster makes one cell as large as a file.

import { TAG_FLAGS } from "./emoji.js";
import { withPlainSigns } from "./reserved-signs.js";
import { mayHoldCluster } from "./simple-cells.js";
import { graphemes } from "./width.js";

/** UTF-16 units per cluster; the longest emoji in use has 15. */
export const CLUSTER_UNITS_MAX = 32;

export const TAB_STOP_CELLS = 8;

const REPLACEMENT = "\ufffd";

const BROKEN = /[\p{Surrogate}\p{Noncharacter_Code_Point}]/gu;

// Removes everything invisible, except joiners, variation selectors, the old Hangul fillers, and format characters that
// are drawn (Arabic and Kaithi number signs, Syriac abbreviations).
const INVISIBLE =
  /(?![\u200c-\u200d\u115f\u1160\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\p{Variation_Selector}\u{110bd}\u{110cd}])[\p{Default_Ignorable_Code_Point}\p{Format}]/gu;
const SEPARATORS = /[\u2028\u2029]/g;
// One test for all, because most text has none.
const UNFIT = new RegExp(`${BROKEN.source}|${SEPARATORS.source}|${INVISIBLE.source}`, "u");

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

// A cut cluster ends in a visible character, so that nothing disappears unseen.
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
