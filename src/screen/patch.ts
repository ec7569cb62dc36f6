// From what is on the screen to what should be there, as bytes. Pure: painted state, settled lines and a frame go in; one
// string and the new painted state come out. Three ways lead there, from cheap to sure: change rows in place, draw a part
// of them again, or erase the live area and draw all of it.

import { type Frame, fitFrame, type Size } from "./frame.js";
import { guarded } from "./guard-row.js";
import { changeRows } from "./patch-in-place.js";
import { drawPartly } from "./patch-partial.js";
import { repaint } from "./patch-repaint.js";
import type { Profile } from "./profile.js";
import { paintedRows, REST_AT_TOP, type Rest, restFor } from "./rest.js";
import * as seq from "./sequences.js";

/** What the terminal shows below the transcript. The cursor stands at `rest`, autowrap is off, the style is plain. */
export interface Painted {
  readonly rows: readonly string[];
  readonly rest: Rest;
  readonly size: Size;
  /** The profile the rows were painted for; another one repaints them. */
  readonly profile: Profile | null;
}

interface PatchRequest {
  /** Rows of safe text that leave the live area for good. */
  readonly settled: readonly string[];
  readonly frame: Frame;
  readonly size: Size;
  readonly profile: Profile;
}

export interface Patch {
  readonly bytes: string;
  readonly painted: Painted;
}

/** One way of getting there: what it writes, and what a terminal without synchronized updates would show of it. */
export interface Strokes {
  readonly bytes: string;
  /** "calm" strokes may be seen half done: a few cells in one place. */
  readonly kind: "calm" | "busy";
}

/** What the three ways work on: the live rows before and after, with where the cursor waits. */
export interface Move {
  readonly before: Painted;
  readonly after: Painted;
  readonly settled: readonly string[];
  readonly profile: Profile;
  /** "lost" after a resize and before the first frame: nobody knows what became of the rows before. */
  readonly place: "known" | "lost";
}

/** Nothing painted yet, and the cursor at the start of an empty line. */
export function unpainted(size: Size): Painted {
  return { rows: [], rest: REST_AT_TOP, size, profile: null };
}

export function patch(before: Painted, request: PatchRequest): Patch {
  const { size, profile, settled } = request;
  const frame = guarded(fitFrame(request.frame, size), profile, size);
  const rest = restFor(frame, profile, size);
  const after: Painted = { rows: paintedRows(frame, rest), rest, size, profile };
  const move: Move = { before, after, settled, profile, place: placeOf(before, after) };
  const strokes = strokesFor(move);
  return { bytes: framed(strokes, move), painted: after };
}

function placeOf(before: Painted, after: Painted): Move["place"] {
  const isSameSize = before.size.columns === after.size.columns && before.size.rows === after.size.rows;
  return isSameSize && before.profile === after.profile && before.rows.length > 0 ? "known" : "lost";
}

function strokesFor(move: Move): Strokes {
  const { before, after, settled, place } = move;
  if (place === "lost") return repaint(move);
  if (settled.length === 0 && before.rows.length === after.rows.length) return changeRows(move);
  return drawPartly(move) ?? repaint(move);
}

// A synchronized update shows nothing before its end. Where a terminal may not know it, the cursor is at least hidden,
// so that it is not seen running through the rows.
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
