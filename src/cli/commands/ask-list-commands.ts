// Asks at the project's daemon, from a script or another terminal: `palaver asks` lists the open ones, and with --history those
// that are over; `palaver answer` answers one.
import type { AskHistoryEntry } from "../../contract/ask-history.js";
import type { Ask } from "../../contract/asks.js";
import type { SelectOption } from "../../contract/dialogs.js";
import { isRecord } from "../../contract/json-value.js";
import { readAskHistory } from "../../host/ask-history.js";

import { hubPerson } from "../../host/asks/hub-link.js";
import { ANSWER_WAIT_MS_MAX, answerHubAsk, type HubAsk, hubAsks, hubHistory } from "../../host/asks/hub-view.js";

import { DaemonRefusal } from "../../server/client/daemon-client.js";
import { fitAnswer } from "../../session/answer-fit.js";
import { approvalParts, disguisesIn, performerLines } from "../../session/approval.js";
import { confirmQuestion, permissionQuestion } from "../../session/approval-answers.js";
import { humanDuration } from "../../text/humanize.js";
import { safeLine, safeReveal } from "../../text/safe.js";
import { jsonLine, jsonPage } from "../../views/mini/json-line.js";
import { readArguments, readFlags } from "../arguments.js";
import type { Command } from "../command-table.js";
import { accountName, daemonOptions, daemonOptionsHelp, withDaemon } from "../daemon-connection.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { hubOptions, hubOptionsHelp, withHub } from "../hub-connection.js";
import { lateWords, namedHubAsks, onlyThereWords, verdictWords } from "../hub-words.js";
import { askHistoryFolder } from "../keep-asks.js";
import { complain } from "../printed.js";
import { spokenAnswer } from "../prompt/spoken-answer.js";

const asksHelp = `palaver asks [options]

Lists the open questions in this project's daemon, oldest first: from agents in
it, from MCP clients, and from runs that wait for an answer there
("palaver prompt --on-ask wait"). palaver answer answers one; palaver attach
shows them as dialogs.

With --history it lists earlier questions of all your agents and folders, newest
last: the question, who or what answered, and when the agent got the answer.

  --history          list earlier questions
  --limit N          how many of them (default 50)
  --json             print JSON
${daemonOptionsHelp}
${hubOptionsHelp}

Examples
  palaver asks
  palaver asks --json | jq -r '.[].id'
  palaver asks --history --limit 10
  palaver asks --hub
`;

const HISTORY_DEFAULT = 50;

export const asksCommand: Command = {
  help: asksHelp,
  async run(args) {
    const values = readFlags("asks", args, {
      ...daemonOptions,
      ...hubOptions,
      json: { type: "boolean", default: false },
      history: { type: "boolean", default: false },
      limit: { type: "string" },
    });
    const { hub } = values;
    if (values.history) return printHistory(values.json, await historyOf(hub, limitOf(values.limit)));
    if (values.limit !== undefined) throw new UsageError("--limit is for --history");
    if (hub !== undefined) {
      const found = await withHub(hub, ({ hub: at }) => hubAsks(at));
      process.stdout.write(values.json ? jsonPage(found) : hubAsksWords(found));
      return exitCodes.done;
    }
    const asks = await withDaemon(values, (client) => client.asks());
    process.stdout.write(values.json ? jsonPage(asks) : asksWords(asks));
    return exitCodes.done;
  },
};

/** Of this machine, or with --hub of all of them. */
async function historyOf(hub: string | undefined, entriesMax: number): Promise<HistoryLine[]> {
  if (hub !== undefined) return withHub(hub, ({ hub: at }) => hubHistory(at, entriesMax));
  const folder = askHistoryFolder();
  return folder === null ? [] : readAskHistory(folder, entriesMax);
}

type HistoryLine = AskHistoryEntry & { readonly machine?: string; readonly from?: string };

function printHistory(isJson: boolean, entries: readonly HistoryLine[]): ExitCode {
  process.stdout.write(isJson ? jsonPage(entries) : historyWords(entries));
  return exitCodes.done;
}

function limitOf(given: string | undefined): number {
  if (given === undefined) return HISTORY_DEFAULT;
  if (!/^[1-9]\d{0,5}$/.test(given)) throw new UsageError(`--limit has to be a number from 1 to 999999, not ${given}`);
  return Number(given);
}

//   2026-01-31 09:30:00  yes, by inline after 4.0 s, delivered
//     permission  Bash rm -rf build
//     gemini in /home/ada/project
export function historyWords(entries: readonly HistoryLine[]): string {
  if (entries.length === 0) return "no earlier questions\n";
  return entries.map((entry) => `${entryLines(entry).join("\n")}\n`).join("");
}

