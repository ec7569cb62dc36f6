// Every ask passes here, on every wire: dangers are put into words, an approval states who performs the effect, which an agent
// cannot claim itself, and a question about files gets its folder. The labels of an approval's answers are ours; the agent's
// own words are marked as such.

import { readFileSync, realpathSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { resolve, sep } from "node:path";
import type { Ask, PermissionParams } from "../contract/asks.js";
import type { FileChange } from "../contract/file-change.js";
import type { SessionEvent } from "../contract/session-events.js";
import { isApproval } from "../session/ask-facts.js";
import { saidByAgent, withDanger } from "../session/permission/dangerous-ask.js";
import { looksSecret } from "../session/permission/secret-files.js";

export type Entering = {
  /** Where the agent was started. */
  readonly folder: string;
  readonly performedBy: "palaver" | "agent";
};

export function enteredEvent(event: SessionEvent, entering: Entering): SessionEvent {
  return event.type === "ask.raised" ? { ...event, ask: enteredAsk(event.ask, entering) } : event;
}

export function enteredAsk(ask: Ask, { folder, performedBy }: Entering): Ask {
  if (performedBy === "palaver")
    return inItsFolder(withPerformer(withDanger(ask, { folder }, "ours"), "palaver"), folder);
  const judged = withDanger(withPlacedChanges(ask, folder), { folder }, "the agent's");
  return inItsFolder(withPerformer(inOurWords(judged), "agent"), folder);
}

/** A question that another machine wrote: dangers are looked for here too, and its answers have our words. */
export function askOfMachine(ask: Ask, folder: string): Ask {
  const judged = inOurWords(withDanger(ask, { folder }, "ours"));
  const { question } = judged;
  if (question.kind !== "permission") return judged;
  const choices = question.params.choices.map(wordedChoice);
  return { ...judged, question: { ...question, params: { ...question.params, choices } } };
}

type Choice = PermissionParams["choices"][number];

/** The labels that our dialects give to each choice begin like this. */
const LABELS: Readonly<Record<Choice["choice"], { readonly ours: RegExp; readonly label: string }>> = {
  allow_once: { ours: /^allow (?:once|for this turn)$/, label: "allow once" },
  allow_always: { ours: /^always allow(?: |$)/, label: "always allow" },
  reject_once: { ours: /^no(?:, and stop)?$/, label: "no" },
  reject_always: { ours: /^never(?: allow |$)/, label: "never" },
};

function wordedChoice(choice: Choice): Choice {
  const { ours, label } = LABELS[choice.choice];
  if (ours.test(choice.label)) return choice;
  const description = [choice.description ?? "", `the machine calls it "${choice.label}"`].filter(Boolean).join("; ");
  return { ...choice, label, description };
}

// So that a view elsewhere knows which folder is meant, and on which machine.
function inItsFolder(ask: Ask, folder: string): Ask {
  const { question } = ask;
  if (question.kind !== "files") return ask;
  const params = { ...question.params, folder: resolve(folder, question.params.folder ?? ""), host: hostname() };
  return { ...ask, question: { ...question, params } };
}

const YES = /^(?:yes|ok|okay|allow|allow once|approve|run|confirm)$/i;
const NO = /^(?:no|deny|reject|cancel|don't allow)$/i;

function inOurWords(ask: Ask): Ask {
  const { question } = ask;
  if (question.kind !== "confirm") return ask;
  const { title, opts = {} } = question.params;
  const message = question.params.message ?? "";
  if (!isApproval(ask) && (opts.danger ?? "") === "") return ask;
  const { confirm_label = "yes", cancel_label = "no", rule = "", scope = "", ...others } = opts;
  const called = [
    ...(YES.test(confirm_label) ? [] : [{ name: 'the agent calls "allow once"', value: confirm_label }]),
    ...(NO.test(cancel_label) ? [] : [{ name: 'the agent calls "no"', value: cancel_label }]),
    ...(rule + scope === ""
      ? []
      : [{ name: 'the agent says "always" means', value: [rule, scope].filter(Boolean).join(", ") }]),
  ];
  const details = [...(opts.details ?? []), ...called].map(({ name, value }) => ({ name, value: withoutMark(value) }));
  const params = {
    ...question.params,
    title: withoutMark(title),
    ...(message === "" ? {} : { message: saidByAgent("The agent says:", withoutMark(message)) }),
    opts: { ...others, ...(details.length === 0 ? {} : { details }) },
  };
  return { ...ask, question: { ...question, params } };
}

// The mark before a danger is reserved.
function withoutMark(text: string): string {
  return text.replaceAll("▲", "△");
}

// Wires build permission asks and set the performer themselves; confirmations come from the agent.
function withPerformer(ask: Ask, performed_by: Entering["performedBy"]): Ask {
  const { question } = ask;
  if (question.kind !== "confirm" || !isApproval(ask)) return ask;
  const opts = { ...question.params.opts, performed_by };
  return { ...ask, question: { ...question, params: { ...question.params, opts } } };
}

// Claude asks about an edit with only the replaced piece, and about a write without the file that is there. Where that file can
// be read, the question shows the change in its place: with line numbers, and as a change instead of a new file.

const FILE_BYTES_MAX = 512 * 1024;
const SAME = "no change: the file has this content already";

function withPlacedChanges(ask: Ask, folder: string): Ask {
  const { question } = ask;
  if (question.kind !== "permission" || question.params.changes === undefined) return ask;
  const changes = question.params.changes.map((change) => placed(change, textIn(folder, change.path)));
  const isSame = changes.length > 0 && changes.every(({ oldText, newText }) => oldText === newText);
  const message = [question.params.message ?? "", isSame ? SAME : ""].filter(Boolean).join("\n");
  const params = { ...question.params, changes, ...(message === "" ? {} : { message }) };
  return { ...ask, question: { ...question, params } };
}

function placed(change: FileChange, file: string | null): FileChange {
  const { oldText, newText } = change;
  if (file === null) return change;
  if (oldText === null) return { ...change, oldText: file };
  const at = file.indexOf(oldText);
  // A piece that is there twice may mean either place.
  if (oldText === "" || at < 0 || file.indexOf(oldText, at + 1) >= 0) return change;
  return { ...change, oldText: file, newText: file.slice(0, at) + newText + file.slice(at + oldText.length) };
}

/** Null for what is outside of the folder, looks like a secret, or is not a text file of ordinary size. */
function textIn(folder: string, path: string): string | null {
  try {
    const file = realpathSync(resolve(folder, path));
    const isInside = file.startsWith(realpathSync(folder) + sep);
    if (!isInside || looksSecret(path) || looksSecret(file)) return null;
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > FILE_BYTES_MAX) return null;
    return new TextDecoder("utf8", { fatal: true }).decode(readFileSync(file));
  } catch {
    // There is no such file, or it is not text.
    return null;
  }
}
