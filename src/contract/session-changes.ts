// A hosted session as it travels: a snapshot of its state, numbered changes of it, closed blocks of its transcript, and what a
// view may want of it.
//
//   event: hello         who this is, the daemon's clock, the number of this protocol     (first, on every connection)
//   event: continuation  every change after Last-Event-ID follows
//   event: snapshot      the state; a part of the transcript follows, then `caught-up`
//   event: history       closed blocks, the oldest first                                  id: 1700…042~
//   event: caught-up     the snapshot is whole with this; from here on changes follow     id: 1700…042
//   (no name)            a list of changes                                                id: 1700…043
//   event: ended         the agent has ended, and how                                     (last)
import * as z from "zod";
import { askSchema, auditRecordSchema } from "./asks.js";
import { fileChangeSchema } from "./file-change.js";
import { hostedSessionSchema } from "./hosted-sessions.js";
import { linesCommandSchema } from "./lines-commands.js";
import { sessionEventSchema } from "./session-events.js";

const level = z.enum(["info", "warn", "error", "success"]);
const outcome = auditRecordSchema.shape.outcome;
const delivery = auditRecordSchema.shape.delivery.unwrap().shape.result;

function block<Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) {
  return z.looseObject({ kind: z.literal(kind), id: z.string(), ...shape });
}

const blockSchema = z.discriminatedUnion("kind", [
  block("prompt", { text: z.string() }),
  block("prose", { text: z.string() }),
  block("thinking", { text: z.string() }),
  block("image", { mimeType: z.string(), base64: z.string() }),
  block("tool", {
    toolCallId: z.string(),
    name: z.string(),
    args: z.unknown(),
    output: z.string(),
    phase: z.enum(["waiting", "running", "done", "failed", "stopped"]),
    startedAtMs: z.number().nullable(),
    endedAtMs: z.number().nullable(),
    changes: z.array(fileChangeSchema).optional(),
    trust: z.literal("untrusted").optional(),
    approval: z.string().optional(),
    diff: z.string().optional(),
  }),
  block("asked", { title: z.string(), outcome: z.string() }),
  block("notice", { level, text: z.string() }),
  block("log", { text: z.string() }),
]);

const blockChangeSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("opened"), block: blockSchema }),
  z.looseObject({ type: z.literal("grew"), id: z.string(), delta: z.string() }),
  z.looseObject({ type: z.literal("replaced"), block: blockSchema }),
  z.looseObject({ type: z.literal("closed"), block: blockSchema }),
]);

const factsSchema = z.looseObject({
  phase: z.enum(["starting", "idle", "working", "ended"]),
  workingSinceMs: z.number().nullable(),
  stoppingSinceMs: z.number().nullable().default(null),
  workingMessage: z.string().nullable(),
  isCounted: z.boolean().optional(),
  model: z.string().nullable(),
  status: z.array(z.looseObject({ key: z.string(), text: z.string() })),
  widgets: z.array(
    z.looseObject({ key: z.string(), lines: z.array(z.string()), placement: z.enum(["above", "below"]) }),
  ),
  title: z.string().nullable(),
  plan: z.array(z.looseObject({ text: z.string(), status: z.enum(["pending", "in_progress", "completed"]) })),
  commands: z.array(z.looseObject({ name: z.string(), summary: z.string(), hint: z.string().optional() })),
  settings: z.array(
    z.looseObject({
      key: z.string(),
      label: z.string(),
      kind: z.enum(["model", "mode", "other"]),
      value: z.string(),
      options: z.array(z.looseObject({ value: z.string(), label: z.string(), description: z.string().optional() })),
    }),
  ),
  usage: z.looseObject({
    tokens: z.number().nullable(),
    cost: z.number().nullable(),
    context: z.looseObject({ used: z.number(), size: z.number() }).nullable(),
  }),
  queue: z.array(z.string()),
  suggestion: z.string().nullable(),
  supports: z.array(z.string()).nullish(),
  images: z.boolean().optional(),
});

const entryShape = {
  key: z.number(),
  id: z.string(),
  name: z.string(),
  unread: z.number(),
  cwd: z.string().nullable(),
};
const entrySchema = z.looseObject(entryShape);
const noticeSchema = z.looseObject({ atMs: z.number(), level, text: z.string() });
const by = z.string().nullable();

