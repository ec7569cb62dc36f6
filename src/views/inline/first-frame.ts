// The first frame, before anything else is loaded: the composer as it will look, with what was typed already, and the name of
// the agent.
import type { Frame } from "../../terminal/painter/frame.js";
import { safeLine } from "../../text/safe.js";
import { shortenEnd } from "../../text/shorten.js";
import { textWidth } from "../../text/width.js";
import type { AppLook } from "./app-look.js";

export const COMPOSER_HINT = "message, / for commands, @ for files";
const MARK_CELLS = 2;
const PLAIN_TEXT = /^[^\x00-\x1f\x7f]*/;

/** `typed` is what came from the keyboard so far; the text at its beginning is shown, as far as it fits. */
export function firstFrame(agent: string, typed: string, widthCells: number, { style, glyphs }: AppLook): Frame {
  const roomCells = Math.max(1, widthCells - MARK_CELLS - 1);
  const text = shortenEnd(safeLine(PLAIN_TEXT.exec(typed)?.[0] ?? ""), roomCells);
  const field = text === "" ? style.paint("dim", COMPOSER_HINT.slice(0, roomCells)) : text;
  const status = style.paint("dim", `  ${shortenEnd(safeLine(agent), roomCells)}`);
  return {
    rows: ["", `${style.paint("user", glyphs.prompt)} ${field}`, status],
    cursor: { row: 1, column: MARK_CELLS + textWidth(text) },
  };
}
