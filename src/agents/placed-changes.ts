// Claude asks about an edit with only the replaced piece, and about a write without the file that is there. Where that file can
// be read, the question shows the change in its place: with line numbers, and as a change instead of a new file.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { Ask } from "../contract/asks.js";
import type { FileChange } from "../contract/file-change.js";
import { looksSecret } from "../session/permission/secret-files.js";

const FILE_BYTES_MAX = 512 * 1024;

export function withPlacedChanges(ask: Ask, folder: string): Ask {
  const { question } = ask;
  if (question.kind !== "permission" || question.params.changes === undefined) return ask;
  const changes = question.params.changes.map((change) => placed(change, textIn(folder, change.path)));
  return { ...ask, question: { ...question, params: { ...question.params, changes } } };
}

function placed(change: FileChange, file: string | null): FileChange {
  const { oldText, newText } = change;
  if (file === null) return change;
  if (oldText === null) return { ...change, oldText: file };
  const at = file.indexOf(oldText);
  // A piece that is there twice may mean either place.
  if (oldText === "" || at < 0 || file.indexOf(oldText, at + 1) >= 0) return change;
  return { ...change, oldText: file, newText: file.slice(0, at) + newText + file.slice(at + oldText.length) };
}

/** Null for what is outside of the folder, looks like a secret, or is not a text file of ordinary size. */
function textIn(folder: string, path: string): string | null {
  try {
    const file = realpathSync(resolve(folder, path));
    const isInside = file.startsWith(realpathSync(folder) + sep);
    if (!isInside || looksSecret(path) || looksSecret(file)) return null;
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > FILE_BYTES_MAX) return null;
    return new TextDecoder("utf8", { fatal: true }).decode(readFileSync(file));
  } catch {
    // There is no such file, or it is not text.
    return null;
  }
}
