// Asks at the project's daemon, from a script or another terminal: `palaver asks` lists the open ones, and with --history those
// that are over; `palaver answer` answers one.
import type { AskHistoryEntry } from "../../contract/ask-history.js";
import type { Ask } from "../../contract/asks.js";
import type { SelectOption } from "../../contract/dialogs.js";
import { isRecord, objectOf } from "../../contract/json-value.js";
import { askHistoryFolder, readAskHistory } from "../../host/ask-history.js";

import { hubPerson } from "../../host/asks/hub-link.js";
import {
  ANSWER_WAIT_MS_MAX,
  answerHubAsk,
  firstAnswerOf,
  type HubAsk,
  type HubHistoryEntry,
  hubAsks,
  hubHistory,
} from "../../host/asks/hub-view.js";

import type { Hub } from "../../hub/hub.js";
import { DaemonRefusal, type SentAnswer } from "../../server/client/daemon-client.js";
import { type FittedAnswer, fitWritten } from "../../session/answer-fit.js";
import { type Approval, approvalParts, disguisesIn, performerLines } from "../../session/approval.js";
import { confirmQuestion, permissionQuestion } from "../../session/approval-answers.js";
import { humanAge, humanDuration } from "../../text/humanize.js";
import { safeLine, safeReveal } from "../../text/safe.js";
import { jsonLine, jsonPage } from "../../views/mini/json-line.js";
import { readArguments, readFlags } from "../arguments.js";
import type { Command } from "../command-table.js";
import {
  accountName,
  atDaemon,
  type DaemonChoice,
  daemonOptions,
  daemonOptionsHelp,
  withDaemons,
} from "../daemon-connection.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { hubOptions, hubOptionsHelp, withHub } from "../hub-connection.js";
import { lateEntryWords, lateWords, namedHubAsks, onlyThereWords, verdictWords } from "../hub-words.js";
import { complain } from "../printed.js";
import { spokenAnswer } from "../prompt/spoken-answer.js";

