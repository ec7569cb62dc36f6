// The Agent Client Protocol, version 1, as we read it from real agents: what we need is checked, everything else is kept.
// Words that are closed lists in the published schema (kinds, states, reasons) are plain strings here, because agents add
// to them freely; each reader decides what an unknown word means. Null and absent are the same everywhere.
import * as z from "zod";
import { type FrameTable, frameTable } from "../../../contract/frame-table.js";

/** The version we speak. An agent that answers with another one speaks another wire. */
export const ACP_VERSION = 1;

/** Error codes of this protocol beside those of JSON-RPC. */
export const acpErrorCodes = { authRequired: -32000, notFound: -32002, cancelled: -32800 } as const;

const text = z.string().nullish();
const anything = z.looseObject({});

/** A block of content; its other fields are read by its type. */
const acpContentSchema = z.looseObject({ type: z.string() });

export const acpAuthMethodSchema = z.looseObject({
  id: z.string(),
  name: text,
  description: text,
  /** agent when absent, terminal, or env_var. */
  type: text,
  args: z.array(z.string()).nullish(),
  env: z.unknown().optional(),
  vars: z.array(z.looseObject({ name: z.string(), label: text, optional: z.boolean().nullish() })).nullish(),
});

export const acpInitializeResultSchema = z.looseObject({
  protocolVersion: z.union([z.number(), z.string()]).nullish(),
  agentInfo: z.looseObject({ name: text, title: text, version: text }).nullish(),
  agentCapabilities: anything.nullish(),
  authMethods: z.array(z.unknown()).nullish(),
});

const modesSchema = z.looseObject({
  currentModeId: z.string(),
  availableModes: z.array(z.looseObject({ id: z.string(), name: text, description: text })),
});

// In no published schema any more, and still the only way to change the model of several agents.
const modelsSchema = z.looseObject({
  currentModelId: z.string(),
  availableModels: z.array(z.looseObject({ modelId: z.string(), name: text, description: text })),
});

export const acpConfigOptionSchema = z.looseObject({
  id: z.string(),
  name: text,
  description: text,
  category: text,
  type: z.string(),
  currentValue: z.union([z.string(), z.boolean()]).nullish(),
  /** Flat, or in named groups. */
  options: z.array(anything).nullish(),
});

/** What opening a session says; each part is read by itself, so that one bad part does not cost the session. */
export const acpSessionResultSchema = z.looseObject({
  sessionId: text,
  modes: modesSchema.nullish().catch(null),
  models: modelsSchema.nullish().catch(null),
  configOptions: z.array(z.unknown()).nullish().catch(null),
});

export const acpPromptResultSchema = z.looseObject({ stopReason: text, usage: anything.nullish().catch(null) });

export const acpSessionListSchema = z.looseObject({
  sessions: z.array(z.looseObject({ sessionId: z.string(), cwd: text, title: text, updatedAt: text })),
  nextCursor: text,
});

const locations = z.array(z.looseObject({ path: z.string(), line: z.number().nullish() })).nullish();

const toolCallShape = {
  toolCallId: z.string(),
  title: text,
  name: text,
  kind: text,
  status: text,
  content: z.array(z.looseObject({ type: z.string() })).nullish(),
  locations,
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
};

const acpToolCallSchema = z.looseObject(toolCallShape);

function update<Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) {
  return z.looseObject({ sessionUpdate: z.literal(kind), ...shape });
}

const chunkShape = { content: acpContentSchema, messageId: text };

const updateSchemas = [
  update("agent_message_chunk", chunkShape),
  update("agent_thought_chunk", chunkShape),
  update("user_message_chunk", chunkShape),
  update("tool_call", toolCallShape),
  update("tool_call_update", toolCallShape),
  update("plan", { entries: z.array(z.looseObject({ content: z.string(), status: text })) }),
  update("available_commands_update", {
    availableCommands: z.array(
      z.looseObject({ name: z.string(), description: text, input: z.looseObject({ hint: text }).nullish() }),
    ),
  }),
  update("current_mode_update", { currentModeId: z.string() }),
  update("config_option_update", { configOptions: z.array(z.unknown()) }),
  update("session_info_update", { title: text }),
  update("usage_update", {
    used: z.number(),
    size: z.number(),
    cost: z.looseObject({ amount: z.number(), currency: text }).nullish(),
  }),
  update("notice", { severity: text, title: z.string(), description: text }),
  update("compaction_update", {
    compactionId: z.string(),
    status: z.string(),
    summary: z.array(acpContentSchema).nullish(),
    error: text,
  }),
  update("compaction_summary_chunk", { compactionId: z.string(), content: acpContentSchema }),
] as const;

