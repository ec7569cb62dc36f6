// Validates the final answer of an agent against a JSON Schema: types, enum, const, objects, lists, texts, numbers, combinations
// and local references. A schema with any other rule is refused before anything runs.
// Not a library: those we measured run any pattern an answer brings, and pass over misspelt words of a schema in silence.
import { canonicalJson, isRecord } from "../contract/json-value.js";
import { plainWord } from "../contract/plain-word.js";
import { patternVerdict } from "./ask-pattern.js";

export type JsonSchema = boolean | Readonly<Record<string, unknown>>;

/** How deep a value and its schema may go into each other: beyond it is a reference that never ends. */
const LEVELS_MAX = 200;

/** Words about a schema; they say nothing about a value. */
const ANNOTATIONS = new Set(
  "$schema $id $anchor $comment $defs definitions title description default examples format deprecated readOnly writeOnly contentEncoding contentMediaType".split(
    " ",
  ),
);

type Rule = (value: unknown, wanted: unknown, at: Place) => string | null;
type JsonRecord = Readonly<Record<string, unknown>>;

interface Place {
  readonly root: JsonSchema;
  readonly schema: JsonRecord;
  readonly path: string;
  readonly level: number;
}

/** What is wrong with the value, with its place in it; null when it fits. */
export function schemaProblem(value: unknown, schema: JsonSchema): string | null {
  return check(value, schema, { root: schema, path: "", level: 0 });
}

/** Why this schema cannot be used here; null when it can. */
export function unusableSchema(schema: unknown, path = ""): string | null {
  if (typeof schema === "boolean") return null;
  if (!isRecord(schema)) return `${path || "the schema"} must be an object`;
  for (const [word, wanted] of Object.entries(schema)) {
    if (!ANNOTATIONS.has(word) && RULES[word] === undefined && word !== "additionalProperties") {
      return `"${word}"${path === "" ? "" : ` at ${path}`} is not supported; ${supportedWords()}`;
    }
    for (const [name, inner] of subschemas(word, wanted)) {
      const problem = unusableSchema(inner, `${path}/${word}${name}`);
      if (problem !== null) return problem;
    }
  }
  return null;
}

function supportedWords(): string {
  return `supported are ${Object.keys(RULES).join(", ")} and additionalProperties`;
}

function subschemas(word: string, wanted: unknown): [name: string, schema: unknown][] {
  if (word === "properties" || word === "$defs" || word === "definitions") {
    return isRecord(wanted) ? Object.entries(wanted).map(([name, inner]) => [`/${name}`, inner]) : [];
  }
  if (Array.isArray(wanted) && /^(?:allOf|anyOf|oneOf|prefixItems)$/.test(word)) {
    return wanted.map((inner, index) => [`/${index}`, inner]);
  }
  return word === "items" || word === "not" || word === "additionalProperties" ? [["", wanted]] : [];
}

function check(value: unknown, schema: unknown, at: Omit<Place, "schema">): string | null {
  if (schema === true) return null;
  if (schema === false || !isRecord(schema)) return said(at.path, "nothing is allowed here");
  if (at.level > LEVELS_MAX) return said(at.path, "the schema refers to itself without end");
  for (const [word, wanted] of Object.entries(schema)) {
    const problem = RULES[word]?.(value, wanted, { ...at, schema }) ?? null;
    if (problem !== null) return problem;
  }
  return strangerProblem(value, schema, at);
}

const inner = (at: Place, step: string | number = ""): Omit<Place, "schema"> => ({
  root: at.root,
  path: step === "" ? at.path : `${at.path}/${step}`,
  level: at.level + 1,
});

const forTexts =
  (rule: (text: string, wanted: unknown) => string | null): Rule =>
  (value, wanted, at) =>
    typeof value === "string" ? placed(at, rule(value, wanted)) : null;

const forNumbers =
  (rule: (number: number, wanted: number) => boolean, words: string): Rule =>
  (value, wanted, at) =>
    typeof value === "number" && typeof wanted === "number" && !rule(value, wanted)
      ? said(at.path, `must be ${words} ${wanted}`)
      : null;

const forLists =
  (rule: (list: readonly unknown[], wanted: unknown, at: Place) => string | null): Rule =>
  (value, wanted, at) =>
    Array.isArray(value) ? rule(value, wanted, at) : null;

const count = (actual: number, wanted: unknown, how: "least" | "most", noun: string): string | null => {
  const isWrong = typeof wanted === "number" && (how === "least" ? actual < wanted : actual > wanted);
  return isWrong ? `must have at ${how} ${wanted} ${noun}` : null;
};

