// The closed blocks of a session, kept for reading again: whole, as they came, the oldest given up when there are too many.
import type { Block, ToolBlock } from "./block.js";

export interface Journal {
  readonly blocks: readonly Block[];
  readonly units: number;
  /** How many blocks were given up. */
  readonly dropped: number;
}

export function emptyJournal(): Journal {
  return { blocks: [], units: 0, dropped: 0 };
}

/** About 64 MB of text; more than anybody reads, and little enough for any machine. */
const UNITS_MAX = 32 * 1024 * 1024;
const BLOCKS_MAX = 20_000;

/** The journal takes its list along instead of copying it: the one that was handed in must not be used afterwards. */
export function journaled(journal: Journal, block: Block): Journal {
  const blocks = journal.blocks as Block[];
  blocks.push(block);
  let units = journal.units + unitsOf(block);
  let dropped = journal.dropped;
  while (blocks.length > 1 && (units > UNITS_MAX || blocks.length > BLOCKS_MAX)) {
    const oldest = blocks.shift();
    if (oldest !== undefined) units -= unitsOf(oldest);
    dropped += 1;
  }
  return { blocks, units, dropped };
}

function unitsOf(block: Block): number {
  switch (block.kind) {
    case "tool":
      return block.output.length + changedUnits(block) + 100;
    case "preview":
      return (block.diff ?? block.summary ?? "").length + 100;
    case "asked":
      return block.title.length + block.outcome.length;
    case "image":
      return block.base64.length;
    default:
      return block.text.length;
  }
}

function changedUnits({ changes = [] }: ToolBlock): number {
  return changes.reduce((sum, { oldText, newText }) => sum + (oldText?.length ?? 0) + newText.length, 0);
}