const asksHelp = `palaver asks [options]

Lists the open questions in this project's daemons, oldest first: from agents in
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
      const { found, answered } = await withHub(hub, async ({ hub: at }) => openAtHub(at));
      const named = namedHubAsks(found);
      const entries = named.map(({ id, question }) => ({ id, ...question }));
      process.stdout.write(values.json ? jsonPage(entries) : hubAsksWords(found, { wallMs: Date.now(), answered }));
      return exitCodes.done;
    }
    const found = await withDaemons(values, async (client, { program }) => ({ program, asks: await client.asks() }));
    process.stdout.write(
      values.json
        ? jsonPage(found.flatMap(({ program, asks }) => asks.map((ask) => ({ ...ask, program }))))
        : openAsksWords(found),
    );
    return exitCodes.done;
  },
};

interface DaemonAsks {
  readonly program: string;
  readonly asks: readonly Ask[];
}

// The name of the daemon stands below a question where there are several.
function openAsksWords(found: readonly DaemonAsks[]): string {
  const where = found.flatMap(({ program, asks }) => asks.map(({ id }) => [id, `in ${program}`] as const));
  const all = found.flatMap(({ asks }) => asks);
  return asksWords(all, new Map(found.length > 1 ? where : []));
}

/** What is open at the hub, and who has answered what no daemon has taken yet. */
async function openAtHub(hub: Hub): Promise<{ found: HubAsk[]; answered: Map<HubAsk, string> }> {
  const found = await hubAsks(hub);
  const answered = new Map<HubAsk, string>();
  const look = async (ask: HubAsk) => {
    const person = await firstAnswerOf(hub, ask);
    if (person !== null) answered.set(ask, person);
  };
  await Promise.all(found.map(look));
  return { found, answered };
}

/** Of this machine, or with --hub of all of them. */
async function historyOf(hub: string | undefined, entriesMax: number): Promise<HistoryLine[]> {
  if (hub !== undefined) return withHub(hub, ({ hub: at }) => hubHistory(at, entriesMax));
  const folder = askHistoryFolder(process.env);
  return folder === null ? [] : readAskHistory(folder, entriesMax);
}

type HistoryLine = AskHistoryEntry & Partial<HubHistoryEntry>;

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
//     gemini in /home/ada/project on laptop
//     shown to ada on desk (page) at 09:29:56, to bob on hut (attach) at 09:29:58
export function historyWords(entries: readonly HistoryLine[]): string {
  if (entries.length === 0) return "no earlier questions\n";
  return entries.map((entry) => `${entryLines(entry).join("\n")}\n`).join("");
}

function entryLines(entry: HistoryLine): string[] {
  const { kind, title, about, agent, folder, askedAt, shownAt, settledAt, delivery } = entry;
  const took = humanDuration(Date.parse(settledAt) - Date.parse(shownAt ?? askedAt));
  // An answer from a hub names the question that was read.
  const isRead = "by" in entry.outcome && entry.outcome.by.startsWith(hubPerson(""));
  // What was shown before a daemon was killed is not known.
  const isUnknown = entry.outcome.kind === "withdrawn" && entry.outcome.reason === "disconnected";
  const seen = shownAt === null && !isRead && !isUnknown ? ["not shown"] : [];
  const sent = delivery === "none" ? [] : [delivery === "lost" ? "not delivered: the agent was gone" : "delivered"];
  const local = new Date(settledAt).toLocaleString("sv-SE");
  const details = [about.command, about.path].filter((words) => words !== undefined && !title.includes(words));
  return [
    `${local}  ${[...outcomeParts(entry, took), ...seen, ...sent].join(", ")}`,
    `  ${kind}  ${safeLine(title)}`,
    ...details.map((words) => `  ${safeReveal(words ?? "")}`),
    `  ${safeLine(agent)} in ${safeLine(folder)}${entry.machine === undefined ? "" : ` on ${safeLine(entry.machine)}`}`,
    ...shownLine(entry),
  ];
}

/** To which members of the hub, and where. */
function shownLine({ shown = [] }: HistoryLine): string[] {
  if (shown.length === 0) return [];
  const views = shown.map(({ person, from, view, at }) => {
    const place = from === "" ? "" : ` on ${safeLine(from)}`;
    return `to ${safeLine(person)}${place} (${view}) at ${new Date(at).toLocaleTimeString("sv-SE")}`;
  });
  return [`  shown ${views.join(", ")}`];
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

//   q1f2e3d4c  confirm     Deploy to production?
//              claude on laptop in /home/ada/shop, asked 4 m ago
export function hubAsksWords(
  found: readonly HubAsk[],
  { wallMs, answered = new Map() }: { readonly wallMs: number; readonly answered?: ReadonlyMap<HubAsk, string> },
): string {
  const named = namedHubAsks(found);
  const where = new Map(
    named.map(({ id, question }) => {
      const { ask, address, project, askedAt } = question;
      const agent = ask.origin.kind === "agent" && ask.origin.name !== undefined ? `${ask.origin.name} ` : "";
      const person = answered.get(question);
      const state = person === undefined ? "" : `; answered by ${person}, not taken by ${address.machine} yet`;
      const age = humanAge(wallMs - Date.parse(askedAt));
      return [id, `${agent}on ${address.machine} in ${project}, asked ${age}${state}`];
    }),
  );
  return asksWords(
    named.map(({ id, question }) => ({ ...question.ask, id })),
    where,
  );
}

//   q1f2e3d4c  confirm     Deploy to production?
//              from tool deploy
//   q5a6b7c8d  select      Which package manager?
//              npm · pnpm · yarn
//   q9a0b1c2d  permission  Bash
//              danger: it runs as another user (sudo); it deletes folders recursively (rm -r)
//              sudo rm -rf build
//              allow_once · reject_once
export function asksWords(asks: readonly Ask[], where: ReadonlyMap<string, string> = new Map()): string {
  if (asks.length === 0) return "no open questions\n";
  const width = Math.max(...asks.map(({ id }) => safeLine(id).length));
  return asks
    .map((ask) => {
      const { id, question, origin } = ask;
      const title = approvalOf(ask)?.title ?? question.params.title;
      const head = `${safeLine(id).padEnd(width)}  ${question.kind.padEnd(10)}  ${safeLine(title)}`;
      const from = origin.kind === "agent" ? "" : `from ${origin.kind} ${safeLine(origin.name ?? "")}`.trimEnd();
      const details = [...approvedLines(ask), choicesOf(ask), from, safeLine(where.get(id) ?? "")].filter(
        (words) => words !== "",
      );
      return [head, ...details.map((words) => `${" ".repeat(width + 2)}${words}`)].join("\n").concat("\n");
    })
    .join("");
}

/** What is longer, or has longer lines, is cut here, and says so; --json and palaver attach show all of it. */
const APPROVED_LINES_MAX = 20;

// Who answers from here must have read what a dialog would show.
function approvedLines(ask: Ask): string[] {
  const approval = approvalOf(ask);
  if (approval === null) return [];
  const dangers = [approval.danger, ...disguisesIn(approval)].filter((words) => words !== "");
  const body = approvalParts(approval).flatMap((part) => part.split(/\r?\n/));
  const hidden = body.length - APPROVED_LINES_MAX;
  const more = hidden > 0 ? [`… ${hidden} more lines`] : [];
  return [
    ...dangers.map((words) => `danger: ${safeReveal(words)}`),
    ...body.slice(0, APPROVED_LINES_MAX).map((line) => cutLine(safeReveal(line))),
    ...more,
    ...performerLines(approval),
  ];
}

const LINE_CHARS_MAX = 2_000;

function cutLine(line: string): string {
  const hidden = line.length - LINE_CHARS_MAX;
  return hidden > 0 ? `${line.slice(0, LINE_CHARS_MAX)}… ${hidden} more characters` : line;
}

function approvalOf({ question }: Ask): Approval | null {
  if (question.kind === "permission") return permissionQuestion(question.params).approval;
  return question.kind === "confirm" ? confirmQuestion(question.params).approval : null;
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

Answers an open question in this project's daemons. ID is the one that palaver
asks shows, or its beginning. VALUE is the text, one of the options, or
yes and no; for a permission also allow_once, allow_always, reject_once and
reject_always; for a form JSON; for several choices several values, or JSON.
The first answer counts; a later one fails with exit code 1 and names who
answered first.

  --yes, --no        instead of a value: allow it, or deny it
  --reason TEXT      with a no: the reason, for an agent that takes one
  --cancel           instead of a value: cancel the question
  --by NAME          who answers, for the record (default: your account's name)
  --json             the outcome as JSON
${daemonOptionsHelp}
${hubOptionsHelp}

Examples
  palaver answer q1f2 --yes
  palaver answer q1f2 --no --reason "use the staging table"
  palaver answer q5a6 pnpm
  palaver answer q9 '{"name": "checkout-v2", "public": true}'
`;

