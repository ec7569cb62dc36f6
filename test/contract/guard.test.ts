// A compiled guard says yes exactly where its schema does: the schema is the contract, the guard only its shorthand.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { agentEventSchemas } from "../../src/contract/agent-events.js";
import { compileGuard } from "../../src/contract/guard.js";
import { linesCommandSchemas } from "../../src/contract/lines-commands.js";
import { linesOutputSchemas } from "../../src/contract/lines-outputs.js";
import { examplesOf } from "./schema-examples.js";

const schemas: readonly z.ZodType[] = [...linesCommandSchemas, ...linesOutputSchemas, ...agentEventSchemas];
const samples = schemas.flatMap((schema) => examplesOf([schema]).map(([type, example]) => ({ type, schema, example })));

type Mutation = { at: number; to: unknown };

/** The value with one of its places, at any depth, replaced; undefined stands for a field that is not there. */
function mutated(value: unknown, { at, to }: Mutation): unknown {
  let place = 0;
  const walk = (inner: unknown): unknown => {
    if (place++ === at) return to;
    if (Array.isArray(inner)) return inner.map(walk);
    if (typeof inner !== "object" || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, item]) => [key, walk(item)]));
  };
  return walk(value);
}

describe.each(samples)("$type", ({ schema, example }) => {
  test("is good as its example shows it", () => {
    expect(compileGuard(schema)(example)).toBe(true);
  });

  test("is good or bad to the guard as it is to the schema, whatever is changed", () => {
    const guard = compileGuard(schema);
    const to = fc.oneof(
      fc.constantFrom(undefined, null, "", "word", 0, -1, Number.NaN, true, [], {}, [[]], [{}], { type: "text" }),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ at: fc.nat(14), to }), { minLength: 1, maxLength: 2 }), (mutations) => {
        const value = mutations.reduce<unknown>(mutated, example);
        expect(guard(value)).toBe(schema.safeParse(value).success);
      }),
      { numRuns: 60 },
    );
  });
});
