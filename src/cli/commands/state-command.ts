// `palaver state`: what the project's daemon has to show, for people as a table and for scripts as JSON.

import type { StateEntry } from "../../contract/daemon.js";
import { safeLine } from "../../text/safe.js";
import { textWidth } from "../../text/width.js";
import { jsonPage } from "../../views/mini/json-line.js";
import { readFlags } from "../arguments.js";
import type { Command } from "../command-table.js";
import { daemonOptions, daemonOptionsHelp, withDaemon } from "../daemon-connection.js";
import { exitCodes } from "../exit-codes.js";

const help = `palaver state [options]

What the daemon of this project has to show: every handler with its key, label
and value, read at this moment.

  --json             the entries as JSON
${daemonOptionsHelp}

Examples
  palaver state
  palaver state --json | jq -r '.[] | select(.handler_name == "Mode").value'
`;

export const command: Command = {
  help,
  async run(args) {
    const values = readFlags("state", args, { ...daemonOptions, json: { type: "boolean", default: false } });
    const entries = await withDaemon(values, (client) => client.state());
    process.stdout.write(values.json ? jsonPage(entries) : stateWords(entries ?? []));
    return exitCodes.done;
  },
};

//   BUILD
//     Mode      How to build   development
//     Rebuild   Build again
export function stateWords(entries: readonly StateEntry[]): string {
  const rows = entries.map(({ shortcut, label, value }) => [shortcut, label, value].map(safeLine));
  const width = (column: number) => Math.max(0, ...rows.map((row) => textWidth(row[column] ?? "")));
  const widths = [width(0), width(1)];
  let tab: string | null = null;
  let text = "";
  entries.forEach(({ tab_title: title }, index) => {
    if (title !== tab) text += `${safeLine(title)}\n`;
    tab = title;
    const cells = (rows[index] ?? []).map((cell, column) => padded(cell, widths[column] ?? 0));
    text += `  ${cells.join("   ").trimEnd()}\n`;
  });
  return text === "" ? "nothing to show\n" : text;
}

function padded(text: string, widthCells: number): string {
  return text + " ".repeat(Math.max(0, widthCells - textWidth(text)));
}
