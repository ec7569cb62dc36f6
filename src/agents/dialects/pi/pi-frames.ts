// What is read of pi's RPC mode: responses to commands, events of the session, and requests of extensions.
// Only what is used is declared: unknown fields pass, and a field of the wrong type counts as missing.
import * as z from "zod";
import { maybe } from "../frames/lenient-field.js";

const block = z.looseObject({ type: z.string() });
const content = z.union([z.array(block), z.string()]).catch("");

const usage = z.looseObject({
  input: maybe(z.number()),
  output: maybe(z.number()),
  cacheRead: maybe(z.number()),
  cacheWrite: maybe(z.number()),
  totalTokens: maybe(z.number()),
  cost: maybe(z.looseObject({ total: maybe(z.number()) })),
});

const messageSchema = z.looseObject({
  role: z.string(),
  content,
  provider: maybe(z.string()),
  model: maybe(z.string()),
  usage: maybe(usage),
  stopReason: maybe(z.string()),
  errorMessage: maybe(z.string()),
  toolCallId: maybe(z.string()),
  toolName: maybe(z.string()),
  isError: maybe(z.boolean()),
  display: maybe(z.boolean()),
  command: maybe(z.string()),
  output: maybe(z.string()),
  summary: maybe(z.string()),
});

const toolResult = z.looseObject({ content });
const tool = { toolCallId: z.string(), toolName: z.string().catch("tool") };

const retry = z.looseObject({
  attempt: maybe(z.number()),
  maxAttempts: maybe(z.number()),
  delayMs: maybe(z.number()),
  errorMessage: maybe(z.string()),
});

const compacted = z.looseObject({
  result: maybe(z.looseObject({ tokensBefore: maybe(z.number()), estimatedTokensAfter: maybe(z.number()) }).nullable()),
  aborted: maybe(z.boolean()),
  errorMessage: maybe(z.string()),
});

const anything = z.looseObject({});

export const piFrameSchemas = {
  response: z.looseObject({
    id: maybe(z.string()),
    command: z.string(),
    success: z.boolean(),
    data: z.unknown().optional(),
    error: maybe(z.string()),
  }),
  agent_start: anything,
  agent_end: z.looseObject({ willRetry: maybe(z.boolean()) }),
  agent_settled: anything,
  turn_start: anything,
  turn_end: anything,
  message_start: z.looseObject({ message: messageSchema }),
  message_update: z.looseObject({
    assistantMessageEvent: z.looseObject({
      type: z.string(),
      contentIndex: maybe(z.number()),
      delta: maybe(z.string()),
    }),
  }),
  message_end: z.looseObject({ message: messageSchema }),
  tool_execution_start: z.looseObject({ ...tool, args: z.unknown().optional() }),
  tool_execution_update: z.looseObject({ ...tool, partialResult: maybe(toolResult) }),
  tool_execution_end: z.looseObject({ ...tool, result: maybe(toolResult), isError: maybe(z.boolean()) }),
  queue_update: z.looseObject({ steering: z.array(z.string()).catch([]), followUp: z.array(z.string()).catch([]) }),
  compaction_start: anything,
  compaction_end: compacted,
  auto_compaction_start: anything,
  auto_compaction_end: compacted,
  auto_retry_start: retry,
  auto_retry_end: z.looseObject({ success: maybe(z.boolean()), finalError: maybe(z.string()) }),
  summarization_retry_scheduled: retry,
  summarization_retry_finished: anything,
  extension_error: z.looseObject({ extensionPath: maybe(z.string()), event: maybe(z.string()), error: z.string() }),
  thinking_level_changed: z.looseObject({ level: z.string() }),
  bash_execution_update: z.looseObject({ delta: z.string() }),
  extension_ui_request: z.looseObject({ id: z.string(), method: z.string() }),
} as const;

export type PiFrame<Type extends keyof typeof piFrameSchemas> = z.infer<(typeof piFrameSchemas)[Type]>;
export type PiMessage = z.infer<typeof messageSchema>;
export type PiBlock = z.infer<typeof block>;
export type PiUsage = z.infer<typeof usage>;

const timeout = maybe(z.number().positive());
const title = z.string().catch("");

/** What extensions ask and show, by its method. The first four wait for an answer, the others do not. */
export const piUiSchemas = {
  select: z.looseObject({ title, options: z.array(z.string()), timeout }),
  confirm: z.looseObject({ title, message: maybe(z.string()), timeout }),
  input: z.looseObject({ title, placeholder: maybe(z.string()), timeout }),
  editor: z.looseObject({ title, prefill: maybe(z.string()), timeout }),
  notify: z.looseObject({ message: z.string(), notifyType: maybe(z.string()) }),
  setStatus: z.looseObject({ statusKey: z.string(), statusText: maybe(z.string().nullable()) }),
  setWidget: z.looseObject({
    widgetKey: z.string(),
    widgetLines: maybe(z.array(z.string()).nullable()),
    widgetPlacement: maybe(z.string()),
  }),
  setTitle: z.looseObject({ title }),
  set_editor_text: z.looseObject({ text: z.string() }),
} as const;

export type PiUi<Method extends keyof typeof piUiSchemas> = z.infer<(typeof piUiSchemas)[Method]>;

const model = z.looseObject({ id: z.string(), provider: z.string().catch(""), name: maybe(z.string()) });

export type PiModel = z.infer<typeof model>;

/** What the responses carry in `data`, by their command. */
export const piDataSchemas = {
  get_state: z.looseObject({
    model: maybe(model.nullable()),
    thinkingLevel: maybe(z.string()),
    isStreaming: maybe(z.boolean()),
    isCompacting: maybe(z.boolean()),
    pendingMessageCount: maybe(z.number()),
    sessionId: maybe(z.string()),
  }),
  get_commands: z.looseObject({
    commands: z.array(z.looseObject({ name: z.string(), description: maybe(z.string()), source: maybe(z.string()) })),
  }),
  get_available_models: z.looseObject({ models: z.array(model) }),
  get_available_thinking_levels: z.looseObject({ levels: z.array(z.string()) }),
  get_messages: z.looseObject({ messages: z.array(messageSchema) }),
  get_session_stats: z.looseObject({
    tokens: maybe(z.looseObject({ total: maybe(z.number()) })),
    cost: maybe(z.number()),
    contextUsage: maybe(z.looseObject({ tokens: maybe(z.number()), contextWindow: maybe(z.number()) })),
  }),
  new_session: z.looseObject({ cancelled: maybe(z.boolean()) }),
} as const;

export type PiData<Command extends keyof typeof piDataSchemas> = z.infer<(typeof piDataSchemas)[Command]>;
