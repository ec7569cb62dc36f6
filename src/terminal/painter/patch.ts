// Computes the bytes from the painted state to the next frame. Three ways, from cheap to safe: change rows in place,
// draw a part again, or erase the live area and draw all of it.
import { type Frame, fitFrame, type Size, type WindowMotion } from "./frame.js";
import { changeRows, drawPartly } from "./patch-partial.js";
import { repaint } from "./patch-repaint.js";
import type { Autowrap, Left } from "./pen.js";
import type { Profile } from "./profile.js";
import { guarded, paintedRows, REST_AT_TOP, restFor } from "./rest.js";
import * as seq from "./sequences.js";

/** What is below the transcript. The cursor stands at `rest`, the style is plain. */
export interface Painted extends Left {
  readonly rows: readonly string[];
  readonly size: Size;
  /** A change of profile repaints. */
  readonly profile: Profile | null;
}

interface PatchRequest {
  readonly settled: readonly string[];
  readonly frame: Frame;
  readonly size: Size;
  readonly profile: Profile;
  readonly window?: WindowMotion;
  /** The first rows that show the end of the transcript; they are cut first. */
  readonly tailRows?: number;
}

export interface Patch {
  readonly bytes: string;
  readonly painted: Painted;
}

/** The bytes of one way, and whether they may be seen half done. */
export interface Strokes {
  readonly bytes: string;
  readonly wraps: Autowrap;
  /** "calm": a few cells in one place. */
  readonly kind: "calm" | "busy";
}

export interface Move {
  readonly before: Painted;
  readonly after: Omit<Painted, "wraps">;
  readonly settled: readonly string[];
  readonly profile: Profile;
  /** "lost" after a resize and before the first frame. */
  readonly place: "known" | "lost";
}

export function unpainted(size: Size): Painted {
  return { rows: [], rest: REST_AT_TOP, wraps: "off", size, profile: null };
}

export function patch(before: Painted, request: PatchRequest): Patch {
  const { size, profile, settled } = request;
  const place = placeOf(before, request);
  const frame = guarded(fitFrame(calmFrame(before, request, place), size), profile, size);
  const rest = restFor(frame, profile, request);
  const rows = paintedRows(frame, rest);
  const after = { rows, rest, size, profile };
  const move: Move = { before, after, settled, profile, place };
  const strokes = strokesFor(move);
  return { bytes: framed(strokes, move), painted: { rows, rest, wraps: strokes.wraps, size, profile } };
}

function placeOf(before: Painted, { size, profile }: PatchRequest): Move["place"] {
  const isSameSize = before.size.columns === size.columns && before.size.rows === size.rows;
  return isSameSize && before.profile === profile && before.rows.length > 0 ? "known" : "lost";
}

// While the window moves the live area does not grow, so that nothing scrolls. Right after a resize only the tail is
// cut: the rest must be shown.
function calmFrame(before: Painted, request: PatchRequest, place: Move["place"]): Frame {
  const { frame, profile, size, window = "still", tailRows = 0 } = request;
  if (window === "still") return frame;
  if (window === "pausing") return withoutFirst(frame, tailRows);
  // A first row that is empty already takes no guard.
  const heightWithout = (count: number) => guarded(withoutFirst(frame, count), profile, size).rows.length;
  let tooMany = 0;
  while (tooMany < frame.rows.length - 1 && heightWithout(tooMany) > before.rows.length) tooMany++;
  return withoutFirst(frame, place === "known" ? tooMany : Math.min(tooMany, tailRows));
}

function withoutFirst({ rows, cursor }: Frame, count: number): Frame {
  return { rows: rows.slice(count), cursor: cursor && { ...cursor, row: cursor.row - count } };
}

function strokesFor(move: Move): Strokes {
  const { before, after, settled, place } = move;
  if (place === "lost" || isLeavingGuard(move)) return repaint(move);
  if (settled.length === 0 && before.rows.length === after.rows.length) return changeRows(move);
  return drawPartly(move) ?? repaint(move);
}

// If the window was lower for a moment, the rows below the guard are gone and what is drawn there lands on the guard.
// The cursor is about to wait below it, where no later frame would clean it.
function isLeavingGuard({ before, after }: Move): boolean {
  return before.rest.on === "guard" && after.rest.row > before.rest.row;
}

// Where synchronized updates may be unknown, the cursor is hidden while drawing.
function framed(strokes: Strokes, move: Move): string {
  const wasShown = move.before.rest.cursor === "shown";
  const isShown = move.after.rest.cursor === "shown";
  if (strokes.kind === "calm") return cursorChange(wasShown, isShown, strokes.bytes);
  const { synchronized } = move.profile;
  const hides = wasShown && (synchronized !== "known" || !isShown);
  const shows = isShown && (hides || !wasShown);
  const body = (hides ? seq.CURSOR_HIDE : "") + strokes.bytes + (shows ? seq.CURSOR_SHOW : "");
  return synchronized === "no" ? body : seq.SYNC_BEGIN + body + seq.SYNC_END;
}

function cursorChange(wasShown: boolean, isShown: boolean, bytes: string): string {
  if (wasShown === isShown) return bytes;
  return isShown ? bytes + seq.CURSOR_SHOW : seq.CURSOR_HIDE + bytes;
}
