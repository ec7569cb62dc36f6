// Every kind of ask as plain lines, for a screen reader or without a terminal to draw on. Each typed line is an answer,
// gets a reply, or leads to the next question.
//
//   Question 1 of 3: edit src/parser.ts, plus 1, minus 1. 1 allow once. 3 no. Type a number and press Enter.
import type { Ask } from "../../../contract/asks.js";
import type { DialogParams, FormField } from "../../../contract/dialogs.js";
import { fitAnswer } from "../../../session/answer-fit.js";
import { type Approval, approvalParts, disguisesIn, performerLines } from "../../../session/approval.js";
import {
  type ApprovalAnswer,
  type ApprovalQuestion,
  type Conversation,
  confirmQuestion,
  permissionQuestion,
} from "../../../session/approval-answers.js";
import { countProblem, readNumber, type TextRules, textProblem } from "../../../session/ask-rules.js";
import { dangerOfCommand } from "../../../session/permission/danger.js";
import { safeLine, safeReveal } from "../../../text/safe.js";
import { spokenDiff, spokenStat } from "../reader/diff-speech.js";
import type { Choice } from "./choices.js";
import { FileFinder, type FindFilesAt } from "./file-finder.js";
import {
  again,
  choiceIn,
  choicesIn,
  numbered,
  type PlainQuestion,
  type PlainRead,
  sentence,
  spoken,
  wrongNumber,
} from "./plain-question.js";

export interface PlainAside {
  readonly place: number;
  readonly of: number;
  readonly from?: string;
  /** Finds the files of a folder; missing where none can be listed. */
  readonly files?: FindFilesAt;
  readonly conversation?: Conversation;
}

const ALONE: PlainAside = { place: 1, of: 1 };

export function openPlainAsk(ask: Ask, aside: PlainAside = ALONE): PlainQuestion {
  const { question } = ask;
  const opening = (words: string) => `${openingWords(aside)}: ${sentence(words)}`;
  switch (question.kind) {
    case "select":
      return plainSelect(question.params, opening);
    case "confirm":
      return plainApproval(confirmQuestion(question.params, aside.conversation), opening);
    case "files":
      return plainFiles(question.params, opening, aside.files);
    case "permission":
      return plainApproval(permissionQuestion(question.params, aside.conversation), opening);
    case "input":
      return plainInput(question.params, opening);
    case "editor":
      return plainEditor(question.params, opening);
    case "form": {
      const { title, message } = question.params;
      return plainForm(question.params, [opening(safeLine(title)), ...spoken(message ?? "")]);
    }
  }
}

function openingWords({ place, of, from }: PlainAside): string {
  const count = of > 1 ? `Question ${place} of ${of}` : "Question";
  return from === undefined ? count : `${count}, from ${safeLine(from)}`;
}

type Opening = (words: string) => string;

/** A short question is one utterance. */
function joined(head: string, body: readonly string[], tail: readonly string[]): string[] {
  return body.length === 0 && tail.length <= 2 ? [[head, ...tail].join(" ")] : [head, ...body, ...tail];
}

function plainSelect({ title, message, options, opts = {} }: DialogParams<"select">, opening: Opening): PlainQuestion {
  const choices = options.map(({ label, description }) => ({ label, detail: description ?? "" }));
  const many = opts.multiple === true;
  const prompt = many ? "Type numbers separated by spaces and press Enter" : "Type a number and press Enter";
  const lines = joined(opening(safeLine(title)), spoken(message ?? ""), [
    ...numbered(choices),
    `${prompt}, 0 cancels.`,
  ]);
  const read = (line: string): PlainRead => {
    if (line.trim() === "0") return { type: "cancelled" };
    const found = many ? choicesIn(line, choices) : [choiceIn(line, choices)];
    if (found === null || found.includes(-1)) return wrongNumber(choices.length);
    const problem = many ? countProblem(found.length, opts) : null;
    if (problem !== null) return again(sentence(problem));
    const values = found.map((index) => options[index]?.value);
    return { type: "answered", value: many ? values : values[0] };
  };
  return { lines, secret: "no", read };
}

