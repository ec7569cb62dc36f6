// A journal as a document: every block whole, with prompts as places to jump to.
import type { Block } from "../../../session/transcript/block.js";
import type { Journal } from "../../../session/transcript/journal.js";
import { type BlockAbove, type BlockRowsOptions, blockRows, standsClose } from "../blocks/block-rows.js";
import { lowered, thinkingVoice } from "../blocks/thinking-voice.js";
import { markdownRows } from "../markdown/markdown-stream.js";
import type { ViewerDocument } from "./viewer-state.js";

type DocumentLook = Omit<BlockRowsOptions, "outputLinesMax">;
const SIGN_CELLS = 2;

type LaidOut = WeakMap<Block, readonly string[]>;

/** Each call returns the current document, or null when nothing was added. A block is laid out once. */
export function growingDocument(
  journal: () => Journal,
  widthCells: number,
  look: DocumentLook,
): () => ViewerDocument | null {
  const laidOut: LaidOut = new WeakMap();
  let shown: Journal | null = null;
  return () => {
    const now = journal();
    if (now === shown) return null;
    shown = now;
    return documentOf(now, widthCells, look, laidOut);
  };
}

export function documentOf(
  journal: Journal,
  widthCells: number,
  look: DocumentLook,
  laidOut: LaidOut = new WeakMap(),
): ViewerDocument {
  const lines: string[] = [];
  const marks: number[] = [];
  let above: BlockAbove | null = null;
  if (journal.dropped > 0) lines.push(look.style.paint("dim", `${journal.dropped} older blocks are not kept`));
  for (const block of journal.blocks) {
    const rows = laidOut.get(block) ?? rowsOf(block, widthCells, look);
    laidOut.set(block, rows);
    if (rows.length === 0) continue;
    const isClose = above === null ? lines.length === 0 : standsClose(block.kind, above);
    if (!isClose) lines.push("");
    above = { kind: block.kind, rows: rows.length };
    if (block.kind === "prompt") marks.push(lines.length);
    for (const row of rows) lines.push(row);
  }
  return { lines, marks };
}

function rowsOf(block: Block, widthCells: number, look: DocumentLook): string[] {
  const { style } = look;
  if (block.kind === "prose") return markdownRows(block.text, widthCells, { style, wrap: "words" });
  if (block.kind === "thinking") {
    const cells = Math.max(1, widthCells - SIGN_CELLS);
    const rows = lowered(markdownRows(block.text, cells, { wrap: "words", ...thinkingVoice(style) }), style);
    return rows.map((row, at) => (at === 0 ? `${style.paint("dim", look.glyphs.thinking)} ${row}` : row));
  }
  return blockRows(block, { ...look, outputLinesMax: Number.MAX_SAFE_INTEGER });
}