const RULES: Readonly<Record<string, Rule>> = {
  $ref: (value, wanted, at) => {
    const target = resolved(at.root, plainWord(wanted));
    return target === undefined
      ? said(at.path, `the schema refers to ${plainWord(wanted)}, which is not in it`)
      : check(value, target, inner(at));
  },
  type: (value, wanted, at) => {
    const types: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
    return types.some((type) => isOfType(value, type)) ? null : said(at.path, `must be ${types.join(" or ")}`);
  },
  enum: (value, wanted, at) =>
    Array.isArray(wanted) && wanted.some((each) => isSame(each, value))
      ? null
      : said(at.path, `must be one of ${JSON.stringify(wanted)}`),
  const: (value, wanted, at) => (isSame(value, wanted) ? null : said(at.path, `must be ${JSON.stringify(wanted)}`)),
  properties: (value, wanted, at) => {
    if (!isRecord(value) || !isRecord(wanted)) return null;
    return first(Object.entries(wanted), ([name, schema]) =>
      Object.hasOwn(value, name) ? check(value[name], schema, inner(at, name)) : null,
    );
  },
  required: (value, wanted, at) => {
    if (!isRecord(value) || !Array.isArray(wanted)) return null;
    const missing = wanted.find((name) => !Object.hasOwn(value, plainWord(name)));
    return missing === undefined ? null : said(at.path, `"${missing}" is missing`);
  },
  minProperties: (value, wanted, at) =>
    isRecord(value) ? placed(at, count(Object.keys(value).length, wanted, "least", "fields")) : null,
  maxProperties: (value, wanted, at) =>
    isRecord(value) ? placed(at, count(Object.keys(value).length, wanted, "most", "fields")) : null,
  prefixItems: forLists((list, wanted, at) =>
    first(Array.isArray(wanted) ? [...wanted.entries()] : [], ([index, schema]) =>
      index < list.length ? check(list[index], schema, inner(at, index)) : null,
    ),
  ),
  items: forLists((list, wanted, at) => {
    const { prefixItems } = at.schema;
    const from = Array.isArray(prefixItems) ? prefixItems.length : 0;
    return first([...list.entries()].slice(from), ([index, item]) => check(item, wanted, inner(at, index)));
  }),
  minItems: forLists((list, wanted, at) => placed(at, count(list.length, wanted, "least", "items"))),
  maxItems: forLists((list, wanted, at) => placed(at, count(list.length, wanted, "most", "items"))),
  uniqueItems: forLists((list, wanted, at) => {
    const isTwice = wanted === true && new Set(list.map(canonicalJson)).size < list.length;
    return isTwice ? said(at.path, "must not have the same item twice") : null;
  }),
  minLength: forTexts((text, wanted) => count(Array.from(text).length, wanted, "least", "characters")),
  maxLength: forTexts((text, wanted) => count(Array.from(text).length, wanted, "most", "characters")),
  pattern: forTexts((text, wanted) => {
    const verdict = patternVerdict(plainWord(wanted), text);
    if (verdict === "unchecked") return `cannot be checked: the pattern ${plainWord(wanted)} could take too long`;
    return verdict === "fits" ? null : `must match the pattern ${plainWord(wanted)}`;
  }),
  minimum: forNumbers((number, wanted) => number >= wanted, "at least"),
  maximum: forNumbers((number, wanted) => number <= wanted, "at most"),
  exclusiveMinimum: forNumbers((number, wanted) => number > wanted, "more than"),
  exclusiveMaximum: forNumbers((number, wanted) => number < wanted, "less than"),
  multipleOf: forNumbers((number, wanted) => Number.isInteger(number / wanted), "a multiple of"),
  allOf: (value, wanted, at) => first(listOf(wanted), (schema) => check(value, schema, inner(at))),
  anyOf: (value, wanted, at) =>
    fitting(value, wanted, at) > 0 ? null : said(at.path, "matches none of the alternatives"),
  oneOf: (value, wanted, at) =>
    fitting(value, wanted, at) === 1 ? null : said(at.path, "must match exactly one of the alternatives"),
  not: (value, wanted, at) =>
    check(value, wanted, inner(at)) === null ? said(at.path, "must not match the schema in `not`") : null,
};

function fitting(value: unknown, wanted: unknown, at: Place): number {
  return listOf(wanted).filter((schema) => check(value, schema, inner(at)) === null).length;
}

function strangerProblem(value: unknown, schema: JsonRecord, at: Omit<Place, "schema">): string | null {
  const { properties, additionalProperties } = schema;
  if (additionalProperties === undefined || !isRecord(value)) return null;
  const known = isRecord(properties) ? properties : {};
  const strangers = Object.keys(value).filter((name) => !Object.hasOwn(known, name));
  if (additionalProperties === false) {
    return strangers[0] === undefined ? null : said(at.path, `"${strangers[0]}" is not allowed`);
  }
  return first(strangers, (name) =>
    check(value[name], additionalProperties, { ...at, path: `${at.path}/${name}`, level: at.level + 1 }),
  );
}

// Only what stands in the schema itself: "#", "#/$defs/name".
function resolved(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  let target: unknown = root;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const name = part.replaceAll("%25", "%").replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(target)) target = target[Number(name)];
    else target = isRecord(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return target;
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

function first<Item>(items: Iterable<Item>, problemOf: (item: Item) => string | null): string | null {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== null) return problem;
  }
  return null;
}

function placed({ path }: Place, problem: string | null): string | null {
  return problem === null ? null : said(path, problem);
}

function said(path: string, words: string): string {
  return path === "" ? words : `${path} ${words}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