/** A longer diff or command is read only in part. */
const TOLD_LINES_MAX = 20;
const LAST_LINES_MAX = 5;
const LINES_JUDGED_MAX = 2_000;

function plainApproval(asked: ApprovalQuestion, opening: Opening): PlainQuestion {
  const question = { ...asked, answers: asked.subject === "effect" ? inOrder(asked.answers) : asked.answers };
  const { approval, answers, subject } = question;
  const stat = approval.diff === "" ? "" : spokenStat(approval.diff);
  const title = safeReveal(approval.title.replace(/\r?\n/g, " "));
  const body = spokenBody(approval);
  const dangers = [approval.danger, ...disguisesIn(approval)].filter((words) => words !== "");
  const danger = dangers.map((words) => `Danger: ${sentence(safeReveal(words))}`);
  const told = toldLines(body);
  const outside = performerLines(approval).map((words) =>
    sentence(words.replace(/^./, (first) => first.toUpperCase())),
  );
  const numbers = subject === "effect" ? numbersOf(answers) : answers.map((_, index) => index + 1);
  const prompt = [...numbered(answers, (_, index) => numbers[index] ?? 0), "Type a number and press Enter."];
  return {
    lines: joined(opening([title, stat].filter(Boolean).join(", ")), [...danger, ...told, ...outside], prompt),
    secret: "no",
    read: (line) => {
      if (line.trim() === "d" && body.length > 0) return again(...body);
      const answer = answerIn(line, question, numbers);
      return answer === undefined ? again(`Type ${listed(numbers)}.`) : answered(answer);
    },
  };
}

// The first and last lines, and dangerous ones between.
function toldLines(body: readonly string[]): string[] {
  if (body.length <= TOLD_LINES_MAX) return [...body];
  const middle = body.slice(TOLD_LINES_MAX - LAST_LINES_MAX, -LAST_LINES_MAX);
  const judged = middle.slice(0, LINES_JUDGED_MAX);
  const dangerous = judged.filter((line) => dangerOfCommand(line) !== null).slice(0, LAST_LINES_MAX);
  return [
    ...body.slice(0, TOLD_LINES_MAX - LAST_LINES_MAX),
    ...dangerous,
    `${middle.length - dangerous.length} more lines. Type d for the full view.`,
    `The last ${LAST_LINES_MAX} lines:`,
    ...body.slice(-LAST_LINES_MAX),
  ];
}

// The diff comes last, in words: signs at the start of a line are easily missed by ear.
function spokenBody(approval: Approval): string[] {
  const parts = approvalParts(approval);
  if (approval.diff === "") return parts.flatMap(spoken);
  return [...parts.slice(0, -1).flatMap(spoken), ...spokenDiff(approval.diff, "revealed")];
}

const NUMBERED = ["y", "a", "n", "r"];

/** Read in the order of their numbers. */
function inOrder(answers: readonly ApprovalAnswer[]): ApprovalAnswer[] {
  const numbers = numbersOf(answers);
  return answers
    .map((answer, at) => ({ answer, number: numbers[at] ?? 0 }))
    .sort((a, b) => a.number - b.number)
    .map(({ answer }) => answer);
}

/** A number means the same in every approval: 1 once, 2 always, 3 no, 4 no with a reason; an agent's other answers follow. */
function numbersOf(answers: readonly ApprovalAnswer[]): number[] {
  const others = answers.filter(({ key }) => key === "");
  return answers.map((answer) =>
    answer.key === "" ? NUMBERED.length + 1 + others.indexOf(answer) : NUMBERED.indexOf(answer.key) + 1,
  );
}

