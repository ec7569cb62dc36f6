// The examples that the schemas carry, as [type, example] pairs for tests and for the generated pages.
import type * as z from "zod";

export function examplesOf(schemas: readonly z.ZodType[]): [string, Record<string, unknown>][] {
  return schemas.flatMap((schema) => {
    const meta = schema.meta() as { examples?: Record<string, unknown>[] } | undefined;
    const own = meta?.examples ?? [];
    const branches = "options" in schema ? examplesOf(schema.options as z.ZodType[]) : [];
    return [
      ...own.map((example): [string, Record<string, unknown>] => [String(example.type ?? example.method), example]),
      ...branches,
    ];
  });
}
