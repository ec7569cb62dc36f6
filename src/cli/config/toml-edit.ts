// Changes one value in a TOML text and keeps every other byte. The result is parsed and compared; a text that cannot be changed
// this way is left alone.
import { parse, stringify, TomlError, type TomlTable } from "smol-toml";
import { isSame, scanToml } from "./toml-lines.js";

export type TomlScalar = string | number | boolean | readonly string[];

/** Throws when the text cannot be changed in place: an inline table, an array of tables, a value where a table should be. */
export function withTomlValue(text: string, path: readonly string[], value: TomlScalar): string {
  const changed = put(text, path, value);
  const wanted = setAt(parse(text), path, value);
  if (wanted === null || canonical(parsed(changed)) !== canonical(wanted)) {
    throw new Error(`${path.join(".")} cannot be changed in place; edit the file by hand`);
  }
  return changed;
}

/** The same text when the path is not set. */
export function withoutTomlValue(text: string, path: readonly string[]): string {
  const found = scanToml(text).assignments.find((assignment) => isSame(assignment.path, path));
  return found === undefined ? text : text.slice(0, found.start) + text.slice(found.end);
}

//     | [permissions]            # mine |   the table is there: after its last line
//     | deny = ["bash(rm:*)"]           |
//     | → allow = [ … ]                 |
function put(text: string, path: readonly string[], value: TomlScalar): string {
  const { assignments, headers } = scanToml(text);
  const written = tomlOf(value);
  const found = assignments.find((assignment) => isSame(assignment.path, path));
  if (found !== undefined) return text.slice(0, found.valueStart) + written + text.slice(found.valueEnd);
  const table = path.slice(0, -1);
  const sibling = assignments.findLast(
    (assignment) =>
      isSame(assignment.path.slice(0, -1), table) && (table.length > 0 || assignment.tablePath.length === 0),
  );
  if (sibling !== undefined) {
    return inserted(text, sibling.end, `${keyOf(path.slice(sibling.tablePath.length))} = ${written}`);
  }
  const header = headers.find((candidate) => isSame(candidate.path, table));
  if (header !== undefined) return inserted(text, header.end, `${keyOf(path.slice(-1))} = ${written}`);
  if (table.length === 0) return atTheTop(text, `${keyOf(path)} = ${written}`);
  return appended(text, [`[${keyOf(table)}]`, `${keyOf(path.slice(-1))} = ${written}`]);
}

function inserted(text: string, at: number, line: string): string {
  const newline = newlineOf(text);
  const before = text.slice(0, at);
  const gap = before === "" || before.endsWith("\n") ? "" : newline;
  return `${before}${gap}${line}${newline}${text.slice(at)}`;
}

// Comments before the first table speak of that table.
function atTheTop(text: string, line: string): string {
  const newline = newlineOf(text);
  return text.trim() === "" ? `${line}${newline}` : `${line}${newline}${newline}${text}`;
}

function appended(text: string, lines: readonly string[]): string {
  const newline = newlineOf(text);
  const before = text.trim() === "" ? "" : `${text.replace(/\r?\n?$/, newline)}${newline}`;
  return `${before}${lines.join(newline)}${newline}`;
}

function newlineOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function keyOf(path: readonly string[]): string {
  return path.map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part))).join(".");
}

function tomlOf(value: TomlScalar): string {
  return stringify({ value }).trim().slice("value = ".length);
}

function parsed(text: string): TomlTable | null {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) return null;
    throw error;
  }
}

function setAt(table: TomlTable, path: readonly string[], value: TomlScalar): TomlTable | null {
  const [name = "", ...rest] = path;
  if (rest.length === 0) return { ...table, [name]: typeof value === "object" ? [...value] : value };
  const inner = table[name] ?? {};
  if (typeof inner !== "object" || Array.isArray(inner) || inner instanceof Date) return null;
  const changed = setAt(inner, rest, value);
  return changed === null ? null : { ...table, [name]: changed };
}

/** The same for the same content, in whatever order it stands. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
