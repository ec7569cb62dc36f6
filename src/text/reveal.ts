// Text for approvals, where nothing may hide: whatever a person cannot see, or would take for a plain space or for a sign of
// the dialog itself, is spelt out as ⟨U+202E⟩. The result is one line; a caller that shows several splits them first.

import { isEmojiSequence } from "./emoji.js";
import { CLUSTER_UNITS_MAX, clusterHead, TAB_STOP_CELLS } from "./printable.js";
import { isReserved } from "./reserved-signs.js";
import { clusterWidth, graphemes, textWidth } from "./width.js";

const VISIBLE_TAB = "⇥";

// Control, format, private and unassigned characters, surrogates, separators and spaces other than the plain one,
// whatever is ignored by default, and the Braille pattern without dots.
const SECRETIVE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** `rm\u00a0-rf \u202ecod` → `rm⟨U+00A0⟩-rf ⟨U+202E⟩cod`. A tab becomes an arrow up to the next stop. */
export function safeReveal(text: string): string {
  if (!/[^\x20-\x7e]/.test(text)) return text;
  let shown = "";
  let column = 0;
  for (const cluster of graphemes(text)) {
    const part = cluster === "\t" ? visibleTab(column) : revealCluster(cluster);
    column += part === cluster ? clusterWidth(part) : textWidth(part);
    shown += part;
  }
  return shown;
}

function visibleTab(column: number): string {
  return VISIBLE_TAB.padEnd(TAB_STOP_CELLS - (column % TAB_STOP_CELLS), " ");
}

// An emoji holds together by invisible characters that belong there.
function revealCluster(cluster: string): string {
  if (cluster.length > 1 && isEmojiSequence(cluster)) return cluster;
  if (cluster.length <= CLUSTER_UNITS_MAX) return revealSecretive(cluster);
  const head = clusterHead(cluster);
  return revealSecretive(head) + [...cluster.slice(head.length)].map(spellOut).join("");
}

function revealSecretive(cluster: string): string {
  let shown = "";
  for (const character of cluster) {
    const isOdd = character !== " " && (SECRETIVE.test(character) || isReserved(character));
    shown += isOdd ? spellOut(character) : character;
  }
  return shown;
}

function spellOut(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
