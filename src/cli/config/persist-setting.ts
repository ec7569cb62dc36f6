// Writes one setting into the user's own file and keeps the rest. The new text is validated, then replaces the file atomically,
// also behind a link.
import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parse, stringify, TomlError, type TomlTable } from "smol-toml";
import { canonicalJson } from "../../contract/json-value.js";
import { nearestName } from "../../contract/nearest-name.js";
import { errorMessage } from "../../contract/plain-word.js";
import { isTextList } from "../../session/settings/setting-kinds.js";
import { isSettingKey, type SettingRow, settingKeys, settingTable } from "../../session/settings/setting-table.js";
import { mergeSettings } from "../../session/settings.js";
import { type Environment, NO_HOME } from "../../session/user-folders.js";
import { UsageError } from "../exit-codes.js";
import { readConfigFile } from "./config-file.js";
import { userConfigPath } from "./load-config.js";
import { isSame, keyPath, scanToml } from "./toml-lines.js";

export function persistTyped(environment: Environment, key: string, typed: string): string {
  return persistSetting(environment, key, typedValue(key, typed));
}

// Keys of a table (`keys.abort`, `agents.mine.command`) take TOML values or plain text.
function typedValue(key: string, typed: string): TomlScalar {
  const kind = isSettingKey(key) ? (settingTable[key] as SettingRow).kind : null;
  if (kind !== null && kind.fromText === null) {
    throw new UsageError(`${key} is ${kind.words}; set one entry, as in ${key}.NAME, or edit the file`);
  }
  if (kind?.fromText) {
    const judged = kind.judge(kind.fromText(typed));
    if (!judged.ok) throw new UsageError(`${key} must be ${judged.words}, not "${typed}"`);
    return judged.value as TomlScalar;
  }
  const [table = ""] = key.split(".");
  if (!isSettingKey(table)) {
    const near = nearestName(key, settingKeys);
    throw new UsageError(
      `there is no setting ${key}; ${near === null ? "palaver config lists them" : `did you mean ${near}?`}`,
    );
  }
  return tomlValue(typed);
}

/** A number, a list, a quoted text; anything else is the text itself. */
export function tomlValue(typed: string): TomlScalar {
  try {
    const { value } = parse(`value = ${typed}`);
    if (typeof value === "number" || typeof value === "boolean" || typeof value === "string") return value;
    if (isTextList(value)) return value;
  } catch {
    // Text without quotes.
  }
  return typed;
}

/** Returns the path of the file; throws when the value is invalid or the file cannot be written. */
export function persistSetting(environment: Environment, key: string, value: TomlScalar): string {
  return change(environment, key, (text, path) => withTomlValue(text, path, value));
}

export function forgetSetting(environment: Environment, key: string): string {
  return change(environment, key, withoutTomlValue);
}

/** For keys that need quotes, such as the path of a project. */
export function persistAt(environment: Environment, path: readonly string[], value: TomlScalar): string {
  return change(environment, path.join("."), (text) => withTomlValue(text, path, value));
}

function change(
  environment: Environment,
  key: string,
  edit: (text: string, path: readonly string[]) => string,
): string {
  const file = userConfigPath(environment);
  if (file === null) throw new UsageError(`there is no place for your settings; ${NO_HOME}`);
  const text = readConfigFile(file, "links-followed")?.text ?? "";
  const changed = edit(text, keyPath(key) ?? [key]);
  const problem = mergeSettings([
    { origin: { kind: "user", file }, values: parse(changed), word: "own" },
  ]).problems.find((candidate) => isAbout(candidate.key, key));
  if (problem !== undefined) throw new UsageError(`${problem.key} ${problem.words}`);
  if (changed !== text) replaceFile(file, changed);
  return file;
}

function isAbout(problemKey: string, key: string): boolean {
  return key === problemKey || key.startsWith(`${problemKey}.`) || problemKey.startsWith(`${key}.`);
}

function replaceFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const old = statSync(path, { throwIfNoEntry: false });
    const target = old === undefined ? path : realpathSync(path);
    const fresh = `${target}.${process.pid}.new`;
    try {
      writeFileSync(fresh, text, { mode: old === undefined ? 0o600 : old.mode & 0o777, flush: true });
      renameSync(fresh, target);
    } finally {
      rmSync(fresh, { force: true });
    }
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${errorMessage(error)}`);
  }
}

// Changes one value in a TOML text and keeps every other byte. The result is parsed and compared; a text that cannot be changed
// this way is left alone.
export type TomlScalar = string | number | boolean | readonly string[];

/** Throws when the text cannot be changed in place: an inline table, an array of tables, a value where a table should be. */
export function withTomlValue(text: string, path: readonly string[], value: TomlScalar): string {
  const changed = put(text, path, value);
  const wanted = setAt(parse(text), path, value);
  if (wanted === null || canonicalJson(parsed(changed)) !== canonicalJson(wanted)) {
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
