// `palaver sessions`: lists the sessions in the project's daemon and the saved ones of the embedded agent, and resumes one.

import { statSync } from "node:fs";
import { type SavedSession, SessionStore } from "../../builtin/session/session-store.js";
import { stateFolder } from "../../builtin/state-folder.js";
import type { HostedSessionEntry } from "../../contract/hosted-sessions.js";
import { createDaemonClient } from "../../server/client/daemon-client.js";
import { humanDuration } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import { jsonPage } from "../../views/mini/json-line.js";
import { readArguments } from "../arguments.js";
import type { Command } from "../command-table.js";
import { addressOf, daemonOptions, daemonOptionsHelp } from "../daemon-connection.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { tableLines } from "../printed.js";

const help = `palaver sessions [ID] [options]

Lists the sessions of agents in the daemon of this project, which palaver attach
shows, and the saved ones of the embedded agent. With an ID of a saved one, the
terminal UI resumes it, in its folder; "palaver prompt --resume ID" resumes it
without a screen.

  --json             as JSON: {"hosted": […], "saved": […]}
${daemonOptionsHelp}

Examples
  palaver sessions
  palaver sessions 20261114-091500-5a6b7c8d
  palaver sessions --json | jq -r '.hosted[] | select(.open_asks > 0).id'
`;

export const command: Command = {
  help,
  async run(args) {
    const flags = { ...daemonOptions, json: { type: "boolean", default: false } } as const;
    const { values, positionals } = readArguments("sessions", args, flags);
    const [id, ...more] = positionals;
    if (more.length > 0 || (id !== undefined && values.json)) {
      throw new UsageError("sessions lists all, or resumes one\n  palaver sessions --help");
    }
    const address = await addressOf(values);
    const hosted = address === null ? [] : await createDaemonClient(address).sessions();
    const store = new SessionStore(stateFolder(process.env));
    if (id !== undefined) return resume(id, { hosted, store });
    const lists = { hosted, saved: await store.list() };
    process.stdout.write(values.json ? jsonPage(lists) : sessionsWords(lists, Date.now()));
    return exitCodes.done;
  },
};

async function resume(
  id: string,
  { hosted, store }: { hosted: readonly HostedSessionEntry[]; store: SessionStore },
): Promise<ExitCode> {
  if (hosted.some((session) => session.id === id)) {
    throw new UsageError(`session ${safeLine(id)} lives in the daemon: palaver attach shows it`);
  }
  const session = await store.read(store.placeOf(id));
  if (session === null) throw new UsageError(`there is no session ${safeLine(id)}; palaver sessions lists them`);
  // Its files, its branch and its settings are those of the folder it worked in.
  const { cwd } = session.header;
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`the folder of this session is gone: ${safeLine(cwd)}`);
  }
  const path = store.placeOf(id);
  process.chdir(cwd);
  const { command } = await import("./run-command.js");
  return command.run(["--agent", "", "--resume", path]);
}

//   In the daemon
//     20261115-130250-1f2e3d4c  claude   working  3 m 12 s ago  1 question  ada
//
//   Saved
//     20261114-091500-5a6b7c8d  2 h ago  /home/ada/parser  fix the failing test
export function sessionsWords(
  { hosted, saved }: { hosted: readonly HostedSessionEntry[]; saved: readonly SavedSession[] },
  nowMs: number,
): string {
  const ago = (atMs: number) => `${humanDuration(Math.max(0, nowMs - atMs))} ago`;
  const hostedRows = hosted.map(({ id, name, state, active_at_ms, open_asks, front_ends }) => {
    const questions = open_asks === 0 ? "" : `${open_asks} ${open_asks === 1 ? "question" : "questions"}`;
    return [id, name, state, ago(active_at_ms), questions, front_ends.join(", ")];
  });
  const savedRows = saved.map(({ id, timestamp, cwd, title }) => [id, ago(timestamp), cwd, title]);
  const parts = [
    ...(hostedRows.length === 0 ? [] : [`In the daemon\n${indented(hostedRows)}`]),
    ...(savedRows.length === 0 ? [] : [`Saved\n${indented(savedRows)}`]),
  ];
  return parts.length === 0 ? "no sessions yet\n" : parts.join("\n");
}

function indented(rows: readonly (readonly string[])[]): string {
  return tableLines(rows)
    .map((line) => `  ${line}\n`)
    .join("");
}
