// The closed blocks of a session, whole; the oldest are dropped when there are too many.
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

/** About 64 MB of text. */
export const JOURNAL_UNITS_MAX = 32 * 1024 * 1024;
const BLOCKS_MAX = 20_000;

/** So many are given up at once: taking one off the front of a long list moves all the others. */
const DROPPED_AT_ONCE = 1_000;

/** The journal takes its list along instead of copying it: the one that was handed in must not be used afterwards. */
export function journaled(journal: Journal, block: Block, unitsMax = JOURNAL_UNITS_MAX): Journal {
  const blocks = journal.blocks as Block[];
  blocks.push(block);
  const units = journal.units + unitsOf(block);
  const full = { blocks, units, dropped: journal.dropped };
  const isFull = units > unitsMax || blocks.length >= BLOCKS_MAX + DROPPED_AT_ONCE;
  return isFull ? shortened(full, blocks, unitsMax) : full;
}

function shortened({ units: before, dropped }: Journal, blocks: Block[], unitsMax: number): Journal {
  let units = before;
  let count = 0;
  const isEnough = () => count >= DROPPED_AT_ONCE && units <= unitsMax;
  while (count < blocks.length - 1 && !isEnough()) {
    const oldest = blocks[count];
    if (oldest !== undefined) units -= unitsOf(oldest);
    count += 1;
  }
  blocks.splice(0, count);
  return { blocks, units, dropped: dropped + count };
}

function unitsOf(block: Block): number {
  switch (block.kind) {
    case "tool":
      return block.output.length + (block.diff?.length ?? 0) + changedUnits(block) + 100;
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