export const acpUpdateSchema = z.discriminatedUnion("sessionUpdate", updateSchemas);

/** A session update by the word in `sessionUpdate`. */
export const acpUpdateTable: FrameTable<AcpUpdate> = frameTable(
  updateSchemas.map((schema) => [schema.shape.sessionUpdate.value, schema] as const),
);

const sessionId = z.string();
const terminal = z.looseObject({ sessionId, terminalId: z.string() });

/** The params of what an agent asks of us, by method. */
export const acpRequestSchemas = {
  "session/request_permission": z.looseObject({
    sessionId,
    toolCall: acpToolCallSchema,
    options: z.array(z.looseObject({ optionId: z.string(), name: text, kind: text })),
  }),
  "fs/read_text_file": z.looseObject({
    sessionId,
    path: z.string(),
    line: z.number().nullish(),
    limit: z.number().nullish(),
  }),
  "fs/write_text_file": z.looseObject({ sessionId, path: z.string(), content: z.string() }),
  "terminal/create": z.looseObject({
    sessionId,
    command: z.string(),
    args: z.array(z.string()).nullish(),
    env: z.array(z.looseObject({ name: z.string(), value: z.string() })).nullish(),
    cwd: text,
    outputByteLimit: z.number().nullish(),
  }),
  "terminal/output": terminal,
  "terminal/wait_for_exit": terminal,
  "terminal/kill": terminal,
  "terminal/release": terminal,
  "elicitation/create": z.looseObject({
    /** form when absent. */
    mode: text,
    message: z.string(),
    sessionId: text,
    toolCallId: text,
    requestId: z.union([z.string(), z.number()]).nullish(),
    requestedSchema: anything.nullish(),
    url: text,
    elicitationId: text,
  }),
} as const;

/** A property of a form that an agent wants filled in. */
export const acpFormPropertySchema = z.looseObject({
  type: z.string(),
  title: text,
  description: text,
  default: z.unknown().optional(),
  enum: z.array(z.string()).nullish(),
  enumNames: z.array(z.string()).nullish(),
  oneOf: z.array(z.looseObject({ const: z.string(), title: text, description: text })).nullish(),
  items: z
    .looseObject({
      enum: z.array(z.string()).nullish(),
      anyOf: z.array(z.looseObject({ const: z.string(), title: text, description: text })).nullish(),
    })
    .nullish(),
  minLength: z.number().nullish(),
  maxLength: z.number().nullish(),
  pattern: text,
  format: text,
  minimum: z.number().nullish(),
  maximum: z.number().nullish(),
  minItems: z.number().nullish(),
  maxItems: z.number().nullish(),
});

export const acpFormSchema = z.looseObject({
  title: text,
  description: text,
  properties: z.record(z.string(), z.unknown()).nullish(),
  required: z.array(z.string()).nullish(),
});

export type AcpAuthMethod = z.infer<typeof acpAuthMethodSchema>;
export type AcpConfigOption = z.infer<typeof acpConfigOptionSchema>;
export type AcpContent = z.infer<typeof acpContentSchema>;
export type AcpFormProperty = z.infer<typeof acpFormPropertySchema>;
export type AcpRequestMethod = keyof typeof acpRequestSchemas;
export type AcpRequestParams<Method extends AcpRequestMethod> = z.infer<(typeof acpRequestSchemas)[Method]>;
export type AcpListedSession = z.infer<typeof acpSessionListSchema>["sessions"][number];
export type AcpSessionResult = z.infer<typeof acpSessionResultSchema>;
export type AcpToolCall = z.infer<typeof acpToolCallSchema>;
export type AcpUpdate = z.infer<typeof acpUpdateSchema>;
