// The tools by which a model asks the user. `ask` asks any kind of question; a cancel is an answer, and the value of a secret
// question does not reach the model. `plan` shows a few steps and their progress.
import * as z from "zod";
import { type Choice, type DialogOptions, type FormField, type UI, UiError } from "../sdk/exports.js";
import { type Tool, ToolError, type ToolPlan, type ToolResult } from "./tool.js";

const optionSchema = z.object({
  label: z.string(),
  value: z.string().optional().describe("The value to return; the label by default."),
  description: z.string().optional(),
});

const fieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  kind: z.enum(["text", "secret", "number", "confirm", "select", "multi_select"]),
  required: z.boolean().optional(),
  options: z.array(optionSchema).optional(),
});

const inputSchema = z.object({
  kind: z
    .enum(["select", "multi_select", "confirm", "input", "secret", "editor", "form", "files"])
    .describe(
      "One of several, several of them, yes or no, a line, a hidden line, a longer text, several fields, paths.",
    ),
  title: z.string().min(1).describe("The question, short."),
  message: z.string().optional().describe("Extra text below the question."),
  options: z.array(optionSchema).optional().describe("For select and multi_select."),
  placeholder: z.string().optional().describe("For input."),
  prefill: z.string().optional().describe("For editor: the initial text."),
  fields: z.array(fieldSchema).optional().describe("For form."),
});

type AskInput = z.infer<typeof inputSchema>;

const plan: ToolPlan = {
  access: "read",
  subject: "question",
  reach: "inside",
  danger: null,
  preview: { summary: "asks you something" },
};

export function createAskTool(ui: UI): Tool<typeof inputSchema> {
  return {
    name: "ask",
    description:
      "Ask the user a question and wait for the answer. Use it when you cannot continue without a decision or a fact that " +
      "only the user has; never for permission to use a tool: tools ask for that themselves.",
    inputSchema,
    async plan(input) {
      const needsOptions = input.kind === "select" || input.kind === "multi_select";
      if (needsOptions && (input.options ?? []).length === 0) throw new ToolError(`${input.kind} needs options`);
      if (input.kind === "form" && (input.fields ?? []).length === 0) throw new ToolError("form needs fields");
      return plan;
    },
    async run(input, { signal, callId }) {
      if (!ui.hasUI) return failed("No one can answer. Continue without an answer, or say what you need.");
      try {
        // Every question names its call, so that a front end can show the two as one.
        return await asked(input, ui, { signal, ...(callId === undefined ? {} : { toolCallId: callId }) });
      } catch (error) {
        if (!(error instanceof UiError)) throw error;
        return failed(`No answer: ${error.message}.`);
      }
    },
  };
}

async function asked(input: AskInput, ui: UI, options: DialogOptions): Promise<ToolResult> {
  const { title, placeholder = "", prefill = "", kind } = input;
  const head = { title, ...(input.message === undefined ? {} : { message: input.message }) };
  const choices = optionsOf(input.options);
  switch (kind) {
    case "select":
      return answered(await ui.select({ ...head, options: choices }, options));
    case "multi_select":
      return answered(await ui.multiSelect({ ...head, options: choices }, options));
    case "confirm":
      return answered(await ui.confirm(head, options));
    case "input":
      return answered(await ui.input({ ...head, placeholder }, options));
    case "secret":
      return hidden(await ui.input({ ...head, secret: true }, options));
    case "editor":
      return answered(await ui.editor({ ...head, prefill }, options));
    case "files":
      return answered(await ui.files({ ...head, multiple: true }, options));
    case "form": {
      const asked = input.fields ?? [];
      const fields = Object.fromEntries(asked.map((field) => [field.name, fieldOf(field)]));
      const secrets = asked.flatMap(({ name, kind: fieldKind }) => (fieldKind === "secret" ? [name] : []));
      return answered(withoutSecrets(await ui.form({ ...head, fields }, options), secrets));
    }
  }
}

function optionsOf(options: AskInput["options"]): Choice[] {
  return (options ?? []).map(({ label, value, description }) => ({
    label,
    value: value ?? label,
    ...(description === undefined ? {} : { description }),
  }));
}

function fieldOf({ label, kind, required = false, options }: NonNullable<AskInput["fields"]>[number]): FormField {
  if (kind === "confirm") return { kind, label };
  const isChosen = kind === "select" || kind === "multi_select";
  return isChosen ? { kind, label, required, options: optionsOf(options) } : { kind, label, required };
}

function answered(answer: unknown): ToolResult {
  if (answer === null) return done("The user cancelled the question.", { answer: null });
  const words = typeof answer === "string" ? answer : JSON.stringify(answer);
  return done(answer === true ? "Yes." : answer === false ? "No." : `The user answered: ${words}`, { answer });
}

function hidden(answer: string | null): ToolResult {
  if (answer === null) return answered(null);
  return done(`The user gave a secret of ${answer.length} characters. It is not shown to you.`, {});
}

function withoutSecrets(answers: Record<string, unknown> | null, secrets: readonly string[]): unknown {
  if (answers === null) return null;
  const entries = Object.entries(answers);
  return Object.fromEntries(entries.map(([name, value]) => [name, secrets.includes(name) ? "(a secret)" : value]));
}

function done(text: string, details: Record<string, unknown>): ToolResult {
  return { text, outcome: "done", details };
}

function failed(text: string): ToolResult {
  return { text, outcome: "failed" };
}

const STEPS_MAX = 12;

const planSchema = z.object({
  title: z.string().optional().describe("Where you are, in a few words: what begins or has ended."),
  steps: z
    .array(z.object({ text: z.string(), status: z.enum(["pending", "in_progress", "completed"]) }))
    .max(STEPS_MAX)
    .describe("All steps, in order, with where each stands. An empty list takes the plan away."),
});

const marks = { pending: "·", in_progress: "▸", completed: "✓" } as const;

export function createPlanTool(ui: Pick<UI, "setWidget">): Tool<typeof planSchema> {
  return {
    name: "plan",
    description:
      "Show the user your plan for work of several steps, and again whenever a step begins or ends. Not for small things.",
    inputSchema: planSchema,
    async plan({ steps }) {
      const summary = `shows a plan of ${steps.length} steps`;
      return { access: "read", subject: "plan", reach: "inside", danger: null, preview: { summary } };
    },
    async run({ steps }) {
      const left = steps.filter(({ status }) => status !== "completed").length;
      // A plan that is done would only take room from what comes next.
      ui.setWidget("plan", left === 0 ? null : steps.map(({ text, status }) => `${marks[status]} ${text}`));
      return { text: `${left} of ${steps.length} steps left.`, outcome: "done" };
    },
  };
}
