// A settings file as it was read: its text, its table, and its fingerprint. A file that cannot be understood is an error
// that names file, line and column, and what is wrong there.
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { parse, TomlError, type TomlTable } from "smol-toml";
import { UsageError } from "../usage-error.js";

export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  readonly table: TomlTable;
  /** What a person trusts is a file as it was when he read it: a changed one has to be trusted again. */
  readonly fingerprint: string;
}

/** Settings are a page of text; whatever is larger is something else. */
const FILE_BYTES_MAX = 1024 * 1024;

/** Null when there is no such file. */
export function readConfigFile(path: string): ConfigFile | null {
  const text = readText(path);
  if (text === null) return null;
  try {
    return { path, text, table: parse(text), fingerprint: fingerprintOf(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new UsageError(`${path}:${error.line}:${error.column}: ${tomlWords(error)}\n${indented(error.codeblock)}`);
  }
}

function fingerprintOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

function readText(path: string): string | null {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    if (!stats.isFile()) throw new Error("it is no file");
    if (stats.size > FILE_BYTES_MAX) throw new Error("it is too large for a file of settings");
    return readFileSync(path, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    // The home of a service account may be /dev/null: below it there are no settings either.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return null;
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function tomlWords(error: TomlError): string {
  const [first = ""] = error.message.split("\n");
  return first.replace(/^Invalid TOML document: /, "");
}

function indented(block: string): string {
  return block
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
