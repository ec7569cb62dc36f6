// Tool calls with a question: those waiting for an answer, and those allowed but not ended. An approval and its call are one
// row in the transcript: the call waits, its time begins with the approval, and the row shows how it was allowed.
//
//   asked → waiting → allowed → the row of the call says so, if it shows what was asked; otherwise the answer has a row
//                   → denied  → one row, and nothing more of the call
import type { Ask, AskOutcome } from "../../contract/asks.js";
import type { DialogParams } from "../../contract/dialogs.js";
import { isRecord } from "../../contract/json-value.js";
import { isApproval, toolCallOf } from "../ask-facts.js";
import { changesDiff, isDiff, saysSameChange } from "../file-diff.js";
import { OUTSIDE_TOOL } from "../sandbox/outside-approval.js";
import type { ToolBlock } from "./block.js";
import { tellingWords } from "./tool-words.js";

export type Verdict = "allowed once" | "allowed always" | "denied" | "no answer in time";

export type AskingCall = {
  readonly askId: string;
  readonly title: string;
  readonly command: string;
  readonly path: string;
  /** The other words that the question shows: its tool and further inputs. */
  readonly inputs: string;
  readonly toolCallId: string;
  /** An approval is about a call, or about one effect of a call; any other question that names a call is that call. */
  readonly about: "approval" | "effect" | "question";
  /** null while it is open. */
  readonly verdict: Verdict | null;
  /** Whether the answer stands in the transcript. */
  readonly isShown: boolean;
  /** The diff that was approved; "" when there is none, or too much of it. */
  readonly diff: string;
};

/** How many are remembered; the answers of those before them get rows of their own. */
const ASKING_MAX = 64;
const TITLE_COMMAND_MAX = 1_000;
const DIFF_UNITS_MAX = 1_000_000;
const INPUTS_UNITS_MAX = 4_000;

/** null when the ask names no call. */
export function askingCall(ask: Ask): AskingCall | null {
  const toolCallId = toolCallOf(ask);
  if (toolCallId === null) return null;
  const { command = "", path = "" } = subjectOf(ask);
  const named = { askId: ask.id, title: askedTitle(ask), command, path, inputs: inputsOf(ask), toolCallId };
  return { ...named, about: aboutOf(ask), verdict: null, isShown: false, diff: approvedDiff(ask) };
}

/** The title, and the command where the title does not say it. */
export function askedTitle(ask: Ask): string {
  const { title } = ask.question.params;
  const command = isApproval(ask) ? (subjectOf(ask).command ?? "").trim() : "";
  if (says(title, command)) return title;
  return `${title}: ${command.slice(0, TITLE_COMMAND_MAX)}${command.length > TITLE_COMMAND_MAX ? "…" : ""}`;
}

// The call continues without an effect that was denied: Palaver performs it for the agent, or the command has run in the sandbox.
function aboutOf(ask: Ask): AskingCall["about"] {
  if (!isApproval(ask)) return "question";
  const { question } = ask;
  const isOurs = question.kind === "permission" && question.params.performedBy === "palaver";
  return isOurs || subjectOf(ask).tool === OUTSIDE_TOOL ? "effect" : "approval";
}

export function withCall(
  calls: readonly AskingCall[],
  call: AskingCall,
): { readonly kept: readonly AskingCall[]; readonly dropped: readonly AskingCall[] } {
  const all = [...calls, call];
  return { kept: all.slice(-ASKING_MAX), dropped: all.slice(0, -ASKING_MAX) };
}

export function isAllowed(verdict: Verdict | null): boolean {
  return verdict === "allowed once" || verdict === "allowed always";
}

/** Whether the row of a call shows the command or the file that was asked about, and not a word that the question does not. */
export function showsAsked(
  { title, command, path, inputs }: AskingCall,
  { name, args }: Pick<ToolBlock, "name" | "args">,
): boolean {
  const row = ` ${name} ${tellingWords(args).trim()} `;
  const subject = command === "" ? pathIn(row, path) : command.trim();
  if (!says(row, subject)) return false;
  const asked = new Set(wordsIn(`${title} ${inputs}`));
  return wordsIn(row.replace(` ${subject} `, "  ")).every((word) => asked.has(word));
}

