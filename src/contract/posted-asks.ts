// An ask that a program posts to a daemon, and the stream that reports its outcome. The ask stays open as long as the request;
// closing the connection withdraws it. A program that chooses the id itself may lose the daemon, or even be started again: it posts
// the same id and gets the outcome, or waits again.
//
//   POST /asks  →  event: asked    {"id": "p1f2e3d4c"}
//                  : waiting                                     a comment now and then keeps the connection open
//                  event: settled  {"kind": "answered", "value": "pnpm", "by": "ada"}
import * as z from "zod";
import { askSchema, auditRecordSchema } from "./asks.js";

export const postedAskParamsSchema = z.looseObject({
  question: askSchema.shape.question,
  /** Chosen by the program, never used before. The ask survives the daemon: the program posts it again to the next one. */
  id: z
    .string()
    .regex(/^p[0-9a-f]{16}$/)
    .optional(),
  /** With an id: the program may be started again, so that the ask stays open without it; DELETE /asks/ID takes it back. */
  returns: z.boolean().optional(),
  /** The program that asks; untrusted text like the question. */
  origin: askSchema.shape.origin.optional(),
  /** How long the program waits; without it, for as long as it takes. */
  timeout_ms: z.number().positive().optional(),
  /** The program keeps the record of this ask itself, so that the daemon does not. */
  history: z.literal("asker").optional(),
});

/** The question is open under this id from now on. */
export const askedEventSchema = z.looseObject({ id: z.string() });

/** The outcome; the stream ends after it. It includes a secret answer, because the program asked for it. */
export const settledEventSchema = auditRecordSchema.shape.outcome;

export type PostedAskParams = z.infer<typeof postedAskParamsSchema>;
