// A settings file: text, table and fingerprint. A parse error names file, line and column, and never quotes the file, because
// its text may be a secret.

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { parse, TomlError, type TomlTable } from "smol-toml";
import { errorMessage } from "../../contract/plain-word.js";
import { UsageError } from "../exit-codes.js";

export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  readonly table: TomlTable;
  /** Trust is bound to the content: a changed file must be trusted again. */
  readonly fingerprint: string;
}

const FILE_BYTES_MAX = 1024 * 1024;

/** A link in a project may point to any file of the user. */
type Links = "links-followed" | "links-refused";

/** Null when there is no such file. */
export function readConfigFile(path: string, links: Links): ConfigFile | null {
  const text = readText(path, links);
  if (text === null) return null;
  try {
    return { path, text, table: parse(text), fingerprint: fingerprintOf(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new UsageError(`${path}:${error.line}:${error.column}: ${tomlWords(error)}`);
  }
}

function fingerprintOf(text: string): string {
  return `sha256:${process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex")}`;
}

function readText(path: string, links: Links): string | null {
  try {
    return readPlainText(path, links).replace(/^\ufeff/, "");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The home of a service account may be /dev/null.
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new UsageError(`${path} cannot be read: ${errorMessage(error)}`);
  }
}

/** Throws for anything but a plain file of modest size, and never blocks. */
export function readPlainText(path: string, links: Links): string {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0 } = constants;
  const flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | (links === "links-refused" ? O_NOFOLLOW : 0);
  if (links === "links-refused" && lstatSync(path).isSymbolicLink()) throw new Error("it is a link");
  const file = openSync(path, flags);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error("it is not a file");
    if (stats.size > FILE_BYTES_MAX) throw new Error("it is too large for a file of settings");
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

function tomlWords(error: TomlError): string {
  const [first = ""] = error.message.split("\n");
  return first.replace(/^Invalid TOML document: /, "");
}
