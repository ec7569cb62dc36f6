// What daemons and people write into the hub. The hub itself stores bytes; these are the bytes. A question is redacted before it
// leaves its machine; an answer names the question that was read, byte for byte, and has a nonce, so that no two are the same.
import * as z from "zod";
import { askHistoryEntrySchema } from "./ask-history.js";
import { askSchema } from "./asks.js";

export const hubQuestionSchema = z.looseObject({
  version: z.literal(1),
  /** Its deadline is on the wall clock. */
  ask: askSchema,
  project: z.string(),
  askedAt: z.iso.datetime(),
  /** Why it can be answered on its machine only; null when it can be answered here. */
  onlyThere: z.enum(["secret", "too_large"]).nullable(),
});

/** Where a question was in sight, and since when, by the clock there. */
const showingSchema = z.object({ view: z.enum(["attach", "page"]), at: z.iso.datetime() });

export const hubShownSchema = showingSchema.extend({ version: z.literal(1), from: z.string().max(255) });

export const hubAnswerSchema = z.looseObject({
  version: z.literal(1),
  nonce: z.string(),
  /** The host name of the machine where it was given, by its own word. */
  from: z.string().max(255).optional(),
  /** The SHA-256 of the question's bytes, in hex. */
  question: z.string(),
  /** Missing where it was answered by a command. */
  shown: showingSchema.optional(),
  answer: z.union([z.object({ value: z.unknown() }), z.object({ cancel: z.literal(true) })]),
});

const memberShowingSchema = showingSchema.extend({ person: z.string(), from: z.string() });

/** That a question is open, and in which views of members it was shown, so that the next daemon knows. */
export const hubOpenSchema = z.looseObject({ version: z.literal(1), shown: z.array(memberShowingSchema).default([]) });

export const hubEndSchema = z.looseObject({
  version: z.literal(1),
  /** The answer of the hub that the agent was given; null when it ended in another way. */
  taken: z.object({ person: z.string(), seq: z.int(), from: z.string().optional() }).nullable(),
  /** Null when the daemon that asked was killed. */
  entry: askHistoryEntrySchema.nullable(),
  /** The views of members in which it was shown. */
  shown: z.array(memberShowingSchema).default([]),
});

/** The beat of a daemon. */
export const hubDaemonSchema = z.looseObject({
  version: z.literal(1),
  project: z.string(),
  program: z.string(),
  at: z.iso.datetime(),
});

/** A daemon that was not heard for so long is away. */
export const BEAT_MS = 30_000;
export const AWAY_AFTER_MS = 100_000;

export type HubQuestion = z.infer<typeof hubQuestionSchema>;
export type HubAnswer = z.infer<typeof hubAnswerSchema>;
export type Showing = z.infer<typeof showingSchema>;
export type HubShown = z.infer<typeof hubShownSchema>;
export type HubEnd = z.infer<typeof hubEndSchema>;
export type HubDaemon = z.infer<typeof hubDaemonSchema>;