const options = {
  ...daemonOptions,
  ...hubOptions,
  yes: { type: "boolean", default: false },
  no: { type: "boolean", default: false },
  cancel: { type: "boolean", default: false },
  reason: { type: "string" },
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
    const given = { said, reason: values.reason };
    if (values.hub !== undefined) return answerAtHub(values.hub, id, given);
    const by = values.by ?? (process.env["USER"] || accountName());
    const { verdict, result } = await answerHere(values, id, given, by);
    process.stdout.write(values.json ? jsonLine(result) : "");
    if (verdict === "late") complain(`palaver: ${lateWords(result)}`);
    return verdict === "late" ? exitCodes.agentFailed : exitCodes.done;
  },
};

interface Given {
  readonly said: Said;
  readonly reason: string | undefined;
}

// A question that is open nowhere may have been open in any of the daemons, which still knows how it ended.
async function answerHere(choice: DaemonChoice, id: string, given: Given, by: string): Promise<SentAnswer> {
  const found = await withDaemons(choice, async (client, daemon) => ({ daemon, asks: await client.asks() }));
  const asks = found.flatMap((one) => one.asks);
  const ask = askNamed(id, asks);
  const answer = sent(ask, given);
  const mayHaveIt = found.filter((one) => ask === null || one.asks.includes(ask));
  for (const { daemon } of mayHaveIt) {
    try {
      return await atDaemon(daemon, (client) => client.answer(ask?.id ?? id, answer, by));
    } catch (error) {
      if (!(error instanceof DaemonRefusal) || error.status !== 404) throw error;
    }
  }
  throw unknownAsk(id, asks);
}

