// Reads the lines of a table: the cells of a row, and the line of dashes that makes the line above it a header.

import type { Align } from "./table-grid.js";

const DELIMITERS = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** `| a | b\|c |` → `a`, `b|c`. A pipe with a backslash before it is part of its cell, also in code. */
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

/** The alignments when `line` makes a header of `header`: as many cells, and a pipe to begin with. */
export function alignsOf(line: string, header: string): Align[] | undefined {
  if (!DELIMITERS.test(line) || !hasPipe(header)) return undefined;
  const cells = cellsOf(line);
  return cells.length === cellsOf(header).length ? cells.map(alignOf) : undefined;
}

function alignOf(cell: string): Align {
  if (!cell.endsWith(":")) return "left";
  return cell.startsWith(":") ? "centre" : "right";
}
