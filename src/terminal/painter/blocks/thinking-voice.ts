// How thinking is written, wherever it is shown: dim and slanted, and nothing in it brighter than that.
import type { MarkdownOptions } from "../markdown/markdown-stream.js";
import { quietStyle } from "../style/quiet-style.js";
import type { Style } from "../style/style.js";

export function thinkingVoice(style: Style): Pick<MarkdownOptions, "style" | "base"> {
  return { style: quietStyle(style), base: ["dim", "italic"] };
}

/** Code that no grammar colours comes as it is; here it is lowered, too. */
export function lowered(rows: readonly string[], style: Style): string[] {
  return rows.map((row) => style.paint("dim", row));
}