/** Words may only refuse where a yes has an effect or is dangerous: "y" or "yes" may be a message that was begun before the question. */
function answerIn(
  line: string,
  { answers, subject, approval }: ApprovalQuestion,
  numbers: readonly number[],
): ApprovalAnswer | undefined {
  const typed = line.trim().toLowerCase();
  if (/^\d+$/.test(typed)) return answers[numbers.indexOf(Number(typed))];
  const word = typed === "y" ? "yes" : typed === "n" ? "no" : typed;
  const named = answers[choiceIn(word, answers)];
  const needsNumber = subject === "effect" || approval.danger !== "";
  return needsNumber && named?.key !== "n" && named?.key !== "r" ? undefined : named;
}

function listed(numbers: readonly number[]): string {
  return numbers.length === 1 ? String(numbers[0]) : `${numbers.slice(0, -1).join(", ")} or ${numbers.at(-1)}`;
}

function answered({ outcome, withReason, reason }: ApprovalAnswer): PlainRead {
  if (withReason === undefined) return outcome ?? { type: "cancelled" };
  const read = (typed: string): PlainRead => ({ type: "answered", value: withReason(typed.trim()) });
  const queued = reason === "as next prompt" ? "; it is queued as your next message" : "";
  return {
    type: "next",
    question: { lines: [`Why not? Type the reason and press Enter${queued}.`], secret: "no", read },
  };
}

function plainInput(
  { title, message, placeholder, opts = {} }: DialogParams<"input">,
  opening: Opening,
): PlainQuestion {
  const preset = typeof opts.default === "string" ? opts.default : "";
  const isSecret = opts.secret === true;
  const hint = placeholder ? `Such as ${sentence(safeLine(placeholder))} ` : "";
  const taken = preset === "" || isSecret ? "" : ` An empty line takes ${sentence(safeLine(preset))}`;
  const prompt = isSecret
    ? "Type it and press Enter; it is not shown."
    : `${hint}Type the answer and press Enter.${taken}`;
  return {
    lines: joined(opening(safeLine(title)), spoken(message ?? ""), [prompt]),
    secret: isSecret ? "yes" : "no",
    read: (line) => checked(line === "" ? preset : line, opts),
  };
}

function checked(text: string, rules: TextRules): PlainRead {
  const problem = textProblem(text, rules);
  return problem === null ? { type: "answered", value: text } : again(sentence(problem));
}

const END_OF_TEXT = ".";

function plainEditor({ title, message, prefill, opts = {} }: DialogParams<"editor">, opening: Opening): PlainQuestion {
  const preset = prefill ?? "";
  const kept = preset === "" ? [] : ["It begins with:", ...spoken(preset), "A single dot at once keeps this."];
  const prompt = "Type as many lines as you like; a line with a single dot sends them.";
  const lines = [opening(safeLine(title)), ...spoken(message ?? ""), ...kept, prompt];
  const after = (typed: readonly string[]): PlainQuestion => ({
    lines: typed.length === 0 ? lines : [],
    secret: "no",
    read: (line) => {
      if (line !== END_OF_TEXT) return { type: "next", question: after([...typed, line]) };
      return checked(typed.length === 0 ? preset : typed.join("\n"), opts);
    },
  });
  return after([]);
}

type AskedFiles = { readonly params: DialogParams<"files">; readonly finder: FileFinder };

const PATHS_SPOKEN_MAX = 9;

// A search leads to a numbered list, and so does the next one. With several, choices are kept until an empty line sends them.
function plainFiles(params: DialogParams<"files">, opening: Opening, findAt: FindFilesAt | undefined): PlainQuestion {
  const finder = findAt?.(params) ?? new FileFinder({ list: async () => [], nowMs: () => 0 });
  void finder.freshened();
  const prompt = "Type a path, or a part of it, and press Enter, 0 cancels.";
  const lines = joined(opening(safeLine(params.title)), spoken(params.message ?? ""), [prompt]);
  return { lines, secret: "no", read: (line) => searchedFiles({ params, finder }, line, []) };
}

