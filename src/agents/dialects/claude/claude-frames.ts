// What is read of Claude Code's stream-json and its control channel. The agent's own set of frames is open and grows with
// every release, so only what is used is declared: unknown fields pass, and a field of the wrong type counts as missing.
import * as z from "zod";
import { maybe } from "../frames/lenient-field.js";

const block = z.looseObject({ type: z.string() });
const content = z.union([z.array(block), z.string()]);
const parent = maybe(z.string().nullable());

const usage = z.looseObject({
  input_tokens: maybe(z.number()),
  output_tokens: maybe(z.number()),
  cache_read_input_tokens: maybe(z.number()),
  cache_creation_input_tokens: maybe(z.number()),
});

/** Of one model, over the whole session. */
const modelUsage = z.looseObject({
  contextWindow: maybe(z.number()),
  inputTokens: maybe(z.number()),
  outputTokens: maybe(z.number()),
  cacheReadInputTokens: maybe(z.number()),
  cacheCreationInputTokens: maybe(z.number()),
});

const streamEvent = z.looseObject({
  type: z.string(),
  index: maybe(z.number()),
  message: maybe(z.looseObject({ id: maybe(z.string()), model: maybe(z.string()), usage: maybe(usage) })),
  content_block: maybe(block),
  delta: maybe(z.looseObject({ type: maybe(z.string()), text: maybe(z.string()), thinking: maybe(z.string()) })),
});

const commands = z.array(
  z.looseObject({ name: z.string(), description: maybe(z.string()), argumentHint: maybe(z.string()) }),
);

/** The many small `system` frames. `init` comes with the first prompt, not at the start. */
const system = z.looseObject({
  subtype: z.string(),
  session_id: maybe(z.string()),
  cwd: maybe(z.string()),
  model: maybe(z.string()),
  slash_commands: maybe(z.array(z.string())),
  claude_code_version: maybe(z.string()),
  status: maybe(z.string().nullable()),
  permissionMode: maybe(z.string()),
  compact_metadata: maybe(z.looseObject({ pre_tokens: maybe(z.number()), post_tokens: maybe(z.number()) })),
  attempt: maybe(z.number()),
  max_retries: maybe(z.number()),
  retry_delay_ms: maybe(z.number()),
  error_status: maybe(z.number().nullable()),
  error: maybe(z.string()),
  task_id: maybe(z.string()),
  description: maybe(z.string()),
  summary: maybe(z.string()),
  tool_name: maybe(z.string()),
  message: maybe(z.string()),
  text: maybe(z.string()),
  content: maybe(z.string()),
  level: maybe(z.string()),
  hook_name: maybe(z.string()),
  outcome: maybe(z.string()),
  stderr: maybe(z.string()),
  output: maybe(z.string()),
  elicitation_id: maybe(z.string()),
  commands: maybe(commands),
  patch: maybe(z.looseObject({ status: maybe(z.string()) })),
});

