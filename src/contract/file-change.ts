// A file as it was and as it is, or would be. Tools report it, approvals ask for it; the screen makes the diff.
import * as z from "zod";

export const fileChangeSchema = z
  .object({
    path: z.string().describe("The file."),
    oldText: z.string().nullable().describe("Null for a new file."),
    newText: z.string().describe("What it has, or would have."),
  })
  .meta({ id: "FileChange" });

export type FileChange = z.infer<typeof fileChangeSchema>;
