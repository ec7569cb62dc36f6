// The tools that ask the user, one for each kind of dialog; `report_status`, by which an agent reports on its work or asks; and
// `notify`. Models read the descriptions. `report_status` is the oldest way to ask: its text is empty when the user cancelled,
// and the data beside it tells the two apart.
import * as z from "zod";
import type { Ask } from "../../contract/asks.js";
import type { SelectOption } from "../../contract/dialogs.js";
import { notifyLevelOf, notifyLevelSchema } from "../../contract/notices.js";
import type { AgentNotice, StatusReport } from "./mcp-ports.js";
import {
  type AnswerWords,
  answerOf,
  answerSchema,
  defineTool,
  type McpTool,
  type SettledAsk,
  type ToolAnswer,
  type ToolCall,
  ToolRefusal,
  unanswered,
} from "./mcp-tool.js";

const formOption = z.object({ label: z.string(), value: z.string(), description: z.string().optional() });

const formFieldInput = z.object({
  name: z.string().min(1).describe("The key of this answer in the result."),
  label: z.string().optional().describe("What the user sees; the name by default."),
  kind: z.enum(["text", "secret", "number", "confirm", "select", "multi_select"]),
  description: z.string().optional(),
  options: z.array(formOption).max(500).optional().describe("For select and multi_select."),
  default: z.unknown().optional(),
  placeholder: z.string().optional(),
  required: z.boolean().optional(),
  min: z.number().optional().describe("number: the smallest; multi_select: how many at least."),
  max: z.number().optional().describe("number: the largest; multi_select: how many at most."),
  integer: z.boolean().optional(),
  min_length: z.number().optional(),
  max_length: z.number().optional(),
  pattern: z.string().optional(),
  format: z.enum(["email", "uri", "date", "date-time"]).optional(),
});

const title = z.string().min(1).describe("The question itself, in one short line.");
const message = z.string().optional().describe("Extra text below the question; may have several lines.");
const timeoutMs = z
  .number()
  .positive()
  .max(86_400_000)
  .optional()
  .describe("Give up after this many milliseconds. Leave it out to wait for as long as the user takes.");

const asked = { title, message, timeout_ms: timeoutMs };

// To ask or tell the user changes nothing, so that clients need no permission for it: a question before the question.
const hints = { reads: "only", world: "closed" } as const;

const option = z.union([
  z.string(),
  z.object({
    label: z.string().describe("What the user sees."),
    value: z.string().optional().describe("The value to return; the label by default."),
    description: z.string().optional(),
  }),
]);

const selectTool = defineTool({
  name: "ask_select",
  title: "Ask the user to choose",
  description:
    "Shows the user a list and waits for a choice (or several, with multiple). Use it whenever the answer " +
    "is one of a few. Returns the chosen value, or null when the user cancels.",
  input: z.object({
    ...asked,
    options: z.array(option).min(1).max(500),
    multiple: z.boolean().optional().describe("Several may be chosen; the value is then a list."),
  }),
  output: answerSchema(z.union([z.string(), z.array(z.string()), z.null()])),
  hints,
  asks: () => true,
  async run({ title, message, options, multiple, timeout_ms }, call) {
    const choices = distinct(options.map(optionOf));
    const opts = multiple === true ? { multiple: true } : {};
    const params = { title, message, options: choices, opts };
    return answer(call, { kind: "select", params }, timeout_ms, selectWords);
  },
});

const confirmTool = defineTool({
  name: "ask_confirm",
  title: "Ask the user yes or no",
  description:
    "Asks the user to say yes or no and waits. Use it before anything that cannot be undone. Returns true only when the " +
    "user said yes; a no and a cancel are both false.",
  input: z.object({
    ...asked,
    confirm_label: z.string().optional().describe("The word on the yes."),
    cancel_label: z.string().optional().describe("The word on the no."),
    danger: z.string().optional().describe("What is dangerous about a yes, in words."),
  }),
  output: answerSchema(z.boolean()),
  hints,
  asks: () => true,
  async run({ title, message, confirm_label, cancel_label, danger, timeout_ms }, call) {
    const opts = {
      ...(confirm_label === undefined ? {} : { confirm_label }),
      ...(cancel_label === undefined ? {} : { cancel_label }),
      ...(danger === undefined ? {} : { danger_level: "danger" as const, danger }),
    };
    return answer(call, { kind: "confirm", params: { title, message, opts } }, timeout_ms, confirmWords);
  },
});

const inputTool = defineTool({
  name: "ask_input",
  title: "Ask the user for a line of text",
  description:
    "Asks the user to type one line and waits. Returns the text, which may be empty, or null when the user cancels. " +
    "With secret, the text is neither shown nor recorded.",
  input: z.object({
    ...asked,
    placeholder: z.string().optional(),
    default: z.string().optional().describe("The initial text."),
    secret: z.boolean().optional(),
    required: z.boolean().optional().describe("An empty text is not accepted."),
    pattern: z.string().optional().describe("A regular expression that has to be found in the text."),
  }),
  output: answerSchema(z.string().nullable()),
  hints,
  asks: ({ secret }) => secret !== true,
  async run({ title, message, placeholder, timeout_ms, ...opts }, call) {
    const params = { title, message, placeholder, opts };
    return answer(call, { kind: "input", params }, timeout_ms, textWords);
  },
});

