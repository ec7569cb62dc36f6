// Sessions that live in a daemon, as they are listed, started, ended and kept; `session-changes.ts` has what happens in them.
import * as z from "zod";
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

export const endSessionResultSchema = z.object({ state: z.enum(["ended", "forgotten"]) });

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
export type SessionRecord = z.infer<typeof sessionRecordSchema>;
export type AgentEnd = z.infer<typeof agentEndSchema>;
