// The lines protocol, from the front end to the agent: one JSON object a line, always with `type`.
// Each frame carries its own description and example, from which the published schema and docs/protocol.md are made.
import * as z from "zod";
import { uiCapabilitiesSchema } from "./capabilities.js";
import { type FrameTable, frameTable } from "./frame-table.js";

const sessionId = z.string().optional().describe("The session; without it, the active one.");

function command<Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
  meta: { description: string; example: Record<string, unknown> },
) {
  const { description, example } = meta;
  return z
    .looseObject({ type: z.literal(type), ...shape })
    .meta({ id: `Command.${type}`, description, examples: [{ type, ...example }] });
}

export const linesCommandSchemas = [
  command(
    "initialize",
    {
      protocol_version: z.string().optional().describe("The version that the front end begins with."),
      protocol_versions: z
        .array(z.string())
        .optional()
        .describe("All versions that the front end knows; without it, only `protocol_version`."),
      client: z
        .looseObject({
          name: z.string().describe("Its name."),
          version: z.string().optional().describe("Its version."),
        })
        .optional()
        .describe("The front end's name and version."),
      ui_capabilities: uiCapabilitiesSchema.optional(),
    },
    {
      description: "Names the client and its capabilities; answered by `initialized`. A front end sends it first.",
      example: {
        protocol_version: "2",
        protocol_versions: ["1", "2"],
        client: { name: "palaver", version: "0.2.0" },
        ui_capabilities: { supports_select: true, supports_permission_preflight_events: true },
      },
    },
  ),
  command(
    "prompt",
    {
      text: z.string().describe("The words of the user."),
      session_id: sessionId,
      images: z
        .array(
          z.looseObject({
            data: z.string().describe("Base64."),
            mime_type: z.string().describe("Such as `image/png`."),
          }),
        )
        .optional()
        .describe("Pictures, base64."),
    },
    {
      description:
        "What the user wants, for the named session or the active one. `images` (base64) are sent to agents that take them.",
      example: { text: "fix the failing test in parser.ts", session_id: "s1" },
    },
  ),
  command(
    "abort",
    { session_id: sessionId },
    {
      description: "Stop the running turn. The agent withdraws its open questions and still ends with `agent_end`.",
      example: { session_id: "s1" },
    },
  ),
  command(
    "ui_response",
    {
      id: z.string().describe("The id of the question."),
      result: z.unknown().optional().describe("The answer; null (false for a confirmation) means cancelled."),
      error: z.string().nullish().describe("Why there is no answer; null otherwise."),
    },
    {
      description:
        "The answer to a `ui_request`. `result` null (false for a confirmation) means cancelled; a non-null `error` wins.",
      example: { id: "q1", result: "pnpm", error: null },
    },
  ),
  command(
    "reset",
    { session_id: sessionId },
    { description: "Clear the conversation of the session.", example: { session_id: "s1" } },
  ),
  command(
    "save",
    { session_id: sessionId },
    { description: "Write the session to disk; answered by `save_result`.", example: { session_id: "s1" } },
  ),
  command(
    "stats",
    { session_id: sessionId },
    { description: "Ask for counts and costs; answered by `stats`.", example: { session_id: "s1" } },
  ),
  command(
    "ping",
    {},
    { description: "Check that the agent responds; answered by `pong`, even in the middle of a turn.", example: {} },
  ),
  command("debug", {}, { description: "Ask for the agent's internal state; answered by `debug`.", example: {} }),
  command("quit", {}, { description: "Finish and exit with code 0.", example: {} }),
  command("list_sessions", {}, { description: "Saved sessions; answered by `sessions_list`.", example: {} }),
  command("list_running_sessions", {}, { description: "Open sessions; answered by `running_sessions`.", example: {} }),
  command("list_models", {}, { description: "Known models; answered by `models_list`.", example: {} }),
  command(
    "start_session",
    {
      cwd: z.string().optional().describe("The folder to work in; the agent's own if missing."),
      model: z.string().optional().describe("The model, as `provider:id`."),
      system_prompt: z.string().optional().describe("Instructions for the model, instead of the agent's own."),
      session_file: z
        .string()
        .optional()
        .describe("A saved session to resume: its `path` in `sessions_list`, or its id."),
      parent_session: z.string().optional().describe("The session that this one continues or forks."),
    },
    {
      description:
        "Start a session, a new one or a saved one; answered by `session_started`. The first one becomes active. The messages of a saved one follow its `session_started`.",
      example: { cwd: "/home/ada/parser", model: "anthropic:claude-sonnet-5" },
    },
  ),
  command(
    "close_session",
    { session_id: z.string().describe("The session to close.") },
    { description: "Close a session; answered by `session_closed`.", example: { session_id: "s1" } },
  ),
  command(
    "set_active_session",
    { session_id: z.string().describe("The session to make active.") },
    {
      description: "Make this the session that gets commands without a session_id; answered by `active_session`.",
      example: { session_id: "s2" },
    },
  ),
  command("get_config", {}, { description: "Ask for the settings; answered by `config_state`.", example: {} }),
  command(
    "set_config",
    {
      key: z.string().describe("The setting, as `config_state` names it."),
      value: z.unknown().describe("Its new value."),
    },
    { description: "Change one setting; answered by `config_state`.", example: { key: "read_only", value: true } },
  ),
] as const;

export const linesCommandSchema = z.discriminatedUnion("type", linesCommandSchemas);

export type LinesCommand = z.infer<typeof linesCommandSchema>;
export type LinesCommandType = LinesCommand["type"];

export const linesCommandTable: FrameTable<LinesCommand> = frameTable(
  linesCommandSchemas.map((schema) => [schema.shape.type.value, schema] as const),
);