const editorTool = defineTool({
  name: "ask_editor",
  title: "Ask the user to write or edit text",
  description:
    "Opens a text of several lines for the user to write or to change, and waits. Returns the whole text, or null when " +
    "the user cancels.",
  input: z.object({ ...asked, prefill: z.string().optional().describe("The initial text.") }),
  output: answerSchema(z.string().nullable()),
  hints,
  asks: () => true,
  async run({ title, message, prefill, timeout_ms }, call) {
    const params = { title, message, prefill };
    return answer(call, { kind: "editor", params }, timeout_ms, textWords);
  },
});

const formTool = defineTool({
  name: "ask_form",
  title: "Ask the user several things at once",
  description:
    "Shows the user a form and waits until it is filled in. Use it for two or more questions that belong together. " +
    "Returns the answers by the names of the fields, or null when the user cancels.",
  input: z.object({ ...asked, fields: z.array(formFieldInput).min(1).max(100) }),
  output: answerSchema(z.record(z.string(), z.unknown()).nullable()),
  hints,
  asks: ({ fields }) => fields.every(({ kind }) => kind !== "secret"),
  async run({ title, message, fields, timeout_ms }, call) {
    const params = { title, message, fields: fields.map((field) => ({ ...field, label: field.label ?? field.name })) };
    return answer(call, { kind: "form", params }, timeout_ms, formWords);
  },
});

export const askTools: readonly McpTool[] = [selectTool, confirmTool, inputTool, editorTool, formTool];

async function answer(call: ToolCall, question: Ask["question"], timeoutMs: number | undefined, words: AnswerWords) {
  return answerOf(await call.ask(question, { timeoutMs }), words);
}

function optionOf(given: z.output<typeof option>): SelectOption {
  if (typeof given === "string") return { label: given, value: given };
  return { label: given.label, value: given.value ?? given.label, description: given.description };
}

function distinct(options: SelectOption[]): SelectOption[] {
  if (new Set(options.map(({ value }) => value)).size === options.length) return options;
  throw new ToolRefusal("Two options have the same value; the answer would not tell them apart.");
}

const textWords: AnswerWords = {
  textOf: (value) => (value === "" ? "The user sent an empty answer." : `The user answered: ${value}`),
};

const selectWords: AnswerWords = {
  textOf: (value) => `The user chose: ${Array.isArray(value) ? JSON.stringify(value) : value}`,
};

// Some front ends answer with an object instead of a boolean.
const confirmWords: AnswerWords = {
  readAnswer: (answer) =>
    (typeof answer === "object" && answer !== null && "ok" in answer ? answer.ok : answer) === true,
  textOf: (value) => (value === true ? "The user said yes." : "The user said no."),
  cancelled: false,
};

const formWords: AnswerWords = {
  textOf: (value) => `The user filled in the form: ${JSON.stringify(value)}`,
};

const statusInput = z.object({
  status: z
    .enum(["needs_input", "completed", "error"])
    .describe("needs_input asks the user and waits for the answer; the others only tell."),
  prompt: z.string().optional().describe("With needs_input: the question for the user."),
  message: z.string().optional().describe("What was done, what went wrong, or details of the question."),
});

const statusOutput = z.object({
  status: z.enum(["needs_input", "completed", "error"]),
  response: z.string().optional().describe("With needs_input: what the user typed; empty when they cancelled."),
  outcome: z.enum(["answered", "cancelled"]).optional(),
  ask_id: z.string().optional(),
});

const NO_QUESTION = "The agent needs your input";

export function statusTool(onStatus: (report: StatusReport) => void): McpTool {
  return defineTool({
    name: "report_status",
    title: "Report status",
    description:
      "Tell the user how the work stands: needs_input when you cannot continue without an answer (the user is asked, and " +
      "you get what they typed), completed when the task is done, error when it failed.",
    input: statusInput,
    output: statusOutput,
    hints,
    asks: ({ status }) => status === "needs_input",
    async run({ status, prompt, message }, call) {
      const words = { ...(prompt === undefined ? {} : { prompt }), ...(message === undefined ? {} : { message }) };
      onStatus({ status, ...words, client: call.client });
      if (status === "needs_input") return responseOf(await call.ask(questionOf(prompt, message)));
      return { text: `Status '${status}' reported successfully`, structured: { status } };
    },
  });
}

// The first line is the question, the rest explains it.
function questionOf(prompt: string | undefined, message: string | undefined): Ask["question"] {
  const [title = "", ...rest] = (prompt ?? message ?? "").trim().split("\n");
  const more = [...rest, ...(prompt !== undefined && message !== undefined ? [message] : [])].join("\n").trim();
  const params = { title: title.trim() || NO_QUESTION, ...(more === "" ? {} : { message: more }) };
  return { kind: "input", params };
}

function responseOf({ id, outcome }: SettledAsk): ToolAnswer {
  if (outcome.kind !== "answered" && outcome.kind !== "cancelled") return unanswered(outcome);
  const response = outcome.kind === "answered" ? String(outcome.value ?? "") : "";
  const aside = outcome.kind === "cancelled" ? "\n(The user closed the question without answering.)" : "";
  return {
    text: `User response: ${response}${aside}`,
    structured: { status: "needs_input", response, outcome: outcome.kind, ask_id: id },
  };
}

export function notifyTool(onNotice: (notice: AgentNotice) => void): McpTool {
  return defineTool({
    name: "notify",
    title: "Tell the user something",
    description: "Shows the user a short notice and returns at once. It needs no answer.",
    input: z.object({ message: z.string().min(1), level: notifyLevelSchema.optional().describe("info when left out") }),
    output: z.object({ shown: z.literal(true) }),
    hints,
    run({ message, level }, { client }) {
      onNotice({ level: notifyLevelOf(level), message, client });
      return { text: "The user was told.", structured: { shown: true } };
    },
  });
}
