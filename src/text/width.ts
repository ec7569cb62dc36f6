// How many terminal cells text takes. One table decides for the whole program: layout, wrapping, slicing and painting all
// ask here, and a test keeps the answers equal to those of pi-tui, whose editor computes cursor columns with its own.
// Ambiguous width counts as one cell. The text must be safe: without escapes, control characters and tabs.
import { eastAsianWidth } from "get-east-asian-width";
import { isEmojiSequence } from "./emoji.js";
import { SIMPLE_CELLS } from "./simple-cells.js";

/** Measured clusters are remembered; the memory is cleared at this size. */
const REMEMBERED_CLUSTERS_MAX = 4096;

const WINDOW_UNITS = 256;

// Created on first use: it takes as long as several frames.
let segmenter: Intl.Segmenter | undefined;
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Surrogate}]/u;
const mark = /\p{Mark}/u;
// Marks for which terminals move the cursor: the spacing ones, and some that old width tables count as such.
// The three exceptions are spacing marks by category that terminals draw over their base.
const spacingMark = /[\p{Spacing_Mark}\u065f\u0f7f\u102b\u102c\u1031\u1033-\u1035\u1038\u103a-\u103e]/u;
const spacingMarkInNameOnly = /[\u1734\u302e\u302f]/u;

const remembered = new Map<string, number>();

/**
 * The grapheme clusters of a text. No element is wider than two cells: the few clusters that terminals spread over three
 * or more (Burmese syllables, long Indic conjuncts) come in pieces, cut before a character that starts a new cell.
 */
export function graphemes(text: string): string[] {
  const clusters: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = chunkEnd(text, start);
    if (end === start + 1) clusters.push(text[start] as string);
    else for (const segment of segments(text, start, end)) pushPieces(segment, clusters);
    start = end;
  }
  return clusters;
}

/** Cells of one element of `graphemes`: 0, 1 or 2. */
export function clusterWidth(cluster: string): number {
  if (cluster.length === 1) {
    const cells = SIMPLE_CELLS[cluster.charCodeAt(0)];
    if (cells) return cells;
  }
  const known = remembered.get(cluster);
  if (known !== undefined) return known;
  const cells = measure(cluster);
  if (remembered.size >= REMEMBERED_CLUSTERS_MAX) remembered.clear();
  remembered.set(cluster, cells);
  return cells;
}

/** Cells of a safe text. */
export function textWidth(text: string): number {
  let cells = 0;
  for (let i = 0; i < text.length; i++) {
    const simple = SIMPLE_CELLS[text.charCodeAt(i)];
    if (!simple) return carefulWidth(text);
    cells += simple;
  }
  return cells;
}

/** Whether terminals disagree on the width; the painter then sets the column after it. */
export function isDisputed(cluster: string): boolean {
  if (cluster.length === 1 && SIMPLE_CELLS[cluster.charCodeAt(0)]) return false;
  if (LATIN_WITH_ACCENTS.test(cluster)) return false;
  return !SUPPLEMENTARY_IDEOGRAPH.test(cluster);
}

const LATIN_WITH_ACCENTS = /^[A-Za-z\u00c0-\u024f\u0370-\u052f][\u0300-\u036f]{1,4}$/u;
const SUPPLEMENTARY_IDEOGRAPH = /^[\u{20000}-\u{2fa1f}\u{30000}-\u{323af}]$/u;

function carefulWidth(text: string): number {
  let cells = 0;
  let start = 0;
  while (start < text.length) {
    const end = chunkEnd(text, start);
    if (end === start + 1) cells += clusterWidth(text[start] as string);
    else for (const segment of segments(text, start, end)) cells += segmentWidth(segment);
    start = end;
  }
  return cells;
}

// Two simple neighbours are always two clusters, so the text is split there and only the rest goes to the segmenter.
function chunkEnd(text: string, start: number): number {
  let end = start + 1;
  let isLastSimple = SIMPLE_CELLS[text.charCodeAt(start)] !== 0;
  while (end < text.length) {
    const isSimple = SIMPLE_CELLS[text.charCodeAt(end)] !== 0;
    if (isLastSimple && isSimple) break;
    isLastSimple = isSimple;
    end++;
  }
  return end;
}

// The segmenter takes quadratic time, so it gets short windows. The last cluster of a window may continue and is read
// again in the next.
function segments(text: string, start: number, end: number): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const found: string[] = [];
  let windowStart = start;
  let windowUnits = WINDOW_UNITS;
  for (;;) {
    const isLast = windowStart + windowUnits >= end;
    const inWindow: string[] = [];
    for (const { segment } of segmenter.segment(text.slice(windowStart, Math.min(end, windowStart + windowUnits)))) {
      inWindow.push(segment);
    }
    if (!isLast) inWindow.pop();
    // A cluster that fills a whole window needs a larger one.
    windowUnits = inWindow.length === 0 ? windowUnits * 2 : WINDOW_UNITS;
    for (const segment of inWindow) {
      found.push(segment);
      windowStart += segment.length;
    }
    if (isLast) return found;
  }
}

function segmentWidth(segment: string): number {
  const cells = clusterWidth(segment);
  if (cells <= 2) return cells;
  const pieces: string[] = [];
  pushPieces(segment, pieces);
  return pieces.reduce((sum, piece) => sum + clusterWidth(piece), 0);
}

function pushPieces(segment: string, into: string[]): void {
  if (clusterWidth(segment) <= 2) {
    into.push(segment);
    return;
  }
  let piece = "";
  for (const character of segment) {
    if (piece !== "" && clusterWidth(piece + character) > 2) {
      into.push(piece);
      piece = "";
    }
    piece += character;
  }
  into.push(piece);
}

function measure(cluster: string): number {
  const cells = sumOfCells(cluster);
  return cells !== 2 && cluster.length > 1 && isEmojiSequence(cluster) ? 2 : cells;
}

function sumOfCells(cluster: string): number {
  let cells = 0;
  let hasBase = false;
  let followsMark = false;
  for (const character of cluster) {
    if (isSpacing(character)) {
      cells += 1;
      hasBase = true;
      followsMark = false;
    } else if (mark.test(character)) {
      followsMark = hasBase;
    } else if (!invisible.test(character)) {
      if (!hasBase && isRegionalIndicator(character)) return 2;
      cells += hasBase ? joinedCells(character, followsMark) : eastAsianWidth(character.codePointAt(0) ?? 0);
      hasBase = true;
      followsMark = false;
    }
  }
  return cells;
}

function isSpacing(character: string): boolean {
  return spacingMark.test(character) && !spacingMarkInNameOnly.test(character);
}

// Half a flag, which most terminals draw two cells wide, too.
function isRegionalIndicator(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

// A visible character inside a cluster usually takes no cell of its own. It does after a mark (the consonant after a
// virama), in half- and fullwidth forms, and as Thai or Lao AM.
function joinedCells(character: string, followsMark: boolean): number {
  const code = character.codePointAt(0) ?? 0;
  if (followsMark || (code >= 0xff00 && code <= 0xffef)) return eastAsianWidth(code);
  return code === 0x0e33 || code === 0x0eb3 ? 1 : 0;
}
