// The lines protocol, from the agent to the front end: one JSON object a line, always with `type`.
// Each frame carries its own description and example, from which the published schema and docs/protocol.md are made.
import * as z from "zod";
import { agentEventSchema } from "./agent-events.js";
import { agentCommandsSchema, agentModesSchema, serverCapabilitiesSchema } from "./capabilities.js";
import { type DialogMethod, dialogKinds, dialogMethods, dialogParamsSchemas } from "./dialogs.js";
import { type FrameTable, frameTable } from "./frame-table.js";
import { signalParamsSchemas } from "./notices.js";
import { permissionCallSchema, permissionExample } from "./permission-call.js";

const sessionId = z.string().nullish().describe("The session; without it, the active one.");

function output<Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
  meta: { description: string; example: Record<string, unknown> },
) {
  const { description, example } = meta;
  return z
    .looseObject({ type: z.literal(type), ...shape })
    .meta({ id: `Output.${type}`, description, examples: [{ type, ...example }] });
}

// A question is one frame with params of several kinds, so it is a union of its own inside the union of frames.
const requestEnvelope = {
  type: z.literal("ui_request"),
  id: z.string().describe("Chosen by the agent; free again after the question has ended."),
  session_id: sessionId,
  timeout_ms: z
    .number()
    .positive()
    .optional()
    .describe("When the agent gives up, counted from the moment it sent this; without it, it waits."),
  origin: z
    .looseObject({
      kind: z.enum(["agent", "tool", "mcp"]).describe("What asks."),
      name: z.string().optional().describe("Its name, shown beside the question."),
    })
    .optional()
    .describe("Who asks, when it is not the agent itself."),
};

function request<Method extends DialogMethod>(method: Method) {
  return z.looseObject({ ...requestEnvelope, method: z.literal(method), params: dialogParamsSchemas[method] }).meta({
    id: `Output.ui_request.${method}`,
    examples: [{ type: "ui_request", id: "q1", method, params: dialogKinds[method].example }],
  });
}

const permissionRequest = z
  .looseObject({ ...requestEnvelope, method: z.literal("permission"), params: permissionCallSchema })
  .meta({
    id: "Output.ui_request.permission",
    examples: [{ type: "ui_request", id: "q1", method: "permission", params: permissionExample }],
  });

type RequestSchema = { [Method in DialogMethod]: ReturnType<typeof request<Method>> }[DialogMethod];

export const uiRequestSchema = z
  .discriminatedUnion("method", [
    ...(dialogMethods.map((method) => request(method)) as [RequestSchema, ...RequestSchema[]]),
    permissionRequest,
  ])
  .meta({ id: "Output.ui_request", description: "A question; answered by one `ui_response` with the same id." });

const problem = z.string().nullish().describe("Why it failed.");

const savedSession = z
  .looseObject({
    id: z.string().describe("As in `session_started`."),
    title: z.string().optional().describe("What the user recognises it by, such as the first prompt."),
    path: z.string().optional().describe("What `start_session` gets as `session_file`; without it, the id."),
    cwd: z.string().optional().describe("The folder it worked in."),
    timestamp: z
      .union([z.string(), z.number()])
      .optional()
      .describe("When it last changed: milliseconds since 1970, or a date."),
  })
  .meta({ id: "SavedSession", description: "A session that can be resumed." });

