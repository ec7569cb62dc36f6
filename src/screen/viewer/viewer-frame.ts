// The viewer as a frame: one page of the transcript and, in the last row, where one is and what one can do.
//
//   | I'll look at the test first.                      |
//   | ● read test/parser.test.ts  214 lines  0.1 s      |
//   | …                                                 |
//   | line 120 of 3,204 · / search · [ ] prompts · q close |
import { humanCount } from "../../text/humanize.js";
import { shortenEnd } from "../../text/shorten.js";
import { textWidth } from "../../text/width.js";
import type { Frame } from "../frame.js";
import { highlighted } from "./line-search.js";
import { pageRows, rowsOf, type ViewerState } from "./viewer-state.js";

export interface ViewerLook {
  /** Dresses the last row; the text is plain. */
  readonly dim: (text: string) => string;
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
  return { rows: [...page, look.dim(shortenEnd(footer(state, columns), columns))], cursor: null };
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

// Right-hand details go first when it gets narrow, the place never.
function footer(state: ViewerState, columns: number): string {
  const total = state.document.lines.length;
  const parts = [
    total === 0 ? "nothing here" : `line ${humanCount(state.top.line + 1)} of ${humanCount(total)}`,
    ...found(state),
    "q close",
    "/ search",
    "[ ] prompts",
  ];
  while (parts.length > 1 && textWidth(parts.join(" · ")) > columns) parts.pop();
  return parts.join(" · ");
}

function found({ search }: ViewerState): string[] {
  if (search.phase === "missing") return [`no "${search.query}"`];
  return search.phase === "found" ? ["n next", "N back"] : [];
}

function endOf(text: string, columns: number): string {
  let end = "";
  for (const character of Array.from(text).reverse()) {
    if (textWidth(character + end) > columns) break;
    end = character + end;
  }
  return end;
}
