// Fields of vendor wires, which grow with every release: a field of the wrong type counts as missing.
import type * as z from "zod";

export function maybe<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined);
}