function searchedFiles(asked: AskedFiles, line: string, kept: readonly string[]): PlainRead {
  const { finder } = asked;
  const typed = line.trim();
  if (typed === "0") return { type: "cancelled" };
  const found = finder.offered(typed, PATHS_SPOKEN_MAX);
  if (typed !== "" && found[0] === typed) return takenFiles(asked, [typed], kept);
  if (found.length > 0) return { type: "next", question: foundFiles(asked, found, kept) };
  if (!finder.isListed) return again("The files are still being listed, type it again.");
  const problem = typed.includes("/") ? finder.problem(typed) : null;
  return again(problem === null ? "Nothing matches." : sentence(problem));
}

function foundFiles(asked: AskedFiles, found: readonly string[], kept: readonly string[]): PlainQuestion {
  const choices = found.map((label) => ({ label, detail: "" }));
  const many = asked.params.opts?.multiple === true;
  const prompt = many ? "Type numbers separated by spaces" : "Type a number";
  return {
    lines: [...numbered(choices), `${prompt} and press Enter, or search again, 0 cancels.`],
    secret: "no",
    read: (line) => {
      if (!/^[\d\s,]+$/.test(line) || line.trim() === "0") return searchedFiles(asked, line, kept);
      const chosen = choicesIn(line, choices) ?? [];
      if (chosen.length === 0 || (!many && chosen.length > 1)) return wrongNumber(choices.length);
      const paths = chosen.flatMap((index) => found[index] ?? []);
      return takenFiles(asked, paths, kept);
    },
  };
}

function takenFiles(asked: AskedFiles, paths: readonly string[], kept: readonly string[]): PlainRead {
  if (asked.params.opts?.multiple !== true) return sentFiles(asked, paths);
  const all = [...new Set([...kept, ...paths])];
  const words = `${all.length} chosen: ${sentence(all.map(safeLine).join(", "))}`;
  const question: PlainQuestion = {
    lines: [`${words} Search for another one, or press Enter to send.`],
    secret: "no",
    read: (line) => (line.trim() === "" ? sentFiles(asked, all) : searchedFiles(asked, line, all)),
  };
  return { type: "next", question };
}

function sentFiles({ params }: AskedFiles, paths: readonly string[]): PlainRead {
  const fitted = fitAnswer({ question: { kind: "files", params } }, paths);
  if (fitted.kind === "unfit") return again(sentence(fitted.problem));
  return fitted.kind === "cancelled" ? { type: "cancelled" } : { type: "answered", value: fitted.value };
}

// A form as plain lines, one field after the other.

type FieldRead = { readonly value: unknown } | { readonly problem: string };

const YES_NO: readonly Choice[] = [
  { label: "yes", detail: "" },
  { label: "no", detail: "" },
];

/** `opening` comes before the first field. */
function plainForm(params: DialogParams<"form">, opening: readonly string[]): PlainQuestion {
  return fieldQuestion(params.fields, 0, {}, opening);
}

function fieldQuestion(
  fields: readonly FormField[],
  index: number,
  values: Readonly<Record<string, unknown>>,
  opening: readonly string[],
): PlainQuestion {
  const field = fields[index];
  if (field === undefined) return { lines: opening, secret: "no", read: () => ({ type: "answered", value: values }) };
  return {
    lines: [...opening, ...fieldLines(field, index, fields.length)],
    secret: field.kind === "secret" ? "yes" : "no",
    read: (line): PlainRead => {
      const read = readField(field, line);
      if ("problem" in read) return again(sentence(read.problem));
      const next = read.value === undefined ? values : { ...values, [field.name]: read.value };
      if (index === fields.length - 1) return { type: "answered", value: next };
      return { type: "next", question: fieldQuestion(fields, index + 1, next, []) };
    },
  };
}

function fieldLines(field: FormField, index: number, count: number): string[] {
  const name = safeLine(field.label) || safeLine(field.name);
  const needed = field.required === true ? ", needed" : "";
  const head = `Field ${index + 1} of ${count}, ${name}${needed}.`;
  const about = field.description ? [sentence(safeLine(field.description))] : [];
  return [[head, ...about].join(" "), ...choicesOf(field), promptOf(field)];
}

