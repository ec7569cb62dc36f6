// The help of the whole command: what Palaver is, what it can do today, and where to go on reading.
import { commandTable } from "./command-table.js";

export function helpText(): string {
  const width = Math.max(...commandTable.map(({ usage }) => usage.length)) + 2;
  const rows = commandTable.map(({ usage, summary }) => `  palaver ${usage.padEnd(width)}${summary}`);
  return `Palaver is the terminal where programs and people talk things over.

${rows.join("\n")}

  palaver NAME --help     more about one command, with examples
  palaver --version       the version

Examples
  echo "what is in this folder?" | palaver
  palaver conform -- python3 my-agent.py

To write an agent: docs/protocol.md, or serveLines from "palaver/ui".
`;
}

/** The command somebody probably meant, for a word that is none. */
export function nearestCommand(word: string): string | null {
  const near = commandTable
    .map(({ name }) => ({ name, distance: editDistance(word, name) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return near !== undefined && near.distance <= 2 ? near.name : null;
}

function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1;
      const ways = [(above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + change];
      current.push(Math.min(...ways));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
