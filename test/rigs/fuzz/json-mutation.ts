// Changes JSON where it hurts: a field becomes another type, goes away, appears twice, is nested in itself, or is given a
// name that objects have from birth. What comes out is still JSON, so that it gets past the parser and reaches the code behind it.
import type { SeededRandom } from "../simulator/seeded-random.js";

/** Values that programs convert, compare or look up without thinking of them. */
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.5,
  1e308,
  -1e21,
  2 ** 53,
  "",
  "0",
  "null",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "\u0000",
  "\ud800",
  "\u202e",
  "\u001b[2J",
  "a\nb\r\nc",
  " ".repeat(300),
  "x".repeat(5_000),
  [],
  {},
  [null],
  [[]],
  // What cannot be made into a string by anybody.
  { toString: 1, valueOf: 1 },
  [{ toString: null, valueOf: null }],
  { length: 2 ** 31 },
  { type: "text" },
  { type: "text", text: { toString: 1 } },
  [{ type: "text", text: null }],
  { toJSON: 1 },
];

const ODD_NAMES = ["__proto__", "constructor", "toString", "valueOf", "toJSON", "length", "then", "type", "id", ""];

type Place = { readonly holder: Record<string, unknown> | unknown[]; readonly key: string };

/** Lines of JSON with some of their values changed, and sometimes their order. */
export function mutateJsonLines(text: string, donors: readonly string[], random: SeededRandom): string {
  const lines = text.split("\n").filter((line) => line !== "");
  for (let left = random.integer(1, 4); left > 0; left--) mutateOne(lines, donors, random);
  return `${lines.join("\n")}\n`;
}

function mutateOne(lines: string[], donors: readonly string[], random: SeededRandom): void {
  if (lines.length === 0) return;
  const at = random.integer(0, lines.length - 1);
  const line = lines[at] ?? "";
  switch (random.integer(0, 9)) {
    case 0:
      lines.splice(at, 1);
      return;
    case 1:
      lines.splice(random.integer(0, lines.length), 0, line);
      return;
    case 2:
      lines.splice(at, 0, random.pick(donors));
      return;
    default:
      lines[at] = mutateJson(line, donors, random);
  }
}

function mutateJson(line: string, donors: readonly string[], random: SeededRandom): string {
  const value = parsed(line);
  const places = placesIn(value);
  if (places.length === 0) return line;
  const { holder, key } = random.pick(places);
  const fields = holder as Record<string, unknown>;
  switch (random.integer(0, 6)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete fields[key];
      break;
    case 1:
      put(fields, random.pick(ODD_NAMES), random.pick(ODD_VALUES));
      break;
    case 2:
      put(fields, key, nested(fields[key], random.pick([2, 40, 300])));
      break;
    case 3:
      put(fields, key, random.pick([null, ...placesIn(parsed(random.pick(donors))).map(valueAt)]));
      break;
    case 4:
      if (Array.isArray(holder)) holder.push(...holder.slice(0, 50));
      else put(fields, `${key}_`, fields[key]);
      break;
    default:
      put(fields, key, random.pick(ODD_VALUES));
  }
  return JSON.stringify(value);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

// An assignment to `__proto__` would change the object and not the field.
function put(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (Array.isArray(fields) && !/^\d+$/.test(key)) return;
  const copy: unknown = value === undefined ? null : JSON.parse(JSON.stringify(value));
  Object.defineProperty(fields, key, { value: copy, enumerable: true, configurable: true, writable: true });
}

function nested(value: unknown, levels: number): unknown {
  let result = value;
  for (let level = 0; level < levels; level++) result = level % 2 === 0 ? [result] : { a: result };
  return result;
}

function valueAt({ holder, key }: Place): unknown {
  return (holder as Record<string, unknown>)[key];
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}
