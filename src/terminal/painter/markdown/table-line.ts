// Reads the cells of a table row, and the line of dashes below the header.
import type { Align } from "./table-block.js";

const DELIMITERS = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** `| a | b\|c |` → `a`, `b|c`. An escaped pipe belongs to its cell. */
export function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "");
  const cells: string[] = [];
  let cell = "";
  for (let i = 0; i < inner.length; i++) {
    const unit = inner.charAt(i);
    if (unit === "\\" && inner[i + 1] === "|") {
      cell += "|";
      i++;
    } else if (unit === "|") {
      cells.push(cell.trim());
      cell = "";
    } else {
      cell += unit;
    }
  }
  if (cell.trim() !== "" || cells.length === 0) cells.push(cell.trim());
  return cells;
}

export function hasPipe(line: string): boolean {
  return /(?:^|[^\\])\|/.test(line);
}

/** The alignments, if `line` makes `header` the header of a table. */
export function alignsOf(line: string, header: string): Align[] | undefined {
  if (!DELIMITERS.test(line) || !hasPipe(header)) return undefined;
  const cells = cellsOf(line);
  return cells.length === cellsOf(header).length ? cells.map(alignOf) : undefined;
}

function alignOf(cell: string): Align {
  if (!cell.endsWith(":")) return "left";
  return cell.startsWith(":") ? "centre" : "right";
}
