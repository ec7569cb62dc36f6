// A value and a schema: what fits, what does not and where, and which schemas are refused before anything runs.
import { describe, expect, test } from "vitest";
import { type JsonSchema, schemaProblem, unusableSchema } from "../../src/session/json-schema-check.js";

const person: JsonSchema = {
  type: "object",
  properties: { name: { type: "string", minLength: 2 }, age: { type: "integer", minimum: 0 } },
  required: ["name"],
  additionalProperties: false,
};

const tree: JsonSchema = {
  $ref: "#/$defs/node",
  $defs: { node: { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/node" } } } } },
};

describe("a value fits its schema or says where not", () => {
  test.each<[JsonSchema, unknown, string | null]>([
    [person, { name: "Ada", age: 3 }, null],
    [person, { age: 3 }, '"name" is missing'],
    [person, { name: "A" }, "/name must have at least 2 characters"],
    [person, { name: "Ada", age: 1.5 }, "/age must be integer"],
    [person, { name: "Ada", age: -1 }, "/age must be at least 0"],
    [person, { name: "Ada", x: 1 }, '"x" is not allowed'],
    [person, [], "must be object"],
    [{ type: ["string", "null"] }, null, null],
    [{ type: ["string", "null"] }, 1, "must be string or null"],
    [{ enum: ["a", { b: 1, c: 2 }] }, { c: 2, b: 1 }, null],
    [{ enum: ["a"] }, "b", 'must be one of ["a"]'],
    [{ const: 3 }, 3, null],
    [{ type: "array", items: { type: "number" }, minItems: 1, maxItems: 2 }, [1, "2"], "/1 must be number"],
    [{ type: "array", minItems: 1 }, [], "must have at least 1 items"],
    [{ prefixItems: [{ type: "string" }], items: { type: "number" } }, ["a", 1, 2], null],
    [{ prefixItems: [{ type: "string" }], items: { type: "number" } }, ["a", "b"], "/1 must be number"],
    [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], "must not have the same item twice"],
    [{ type: "string", pattern: "^v\\d" }, "v1", null],
    [{ type: "string", pattern: "^v\\d" }, "1", "must match the pattern ^v\\d"],
    [{ exclusiveMaximum: 3 }, 3, "must be less than 3"],
    [{ multipleOf: 5 }, 12, "must be a multiple of 5"],
    [{ anyOf: [{ type: "string" }, { type: "number" }] }, true, "matches none of the alternatives"],
    [{ oneOf: [{ type: "number" }, { type: "integer" }] }, 1, "must match exactly one of the alternatives"],
    [{ allOf: [{ type: "number" }, { minimum: 2 }] }, 1, "must be at least 2"],
    [{ not: { type: "string" } }, "a", "must not match the schema in `not`"],
    [{ additionalProperties: { type: "number" } }, { a: "b" }, "/a must be number"],
    [tree, { children: [{ children: [] }] }, null],
    [tree, { children: [{ children: 1 }] }, "/children/0/children must be array"],
    [true, 1, null],
    [false, 1, "nothing is allowed here"],
    [{ $ref: "#/$defs/none" }, 1, "the schema refers to #/$defs/none, which is not in it"],
    [{ $ref: "#" }, 1, "the schema refers to itself without end"],
    [{ properties: { toString: { type: "number" } } }, {}, null],
  ])("%#", (schema, value, expected) => {
    expect(schemaProblem(value, schema)).toBe(expected);
  });
});

describe("a schema that cannot be judged is refused", () => {
  test.each<[unknown, string]>([
    [{ patternProperties: {} }, '"patternProperties" is not supported'],
    [{ properties: { a: { if: {} } } }, '"if" at /properties/a is not supported'],
    [{ anyOf: [{ dependentRequired: {} }] }, '"dependentRequired" at /anyOf/0'],
    ["text", "the schema must be an object"],
  ])("%j", (schema, words) => {
    expect(unusableSchema(schema)).toContain(words);
  });

  test("one of the usual kind is not", () => {
    expect(unusableSchema({ $schema: "x", title: "T", ...(person as object), ...(tree as object) })).toBeNull();
  });
});
