// What is read of codex's app-server: JSON-RPC without a version field, one message a line. Only what is used is declared:
// unknown fields pass, and a field of the wrong type counts as missing.
import * as z from "zod";
import { maybe } from "../frames/lenient-field.js";

const words = maybe(z.string());
const list = z.array(z.string()).catch([]);
const anything = z.looseObject({});

const patch = z.looseObject({
  path: z.string(),
  kind: z
    .looseObject({ type: z.string().catch("update"), move_path: words })
    .catch({ type: "update", move_path: undefined }),
  diff: z.string().catch(""),
});

const identified = { id: z.string() };
const status = z.string().catch("");

/** Items of a thread, by their type. */
export const codexItemSchemas = {
  userMessage: z.looseObject({ ...identified, content: z.array(anything).catch([]) }),
  agentMessage: z.looseObject({ ...identified, text: z.string().catch("") }),
  plan: z.looseObject({ ...identified, text: z.string().catch("") }),
  reasoning: z.looseObject({ ...identified, summary: list, content: list }),
  commandExecution: z.looseObject({
    ...identified,
    command: z.string().catch(""),
    cwd: words,
    status,
    aggregatedOutput: words,
    exitCode: maybe(z.number()),
  }),
  fileChange: z.looseObject({ ...identified, changes: z.array(patch), status }),
  mcpToolCall: z.looseObject({
    ...identified,
    server: z.string().catch(""),
    tool: z.string().catch("tool"),
    status,
    arguments: z.unknown().optional(),
    result: maybe(z.looseObject({ content: z.array(anything).catch([]) })),
    error: maybe(z.looseObject({ message: z.string().catch("") })),
  }),
  dynamicToolCall: z.looseObject({
    ...identified,
    tool: z.string().catch("tool"),
    status,
    arguments: z.unknown().optional(),
    contentItems: maybe(z.array(anything)),
  }),
  collabAgentToolCall: z.looseObject({ ...identified, tool: z.string().catch("agent"), status, prompt: words }),
  webSearch: z.looseObject({ ...identified, query: z.string().catch("") }),
  imageView: z.looseObject({ ...identified, path: z.string().catch("") }),
  imageGeneration: z.looseObject({ ...identified, status, savedPath: words, revisedPrompt: words }),
  enteredReviewMode: z.looseObject({ ...identified, review: z.string().catch("") }),
  exitedReviewMode: z.looseObject({ ...identified, review: z.string().catch("") }),
  contextCompaction: z.looseObject(identified),
} as const;

export type CodexItemType = keyof typeof codexItemSchemas;
export type CodexItem<Type extends CodexItemType> = z.infer<(typeof codexItemSchemas)[Type]>;
export type CodexPatch = z.infer<typeof patch>;

const item = z.looseObject({ type: z.string() });
const turn = z.looseObject({
  id: z.string(),
  status,
  error: maybe(z.looseObject({ message: z.string().catch(""), additionalDetails: words })),
  items: z.array(item).catch([]),
});

const counts = z.looseObject({
  totalTokens: z.number().catch(0),
  inputTokens: z.number().catch(0),
  cachedInputTokens: z.number().catch(0),
  cacheWriteInputTokens: z.number().catch(0),
  outputTokens: z.number().catch(0),
});

const limitWindow = maybe(z.looseObject({ usedPercent: z.number(), windowDurationMins: maybe(z.number()) }));
const delta = z.looseObject({ itemId: z.string(), delta: z.string() });

