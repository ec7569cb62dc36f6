// `palaver sessions`: lists the sessions in the project's daemon and those that agents have saved, and resumes one.

import { homedir } from "node:os";
import type { HostedSessionEntry } from "../../contract/hosted-sessions.js";
import { namedSession, shortSessionId } from "../../contract/named-session.js";
import { hubSessions } from "../../host/asks/hub-view.js";
import { DaemonRefusal } from "../../server/client/daemon-client.js";
import { hereFirst, inHome, type SavedSession } from "../../session/saved-session.js";
import { humanAge } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import { jsonPage } from "../../views/mini/json-line.js";
import { folderProblem } from "../agent-sessions.js";
import { readArguments } from "../arguments.js";
import type { Command } from "../command-table.js";
import { addressesOf, atDaemon, daemonOptions, daemonOptionsHelp, type NamedDaemon } from "../daemon-connection.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { hubOptions, hubOptionsHelp, withHub } from "../hub-connection.js";
import { tableLines } from "../printed.js";
import { promptRuns } from "../prompt/paused-runs.js";
import { savedByAll } from "../resume.js";

const help = `palaver sessions [ID] [options]

Lists the sessions in this project's daemons, which palaver attach shows, and
those saved by the built-in agent, claude, codex, gemini, opencode and pi, this
folder first. With an ID, or the beginning of one, the terminal UI resumes
that session in its folder; "palaver prompt --resume ID" resumes it without a
screen. Other agents list their own: /resume in palaver run NAME.

  --all              all sessions, including those of single prompts
  --json             as JSON: {"hosted": […], "saved": […]}
${daemonOptionsHelp}
${hubOptionsHelp}

Examples
  palaver sessions
  palaver sessions 3fa9c2
  palaver sessions --json | jq -r '.hosted[] | select(.open_asks > 0).id'
`;

const LISTED_MAX = 20;

export const command: Command = {
  help,
  async run(args) {
    const flag = { type: "boolean", default: false } as const;
    const { values, positionals } = readArguments("sessions", args, {
      ...daemonOptions,
      ...hubOptions,
      json: flag,
      all: flag,
    });
    const [id, ...more] = positionals;
    if (more.length > 0 || (id !== undefined && values.json)) {
      throw new UsageError("sessions lists all, or resumes one\n  palaver sessions --help");
    }
    if (values.hub !== undefined) {
      if (id !== undefined) throw new UsageError("a session of another machine is resumed there");
      return printHubSessions(values.hub, values.json);
    }
    const hosted = (await Promise.all((await addressesOf(values)).map(hostedBy))).flat();
    const saved = await savedByAll(process.env);
    if (id !== undefined) return resume(id, { hosted, saved });
    if (values.json) process.stdout.write(jsonPage({ hosted, saved: saved.map(jsonEntry) }));
    else {
      const shown = values.all ? saved : withoutSinglePrompts(saved);
      const place = { nowMs: Date.now(), folder: process.cwd(), home: homedir() };
      const savedMax = values.all ? Number.POSITIVE_INFINITY : LISTED_MAX;
      process.stdout.write(sessionsWords({ hosted, saved: shown }, { ...place, savedMax }));
    }
    return exitCodes.done;
  },
};

/** A session, and the program of its daemon. */
type ListedSession = HostedSessionEntry & { readonly program?: string };

// A daemon without sessions does not know the path.
async function hostedBy(daemon: NamedDaemon): Promise<ListedSession[]> {
  const sessions = await atDaemon(daemon, (client) => client.sessions()).catch((error: unknown) => {
    if (error instanceof DaemonRefusal && error.status === 404) return [];
    throw error;
  });
  return sessions.map((session) => ({ ...session, program: daemon.program }));
}

//   laptop  20261115-130250-1f2e3d4c  claude  working  1 question
async function printHubSessions(url: string, isJson: boolean): Promise<ExitCode> {
  const sessions = await withHub(url, ({ hub }) => hubSessions(hub, Date.now()));
  const rows = sessions.map(({ machine, daemon, entry: { id, name, state, open_asks: asks } }) => {
    return [machine, id, name, daemon === "away" ? "away" : state, questionsWords(asks)].map(safeLine);
  });
  const words = rows.length === 0 ? "no machine has a session at the hub\n" : `${tableLines(rows).join("\n")}\n`;
  process.stdout.write(isJson ? jsonPage(sessions) : words);
  return exitCodes.done;
}