function entryLines(entry: HistoryLine): string[] {
  const { kind, title, about, agent, folder, askedAt, shownAt, settledAt, delivery } = entry;
  const took = humanDuration(Date.parse(settledAt) - Date.parse(shownAt ?? askedAt));
  // An answer from a hub names the question that was read.
  const isRead = "by" in entry.outcome && entry.outcome.by.startsWith(hubPerson(""));
  const seen = shownAt === null && !isRead ? ["not shown"] : [];
  const sent = delivery === "none" ? [] : [delivery === "lost" ? "not delivered: the agent was gone" : "delivered"];
  const local = new Date(settledAt).toLocaleString("sv-SE");
  const details = [about.command, about.path].filter((words) => words !== undefined && !title.includes(words));
  return [
    `${local}  ${[...outcomeParts(entry, took), ...seen, ...sent].join(", ")}`,
    `  ${kind}  ${safeLine(title)}`,
    ...details.map((words) => `  ${safeReveal(words ?? "")}`),
    `  ${safeLine(agent)} in ${safeLine(folder)}${entry.machine === undefined ? "" : ` on ${safeLine(entry.machine)}`}`,
  ];
}

function outcomeParts({ outcome, from }: HistoryLine, took: string): string[] {
  if (outcome.kind === "withdrawn") return [`withdrawn (${outcome.reason}) after ${took}`];
  if (outcome.kind === "expired") return [`expired after ${took}`];
  const by = `by ${safeLine(outcome.by)}${from === undefined ? "" : ` on ${safeLine(from)}`} after ${took}`;
  if (outcome.kind === "cancelled") return [`cancelled ${by}`];
  if (outcome.value === null) return [`answered ${by}`];
  return [safeLine(valueWords(outcome.value)).slice(0, 80), by];
}

// `{"ok":true,"remember":true}` is "yes, always", and `{"choiceId":"deny","reason":"no"}` is "deny, no".
function valueWords(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (!isRecord(value)) return JSON.stringify(value);
  const { ok, remember, choiceId, reason, ...others } = value;
  const choice = typeof ok === "boolean" ? (ok ? "yes" : "no") : choiceId;
  if (typeof choice !== "string" || Object.keys(others).length > 0) return JSON.stringify(value);
  return [choice, remember === true ? "always" : "", typeof reason === "string" ? reason : ""]
    .filter(Boolean)
    .join(", ");
}

export function hubAsksWords(found: readonly HubAsk[]): string {
  const named = namedHubAsks(found);
  const where = new Map(named.map(({ id, question }) => [id, `on ${question.address.machine} in ${question.project}`]));
  return asksWords(
    named.map(({ id, question }) => ({ ...question.ask, id })),
    where,
  );
}

