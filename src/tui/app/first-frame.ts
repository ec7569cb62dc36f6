// What stands there before anything else is loaded: the empty composer, as it will look, and the name of the agent.
import type { Frame } from "../../screen/frame.js";
import { safeLine } from "../../text/safe.js";
import { shortenEnd } from "../../text/shorten.js";
import type { AppLook } from "./app-look.js";

export const COMPOSER_HINT = "message, / for commands, @ for files";
const MARK_CELLS = 2;

export function firstFrame(agent: string, widthCells: number, { style, glyphs }: AppLook): Frame {
  const hint = style.paint("dim", COMPOSER_HINT.slice(0, Math.max(0, widthCells - MARK_CELLS - 1)));
  const status = style.paint("dim", `  ${shortenEnd(safeLine(agent), Math.max(1, widthCells - MARK_CELLS))}`);
  return {
    rows: ["", `${style.paint("user", glyphs.prompt)} ${hint}`, status],
    cursor: { row: 1, column: MARK_CELLS },
  };
}
