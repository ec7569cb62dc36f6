// One line ⇄ one JSON object. Decoding never throws: a line is an object, text, blank, or a fault. Encoding never fails:
// values that JSON cannot hold are replaced by a description.
import type { Fault, WireErrorName } from "../../../contract/errors.js";
import { isDeeperThan } from "../../../contract/json-value.js";
import { FAULT_EXCERPT_CHARS_MAX, NESTING_LEVELS_MAX } from "../../../contract/limits.js";
import { errorMessage } from "../../../contract/plain-word.js";
import { problemOf, type SchemaError } from "../../../contract/schema-problem.js";
import type { RawLine } from "./line-splitter.js";

export type JsonObject = Record<string, unknown>;

export type LineContent =
  | { kind: "object"; object: JsonObject }
  | { kind: "text"; text: string }
  | { kind: "blank" }
  | { kind: "fault"; fault: Fault };

export function readLine(line: RawLine): LineContent {
  if (line.kind === "overlong") {
    return fault("frameTooLong", `a line of ${line.lengthBytes} bytes is over the limit`, line.excerpt);
  }
  if (line.text.startsWith("{")) return readObject(line.text);
  const text = line.text.trim();
  if (text === "") return { kind: "blank" };
  if (text.startsWith("{")) return readObject(text);
  if (text.startsWith("[")) return fault("invalidFrame", "a frame must be a JSON object, not a list", text);
  if (text === "null") return fault("invalidFrame", "a frame must be a JSON object, not null", text);
  if (/[\0\uFFFD]/.test(text)) return fault("malformed", "a line that is neither JSON nor text", text);
  return { kind: "text", text: line.text };
}

function readObject(text: string): LineContent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fault("malformed", `not valid JSON: ${errorMessage(error)}; write one JSON object per line`, text);
  }
  if (mayNestDeeply(text) && isDeeperThan(value, NESTING_LEVELS_MAX)) {
    return fault("nestedTooDeep", `nested deeper than ${NESTING_LEVELS_MAX} levels`, text);
  }
  return { kind: "object", object: value as JsonObject };
}

export function faultOf(name: WireErrorName, message: string, source: string): Fault {
  return { name, message, excerpt: source.slice(0, FAULT_EXCERPT_CHARS_MAX) };
}

function fault(name: WireErrorName, message: string, source: string): LineContent {
  return { kind: "fault", fault: faultOf(name, message, source) };
}

// A frame with few brackets cannot nest deeply, and counting is much cheaper than walking it.
function mayNestDeeply(text: string): boolean {
  return text.length > 2 * NESTING_LEVELS_MAX && countUpToMax(text, "[") + countUpToMax(text, "{") > NESTING_LEVELS_MAX;
}

function countUpToMax(text: string, bracket: string): number {
  let count = 0;
  for (let at = text.indexOf(bracket); at >= 0 && count <= NESTING_LEVELS_MAX; at = text.indexOf(bracket, at + 1))
    count += 1;
  return count;
}

/** One frame as one line. Escapes U+2028, U+2029 and U+0085, which some readers take for line ends, and other C1 controls. */
export function writeLine(frame: object): string {
  const json = stringify(frame);
  return `${UNSAFE.test(json) ? json.replace(UNSAFE_EACH, escaped) : json}\n`;
}

const UNSAFE = /[\u007f-\u009f\u2028\u2029]/;
const UNSAFE_EACH = /[\u007f-\u009f\u2028\u2029]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function stringify(frame: object): string {
  try {
    return JSON.stringify(frame);
  } catch {
    return JSON.stringify(toJson(frame));
  }
}

/** Any value as JSON: other types become a description; cycles and deep nesting are cut. */
export function toJson(value: unknown, levels: number = NESTING_LEVELS_MAX, above: readonly object[] = []): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function") return `[function ${value.name || "anonymous"}]`;
  if (typeof value === "symbol") return `[${value.toString()}]`;
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return "[circular]";
  if (levels === 0) return "[nested too deep]";
  const inside = (item: unknown) => toJson(item, levels - 1, [...above, value]);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [String(key), inside(item)]));
  if (value instanceof Set || Array.isArray(value)) return [...value].map(inside);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item)]));
}

/** Names come from the agent and may be of any length. */
const WORDS_CHARS_MAX = 300;

export function whatIsWrong(frame: string, error: SchemaError, source: object): Fault {
  const { where, what } = problemOf(error, source);
  const place = [frame, where].map((words) => words.slice(0, WORDS_CHARS_MAX)).filter(Boolean);
  return faultOf("invalidField", [...place, what.slice(0, WORDS_CHARS_MAX)].join(": "), writeLine(source));
}