//   q1f2e3d4c  confirm     Deploy to production?
//              from tool deploy
//   q5a6b7c8d  select      Which package manager?
//              npm · pnpm · yarn
//   q9a0b1c2d  permission  Bash sudo rm -rf build
//              danger: it runs as another user (sudo); it deletes folders recursively (rm -r)
//              allow_once · reject_once
export function asksWords(asks: readonly Ask[], where: ReadonlyMap<string, string> = new Map()): string {
  if (asks.length === 0) return "no open questions\n";
  const width = Math.max(...asks.map(({ id }) => safeLine(id).length));
  return asks
    .map((ask) => {
      const { id, question, origin } = ask;
      const head = `${safeLine(id).padEnd(width)}  ${question.kind.padEnd(10)}  ${safeLine(question.params.title)}`;
      const from = origin.kind === "agent" ? "" : `from ${origin.kind} ${safeLine(origin.name ?? "")}`.trimEnd();
      const details = [...approvedLines(ask), choicesOf(ask), from, safeLine(where.get(id) ?? "")].filter(
        (words) => words !== "",
      );
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

const answerHelp = `palaver answer [options] ID [VALUE…]

Answers an open question in this project's daemon. ID is the one that palaver
asks shows, or its beginning. VALUE is the text, one of the options, or
yes and no; for a permission also allow_once, allow_always, reject_once and
reject_always; for a form JSON; for several choices several values, or JSON.
The first answer counts; a later one fails with exit code 1 and names who
answered first.

  --yes, --no        instead of a value: allow it, or deny it
  --cancel           instead of a value: give no answer at all
  --by NAME          who answers, for the record (default: your account's name)
  --json             the outcome as JSON
${daemonOptionsHelp}
${hubOptionsHelp}

Examples
  palaver answer q1f2 --yes
  palaver answer q5a6 pnpm
  palaver answer q9 '{"name": "checkout-v2", "public": true}'
`;

const options = {
  ...daemonOptions,
  ...hubOptions,
  yes: { type: "boolean", default: false },
  no: { type: "boolean", default: false },
  cancel: { type: "boolean", default: false },
  by: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

export const answerCommand: Command = {
  help: answerHelp,
  async run(args) {
    const { values, positionals } = readArguments("answer", args, options);
    const [id, ...words] = positionals;
    if (id === undefined) throw new UsageError("answer needs the id of a question: palaver asks lists them");
    const said = saidIn(words, values);
    if (values.hub !== undefined) return answerAtHub(values.hub, id, said);
    const by = values.by ?? (process.env["USER"] || accountName());
    return withDaemon(values, async (client) => {
      const ask = askNamed(id, await client.asks());
      const { verdict, result } = await client.answer(ask?.id ?? id, sent(ask, said), by).catch(unknownAsk);
      process.stdout.write(values.json ? jsonLine(result) : "");
      if (verdict === "late") complain(`palaver: ${lateWords(result)}`);
      return verdict === "late" ? exitCodes.agentFailed : exitCodes.done;
    }) satisfies Promise<ExitCode>;
  },
};

/** In the name of this user of the hub: the broker lets no user answer as another one. */
function answerAtHub(url: string, id: string, said: Said): Promise<ExitCode> {
  return withHub(url, async ({ hub, login }) => {
    const question = hubAskNamed(id, await hubAsks(hub));
    if (question === null) throw new Error("there is no such question at the hub; palaver asks --hub lists them");
    const { ask } = question;
    if (question.onlyThere !== null) throw new UsageError(onlyThereWords(question));
    const answer = sent(ask, said);
    const verdict = await answerHubAsk(hub, question, "cancel" in answer ? "cancel" : answer, {
      person: login.user,
      waitMsMax: ANSWER_WAIT_MS_MAX,
    });
    const words = verdictWords(verdict, question);
    if (words !== null) complain(verdict.kind === "stored" ? `▲ ${words}` : `palaver: ${words}`);
    return verdict.kind === "late" ? exitCodes.agentFailed : exitCodes.done;
  });
}

function unknownAsk(error: unknown): never {
  const isUnknown = error instanceof DaemonRefusal && error.status === 404;
  throw isUnknown ? new Error(`${error.message}; palaver asks lists them`) : error;
}

type Said = readonly string[] | "cancel";

const ONE_VALUE = 'answer takes one value, or one of --yes, --no and --cancel; a text goes in quotes: "a b"';

function saidIn(words: readonly string[], { yes, no, cancel }: { yes: boolean; no: boolean; cancel: boolean }): Said {
  const flags = [yes && "yes", no && "no", cancel && "cancel"].filter((flag) => flag !== false);
  if (flags.length > 0 ? words.length + flags.length > 1 : words.length === 0) throw new UsageError(ONE_VALUE);
  return cancel ? "cancel" : [...words, ...flags.map(String)];
}

/** By its id or a prefix of it; null when it is not open. */
function askNamed(id: string, asks: readonly Ask[]): Ask | null {
  const exact = asks.find((ask) => ask.id === id);
  const alike = exact === undefined ? asks.filter((ask) => ask.id.startsWith(id)) : [exact];
  if (alike.length > 1) throw new UsageError(`several questions begin with "${safeLine(id)}"; palaver asks lists them`);
  return alike[0] ?? null;
}

/** Null when it is not open. An id that another question begins with is not enough. */
export function hubAskNamed(id: string, found: readonly HubAsk[]): HubAsk | null {
  const named = namedHubAsks(found);
  const exact = named.filter((one) => one.id === id);
  const alike = exact.length === 1 ? exact : named.filter(({ question }) => question.address.ask.startsWith(id));
  if (alike.length > 1)
    throw new UsageError(`several questions begin with "${safeLine(id)}"; palaver asks --hub lists them`);
  return alike[0]?.question ?? null;
}

// For a question that is not open, null makes the daemon report its outcome and settles nothing.
function sent(ask: Ask | null, said: Said): { value: unknown } | { cancel: true } {
  if (said === "cancel") return { cancel: true };
  if (ask === null) return { value: null };
  const answer = spokenAnswer(ask, said);
  if (answer === undefined) throw new UsageError(ONE_VALUE);
  const fitted = fitAnswer(ask, answer);
  if (fitted.kind === "unfit") throw new UsageError(fitted.problem);
  return fitted.kind === "cancelled" ? { cancel: true } : { value: fitted.value };
}
