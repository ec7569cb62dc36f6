// Sessions in a daemon, as they are listed, started, ended and kept; `session-changes.ts` has what happens in them.
import * as z from "zod";
import { wireNames } from "./wire-names.js";

const protocolSchema = z.enum([...wireNames, "detect"]);

export const hostedProtocols = protocolSchema.options;

export const hostedSessionSchema = z.looseObject({
  id: z.string(),
  /** The name shown to users: that of the agent, or the agent's name for the session. */
  name: z.string(),
  /** The agent's name; null for a command. */
  agent: z.string().nullable(),
  protocol: protocolSchema,
  cwd: z.string(),
  state: z.enum(["starting", "idle", "working", "ended"]),
  created_at_ms: z.number(),
  /** When something last happened in it. */
  active_at_ms: z.number(),
  /** The front ends that are attached to it now. */
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
  /** A session that has ended, to resume. */
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

/** The file from which a restarted daemon restores its sessions. */
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
  /** "running" even after the daemon has ended: the next daemon starts it again. */
  state: z.enum(["running", "ended"]),
  exit_code: z.number().int().nullable(),
  /** The agent's own id for the session, needed to resume it. */
  agent_session: z.string().nullable(),
  last_seq: z.number().int(),
});

export type HostedSessionEntry = z.infer<typeof hostedSessionSchema>;
export type StartSessionParams = z.infer<typeof startSessionParamsSchema>;
export type SessionRecord = z.infer<typeof sessionRecordSchema>;
export type AgentEnd = z.infer<typeof agentEndSchema>;
