// A journal as something to read: every block whole, nothing folded, with the person's own words as places to jump to.
import type { Block } from "../../core/transcript/block.js";
import type { Journal } from "../../core/transcript/journal.js";
import { type BlockRowsOptions, blockRows } from "../blocks/block-rows.js";
import { markdownRows } from "../markdown/markdown-stream.js";
import type { ViewerDocument } from "./viewer-state.js";

export function documentOf(
  journal: Journal,
  widthCells: number,
  look: Omit<BlockRowsOptions, "outputLinesMax">,
): ViewerDocument {
  const lines: string[] = [];
  const marks: number[] = [];
  if (journal.dropped > 0) lines.push(look.style.paint("dim", `${journal.dropped} older blocks are not kept`));
  for (const block of journal.blocks) {
    const rows = rowsOf(block, widthCells, look);
    if (rows.length === 0) continue;
    if (lines.length > 0) lines.push("");
    if (block.kind === "prompt") marks.push(lines.length);
    for (const row of rows) lines.push(row);
  }
  return { lines, marks };
}

function rowsOf(block: Block, widthCells: number, look: Omit<BlockRowsOptions, "outputLinesMax">): string[] {
  const { style } = look;
  if (block.kind === "prose") return markdownRows(block.text, widthCells, { style, wrap: "words" });
  if (block.kind === "thinking")
    return markdownRows(block.text, widthCells, { style, wrap: "words", base: ["dim", "italic"] });
  return blockRows(block, { ...look, outputLinesMax: Number.MAX_SAFE_INTEGER });
}
