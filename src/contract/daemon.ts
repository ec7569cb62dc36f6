// What a daemon and its clients say to each other over HTTP: state entries, actions, log lines, answers to asks, and what
// a daemon tells about itself. Names, numbers and the order of fields are published; both ends take them from here, so
// that they cannot drift apart.
import * as z from "zod";
import { askSchema, withdrawReasonSchema } from "./asks.js";
import { handlerTypes, messageTypes } from "./handler-types.js";

const handlerTypeSchema = z
  .number()
  .int()
  .min(0)
  .max(4)
  .describe("0 shows a value, 1 takes a new one, 2 is run, 3 asks and is answered in steps, 4 only logs");

/** A newer daemon may send other numbers. */
function numbered(names: Readonly<Record<string, number>>) {
  const words = Object.entries(names).map(([name, number]) => `${number} ${name}`);
  return z.number().int().describe(words.join(", "));
}

/** One key and what it does, as `{ "L": "Large" }`; several of them are a list, because their order matters. */
const shortcutSchema = z.record(z.string(), z.string());

// `shortcut` is the key to dispatch by: the handler's name where that is enough, else "TAB/NAME".
const stateEntrySchema = z.object({
  tab_title: z.string(),
  handler_name: z.string(),
  handler_color: z.string(),
  handler_type: handlerTypeSchema,
  label: z.string(),
  value: z.string(),
  shortcut: z.string(),
  shortcuts: z.array(shortcutSchema).nullable(),
  /** Of the daemon, where entries of several daemons stand together. */
  program: z.string().optional(),
});

export const stateSchema = z.array(stateEntrySchema);

/** Whether a daemon runs this handler for the key. */
export function hasKey({ shortcut, handler_name: name, shortcuts }: StateEntry, key: string): boolean {
  return shortcut === key || name === key || (shortcuts ?? []).some((one) => Object.hasOwn(one, key));
}

export const ACTION_WAIT_MS = 5_000;
export const ACTION_WAIT_MS_MAX = 3_600_000;

/** Users type text, but scripts also send numbers and booleans; a handler gets either as text. */
export const actionParamsSchema = z.looseObject({
  key: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  /** Instead of an action: Esc in the handler's field. */
  cancel: z.boolean().optional(),
  /** How long to wait for the handler. */
  wait_ms: z.number().int().min(0).max(ACTION_WAIT_MS_MAX).optional(),
});

/** `running`: the handler had not finished when the wait was over. */
export const actionResultSchema = z.object({ applied: z.string(), running: z.literal(true).optional() });

/** A user has opened this tab. */
export const tabParamsSchema = z.looseObject({ title: z.string().min(1) });

export const tabResultSchema = z.object({ active: z.string() });

/** One line of the log. Other fields may come with it; `id` grows from line to line, over restarts too. */
export const logEntrySchema = z.looseObject({
  id: z.string(),
  /** Local time, HH:MM:SS. */
  timestamp: z.string(),
  content: z.string(),
  type: numbered(messageTypes),
  tab_title: z.string(),
  handler_name: z.string(),
  handler_color: z.string(),
  handler_type: numbered(handlerTypes),
  at_ms: z.number().optional(),
  /** The line opens a progress that a later line of the same handler closes. */
  is_progress: z.boolean().optional(),
  is_complete: z.boolean().optional(),
  /** The handler wants every line shown, not only its newest. */
  streaming: z.boolean().optional(),
  /** In a notice: how many lines this client did not get because it reads too slowly. */
  lost: z.number().int().optional(),
});

/** Events of the log stream that have a name; a log line has none. */
export type StreamEventName = "refresh" | "asks" | "lost";

/** What a stream sends when the state changed. Older daemons send it without a name. */
export const refreshSignalSchema = z.object({ handler_type: z.literal(0) });

export const versionSchema = z.looseObject({ version: z.string() });

export const healthSchema = z.looseObject({
  status: z.enum(["ok", "stopping"]),
  pid: z.number().int(),
  version: z.string(),
  project: z.string(),
  uptime_ms: z.number(),
  log_clients: z.number().int(),
});

/** A daemon's answer to a nonce: its identity, with a digest of everything under the token. */
export const proofSchema = z.looseObject({
  program: z.string(),
  version: z.string(),
  pid: z.number().int(),
  proof: z.string(),
});

export const refusalSchema = z.object({ error: z.string() });

export const asksSchema = z.array(askSchema);

/** Exactly one of the two: an answer, or a cancel. `by` names who answers, for the record and for the others. */
export const answerParamsSchema = z.looseObject({
  value: z.unknown().optional(),
  cancel: z.literal(true).optional(),
  by: z.string().max(80).optional(),
});

/** How an ask ended. A value is never repeated here: it went to the agent. */
export const answerResultSchema = z.object({
  outcome: z.enum(["answered", "cancelled", "expired", "withdrawn"]),
  by: z.string().optional(),
  reason: withdrawReasonSchema.optional(),
});

/** The file by which a project's daemon is found. */
export const daemonRecordSchema = z.looseObject({
  pid: z.number().int().positive(),
  url: z.string(),
  program: z.string(),
  version: z.string(),
  project: z.string(),
  started_at_ms: z.number(),
});

export type StateEntry = z.infer<typeof stateEntrySchema>;
export type LogEntry = z.infer<typeof logEntrySchema>;
export type DaemonHealth = z.infer<typeof healthSchema>;
export type AnswerParams = z.infer<typeof answerParamsSchema>;
export type AnswerResult = z.infer<typeof answerResultSchema>;
export type DaemonRecord = z.infer<typeof daemonRecordSchema>;