/** What codex tells without being asked, by its method. */
export const codexNotices = {
  "turn/started": z.looseObject({ turn }),
  "turn/completed": z.looseObject({ turn }),
  "item/started": z.looseObject({ item }),
  "item/completed": z.looseObject({ item }),
  "item/agentMessage/delta": delta,
  "item/plan/delta": delta,
  "item/reasoning/summaryTextDelta": z.looseObject({ ...delta.shape, summaryIndex: z.number().catch(0) }),
  "item/reasoning/textDelta": z.looseObject({ ...delta.shape, contentIndex: z.number().catch(0) }),
  "item/commandExecution/outputDelta": delta,
  "item/fileChange/patchUpdated": z.looseObject({ itemId: z.string(), changes: z.array(patch) }),
  "item/mcpToolCall/progress": z.looseObject({ itemId: z.string(), message: z.string() }),
  "turn/plan/updated": z.looseObject({ plan: z.array(z.looseObject({ step: z.string(), status })) }),
  "thread/tokenUsage/updated": z.looseObject({
    tokenUsage: z.looseObject({ total: counts, last: counts, modelContextWindow: maybe(z.number()) }),
  }),
  "thread/settings/updated": z.looseObject({ threadSettings: z.looseObject({ model: words, effort: words }) }),
  "thread/name/updated": z.looseObject({ threadName: words }),
  "thread/closed": anything,
  "thread/compacted": anything,
  "serverRequest/resolved": z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
  "account/rateLimits/updated": z.looseObject({
    rateLimits: z.looseObject({ primary: limitWindow, secondary: limitWindow, rateLimitReachedType: words }),
  }),
  "model/rerouted": z.looseObject({ fromModel: z.string(), toModel: z.string(), reason: words }),
  "mcpServer/startupStatus/updated": z.looseObject({ name: z.string(), status, error: words }),
  "hook/completed": z.looseObject({ run: z.looseObject({ eventName: words, status, statusMessage: words }) }),
  "account/login/completed": z.looseObject({ success: z.boolean().catch(false), error: words }),
  error: z.looseObject({
    error: z.looseObject({ message: z.string().catch(""), additionalDetails: words }),
    willRetry: z.boolean().catch(false),
  }),
  warning: z.looseObject({ message: z.string() }),
  guardianWarning: z.looseObject({ message: z.string() }),
  configWarning: z.looseObject({ summary: z.string(), details: words }),
  deprecationNotice: z.looseObject({ summary: z.string(), details: words }),
} as const;

export type CodexNoticeMethod = keyof typeof codexNotices;
export type CodexNotice<Method extends CodexNoticeMethod> = z.infer<(typeof codexNotices)[Method]>;

const asked = { itemId: z.string(), reason: words };
const paths = maybe(z.array(z.string()));

/** What codex wants from the user, by its method. */
export const codexRequestSchemas = {
  "item/commandExecution/requestApproval": z.looseObject({
    ...asked,
    kind: words,
    command: words,
    cwd: words,
    networkApprovalContext: maybe(z.looseObject({ host: z.string(), protocol: words })),
    /** Words, or an object with the decision as its one key. */
    availableDecisions: maybe(z.array(z.unknown())),
  }),
  "item/fileChange/requestApproval": z.looseObject({ ...asked, grantRoot: words }),
  "item/permissions/requestApproval": z.looseObject({
    ...asked,
    cwd: words,
    permissions: z.looseObject({
      network: maybe(z.looseObject({ enabled: maybe(z.boolean()) })),
      fileSystem: maybe(z.looseObject({ read: paths, write: paths, entries: maybe(z.array(anything)) })),
    }),
  }),
  "item/tool/requestUserInput": z.looseObject({
    ...asked,
    autoResolutionMs: maybe(z.number()),
    questions: z.array(
      z.looseObject({
        id: z.string(),
        header: words,
        question: z.string(),
        isOther: maybe(z.boolean()),
        isSecret: maybe(z.boolean()),
        options: maybe(z.array(z.looseObject({ label: z.string(), description: words }))),
      }),
    ),
  }),
  "mcpServer/elicitation/request": z.looseObject({
    serverName: z.string().catch(""),
    mode: words,
    message: z.string().catch(""),
    url: words,
    requestedSchema: maybe(anything),
    _meta: maybe(anything),
  }),
} as const;

export type CodexRequestMethod = keyof typeof codexRequestSchemas;
export type CodexRequest<Method extends CodexRequestMethod> = z.infer<(typeof codexRequestSchemas)[Method]>;

const thread = z.looseObject({
  id: z.string(),
  cwd: words,
  preview: words,
  name: words,
  updatedAt: maybe(z.number()),
});

/** What comes back, by the method that was called. */
export const codexResultSchemas = {
  thread: z.looseObject({ thread, model: words, cwd: words, reasoningEffort: words }),
  "turn/start": z.looseObject({ turn: z.looseObject({ id: z.string() }) }),
  "thread/turns/list": z.looseObject({ data: z.array(turn).catch([]) }),
  "thread/list": z.looseObject({ data: z.array(thread).catch([]) }),
  "model/list": z.looseObject({
    data: z
      .array(
        z.looseObject({
          model: z.string(),
          displayName: words,
          description: words,
          hidden: maybe(z.boolean()),
          supportedReasoningEfforts: maybe(z.array(z.looseObject({ reasoningEffort: z.string(), description: words }))),
        }),
      )
      .catch([]),
  }),
} as const;

export type CodexThread = z.infer<typeof codexResultSchemas.thread>;
export type CodexTurn = z.infer<typeof turn>;
export type CodexModel = z.infer<(typeof codexResultSchemas)["model/list"]>["data"][number];
