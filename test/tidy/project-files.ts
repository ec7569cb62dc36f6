// Reads the project as git sees it: tracked files and new ones that are not ignored. What was deleted but not yet
// recorded is left out.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type SourceFile, sourceFile } from "./source-file.js";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const SOURCE = /^(?:src|test|tools|scripts|bench|examples)\/.*\.(?:tsx?|mjs|py|sh)$/;

export interface ProjectFiles {
  /** The code we write, in all its languages. */
  readonly sources: readonly SourceFile[];
  /** Every text file, code or not. */
  readonly texts: readonly SourceFile[];
}

export function readProject(): ProjectFiles {
  const listing = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root, encoding: "utf8" });
  const paths = [...new Set(listing.split("\0"))].filter((path) => path !== "" && isFile(path)).sort();
  const texts = paths.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return text.includes("\0") ? [] : [{ path, text }];
  });
  const sources = texts.filter(({ path }) => SOURCE.test(path)).map(({ path, text }) => sourceFile(path, text));
  return { sources, texts: texts.map(({ path, text }) => ({ path, text, code: text })) };
}

function isFile(path: string): boolean {
  const full = join(root, path);
  return existsSync(full) && statSync(full).isFile();
}