function questionsWords(count: number): string {
  return count === 0 ? "" : `${count} ${count === 1 ? "question" : "questions"}`;
}

/** A session that was continued after its prompt is not one of them. */
const PROMPT_END_MS = 2_000;

function withoutSinglePrompts(sessions: readonly SavedSession[]): SavedSession[] {
  const runs = promptRuns().all();
  const endedMs = new Map(runs.map(({ session, savedAtMs }) => [session, savedAtMs]));
  return sessions.filter(({ id, atMs }) => (atMs ?? 0) > (endedMs.get(id) ?? -PROMPT_END_MS) + PROMPT_END_MS);
}

function jsonEntry({ agent, id, title, cwd, atMs, path }: SavedSession) {
  return { agent, id, title, cwd, timestamp: atMs, path };
}

async function resume(
  id: string,
  { hosted, saved }: { hosted: readonly HostedSessionEntry[]; saved: readonly SavedSession[] },
): Promise<number> {
  if (hosted.some((session) => session.id === id)) {
    throw new UsageError(`session ${safeLine(id)} runs in the daemon; palaver attach opens it`);
  }
  const chosen = namedSession(saved, id);
  if ("problem" in chosen) {
    throw new UsageError(chosen.problem ?? `there is no session ${safeLine(id)}; palaver sessions lists them`);
  }
  const problem = folderProblem(chosen.session);
  if (problem !== null) throw new UsageError(problem);
  // Its files, its branch and its settings are those of the folder it worked in.
  if (chosen.session.cwd !== null) process.chdir(chosen.session.cwd);
  const { command } = await import("./run-command.js");
  return command.run([chosen.session.agent, "--resume", chosen.session.id]);
}

interface ListPlace {
  readonly nowMs: number;
  readonly folder: string;
  readonly home: string;
  readonly savedMax: number;
}

//   In the daemon
//     20261115-130250-1f2e3d4c  claude   working  3 m ago  1 question  ada
//
//   In this folder
//     3fa9c2           claude   3 h ago  fix the failing test
//
//   In other folders
//     20261114-09150   palaver  2 d ago  ~/site  write the changelog
export function sessionsWords(
  { hosted, saved }: { hosted: readonly ListedSession[]; saved: readonly SavedSession[] },
  { nowMs, folder, home, savedMax }: ListPlace,
): string {
  const ago = (atMs: number | null) => (atMs === null ? "" : humanAge(nowMs - atMs));
  const hostedRow = ({ id, name, state, active_at_ms, open_asks, front_ends }: ListedSession) => {
    return [id, name, state, ago(active_at_ms), questionsWords(open_asks), front_ends.join(", ")];
  };
  const programs = [...new Set(hosted.map(({ program }) => program))];
  const hostedTables = programs.map((program) => {
    const title = programs.length === 1 ? "In the daemon" : `In the daemon of ${safeLine(program ?? "")}`;
    return table(title, hosted.filter((session) => session.program === program).map(hostedRow));
  });
  const ids = saved.map(({ id }) => id);
  const listed = hereFirst(saved, folder).slice(0, savedMax);
  const rowsOf = (sessions: readonly SavedSession[]) =>
    sessions.map(({ agent, id, atMs, cwd, title }) => {
      const place = cwd === null || cwd === folder ? [] : [inHome(cwd, home)];
      return [shortSessionId(id, ids), agent, ago(atMs), ...place, title];
    });
  const parts = [
    ...hostedTables,
    table("In this folder", rowsOf(listed.filter(({ cwd }) => cwd === null || cwd === folder))),
    table("In other folders", rowsOf(listed.filter(({ cwd }) => cwd !== null && cwd !== folder))),
  ].filter((part) => part !== "");
  const left = saved.length - listed.length;
  if (left > 0) parts.push(`${left} more: palaver sessions --all\n`);
  return parts.length === 0 ? "no sessions yet\n" : parts.join("\n");
}

function table(title: string, rows: readonly (readonly string[])[]): string {
  const lines = tableLines(rows).map((line) => `  ${line}\n`);
  return lines.length === 0 ? "" : `${title}\n${lines.join("")}`;
}