function choicesOf(field: FormField): string[] {
  if (field.kind === "confirm") return numbered(YES_NO);
  return field.kind === "select" || field.kind === "multi_select" ? numbered(optionsOf(field)) : [];
}

function promptOf(field: FormField): string {
  const preset = presetWords(field);
  const empty = preset === "" ? (field.required === true ? "" : " An empty line leaves it empty.") : ` ${preset}`;
  switch (field.kind) {
    case "confirm":
    case "select":
      return `Type a number and press Enter.${empty}`;
    case "multi_select":
      return `Type numbers separated by spaces and press Enter.${empty}`;
    case "number":
      return `Type a number and press Enter.${empty}`;
    case "secret":
      return `Type it and press Enter; it is not shown.${empty}`;
    case "text":
      return `Type the answer and press Enter.${empty}`;
  }
}

function presetWords(field: FormField): string {
  if (field.kind === "confirm") return "An empty line means no.";
  if (field.default === undefined || field.default === null) return "";
  if (field.kind === "secret") return "An empty line keeps what is set.";
  const presets: readonly unknown[] = Array.isArray(field.default) ? field.default : [field.default];
  const words = presets.map((preset) => optionLabel(field, preset)).join(", ");
  return words === "" ? "" : `An empty line takes ${sentence(words)}`;
}

function optionLabel(field: FormField, preset: unknown): string {
  return safeLine(field.options?.find(({ value }) => value === preset)?.label ?? String(preset));
}

function readField(field: FormField, line: string): FieldRead {
  const typed = line.trim();
  switch (field.kind) {
    case "confirm":
      return readYesNo(typed);
    case "select":
      return readChoice(field, typed);
    case "multi_select":
      return readChoices(field, typed);
    case "number": {
      const text = typed === "" && typeof field.default === "number" ? String(field.default) : typed;
      const { value, problem } = readNumber(text, field);
      return problem === null ? { value } : { problem };
    }
    case "secret":
    case "text": {
      const text = line === "" && typeof field.default === "string" ? field.default : line;
      const problem = textProblem(text, field);
      return problem === null ? { value: text === "" ? undefined : text } : { problem };
    }
  }
}

function readYesNo(typed: string): FieldRead {
  if (typed === "") return { value: false };
  const index = choiceIn(typed, YES_NO);
  return index < 0 ? { problem: "type 1 for yes or 2 for no" } : { value: index === 0 };
}

function readChoice(field: FormField, typed: string): FieldRead {
  const options = field.options ?? [];
  if (typed === "") {
    const preset = options.find(({ value }) => value === field.default)?.value;
    return preset === undefined && field.required === true ? { problem: "choose one" } : { value: preset };
  }
  const index = choiceIn(typed, optionsOf(field));
  return index < 0 ? { problem: `type a number from 1 to ${options.length}` } : { value: options[index]?.value };
}

function readChoices(field: FormField, typed: string): FieldRead {
  const options = field.options ?? [];
  const presets: readonly unknown[] = Array.isArray(field.default) ? field.default : [];
  const preset = options.flatMap(({ value }, index) => (presets.includes(value) ? [index] : []));
  const chosen = typed === "" ? preset : choicesIn(typed, optionsOf(field));
  if (chosen === null) return { problem: `type numbers from 1 to ${options.length}` };
  if (chosen.length === 0 && field.required !== true) return { value: undefined };
  const problem = countProblem(chosen.length, { min: Math.max(1, field.min ?? 0), max: field.max });
  return problem === null ? { value: chosen.map((index) => options[index]?.value) } : { problem };
}

function optionsOf(field: FormField): Choice[] {
  return (field.options ?? []).map(({ label, description }) => ({ label, detail: description ?? "" }));
}
