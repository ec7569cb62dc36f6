// `palaver asks`: the asks that wait for an answer at the project's daemon, and with --history those that are over.

import type { AskHistoryEntry } from "../../contract/ask-history.js";
import type { Ask } from "../../contract/asks.js";
import type { SelectOption } from "../../contract/dialogs.js";
import { readAskHistory } from "../../host/ask-history.js";
import { confirmQuestion, permissionQuestion } from "../../terminal/painter/dialogs/approval-answers.js";
import { approvalParts, disguisesIn, performerLines } from "../../terminal/painter/dialogs/approval-body.js";
import { humanDuration } from "../../text/humanize.js";
import { safeLine, safeReveal } from "../../text/safe.js";
import { jsonPage } from "../../views/mini/json-line.js";
import { readFlags } from "../arguments.js";
import type { Command } from "../command-table.js";
import { daemonOptions, daemonOptionsHelp, withSessions } from "../daemon-connection.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { askHistoryFolder } from "../keep-asks.js";

const help = `palaver asks [options]

The open questions at the daemon of this project, the oldest first: of the
agents in it, of MCP clients, and of runs that wait for an answer there
("palaver prompt --on-ask wait"). palaver answer answers one; palaver attach
shows them as dialogs.

With --history: the asks that are over, of every agent and folder of yours, the
newest last: what was asked, who or what answered, and when the agent had it.

  --history          the asks that are over
  --limit N          how many of them, 50 if missing
  --json             the asks as JSON
${daemonOptionsHelp}

Examples
  palaver asks
  palaver asks --json | jq -r '.[].id'
  palaver asks --history --limit 10
`;

const HISTORY_DEFAULT = 50;

export const command: Command = {
  help,
  async run(args) {
    const values = readFlags("asks", args, {
      ...daemonOptions,
      json: { type: "boolean", default: false },
      history: { type: "boolean", default: false },
      limit: { type: "string" },
    });
    if (values.history) return printHistory(values.json, limitOf(values.limit));
    if (values.limit !== undefined) throw new UsageError("--limit is for --history");
    const asks = await withSessions(values, (client) => client.asks());
    process.stdout.write(values.json ? jsonPage(asks) : asksWords(asks));
    return exitCodes.done;
  },
};

function printHistory(isJson: boolean, entriesMax: number): ExitCode {
  const folder = askHistoryFolder();
  const entries = folder === null ? [] : readAskHistory(folder, entriesMax);
  process.stdout.write(isJson ? jsonPage(entries) : historyWords(entries));
  return exitCodes.done;
}

function limitOf(given: string | undefined): number {
  if (given === undefined) return HISTORY_DEFAULT;
  if (!/^[1-9]\d{0,5}$/.test(given)) throw new UsageError(`--limit has to be a number from 1 to 999999, not ${given}`);
  return Number(given);
}

//   2026-01-31 09:30:00  allowed once, by inline after 4 s, delivered
//     permission  Bash rm -rf build
//     gemini in /home/ada/project
export function historyWords(entries: readonly AskHistoryEntry[]): string {
  if (entries.length === 0) return "no ask is over yet\n";
  return entries.map((entry) => `${entryLines(entry).join("\n")}\n`).join("");
}

function entryLines(entry: AskHistoryEntry): string[] {
  const { kind, title, about, agent, folder, askedAt, shownAt, settledAt, delivery } = entry;
  const took = humanDuration(Date.parse(settledAt) - Date.parse(shownAt ?? askedAt));
  const seen = shownAt === null ? ["not shown"] : [];
  const sent = delivery === "none" ? [] : [delivery === "lost" ? "not delivered: the agent was gone" : "delivered"];
  const local = new Date(settledAt).toLocaleString("sv-SE");
  const details = [about.command, about.path].filter((words) => words !== undefined && !title.includes(words));
  return [
    `${local}  ${[...outcomeParts(entry, took), ...seen, ...sent].join(", ")}`,
    `  ${kind}  ${safeLine(title)}`,
    ...details.map((words) => `  ${safeReveal(words ?? "")}`),
    `  ${safeLine(agent)} in ${safeLine(folder)}`,
  ];
}

function outcomeParts({ outcome }: AskHistoryEntry, took: string): string[] {
  if (outcome.kind === "withdrawn") return [`withdrawn (${outcome.reason}) after ${took}`];
  if (outcome.kind === "expired") return [`expired after ${took}`];
  const by = `by ${safeLine(outcome.by)} after ${took}`;
  if (outcome.kind === "cancelled") return [`cancelled ${by}`];
  return [`answered ${by}`, ...(outcome.value === null ? [] : [safeLine(JSON.stringify(outcome.value)).slice(0, 80)])];
}

//   q1f2e3d4c  confirm     Deploy to production?
//              from tool deploy
//   q5a6b7c8d  select      Which package manager?
//              npm · pnpm · yarn
//   q9a0b1c2d  permission  Bash sudo rm -rf build
//              danger: it runs with other rights (sudo); it deletes folders with all that is in them (rm -r)
//              allow_once · reject_once
export function asksWords(asks: readonly Ask[]): string {
  if (asks.length === 0) return "no ask waits for an answer\n";
  const width = Math.max(...asks.map(({ id }) => safeLine(id).length));
  return asks
    .map((ask) => {
      const { id, question, origin } = ask;
      const head = `${safeLine(id).padEnd(width)}  ${question.kind.padEnd(10)}  ${safeLine(question.params.title)}`;
      const from = origin.kind === "agent" ? "" : `from ${origin.kind} ${safeLine(origin.name ?? "")}`.trimEnd();
      const details = [...approvedLines(ask), choicesOf(ask), from].filter((words) => words !== "");
      return [head, ...details.map((words) => `${" ".repeat(width + 2)}${words}`)].join("\n").concat("\n");
    })
    .join("");
}

/** A longer one is cut here, and says so; --json and palaver attach show all of it. */
const APPROVED_LINES_MAX = 20;

// Who answers from here must have read what a dialog would show.
function approvedLines({ question }: Ask): string[] {
  if (question.kind !== "permission" && question.kind !== "confirm") return [];
  const { approval } =
    question.kind === "permission" ? permissionQuestion(question.params) : confirmQuestion(question.params);
  const dangers = [approval.danger, ...disguisesIn(approval)].filter((words) => words !== "");
  const body = approvalParts(approval).flatMap((part) => part.split(/\r?\n/));
  const hidden = body.length - APPROVED_LINES_MAX;
  const more = hidden > 0 ? [`… ${hidden} more lines`] : [];
  return [
    ...dangers.map((words) => `danger: ${safeReveal(words)}`),
    ...body.slice(0, APPROVED_LINES_MAX).map(safeReveal),
    ...more,
    ...performerLines(approval),
  ];
}

// An answer names a value; where a dialog shows other words for it, they stand beside it.
function optionWords({ label, value }: SelectOption): string {
  return label === value ? safeLine(value) : `${safeLine(value)} (${safeReveal(label)})`;
}

function choicesOf({ question }: Ask): string {
  if (question.kind === "select") return question.params.options.map(optionWords).join(" · ");
  if (question.kind === "permission") return question.params.choices.map(({ choice }) => choice).join(" · ");
  if (question.kind === "form") return question.params.fields.map(({ name }) => safeLine(name)).join(" · ");
  return "";
}