/** The path, or the part of it that the row shows: agents name a file from their folder on. */
function pathIn(row: string, path: string): string {
  const ends = [...path.matchAll(/\//g)].map(({ index }) => path.slice(index + 1));
  return [path, ...ends.filter(Boolean)].find((end) => says(row, end)) ?? path;
}

function wordsIn(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,:]+/)
    .filter(Boolean);
}

function says(text: string, words: string): boolean {
  return words === "" || ` ${text} `.includes(` ${words.trim()} `);
}

/** Nothing where it is more than a row can show. */
function inputsOf(ask: Ask): string {
  const { tool = "", details = [] } = subjectOf(ask);
  const inputs = [tool, ...details.flatMap(({ name, value }) => [name, value])].join(" ");
  return inputs.length > INPUTS_UNITS_MAX ? tool : inputs;
}

function approvedDiff({ question }: Ask): string {
  const given = question.kind === "confirm" ? question.params.opts?.diff : undefined;
  const { diff, changes = [] } = question.kind === "permission" ? question.params : { diff: given };
  const shown = diff ?? changesDiff(changes);
  return shown.length > DIFF_UNITS_MAX ? "" : shown;
}

/** null where the ask was withdrawn, which is no verdict. */
export function verdictOf({ question }: Ask, outcome: AskOutcome): Verdict | null {
  if (outcome.kind === "withdrawn") return null;
  if (outcome.kind === "expired") return "no answer in time";
  if (outcome.kind === "cancelled") return "denied";
  const { value } = outcome;
  if (question.kind === "permission") {
    const id = isRecord(value) ? value["choiceId"] : null;
    const choice = question.params.choices.find((one) => one.id === id)?.choice;
    if (choice === "allow_always") return "allowed always";
    return choice === "allow_once" ? "allowed once" : "denied";
  }
  if (!isRecord(value)) return value === true ? "allowed once" : "denied";
  if (value["ok"] !== true) return "denied";
  return value["remember"] === true ? "allowed always" : "allowed once";
}

export function reasonOf(outcome: AskOutcome): string {
  const value = outcome.kind === "answered" && isRecord(outcome.value) ? outcome.value["reason"] : "";
  return typeof value === "string" ? value : "";
}

/** The call that was denied, for a row of its own where the agent has announced none, or another one. */
export function deniedCall(ask: Ask): Pick<ToolBlock, "name" | "args"> {
  const { tool, command, path } = subjectOf(ask);
  const { title } = ask.question.params;
  if (title.endsWith("?") && command === undefined && path === undefined) return { name: title, args: "" };
  const [first = "", ...rest] = title.split(" ");
  const name = tool ?? first;
  const words = title.startsWith(`${name} `) ? title.slice(name.length + 1) : rest.join(" ");
  return { name, args: command ?? path ?? words };
}

type Subject = Pick<NonNullable<DialogParams<"confirm">["opts"]>, "tool" | "command" | "path" | "details">;

function subjectOf({ question }: Ask): Subject {
  if (question.kind === "permission") return question.params;
  return question.kind === "confirm" ? (question.params.opts ?? {}) : {};
}

/** A call at its end: with the better of the two diffs, and without a sentence that says the same as the diff. */
export function endedCall(tool: ToolBlock, call: AskingCall | undefined): ToolBlock {
  if (tool.phase !== "done") return tool;
  const reported = reportedDiff(tool);
  const diff = betterDiff(reported, call);
  if (diff === "" || diff === tool.output) return tool;
  const output = isDiff(tool.output) || !tool.output.trim().includes("\n") ? "" : tool.output;
  return diff === reported ? { ...tool, output } : { ...tool, output, diff };
}

function reportedDiff({ diff, output, changes = [] }: ToolBlock): string {
  if (diff !== undefined) return diff;
  return isDiff(output) ? output : changesDiff(changes);
}

// A diff of pieces does not know where in the file they are. The one that was approved may: if it says the same, and more around it.
function betterDiff(reported: string, call: AskingCall | undefined): string {
  const { diff: approved = "" } = call ?? {};
  if (approved === "") return reported;
  if (reported === "") return approved;
  const isRicher = approved.split("\n").length > reported.split("\n").length;
  return isRicher && saysSameChange(approved, reported) ? approved : reported;
}
