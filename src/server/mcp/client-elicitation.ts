// Asks through the client's own elicitation, so that the question appears in the client's window. In the era of 2025 it is a request
// to the client; in that of 2026 the call returns with the question, and the client calls again with the answer. What the client
// returns is checked like any other answer. Secrets are never asked this way: the client could keep them.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Ask, AskOutcome } from "../../contract/asks.js";
import type { FormField } from "../../contract/dialogs.js";
import { objectOf } from "../../contract/json-value.js";
import { fitAnswer } from "../../session/answer-fit.js";
import { ToolRefusal } from "./mcp-tool.js";

type Property = ElicitRequestFormParams["requestedSchema"]["properties"][string];
type Properties = Record<string, Property>;

/** Thrown to end the call in the era of 2026: the client asks, and calls again. */
export class InputNeeded extends Error {
  readonly result: InputRequiredResult;

  constructor(result: InputRequiredResult) {
    super("the client has to ask");
    this.result = result;
  }
}

export type Elicit = (ask: Ask, timeoutMs: number | undefined) => Promise<AskOutcome>;

const KEY = "answer";
/** The largest delay of a timer: longer than any client waits. */
const WAIT_MS_MAX = 2_147_483_647;

/** Null for a client that has no elicitation with forms. */
export function elicitationOf({ mcpReq }: ServerContext, server: McpServer): Elicit | null {
  const envelope = (mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>;
  const isNewEra = envelope[CLIENT_CAPABILITIES_META_KEY] !== undefined;
  const capabilities = objectOf(envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities());
  const { elicitation } = capabilities;
  if (elicitation === undefined) return null;
  const { form, url } = objectOf(elicitation);
  // Before modes had names, an empty object meant forms.
  if (form === undefined && url !== undefined) return null;
  return async ({ question }, timeoutMs) => {
    const params = formOf(question);
    if (isNewEra) {
      const response = inputResponse(mcpReq.inputResponses, KEY);
      if (response.kind === "elicit") return outcomeOf(question, response);
      throw new InputNeeded(inputRequired({ inputRequests: { [KEY]: inputRequired.elicit(params) } }));
    }
    try {
      const limits = { timeout: timeoutMs ?? WAIT_MS_MAX, signal: mcpReq.signal };
      return outcomeOf(question, await mcpReq.elicitInput(params, limits));
    } catch (error) {
      if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return { kind: "expired" };
      throw error;
    }
  };
}

/** Whether a question may be put to a client. */
export function mayElicit({ kind, params }: Ask["question"]): boolean {
  if (kind === "input") return params.opts?.secret !== true;
  if (kind === "form") return params.fields.every((field) => field.kind !== "secret");
  return kind === "select" || kind === "confirm" || kind === "editor";
}

interface ClientAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

function outcomeOf(question: Ask["question"], { action, content = {} }: ClientAnswer): AskOutcome {
  const by = "the client";
  if (action !== "accept") return { kind: "cancelled", by };
  const said = question.kind === "form" ? content : (content[KEY] ?? null);
  const fitted = fitAnswer({ question }, said);
  if (fitted.kind === "unfit") throw new ToolRefusal(`The user's answer was refused: ${fitted.problem}`);
  return fitted.kind === "answered" ? { kind: "answered", value: fitted.value, by } : { kind: "cancelled", by };
}

function formOf(question: Ask["question"]): ElicitRequestFormParams {
  const { title, message } = question.params;
  const danger = question.kind === "confirm" ? question.params.opts?.danger : undefined;
  const words = [title, message, danger === undefined ? undefined : `Danger: ${danger}`].filter(Boolean).join("\n\n");
  const fields = question.kind === "form" ? question.params.fields : [];
  const properties: Properties =
    question.kind === "form"
      ? Object.fromEntries(fields.map((field) => [field.name, fieldProperty(field)]))
      : { [KEY]: propertyOf(question) };
  const required = question.kind === "form" ? fields.filter((field) => field.required).map(({ name }) => name) : [KEY];
  return { mode: "form", message: words, requestedSchema: { type: "object", properties, required } };
}

function propertyOf(question: Exclude<Ask["question"], { kind: "form" }>): Property {
  switch (question.kind) {
    case "select":
      return chosen(question.params.options, question.params.opts?.multiple === true, { title: "Choice" });
    case "confirm":
      return { type: "boolean", title: question.params.opts?.confirm_label ?? "Yes", default: false };
    case "input":
      return { ...textOf(question.params.opts ?? {}), title: "Answer" };
    case "editor":
      return { ...textOf({ default: question.params.prefill ?? undefined }), title: "Text" };
    default:
      throw new ToolRefusal("This question cannot be asked through the client.");
  }
}

function fieldProperty(field: FormField): Property {
  const { label: title, description, kind, options = [], default: preset, min, max, integer } = field;
  const words = { title, ...(description ? { description } : {}) };
  switch (kind) {
    case "number": {
      const limits = { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) };
      const initial = typeof preset === "number" ? { default: preset } : {};
      return { type: integer === true ? "integer" : "number", ...words, ...limits, ...initial };
    }
    case "confirm":
      return { type: "boolean", ...words, default: preset === true };
    case "select":
    case "multi_select":
      return chosen(options, kind === "multi_select", words);
    default:
      return { ...textOf(field), ...words };
  }
}

type Words = { readonly title: string; readonly description?: string };
type Choices = readonly { readonly value: string; readonly label: string }[];

// Values with names beside them are the form that every client has had from the beginning.
function chosen(options: Choices, isMultiple: boolean, words: Words): Property {
  const values = options.map(({ value }) => value);
  if (!isMultiple) return { type: "string", ...words, enum: values, enumNames: options.map(({ label }) => label) };
  return {
    type: "array",
    ...words,
    items: { anyOf: options.map(({ value, label }) => ({ const: value, title: label })) },
  };
}

function textOf({
  default: preset,
  min_length,
  max_length,
  format,
}: Pick<FormField, "default" | "min_length" | "max_length" | "format">) {
  return {
    type: "string" as const,
    ...(typeof preset === "string" && preset !== "" ? { default: preset } : {}),
    ...(min_length === undefined ? {} : { minLength: min_length }),
    ...(max_length === undefined ? {} : { maxLength: max_length }),
    ...(format === undefined ? {} : { format }),
  };
}
