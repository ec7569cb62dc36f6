// A field of a form as a model writes it. The names are those of the contract, so that a field goes through unchanged.
import * as z from "zod";

const option = z.object({ label: z.string(), value: z.string(), description: z.string().optional() });

export const formFieldInput = z.object({
  name: z.string().min(1).describe("The key of this answer in the result."),
  label: z.string().optional().describe("What the person sees; the name when it is left out."),
  kind: z.enum(["text", "secret", "number", "confirm", "select", "multi_select"]),
  description: z.string().optional(),
  options: z.array(option).max(500).optional().describe("For select and multi_select."),
  default: z.unknown().optional(),
  placeholder: z.string().optional(),
  required: z.boolean().optional(),
  min: z.number().optional().describe("number: the smallest; multi_select: how many at least."),
  max: z.number().optional().describe("number: the largest; multi_select: how many at most."),
  integer: z.boolean().optional(),
  min_length: z.number().optional(),
  max_length: z.number().optional(),
  pattern: z.string().optional(),
  format: z.enum(["email", "uri", "date", "date-time"]).optional(),
});
