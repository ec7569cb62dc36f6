// The viewer as a frame: one page of the transcript and, in the last row, where one is and what one can do.
//
//   | I'll look at the test first.                      |
//   | ● read test/parser.test.ts  214 lines  0.1 s      |
//   | …                                                 |
//   | line 120 of 3,204 · q close · / search · [ ] prompts |
//
// At the end of a transcript that grows the last row says that the page follows it:
//
//   | end of 3,204 lines, following · q close · / search |
//
// A question has to wait until the viewer is closed, so that the last row tells of it:
//
//   | ? the agent asks you · q close · line 120 of 3,204 |
import { humanCount } from "../../../text/humanize.js";
import { shortenEnd } from "../../../text/shorten.js";
import { textWidth } from "../../../text/width.js";
import type { Glyphs } from "../blocks/glyphs.js";
import type { Frame } from "../frame.js";
import type { Style } from "../style/style.js";
import { highlighted } from "./line-search.js";
import { isAtEnd, pageRows, rowsOf, type ViewerState } from "./viewer-state.js";

export interface ViewerLook {
  readonly style: Style;
  readonly glyphs: Pick<Glyphs, "separator">;
}

export function viewerFrame(state: ViewerState, look: ViewerLook): Frame {
  const page = pageOf(state);
  while (page.length < pageRows(state)) page.push("");
  const columns = Math.max(1, state.size.columns - 1);
  if (state.search.phase === "typing") {
    const prompt = `/${state.search.query}`;
    const shown = textWidth(prompt) < columns ? prompt : `…${endOf(prompt, columns - 2)}`;
    return { rows: [...page, shown], cursor: { row: page.length, column: textWidth(shown) } };
  }
  const last = shortenEnd(footer(state, columns, ` ${look.glyphs.separator} `), columns);
  // What wants an answer is not whispered.
  return { rows: [...page, state.waits === "for an answer" ? last : look.style.paint("dim", last)], cursor: null };
}

function pageOf(state: ViewerState): string[] {
  const { document, size, top } = state;
  const query = state.search.phase === "off" ? "" : state.search.query;
  const rows: string[] = [];
  for (let line = top.line; line < document.lines.length && rows.length < pageRows(state); line += 1) {
    const text = document.lines[line] ?? "";
    const wrapped = rowsOf(query === "" ? text : highlighted(text, query), size.columns);
    rows.push(...(line === top.line ? wrapped.slice(top.row) : wrapped));
  }
  return rows.slice(0, pageRows(state));
}

const CLOSE_HINT = "q close";
const WAITS_WORDS = "? the agent asks you";
/** More keys than these nobody reads. */
const HINTS_MAX = 3;

// Right-hand details go first when it gets narrow; what the agent wants, what was not found, and the way out never do.
function footer(state: ViewerState, columns: number, separator: string): string {
  const { search, waits } = state;
  const room = columns - textWidth([CLOSE_HINT, 'no ""'].join(separator));
  const heads = [
    ...(waits === "for an answer" ? [WAITS_WORDS] : []),
    ...(search.phase === "missing" ? [`no "${shortenEnd(search.query, Math.max(1, room))}"`] : []),
    placeWords(state),
  ];
  const [head = "", ...others] = heads;
  const parts = [head, CLOSE_HINT, ...others, ...(others.length > 0 ? [] : hints(state).slice(0, HINTS_MAX))];
  while (parts.length > 2 && textWidth(parts.join(separator)) > columns) parts.pop();
  return parts.join(separator);
}

function placeWords(state: ViewerState): string {
  const total = state.document.lines.length;
  if (total === 0) return "nothing here";
  if (!isAtEnd(state)) return `line ${humanCount(state.top.line + 1)} of ${humanCount(total)}`;
  const end = `end of ${humanCount(total)} ${total === 1 ? "line" : "lines"}`;
  return state.growth === "grows" && state.search.phase === "off" ? `${end}, following` : end;
}

function hints(state: ViewerState): string[] {
  return [
    ...(state.search.phase === "found" ? ["n next", "N back"] : []),
    ...(state.growth === "grows" && !isAtEnd(state) ? ["end follows"] : []),
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
