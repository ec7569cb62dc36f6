// The session that every terminal gets, computed from a seed: what the shell had printed, what is streamed and in which
// pieces, and at which piece the window changes, an overlay opens, a key is typed. Program and driver both compute it.

import type { Size } from "../../src/terminal/painter/frame.js";
import { SeededRandom } from "./seeded-random.js";
import { transcriptLines } from "./session-text.js";

/**
 * How the window changes: to "mixed" sizes, in a "burst", under an "overlay", down to "tiny" ones, all of it without rest as
 * when somebody drags its edge; or in "jumps", "tiny-jumps", so far from each other that the window has come to rest before.
 */
export const VARIANTS = ["mixed", "burst", "overlay", "tiny", "jumps", "tiny-jumps"] as const;
export type Variant = (typeof VARIANTS)[number];

export interface SessionPlan {
  readonly seed: number;
  readonly variant: Variant;
  readonly lineCount: number;
  readonly resizeCount: number;
  /** "ascii" leaves out the wide characters, which some terminals damage by themselves. */
  readonly text: "wide" | "ascii";
}

/** What the user or the program does when this many pieces have been streamed. */
export type Moment =
  | { readonly type: "overlay"; readonly rows: number }
  | { readonly type: "key"; readonly key: string }
  | { readonly type: "working"; readonly state: "begins" | "ends" }
  | { readonly type: "clear" };

/** The window takes these sizes one right after the other, while the stream goes on. */
export interface Checkpoint {
  readonly atPiece: number;
  readonly sizes: readonly Size[];
}

export interface SessionScript {
  readonly shell: readonly string[];
  readonly lines: readonly string[];
  readonly pieces: readonly string[];
  readonly moments: ReadonlyMap<number, readonly Moment[]>;
  readonly checkpoints: readonly Checkpoint[];
}

export const FIRST_SIZE: Size = { columns: 100, rows: 30 };
/** The window ends roomy, so that a terminal which shows only part of a narrow row shows all it still has. */
const LAST_SIZE: Size = { columns: 120, rows: 40 };
export const END_MARK = "END-OF-SESSION";

const SHELL_LINES = 60;
const PIECES_PER_LINE = 3;
const BURST_SIZES = 10;
const OVERLAY_ROWS = 5;

export function sessionScript(plan: SessionPlan): SessionScript {
  const lines = transcriptLines(new SeededRandom(plan.seed), plan.lineCount, plan.text);
  const pieces = piecesOf(lines, plan.lineCount * PIECES_PER_LINE);
  return {
    shell: Array.from({ length: SHELL_LINES }, (_, index) => shellLine(index)),
    lines,
    pieces,
    moments: momentsOf(plan, pieces.length),
    checkpoints: checkpointsOf(plan, pieces.length),
  };
}

function shellLine(index: number): string {
  const id = String(index).padStart(3, "0");
  const listing = "usr/lib/some-package ".repeat(index % 3 === 0 ? 7 : 2);
  return `$${id}: ${listing}:${id}$`;
}

function piecesOf(lines: readonly string[], count: number): string[] {
  const characters = Array.from(`${lines.join("\n")}\n`);
  const size = Math.ceil(characters.length / count);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(""));
  return pieces;
}

function checkpointsOf(plan: SessionPlan, pieceCount: number): Checkpoint[] {
  const random = new SeededRandom(plan.seed * 31 + 7);
  const perCheckpoint = plan.variant === "burst" ? BURST_SIZES : 1;
  const count = Math.ceil(plan.resizeCount / perCheckpoint);
  return Array.from({ length: count }, (_, index) => ({
    atPiece: Math.floor(((index + 1) * pieceCount) / (count + 1)),
    sizes: Array.from({ length: perCheckpoint }, (_, nth) =>
      index === count - 1 && nth === perCheckpoint - 1 ? LAST_SIZE : someSize(random, plan.variant),
    ),
  }));
}

// The live area of a session has at most 14 rows. A frame that is on its way into a window that has just become lower than
// that pushes empty rows into the scrollback; only the tiny variants go there.
function someSize(random: SeededRandom, variant: Variant): Size {
  const least = smallestSize(variant);
  return { columns: random.between(least.columns, 140), rows: random.between(least.rows, 45) };
}

export function smallestSize(variant: Variant): Size {
  return variant.startsWith("tiny") ? { columns: 10, rows: 3 } : { columns: 40, rows: 15 };
}

/** Between two pieces, so that the window changes every 0.1 or every 0.4 seconds. */
export function pieceMs(variant: Variant): number {
  return variant.endsWith("jumps") ? 20 : 6;
}

/** What is typed is sent before it needs a second row in a narrow window. */
const KEYS_PER_MESSAGE = 15;
const ENTER = "\r";
const KEYS: readonly string[] = [..."what about the tests", "\x7f", "漢", "é", "\x1b[D"];

function momentsOf(plan: SessionPlan, pieceCount: number): Map<number, Moment[]> {
  const random = new SeededRandom(plan.seed * 17 + 3);
  const moments = new Map<number, Moment[]>();
  const add = (piece: number, moment: Moment) => moments.set(piece, [...(moments.get(piece) ?? []), moment]);
  const overlay = plan.variant === "overlay" ? { count: 9, share: 0.6 } : { count: 4, share: 0.3 };
  for (let nth = 0; nth < overlay.count; nth++) {
    const span = pieceCount / overlay.count;
    const opensAt = Math.floor(nth * span + random.next() * span * (1 - overlay.share));
    add(opensAt, { type: "overlay", rows: OVERLAY_ROWS });
    add(opensAt + Math.floor(span * overlay.share), { type: "overlay", rows: 0 });
  }
  let typed = 0;
  for (let piece = 5; piece < pieceCount; piece += random.between(4, 12)) {
    typed += 1;
    add(piece, { type: "key", key: typed % KEYS_PER_MESSAGE === 0 ? ENTER : random.oneOf(KEYS) });
  }
  for (let piece = 0; piece < pieceCount; piece += random.between(60, 180)) {
    add(piece, { type: "working", state: random.next() < 0.5 ? "begins" : "ends" });
  }
  add(Math.floor(pieceCount * 0.4), { type: "clear" });
  return moments;
}
