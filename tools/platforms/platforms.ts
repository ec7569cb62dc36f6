// `npm run platforms`: the whole of `npm test` with each version of Node that is promised, one after the other, each in a copy of
// the project with packages of its own. It prints a line for each and fails when one of them fails.
import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { delimiter, join } from "node:path";
import { installNode, NODE_VERSIONS } from "./node-versions.js";
import { copyProject } from "./project-copy.js";
import { suiteReport } from "./suite-report.js";

interface Invocation {
  /** Versions as npm understands them; none means all that are promised. */
  readonly versions: readonly string[];
  readonly root: string;
  /** Where versions of Node and the output of the suites are kept. */
  readonly cacheFolder: string;
  readonly print: (line: string) => void;
}

const VERSION = /^\d+(?:\.\d+){0,2}$/;

/** Gives the exit code: 0 when every suite passed, 2 when a version is none. */
export async function tryPlatforms({ versions, root, cacheFolder, print }: Invocation): Promise<number> {
  const stranger = versions.find((version) => !VERSION.test(version));
  if (stranger !== undefined) {
    print(`"${stranger}" is no version of Node; 22 and 20.19.0 are`);
    return 2;
  }
  let code = 0;
  for (const version of versions.length === 0 ? NODE_VERSIONS : versions) {
    try {
      if (!(await tryVersion(version, root, cacheFolder, print))) code = 1;
    } catch (error) {
      print(`✕ Node ${version}: ${error instanceof Error ? error.message : String(error)}`);
      code = 1;
    }
  }
  return code;
}

async function tryVersion(version: string, root: string, cacheFolder: string, print: Invocation["print"]) {
  const programs = installNode(version, cacheFolder);
  const copy = copyProject(root);
  const log = join(cacheFolder, `node-${version}.log`);
  mkdirSync(cacheFolder, { recursive: true });
  const startedMs = performance.now();
  const status = await runSuite(copy, programs, log);
  const { passed, failed, names } = suiteReport(readFileSync(log, "utf8"));
  const isGood = status === 0 && failed === 0;
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  print(`${isGood ? "✓" : "✕"} Node ${version}  ${passed} passed, ${failed} failed  ${seconds} s`);
  for (const name of names) print(`    ${name}`);
  if (!isGood) print(`    all of it: ${log}`);
  rmSync(copy, { recursive: true, force: true });
  return isGood;
}

// With little priority: it takes minutes, and somebody may be working.
function runSuite(folder: string, programs: string, log: string): Promise<number | null> {
  const output = createWriteStream(log);
  const env = { ...process.env, PATH: `${programs}${delimiter}${process.env["PATH"] ?? ""}`, NO_COLOR: "1" };
  const child = spawn(join(programs, "node"), ["scripts/test.mjs"], { cwd: folder, env });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => output.end(() => resolve(code)));
  });
}
