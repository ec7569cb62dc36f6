// Values that fit a schema, made from the schema alone: every field is there, every kind of a union once, and wherever a schema
// lets somebody write words stands a word of the caller's. A field that is added to a schema tomorrow is in the samples tomorrow.
import type * as z from "zod";

/** Gives another word at each call; it knows the path of the field that it is for. */
export type Words = (path: string) => string;

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes["_zod"]["def"];

const DEPTH_MAX = 12;

/** The first one has everything in it; each of the others differs from it in one place. */
export function samplesOf(schema: Schema, words: Words, path = "", depth = 0): unknown[] {
  const def = schema._zod.def as Def;
  const inner = (one: Schema, name = "") => samplesOf(one, words, `${path}${name}`, depth + 1);
  if (depth > DEPTH_MAX) return [null];
  switch (def.type) {
    case "string":
      return [words(path)];
    case "number":
      return [1];
    case "boolean":
      return [true, false];
    case "null":
      return [null];
    case "unknown":
    case "any":
      return [anything(words, path), words(path)];
    case "literal":
      return [...def.values];
    case "enum":
      return Object.values(def.entries);
    case "optional":
    case "nullable":
    case "catch":
    case "default":
    case "readonly":
      return inner(def.innerType);
    case "array":
      return inner(def.element, "[]").map((item) => [item]);
    case "tuple":
      return [def.items.map((item, index) => inner(item, `[${index}]`)[0])];
    case "record":
      return inner(def.valueType, "{}").map((value) => ({ [words(`${path}{name}`)]: value }));
    case "union":
      return def.options.flatMap((option) => inner(option));
    case "object":
      return objects(def, words, path, depth);
    default:
      throw new Error(`There is no sample of a schema of the type ${def.type} yet, at ${path}.`);
  }
}

function objects(def: z.core.$ZodObjectDef, words: Words, path: string, depth: number): unknown[] {
  const fields = Object.entries(def.shape).map(
    ([name, schema]) => [name, samplesOf(schema, words, `${path}.${name}`, depth + 1)] as const,
  );
  // Where other fields may come along, one does.
  const strange =
    def.catchall?._zod.def.type === "unknown" ? { [words(`${path}{name}`)]: words(`${path}{value}`) } : {};
  const whole = { ...strange, ...Object.fromEntries(fields.map(([name, [first]]) => [name, first])) };
  const others = fields.flatMap(([name, [, ...rest]]) => rest.map((value) => ({ ...whole, [name]: value })));
  return [whole, ...others];
}

function anything(words: Words, path: string): unknown {
  const word = () => words(`${path}?`);
  return {
    type: "text",
    text: word(),
    command: word(),
    path: word(),
    content: [{ type: "text", text: word() }],
    [words(`${path}?{name}`)]: word(),
  };
}