export const changeSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("block"), session: z.number(), change: blockChangeSchema }),
  z.looseObject({ type: z.literal("facts"), session: z.number(), facts: factsSchema.partial() }),
  z.looseObject({ type: z.literal("sessions"), sessions: z.array(entrySchema), active: z.string() }),
  z.looseObject({ type: z.literal("notice"), notice: noticeSchema }),
  z.looseObject({ type: z.literal("ask.raised"), ask: askSchema, atMs: z.number() }),
  z.looseObject({ type: z.literal("ask.settled"), ask: askSchema, outcome }),
  z.looseObject({ type: z.literal("ask.finished"), ask: askSchema, outcome, delivery: delivery.nullable() }),
  z.looseObject({ type: z.literal("session.started"), id: z.string() }),
  z.looseObject({ type: z.literal("session.switched"), from: z.number(), to: z.number() }),
  z.looseObject({ type: z.literal("session.gone"), session: z.number(), entry: entrySchema, place: z.number() }),
  z.looseObject({ type: z.literal("composer"), session: z.number(), text: z.string(), by }),
  z.looseObject({ type: z.literal("reply"), command: z.string(), answer: z.record(z.string(), z.unknown()), by }),
  z.looseObject({ type: z.literal("agent"), change: z.enum(["opened", "closed"]), words: z.array(z.string()) }),
]);

export const snapshotSchema = z.looseObject({
  sessions: z.array(z.looseObject({ ...entryShape, facts: factsSchema, open: z.array(blockSchema) })),
  active: z.string(),
  asks: z.array(z.looseObject({ ask: askSchema, askedAtMs: z.number(), shownAtMs: z.number().nullable() })),
  /** The last outcomes, so that a view which was away can tell how its asks ended. */
  settled: z.array(z.looseObject({ askId: z.string(), outcome })),
  notices: z.array(noticeSchema),
  /** What was said before this number is read with `GET /sessions/:id/transcript`; null when all of it follows. */
  earlier: z.number().int().nullable(),
});

/** A closed block under the number of the change that closed it. `session` is the agent's name for the session, if it has one. */
export const historyItemSchema = z.looseObject({
  seq: z.number().int(),
  session: z.string().nullable(),
  block: blockSchema,
});

const historySchema = z.array(historyItemSchema);

/** A line of a transcript that Palaver 0.1 wrote. */
export const oldTranscriptLineSchema = z.union([
  z.looseObject({ event: sessionEventSchema }),
  z.looseObject({ settled: z.looseObject({ ask: askSchema, outcome }) }),
]);

/** A part of a transcript, the oldest block first. */
export const transcriptPageSchema = z.looseObject({
  items: historySchema,
  /** Where the part before this one ends; null at the beginning. */
  earlier: z.number().int().nullable(),
});

export const helloSchema = z.looseObject({
  session: hostedSessionSchema,
  at_ms: z.number(),
  protocol: z.number().int(),
});

const images = z
  .array(z.object({ data: z.string(), mime_type: z.string() }))
  .readonly()
  .optional();

/** What a view elsewhere may want. What only one view sees, it does itself. */
const intentSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("submit"), text: z.string(), context: z.string().optional(), images }),
  z.object({ type: z.literal("abort") }),
  z.object({ type: z.literal("reset") }),
  z.object({ type: z.literal("save") }),
  z.object({ type: z.literal("stats") }),
  z.object({ type: z.literal("queue.remove"), text: z.string().optional() }),
  z.object({ type: z.literal("queue.take-back"), text: z.string().optional() }),
  z.object({ type: z.literal("suggestion.take") }),
  z.object({ type: z.literal("activate"), id: z.string() }),
  z.object({ type: z.literal("close"), id: z.string() }),
  z.object({ type: z.literal("answer"), askId: z.string(), value: z.unknown() }),
  z.object({ type: z.literal("cancel"), askId: z.string() }),
  /** The view has drawn the ask. */
  z.object({ type: z.literal("shown"), askId: z.string() }),
  /** A command of the lines wire that has no intent of its own. */
  z.object({ type: z.literal("command"), command: linesCommandSchema }),
]);

export const intentParamsSchema = z.looseObject({ intent: intentSchema });

/** "delivered": the agent has it. A refusal says why, and of an ask that was settled before it says how. */
export const intentResultSchema = z.looseObject({
  result: z.enum(["accepted", "delivered", "refused"]),
  why: z.enum(["late", "unknown ask", "unfit", "queue full", "ended"]).optional(),
  outcome: outcome.optional(),
});

export type SessionIntent = z.infer<typeof intentSchema>;
export type OldTranscriptLine = z.infer<typeof oldTranscriptLineSchema>;
export type IntentResult = z.infer<typeof intentResultSchema>;
