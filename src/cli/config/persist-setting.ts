// Writes one setting into the user's own file and keeps the rest. The new text is validated, then replaces the file atomically,
// also behind a link.

import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parse } from "smol-toml";
import { nearestName } from "../../contract/nearest-name.js";
import { errorMessage } from "../../contract/plain-word.js";
import { isTextList } from "../../session/settings/setting-kinds.js";
import { isSettingKey, type SettingRow, settingKeys, settingTable } from "../../session/settings/setting-table.js";
import { mergeSettings } from "../../session/settings.js";
import { type Environment, NO_HOME } from "../../session/user-folders.js";
import { UsageError } from "../exit-codes.js";
import { readConfigFile } from "./config-file.js";
import { userConfigPath } from "./load-config.js";
import { type TomlScalar, withoutTomlValue, withTomlValue } from "./toml-edit.js";
import { keyPath } from "./toml-lines.js";

export function persistTyped(environment: Environment, key: string, typed: string): string {
  return persistSetting(environment, key, typedValue(key, typed));
}

// Keys of a table (`keys.abort`, `agents.mine.command`) take TOML values or plain text.
function typedValue(key: string, typed: string): TomlScalar {
  const kind = isSettingKey(key) ? (settingTable[key] as SettingRow).kind : null;
  if (kind !== null && kind.fromText === null) {
    throw new UsageError(`${key} is ${kind.words}; set one of it, as in ${key}.NAME, or edit the file`);
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