export const linesOutputSchemas = [
  output(
    "ready",
    {
      protocol_version: z.string().describe("The version that the agent begins with."),
      cwd: z.string().optional().describe("The folder it works in."),
      model: z
        .looseObject({
          provider: z.string().describe("Such as `anthropic`."),
          id: z.string().describe("The model, as its provider calls it."),
        })
        .nullish()
        .describe("The model it uses."),
      debug: z.boolean().optional().describe("It logs every command."),
      ui: z.boolean().optional().describe("False: it will ask nothing."),
      commands: agentCommandsSchema.optional().describe("Its own slash commands."),
      modes: agentModesSchema.optional().describe("The modes it can work in, and the current one."),
      primary_session_id: z.string().nullish().describe("The session it began with."),
      active_session_id: z.string().nullish().describe("The session that gets commands without a `session_id`."),
    },
    {
      description:
        "The first frame: the agent can take commands now. `ui` false means that it will ask nothing. `commands` are " +
        "the agent's own: `/name` is sent to it as a prompt. `modes` are shown to the user, who changes them with " +
        "`set_config`, key `mode`.",
      example: { protocol_version: "2", cwd: "/home/ada/parser", ui: true, active_session_id: "s1" },
    },
  ),
  output(
    "initialized",
    {
      protocol_version: z.string().describe("The version that both sides use from now on."),
      server: z
        .looseObject({
          name: z.string().describe("Its name."),
          version: z.string().optional().describe("Its version."),
        })
        .optional()
        .describe("The agent's name and version."),
      server_capabilities: serverCapabilitiesSchema,
    },
    {
      description: "The answer to `initialize`.",
      example: {
        protocol_version: "2",
        server: { name: "example" },
        server_capabilities: { supports_permission_preflight_events: true },
      },
    },
  ),
  output(
    "event",
    {
      session_id: sessionId,
      event_seq: z.number().optional().describe("The number of the event in its session, from 0."),
      event: agentEventSchema.describe("What happened."),
    },
    {
      description: "Something happened in a session. `event_seq` counts from 0 per session, so a gap is visible.",
      example: {
        session_id: "s1",
        event_seq: 4,
        event: {
          type: "message_update",
          message: { role: "assistant", content: [{ type: "text", text: "I'll look" }] },
        },
      },
    },
  ),
  output(
    "error",
    {
      message: z.string().describe("What is wrong, in one sentence."),
      code: z.number().int().optional().describe("One of the error codes below."),
      session_id: sessionId,
    },
    {
      description: "A command could not be carried out. One such frame for each bad line.",
      example: { message: "unknown command: prmpt", code: -32601 },
    },
  ),
  output("pong", {}, { description: "The answer to `ping`.", example: {} }),
  output(
    "stats",
    { stats: z.looseObject({}).describe("Numbers by name."), session_id: sessionId },
    { description: "Counts and costs.", example: { stats: { turns: 3, total_tokens: 12400 }, session_id: "s1" } },
  ),
  output("debug", {}, { description: "The agent's internal state, in its own fields.", example: { queue: 0 } }),
  output(
    "save_result",
    {
      ok: z.boolean().describe("Whether it worked."),
      path: z.string().nullish().describe("The file."),
      error: problem,
      session_id: sessionId,
    },
    { description: "Whether the session was written.", example: { ok: true, path: "/home/ada/.local/s1.jsonl" } },
  ),
  output(
    "sessions_list",
    { sessions: z.array(savedSession).describe("Newest first."), error: problem },
    {
      description: "Saved sessions.",
      example: {
        sessions: [{ id: "s0", title: "fix the parser", path: "/home/ada/.notes/s0.json", cwd: "/home/ada/parser" }],
      },
    },
  ),
  output(
    "running_sessions",
    {
      sessions: z
        .array(
          z.looseObject({
            session_id: z.string().describe("The session."),
            cwd: z.string().optional().describe("The folder it works in."),
            is_streaming: z.boolean().optional().describe("A turn runs."),
          }),
        )
        .describe("Those that are open."),
      error: problem,
    },
    { description: "Open sessions.", example: { sessions: [{ session_id: "s1", is_streaming: false }] } },
  ),
  output(
    "models_list",
    {
      providers: z
        .array(
          z.looseObject({
            id: z.string().describe("The provider."),
            models: z
              .array(
                z.looseObject({
                  id: z.string().describe("What `set_config` gets."),
                  name: z.string().optional().describe("What the user sees."),
                }),
              )
              .describe("What it offers."),
          }),
        )
        .describe("Each with its models."),
    },
    {
      description: "Known models by provider.",
      example: { providers: [{ id: "ollama", models: [{ id: "qwen3-coder", name: "Qwen 3 Coder" }] }] },
    },
  ),
  output(
    "session_started",
    {
      session_id: z.string().describe("The new session."),
      cwd: z.string().optional().describe("The folder it works in."),
      model: z.unknown().optional().describe("The model it uses, as in `ready`."),
      commands: agentCommandsSchema.optional().describe("Its own slash commands."),
      modes: agentModesSchema.optional().describe("The modes it can work in, and the current one."),
    },
    { description: "A session is open.", example: { session_id: "s2", cwd: "/home/ada/parser" } },
  ),
  output(
    "session_closed",
    {
      session_id: z.string().describe("The closed session."),
      reason: z.string().optional().describe("`normal`, `error` or `not_found`."),
    },
    {
      description: "A session is closed: normal, error or not_found.",
      example: { session_id: "s2", reason: "normal" },
    },
  ),
  output(
    "active_session",
    { session_id: z.string().nullable().describe("Null without a session.") },
    { description: "The session that gets commands without a session_id, or null.", example: { session_id: "s1" } },
  ),
  output(
    "config_state",
    {
      config: z.record(z.string(), z.unknown()).describe("Values by name."),
      modes: agentModesSchema.optional().describe("The modes it can work in, and the current one."),
      session_id: sessionId,
    },
    { description: "All settings.", example: { config: { read_only: true } } },
  ),
  uiRequestSchema,
  output(
    "ui_cancel",
    {
      id: z.string().describe("The id of the question."),
      reason: z.string().optional().describe("`timeout`, `aborted`, `turn_ended` or `shutdown`."),
    },
    {
      description: "The question is withdrawn: timeout, aborted, turn_ended, shutdown. Later answers are ignored.",
      example: { id: "q1", reason: "timeout" },
    },
  ),
  output(
    "ui_notify",
    { params: signalParamsSchemas.notify, session_id: sessionId },
    { description: "A notice.", example: { params: { message: "3 files formatted", level: "success" } } },
  ),
  output(
    "ui_status",
    { params: signalParamsSchemas.setStatus, session_id: sessionId },
    {
      description: "A field of the status line; null removes it.",
      example: { params: { key: "branch", text: "main" } },
    },
  ),
  output(
    "ui_widget",
    { params: signalParamsSchemas.setWidget, session_id: sessionId },
    {
      description: "Lines above or below the composer; null removes them.",
      example: { params: { key: "plan", content: ["1 read", "2 edit"], opts: { placement: "above" } } },
    },
  ),
  output(
    "ui_working",
    { params: signalParamsSchemas.setWorkingMessage, session_id: sessionId },
    { description: "What the agent is doing; null ends it.", example: { params: { message: "running npm test" } } },
  ),
  output(
    "ui_set_title",
    { params: signalParamsSchemas.setTitle, session_id: sessionId },
    { description: "The title of the window.", example: { params: { title: "parser: fixing a test" } } },
  ),
  output(
    "ui_set_editor_text",
    { params: signalParamsSchemas.setEditorText, session_id: sessionId },
    { description: "Text for the composer.", example: { params: { text: "also update the changelog" } } },
  ),
] as const;

export const linesOutputSchema = z.discriminatedUnion("type", linesOutputSchemas);

export type LinesOutput = z.infer<typeof linesOutputSchema>;
export type LinesOutputType = LinesOutput["type"];
export type UiRequest = z.infer<typeof uiRequestSchema>;

export const linesOutputTable: FrameTable<LinesOutput> = frameTable(
  linesOutputSchemas.map((schema) => ["shape" in schema ? schema.shape.type.value : "ui_request", schema] as const),
);
