// What stands between two blocks: one blank line, or none where things of one kind follow each other and each is a line.
//
//   ? Which package manager?  pnpm
//   ? Which checks?  types, tests
//
//   pnpm, 2 checks, a key.
import type { Block } from "../../../session/transcript/block.js";

const CLOSE_KINDS: ReadonlySet<Block["kind"]> = new Set(["tool", "asked", "log"]);

export interface BlockAbove {
  readonly kind: Block["kind"];
  /** How many rows it takes; a tool with output keeps its distance. */
  readonly rows: number;
}

export function standsClose(kind: Block["kind"], above: BlockAbove): boolean {
  return above.kind === kind && CLOSE_KINDS.has(kind) && (kind !== "tool" || above.rows <= 1);
}
