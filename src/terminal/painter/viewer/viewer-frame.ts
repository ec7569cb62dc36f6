// The viewer as a frame: a page of the transcript and a footer. An open ask waits until the viewer is closed, and the
// footer says so.
//
//   | I'll look at the test first.                      |
//   | ● read test/parser.test.ts  214 lines  0.1 s      |
//   | …                                                 |
//   | line 120 of 3,204 · q close · / search · [ ] prompts |
//
//   | end of 3,204 lines, following · q close · / search |
//
//   | ? the agent asks you · q close · line 120 of 3,204 |
import { humanCount, humanLines } from "../../../text/humanize.js";
import { shortenEnd } from "../../../text/shorten.js";
import { textWidth } from "../../../text/width.js";
import type { Appearance } from "../blocks/glyphs.js";
import type { Frame } from "../frame.js";
import { isAtEnd, pageOf, pageRows, type ViewerState } from "./viewer-state.js";

export function viewerFrame(state: ViewerState, look: Appearance): Frame {
  const page = pageOf(state).rows;
  while (page.length < pageRows(state)) page.push("");
  const columns = Math.max(1, state.size.columns - 1);
  if (state.search.phase === "typing") {
    const prompt = `/${state.search.query}`;
    const shown = textWidth(prompt) < columns ? prompt : `…${endOf(prompt, columns - 2)}`;
    return { rows: [...page, shown], cursor: { row: page.length, column: textWidth(shown) } };
  }
  const last = shortenEnd(footer(state, columns, ` ${look.glyphs.separator} `), columns);
  // An open ask is not dim.
  return { rows: [...page, state.waits === "for an answer" ? last : look.style.paint("dim", last)], cursor: null };
}

const CLOSE_HINT = "q close";
const WAITS_WORDS = "? the agent asks you";
const HINTS_MAX = 3;

// Details on the right go first; an open ask, a failed search and the way out stay.
function footer(state: ViewerState, columns: number, separator: string): string {
  const { search, waits } = state;
  const room = columns - textWidth([CLOSE_HINT, 'no ""'].join(separator));
  const heads = [
    ...(waits === "for an answer" ? [WAITS_WORDS] : []),
    ...(search.phase === "missing" ? [`no "${shortenEnd(search.query, Math.max(1, room))}"`] : []),
    search.phase === "found" ? matchWords(search) : placeWords(state),
  ];
  const [head = "", ...others] = heads;
  const parts = [head, CLOSE_HINT, ...others, ...(others.length > 0 ? [] : hints(state).slice(0, HINTS_MAX))];
  while (parts.length > 2 && textWidth(parts.join(separator)) > columns) parts.pop();
  return parts.join(separator);
}

/** "3 of 9" */
export function matchWords({ nth, of }: { readonly nth: number; readonly of: number }): string {
  return `${humanCount(nth)} of ${humanCount(of)}`;
}

function placeWords(state: ViewerState): string {
  const total = state.document.lines.length;
  if (total === 0) return "nothing here";
  if (!isAtEnd(state)) return `line ${humanCount(state.top.line + 1)} of ${humanCount(total)}`;
  const end = `end of ${humanLines(total)}`;
  return state.growth === "grows" && state.search.phase === "off" ? `${end}, following` : end;
}

function hints(state: ViewerState): string[] {
  return [
    ...(state.search.phase === "found" ? ["n next", "N back"] : []),
    ...(state.growth === "grows" && !isAtEnd(state) ? ["end: follow"] : []),
    "/ search",
    ...(state.document.marks.length > 1 ? ["[ ] prompts"] : []),
  ];
}

function endOf(text: string, columns: number): string {
  let end = "";
  for (const character of Array.from(text).reverse()) {
    if (textWidth(character + end) > columns) break;
    end = character + end;
  }
  return end;
}
