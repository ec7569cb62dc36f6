// A question that a program posts to a daemon, and its outcome. It lives as long as the request: a disconnect withdraws it.
//
//   POST /asks  →  event: asked    {"id": "p1f2e3d4c"}
//                  : waiting                                     a heartbeat
//                  event: settled  {"kind": "answered", "value": "pnpm", "by": "ada"}
import * as z from "zod";
import { askSchema, auditRecordSchema } from "./asks.js";

export const postedAskParamsSchema = z.looseObject({
  question: askSchema.shape.question,
  /** Who asks; untrusted, like the question. */
  origin: askSchema.shape.origin.optional(),
  /** How long the program waits; without it, for as long as it takes. */
  timeout_ms: z.number().positive().optional(),
});

/** The question is open under this id from now on. */
export const askedEventSchema = z.looseObject({ id: z.string() });

/** The one outcome; the stream ends after it. What was typed into a secret is in it: this is the one who asked. */
export const settledEventSchema = auditRecordSchema.shape.outcome;

export type PostedAskParams = z.infer<typeof postedAskParamsSchema>;
