// One line of the history of asks on disk: what was asked, what was shown, who or what answered, and when the agent had it.
import * as z from "zod";
import { auditRecordSchema } from "./asks.js";

export const askHistoryEntrySchema = auditRecordSchema
  .pick({ askId: true, sessionId: true, kind: true, title: true, about: true, outcome: true })
  .extend({
    agent: z.string(),
    folder: z.string(),
    askedAt: z.iso.datetime(),
    /** Null when no view drew it. */
    shownAt: z.iso.datetime().nullable(),
    settledAt: z.iso.datetime(),
    /** Null when there was nothing to deliver, or when it was lost. */
    deliveredAt: z.iso.datetime().nullable(),
    delivery: z.enum(["delivered", "lost", "none"]),
  });

export type AskHistoryEntry = z.infer<typeof askHistoryEntrySchema>;