export const claudeFrameSchemas = {
  control_request: z.looseObject({ request_id: z.string(), request: z.looseObject({ subtype: z.string() }) }),
  control_response: z.looseObject({
    response: z.looseObject({
      subtype: z.string(),
      request_id: z.string(),
      response: maybe(z.looseObject({})),
      error: maybe(z.string()),
    }),
  }),
  control_cancel_request: z.looseObject({ request_id: z.string() }),
  system,
  stream_event: z.looseObject({ event: streamEvent, parent_tool_use_id: parent }),
  assistant: z.looseObject({
    message: z.looseObject({ id: maybe(z.string()), model: maybe(z.string()), content, usage: maybe(usage) }),
    parent_tool_use_id: parent,
    error: maybe(z.string()),
  }),
  user: z.looseObject({
    message: z.looseObject({ content }),
    parent_tool_use_id: parent,
    isReplay: maybe(z.boolean()),
    isSynthetic: maybe(z.boolean()),
    tool_use_result: z.unknown().optional(),
  }),
  result: z.looseObject({
    subtype: z.string(),
    is_error: maybe(z.boolean()),
    result: maybe(z.string()),
    errors: maybe(z.array(z.string())),
    terminal_reason: maybe(z.string()),
    total_cost_usd: maybe(z.number()),
    usage: maybe(usage),
    modelUsage: maybe(z.record(z.string(), modelUsage)),
    model_usage_since_last_result: maybe(z.record(z.string(), z.looseObject({ costUSD: maybe(z.number()) }))),
    queued_turn_count: maybe(z.number()),
  }),
  /** After `/clear`; the next `init` names the new conversation. */
  conversation_reset: z.looseObject({}),
  rate_limit_event: z.looseObject({
    rate_limit_info: z.looseObject({
      status: maybe(z.string()),
      rateLimitType: maybe(z.string()),
      utilization: maybe(z.number()),
    }),
  }),
  auth_status: z.looseObject({
    isAuthenticating: maybe(z.boolean()),
    output: maybe(z.array(z.string())),
    error: maybe(z.string()),
  }),
} as const;

export type ClaudeFrame<Type extends keyof typeof claudeFrameSchemas> = z.infer<(typeof claudeFrameSchemas)[Type]>;
export type ClaudeNews = ClaudeFrame<"system">;
export type ClaudeBlock = z.infer<typeof block>;
export type ClaudeUsage = z.infer<typeof usage>;
export type ClaudeStreamEvent = z.infer<typeof streamEvent>;

/** The answer to `initialize`. */
export const claudeInitializedSchema = z.looseObject({
  commands: maybe(commands),
  models: maybe(
    z.array(
      z.looseObject({
        value: z.string(),
        displayName: maybe(z.string()),
        description: maybe(z.string()),
        resolvedModel: maybe(z.string()),
      }),
    ),
  ),
  current_permission_mode: maybe(z.string()),
  claude_code_version: maybe(z.string()),
});

export type ClaudeInitialized = z.infer<typeof claudeInitializedSchema>;

/** A rule that the agent offers to remember; it is sent back as it came. */
const suggestionSchema = z.looseObject({
  type: z.string(),
  rules: maybe(z.array(z.looseObject({ toolName: z.string(), ruleContent: maybe(z.string()) }))),
  behavior: maybe(z.string()),
  destination: maybe(z.string()),
  mode: maybe(z.string()),
  directories: maybe(z.array(z.string())),
});

export type ClaudeSuggestion = z.infer<typeof suggestionSchema>;

export const claudeToolRequestSchema = z.looseObject({
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()).catch({}),
  tool_use_id: maybe(z.string()),
  title: maybe(z.string()),
  display_name: maybe(z.string()),
  description: maybe(z.string()),
  blocked_path: maybe(z.string()),
  decision_reason: maybe(z.string()),
  mcp_server: maybe(z.looseObject({ name: z.string() })),
  permission_suggestions: maybe(z.array(suggestionSchema)),
  suppress_always_allow_rule: maybe(z.boolean()),
});

export type ClaudeToolRequest = z.infer<typeof claudeToolRequestSchema>;

/** What the tool AskUserQuestion wants to know. */
export const claudeQuestionsSchema = z.array(
  z.looseObject({
    question: z.string(),
    header: maybe(z.string()),
    multiSelect: maybe(z.boolean()),
    options: z.array(z.looseObject({ label: z.string(), description: maybe(z.string()) })).catch([]),
  }),
);

export type ClaudeQuestion = z.infer<typeof claudeQuestionsSchema>[number];

export const claudeElicitationSchema = z.looseObject({
  mcp_server_name: maybe(z.string()),
  message: z.string().catch(""),
  mode: maybe(z.string()),
  url: maybe(z.string()),
  elicitation_id: maybe(z.string()),
  requested_schema: maybe(z.looseObject({})),
  property_order: maybe(z.array(z.string())),
});