/** In the name of this user of the hub: the broker lets no user answer as another one. */
function answerAtHub(url: string, id: string, given: Given): Promise<ExitCode> {
  return withHub(url, async ({ hub, login }) => {
    const question = hubAskNamed(id, await hubAsks(hub));
    if (question === null) throw await endedWords(id, hub);
    const { ask } = question;
    if (question.onlyThere !== null) throw new UsageError(onlyThereWords(question));
    const answer = sent(ask, given);
    const verdict = await answerHubAsk(hub, question, "cancel" in answer ? "cancel" : answer, {
      person: login.user,
      waitMsMax: ANSWER_WAIT_MS_MAX,
    });
    const words = verdictWords(verdict, question, login.user);
    if (words !== null) complain(verdict.kind === "stored" ? `▲ ${words}` : `palaver: ${words}`);
    const isLate = verdict.kind === "late" || (verdict.kind === "stored" && verdict.first !== login.user);
    return isLate ? exitCodes.agentFailed : exitCodes.done;
  });
}

/** So many ends are looked at for a question that is not open. */
const ENDS_MAX = 1_000;

async function endedWords(id: string, hub: Hub): Promise<Error> {
  const ended = (await hubHistory(hub, ENDS_MAX)).filter(({ askId }) => askId.startsWith(id));
  const [entry] = ended;
  if (entry !== undefined && ended.length === 1) return new Error(lateEntryWords(entry));
  return new Error("there is no such question at the hub; palaver asks --hub lists them");
}

function unknownAsk(id: string, [first, ...others]: readonly Ask[]): Error {
  const none = `no open question has an id that begins with "${safeLine(id)}"`;
  if (first === undefined) return new Error(`${none}; no question is open`);
  const open = `${safeLine(first.id)} (${safeLine(first.question.params.title)})`;
  const more = others.length === 0 ? "" : `, and ${others.length} more that palaver asks lists`;
  return new Error(`${none}; open is ${open}${more}`);
}

type Said = readonly string[] | "cancel";

const NO_VALUE = "answer needs a value after the id, or one of --yes, --no and --cancel";
const ONE_VALUE = 'answer takes one value, or one of --yes, --no and --cancel; a text goes in quotes: "a b"';

function saidIn(words: readonly string[], { yes, no, cancel }: { yes: boolean; no: boolean; cancel: boolean }): Said {
  const flags = [yes && "yes", no && "no", cancel && "cancel"].filter((flag) => flag !== false);
  if (flags.length + words.length === 0) throw new UsageError(NO_VALUE);
  if (flags.length > 0 && words.length + flags.length > 1) throw new UsageError(ONE_VALUE);
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
function sent(ask: Ask | null, { said, reason }: Given): { value: unknown } | { cancel: true } {
  if (said === "cancel") return { cancel: true };
  if (ask === null) return { value: null };
  const answer = spokenAnswer(ask, said);
  if (answer === undefined) throw new UsageError(ONE_VALUE);
  const fitted = fitWritten(ask, answer);
  if (fitted.kind === "unfit") throw new UsageError(fitted.problem);
  if (reason !== undefined) return { value: withReason(ask, fitted, reason) };
  return fitted.kind === "cancelled" ? { cancel: true } : { value: fitted.value };
}

// Where the agent has no use for a reason, it would be lost without a word.
function withReason({ question }: Ask, fitted: FittedAnswer, reason: string): object {
  const isPermission = question.kind === "permission" && question.params.allowReason === true;
  const isTaken = isPermission || (question.kind === "confirm" && question.params.opts?.allow_reason === true);
  const value = fitted.kind === "answered" ? objectOf(fitted.value) : {};
  const choice = isPermission ? question.params.choices.find(({ id }) => id === value["choiceId"])?.choice : undefined;
  const isNo = choice?.startsWith("reject") === true || value["ok"] === false;
  if (!isTaken) throw new UsageError("the agent takes no reason with this question");
  if (!isNo) throw new UsageError("--reason goes with a no");
  return { ...value, reason };
}
