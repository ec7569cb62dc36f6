// The help of the whole command: what Palaver is, what it can do today, and where to go on reading.
import { nearestName } from "../contract/nearest-name.js";
import { commandTable } from "./command-table.js";

/** The longest usage; with it and the longest summary a row is 80 columns wide at most. */
const USAGE_WIDTH = 24;

export function helpText(): string {
  const rows = commandTable.map(({ usage, summary }) =>
    usage.length < USAGE_WIDTH
      ? `  palaver ${usage.padEnd(USAGE_WIDTH)}${summary}`
      : `  palaver ${usage}\n          ${"".padEnd(USAGE_WIDTH)}${summary}`,
  );
  return `Palaver is the terminal where programs and people talk things over.

  palaver                         the terminal UI on the built-in agent
${rows.join("\n")}

  palaver NAME --help     more about one command, with examples
  palaver --version       the version

Examples
  palaver run gemini
  echo "what is in this folder?" | palaver
  palaver ask confirm "Deploy?" && ./deploy

To write an agent: docs/protocol.md, or serveLines from "palaver/ui".
`;
}

/** The command somebody probably meant, for a word that is none. */
export function nearestCommand(word: string): string | null {
  return nearestName(
    word,
    commandTable.map(({ name }) => name),
  );
}
