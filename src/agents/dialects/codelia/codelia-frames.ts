// What is read of codelia's runtime: JSON-RPC 2.0 with string ids, one message a line. Only what is used is declared:
// unknown fields pass, and a field of the wrong type counts as missing.
import * as z from "zod";
import { maybe } from "../frames/lenient-field.js";

/** The version of the protocol that Palaver speaks. */
export const CODELIA_PROTOCOL_VERSION = "0";

const toolCallId = maybe(z.string());

/** `agent.event`, by the type inside. */
export const codeliaEventSchemas = {
  text: z.looseObject({ content: z.string() }),
  reasoning: z.looseObject({ content: z.string() }),
  final: z.looseObject({ content: z.string().catch("") }),
  "llm.retry": z.looseObject({
    provider: maybe(z.string()),
    failure_kind: maybe(z.string()),
    next_attempt: maybe(z.number()),
    max_attempts: maybe(z.number()),
    delay_ms: maybe(z.number()),
    status: maybe(z.number()),
  }),
  step_start: z.looseObject({}),
  step_complete: z.looseObject({}),
  tool_call: z.looseObject({
    tool: z.string(),
    args: z.unknown().optional(),
    raw_args: maybe(z.string()),
    tool_call_id: z.string(),
  }),
  tool_result: z.looseObject({
    tool: z.string().catch("tool"),
    result: z.unknown().optional(),
    tool_call_id: z.string(),
    is_error: maybe(z.boolean()),
  }),
  "permission.preview": z.looseObject({
    tool: z.string(),
    tool_call_id: toolCallId,
    file_path: maybe(z.string()),
    language: maybe(z.string()),
    diff: maybe(z.string()),
    summary: maybe(z.string()),
    truncated: maybe(z.boolean()),
  }),
  "permission.ready": z.looseObject({ tool: z.string(), tool_call_id: toolCallId }),
  compaction_start: z.looseObject({}),
  compaction_complete: z.looseObject({ compacted: maybe(z.boolean()) }),
  hidden_user_message: z.looseObject({}),
} as const;

export type CodeliaEvent<Type extends keyof typeof codeliaEventSchemas> = z.infer<(typeof codeliaEventSchemas)[Type]>;

export const codeliaNotices = {
  "agent.event": z.looseObject({
    run_id: z.string(),
    seq: maybe(z.number()),
    event: z.looseObject({ type: z.string() }),
  }),
  "run.status": z.looseObject({ run_id: z.string(), status: z.string(), message: maybe(z.string()) }),
  "run.context": z.looseObject({ context_left_percent: z.number() }),
  "run.diagnostics": z.looseObject({
    summary: maybe(
      z.looseObject({
        total_tokens: maybe(z.number()),
        total_input_tokens: maybe(z.number()),
        total_output_tokens: maybe(z.number()),
        total_cached_input_tokens: maybe(z.number()),
        total_cache_creation_tokens: maybe(z.number()),
        total_cost_usd: maybe(z.number()),
      }),
    ),
  }),
} as const;

export type CodeliaNotice<Method extends keyof typeof codeliaNotices> = z.infer<(typeof codeliaNotices)[Method]>;

const asked = { title: z.string().catch(""), message: maybe(z.string()) };

export const codeliaUiSchemas = {
  "ui.confirm.request": z.looseObject({
    ...asked,
    confirm_label: maybe(z.string()),
    cancel_label: maybe(z.string()),
    danger_level: maybe(z.enum(["normal", "danger"])),
    allow_remember: maybe(z.boolean()),
    allow_reason: maybe(z.boolean()),
  }),
  "ui.prompt.request": z.looseObject({
    ...asked,
    default_value: maybe(z.string()),
    multiline: maybe(z.boolean()),
    secret: maybe(z.boolean()),
  }),
  "ui.pick.request": z.looseObject({
    ...asked,
    items: z.array(z.looseObject({ id: z.string(), label: z.string(), detail: maybe(z.string()) })),
    multi: maybe(z.boolean()),
  }),
} as const;

export type CodeliaUi<Method extends keyof typeof codeliaUiSchemas> = z.infer<(typeof codeliaUiSchemas)[Method]>;

/** What comes back, by the method that was called. */
export const codeliaResultSchemas = {
  initialize: z.looseObject({
    protocol_version: z.string().catch(CODELIA_PROTOCOL_VERSION),
    server_capabilities: maybe(z.record(z.string(), z.unknown())),
  }),
  "run.start": z.looseObject({ run_id: z.string(), session_id: maybe(z.string()) }),
  "model.list": z.looseObject({
    provider: z.string().catch(""),
    models: z.array(z.string()),
    current: maybe(z.string()),
  }),
  "session.list": z.looseObject({
    sessions: z.array(z.looseObject({ session_id: z.string(), updated_at: maybe(z.string()), cwd: maybe(z.string()) })),
  }),
} as const;
