// Frames as the published schema of the protocol describes them: made from the schema's own text, so that whatever it allows is
// tried, whether or not an agent is known to send it.
import { readFileSync } from "node:fs";
import type { JsonObject } from "../../../../src/agents/dialects/frames/json-frame.js";

type Schema = {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly "x-deserialize-default-on-error"?: boolean;
};

/** "least": only what is required. "nulls": what may be null is. "most": everything there is. */
export type Fullness = "least" | "nulls" | "most";

export const fullnesses = ["least", "nulls", "most"] as const;

const path = new URL("../../../../node_modules/@agentclientprotocol/sdk/schema/v1/schema.json", import.meta.url);
const published = JSON.parse(readFileSync(path, "utf8")) as {
  readonly $defs: Readonly<Record<string, Schema>>;
};

const DEPTH_MAX = 7;

/** One sample for each kind that the named type has. */
export function samplesOf(name: string, fullness: Fullness): JsonObject[] {
  return all(definition(name), fullness, 0).filter((sample): sample is JsonObject => typeof sample === "object");
}

/** The fields of a type that a reader has to do without when they make no sense. */
export function forgivenFields(name: string): string[] {
  const { properties = {} } = definition(name);
  return Object.entries(properties).flatMap(([field, schema]) =>
    schema["x-deserialize-default-on-error"] === true ? [field] : [],
  );
}

function definition(name: string): Schema {
  const found = published.$defs[name];
  if (found === undefined) throw new Error(`the published schema has no ${name}`);
  return found;
}

function all(schema: Schema, fullness: Fullness, depth: number): unknown[] {
  if (schema.$ref !== undefined) return all(definition(schema.$ref.replace("#/$defs/", "")), fullness, depth);
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum !== undefined) return [...schema.enum];
  const kinds = schema.oneOf ?? schema.anyOf;
  const parts = (schema.allOf ?? []).map((part) => all(part, fullness, depth));
  const [first = []] = parts;
  // "All of one thing" is that thing, with words about it.
  if (kinds === undefined && schema.properties === undefined && parts.length > 0 && !isObject(first[0])) return first;
  const own = schema.properties === undefined ? {} : objectOf(schema, fullness, depth);
  const base = Object.assign({}, ...parts.map(([one]) => one), own);
  if (kinds === undefined) {
    return parts.length === 0 && schema.properties === undefined ? [plain(schema, fullness, depth)] : [base];
  }
  if (depth > DEPTH_MAX) return [null];
  const samples = kinds.flatMap((kind) => all(kind, fullness, depth + 1));
  const fitting = fullness === "nulls" && samples.includes(null) ? [null] : samples.filter((one) => one !== null);
  return fitting.map((one) => (isObject(one) ? { ...base, ...one } : one));
}

function objectOf({ properties = {}, required = [] }: Schema, fullness: Fullness, depth: number): JsonObject {
  const fields = Object.entries(properties).filter(([name]) => fullness !== "least" || required.includes(name));
  if (depth > DEPTH_MAX) return {};
  return Object.fromEntries(
    fields.map(([name, schema]) => {
      const [first] = all(schema, fullness, depth + 1);
      return [name, fullness === "nulls" && !required.includes(name) && mayBeNull(schema) ? null : first];
    }),
  );
}

function mayBeNull({ type, anyOf, oneOf }: Schema): boolean {
  if (Array.isArray(type)) return type.includes("null");
  return (anyOf ?? oneOf ?? []).some((one) => one.type === "null");
}

function plain({ type, items }: Schema, fullness: Fullness, depth: number): unknown {
  const word = Array.isArray(type) ? (type.find((one) => one !== "null") ?? "null") : type;
  switch (word) {
    case "string":
      return "word";
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "array":
      return items === undefined || depth > DEPTH_MAX ? [] : all(items, fullness, depth + 1);
    case "object":
      return {};
    case "null":
      return null;
    default:
      return { any: "thing" };
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
