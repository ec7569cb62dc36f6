// A file as it was and as it is, or would be. Tools report it, approvals ask for it; the screen makes the diff.
import * as z from "zod";

export const fileChangeSchema = z
  .object({
    path: z.string(),
    /** Null for a new file. */
    oldText: z.string().nullable(),
    newText: z.string(),
  })
  .meta({ id: "FileChange" });

export type FileChange = z.infer<typeof fileChangeSchema>;
