// The files of a project, for whoever wants to name one: what git knows and does not ignore, or where there is no git, what
// a walk finds. Both are bounded, in time and in number: a home folder or a checkout of everything must not hold anybody up.
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

const FILES_MAX = 20_000;
const LIMIT_MS = 3_000;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
/** Nobody names what is in these, and they are where most files are. */
const PASSED_BY: ReadonlySet<string> = new Set(["node_modules", "target", "dist", "build", "vendor", "__pycache__"]);

/** Paths below `folder`, with "/" between names. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  return (await filesOfGit(folder)) ?? walked(folder);
}

function filesOfGit(folder: string): Promise<readonly string[] | null> {
  const args = ["--no-optional-locks", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const options = { cwd: folder, timeout: LIMIT_MS, maxBuffer: OUTPUT_BYTES_MAX, windowsHide: true };
  return new Promise((resolve) => {
    execFile("git", args, options, (error, stdout) => {
      const files = stdout.split("\0").filter(Boolean).slice(0, FILES_MAX);
      resolve(error !== null && files.length === 0 ? null : [...new Set(files)]);
    });
  });
}

// Level by level, so that what is near is found before the limit is reached. Links are named and not followed.
async function walked(folder: string): Promise<readonly string[]> {
  const untilMs = performance.now() + LIMIT_MS;
  const files: string[] = [];
  let level = [""];
  while (level.length > 0 && files.length < FILES_MAX && performance.now() < untilMs) {
    const below: string[] = [];
    for (const path of level) {
      if (files.length >= FILES_MAX || performance.now() >= untilMs) break;
      for (const entry of await entriesOf(join(folder, path))) {
        const child = path === "" ? entry.name : `${path}/${entry.name}`;
        if (!entry.isDirectory()) files.push(child);
        else if (!entry.name.startsWith(".") && !PASSED_BY.has(entry.name)) below.push(child);
      }
    }
    level = below;
  }
  return files.slice(0, FILES_MAX);
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
