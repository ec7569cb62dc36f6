// The live area as a whole: the end of what is being written, what the agent is doing, the question or the composer, and
// the quiet lines below.
//
//   │ The separator lost its space; I am adding it back
//
//     ⠹ run npm test  12 s · esc stop
//
//   › and then update the changelog▏
//     1 parser  2 docs +3
//     claude · sonnet-5 · 12.4 k tok · 2 queued
import type { Frame } from "../../terminal/painter/frame.js";

export interface FrameParts {
  readonly tail: readonly string[];
  /** What the agent does and plans; a blank line is put around it. */
  readonly doing: readonly string[];
  /** A question, or a list. */
  readonly dialog: Frame | null;
  /** null where a question has the keys and nothing is written. */
  readonly composer: Frame | null;
  readonly below: readonly string[];
  /** Which of them the cursor is in. */
  readonly focus: "composer" | "dialog";
}

export function appFrame(parts: FrameParts): Frame & { readonly transcriptRows: number } {
  const { tail, doing, dialog, composer, below, focus } = parts;
  const above = [...tail, "", ...doing, ...(doing.length > 0 ? [""] : [])];
  const middle = [...(dialog?.rows ?? []), ...(composer?.rows ?? [])];
  const active = focus === "dialog" ? dialog : composer;
  const offset = above.length + (focus === "dialog" ? 0 : (dialog?.rows.length ?? 0));
  const cursor = active?.cursor ? { row: offset + active.cursor.row, column: active.cursor.column } : null;
  return { rows: [...above, ...middle, ...below], cursor, transcriptRows: tail.length };
}
