// The one row that stands for a tool or a preview: what it is, and behind it details that are nice to know. Where it is narrow
// the details give way, the last one first, and never what was done.
//
//   ● bash npm test -- parser  43 lines  2.3 s
//   ● bash npm test -- parser  43 lines
import { rowWidth } from "../../../text/row.js";

const GAP = "  ";

/** As many of the details as fit behind the name without taking a row more than the name does. */
export function headRow(name: string, details: readonly string[], widthCells: number): string {
  const cells = Math.max(1, Math.ceil(rowWidth(name) / widthCells)) * widthCells;
  const kept = details.filter(Boolean);
  while (kept.length > 0 && rowWidth([name, ...kept].join(GAP)) > cells) kept.pop();
  return [name, ...kept].join(GAP);
}
