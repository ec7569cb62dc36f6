// Sessions that live in a daemon, as front ends elsewhere see them over HTTP: what is listed, how one is started, and what
// its stream of events carries besides the events themselves.
//
//   event: hello        who this is, and the daemon's clock          (first, on every connection)
//   event: earlier      where the part begins that this stream leaves out (when only the end was asked for)
//   id: 1700…042        a session event                              (no name)
//   id: 1700…043        event: settled: an ask found its end, and who settled it
//   id: 1700…050        event: caught-up: what came before is all there was; now it is live
//   event: ended        the agent is gone, and how                   (last)

import * as z from "zod";
import { askSchema, auditRecordSchema } from "./asks.js";
import { sessionEventSchema } from "./session-events.js";
import { wireNames } from "./wire-names.js";

const protocolSchema = z.enum([...wireNames, "detect"]);

export const hostedProtocols = protocolSchema.options;

export const hostedSessionSchema = z.looseObject({
  id: z.string(),
  /** What a person calls it: its agent, or what the agent calls the session. */
  name: z.string(),
  /** The name the agent is known by; null for a command of one's own. */
  agent: z.string().nullable(),
  protocol: protocolSchema,
  cwd: z.string(),
  state: z.enum(["starting", "idle", "working", "ended"]),
  created_at_ms: z.number(),
  /** When something last happened in it. */
  active_at_ms: z.number(),
  /** The front ends that look at it now. */
  front_ends: z.array(z.string()),
  open_asks: z.number().int(),
  exit_code: z.number().int().nullable(),
});

export const hostedSessionsSchema = z.array(hostedSessionSchema);

/** A path or a word of a command: no system takes one with NUL in it. */
const systemText = z.string().refine((text) => !text.includes("\0"), "must not contain NUL");

/** Exactly one of agent, command and session. */
export const startSessionParamsSchema = z.looseObject({
  /** An agent by the name that the daemon's owner knows it by. */
  agent: z.string().optional(),
  /** Any program with its arguments; only where the daemon's owner allows it. */
  command: z.array(systemText).min(1).optional(),
  /** A session that has ended, to be gone on with. */
  session: z.string().optional(),
  protocol: protocolSchema.optional(),
  cwd: systemText.optional(),
  name: z.string().max(80).optional(),
});

export const commandResultSchema = z.object({ accepted: z.string() });

export const endSessionResultSchema = z.object({ state: z.enum(["ended", "forgotten"]) });

/** The ask as it was shown, for clients that connect late. A secret answer is null. */
export const settledAskSchema = z.object({
  askId: z.string(),
  ask: askSchema,
  outcome: auditRecordSchema.shape.outcome,
});

export const helloSchema = z.looseObject({ session: hostedSessionSchema, at_ms: z.number() });

/** Whoever asked for the end of a session alone gets what came before this number with `GET /sessions/:id/transcript`. */
export const earlierSchema = z.looseObject({ before: z.number().int() });

/** One thing that stays for good, under its number. */
export const transcriptItemSchema = z.union([
  z.looseObject({ seq: z.number().int(), event: sessionEventSchema }),
  z.looseObject({ seq: z.number().int(), settled: settledAskSchema }),
]);

/** A piece of a transcript, the oldest first, that can be understood without what came before it. */
export const transcriptPageSchema = z.looseObject({
  items: z.array(transcriptItemSchema),
  /** Where the piece before this one ends; null at the beginning. */
  earlier: z.number().int().nullable(),
});

/** `skipped` counts the steps in between that a slow reader did not get one by one. */
export const caughtUpSchema = z.looseObject({ skipped: z.number().int() });

export const agentEndSchema = z.looseObject({
  code: z.number().int().nullable(),
  signal: z.string().nullable(),
  error: z.string().nullable(),
  stderrTail: z.string(),
});

/** The file by which a daemon that is started again finds its sessions. */
export const sessionRecordSchema = z.looseObject({
  version: z.literal(1),
  id: z.string(),
  name: z.string(),
  agent: z.string().nullable(),
  /** Null for an agent that is looked up by its name, and for a command line that held a secret. */
  command: z.array(z.string()).nullable(),
  protocol: protocolSchema,
  cwd: z.string(),
  created_at_ms: z.number(),
  active_at_ms: z.number(),
  /** "running" also after the daemon ended: then it is started again. */
  state: z.enum(["running", "ended"]),
  exit_code: z.number().int().nullable(),
  /** What the agent calls the session; by this it can be gone on with. */
  agent_session: z.string().nullable(),
  last_seq: z.number().int(),
});

export type HostedSessionEntry = z.infer<typeof hostedSessionSchema>;
export type HostedProtocol = z.infer<typeof protocolSchema>;
export type StartSessionParams = z.infer<typeof startSessionParamsSchema>;
export type SettledAsk = z.infer<typeof settledAskSchema>;
export type SessionRecord = z.infer<typeof sessionRecordSchema>;
export type TranscriptItem = z.infer<typeof transcriptItemSchema>;
export type AgentEnd = z.infer<typeof agentEndSchema>;
