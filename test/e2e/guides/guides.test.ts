// Every guide is followed to the letter: its files are written, its marked commands run as printed, and what they print is
// what the page says. Commands that need a person or an agent of somebody else are at least commands that exist. The package is
// the one that is published.
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPackage } from "../installed-package.js";
import { projectRoot } from "../run-program.js";
import { type GuideStep, guideSteps } from "./guide-steps.js";

const aside = mkdtempSync(join(tmpdir(), "palaver-guides-"));
const groups: ChildProcess[] = [];
afterAll(() => {
  // What a guide starts in the background is in the group of its shell.
  for (const { pid = 0 } of groups) endGroup(pid);
  rmSync(aside, { recursive: true, force: true, maxRetries: 5 });
});

const bin = join(aside, "bin");
mkdirSync(bin);
let installed = "";
beforeAll(async () => {
  installed = await installPackage(aside);
  writeFileSync(join(bin, "palaver"), `#!/bin/sh\nexec "${process.execPath}" "${installed}/dist/cli.js" "$@"\n`);
  chmodSync(join(bin, "palaver"), 0o755);
});

/** A folder like that of somebody who has installed the package, and nothing else. */
function newcomer(name: string): { folder: string; env: NodeJS.ProcessEnv } {
  const folder = join(aside, name);
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(installed, join(folder, "node_modules", "palaver"));
  const env = {
    PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
    HOME: join(aside, `home of ${name}`),
    LANG: "C.UTF-8",
    PALAVER_MODEL: "offline",
  };
  mkdirSync(env.HOME);
  return { folder, env };
}

type Run = Extract<GuideStep, { type: "run" }>;

// In a session of its own there is no terminal, wherever the tests run.
function follow(
  { script }: Run,
  { folder, env }: ReturnType<typeof newcomer>,
): Promise<{ code: number | null; output: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-euc", script], {
      cwd: folder,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    groups.push(child);
    let [output, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output, stderr }));
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It is over already.
  }
}

const guides = join(projectRoot, "docs", "guides");
const pages = readdirSync(guides).map((name) => [name, readFileSync(join(guides, name), "utf8")] as const);

describe.each(pages)("docs/guides/%s", (name, page) => {
  test("can be followed as printed", async () => {
    const place = newcomer(name);
    const steps = guideSteps(page);
    expect(steps.filter(({ type }) => type === "run").length).toBeGreaterThan(1);
    for (const step of steps) {
      if (step.type === "file") {
        writeFileSync(join(place.folder, step.name), step.text);
        continue;
      }
      const { code, output, stderr } = await follow(step, place);
      expect(code, `${step.script}\n${output}\n${stderr}`).toBe(step.exitCode);
      if (step.output !== null) expect(output).toBe(step.output);
    }
  }, 120_000);
});

const prose = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "docs/coming-from.md"];
test("SECURITY.md names tests and sources that exist", () => {
  const page = readFileSync(join(projectRoot, "SECURITY.md"), "utf8");
  const paths = [...page.matchAll(/`((?:test|src|scripts)\/[\w/.-]+\.(?:ts|mjs))/g)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});

test("every link of a page leads to something that is there", () => {
  const all = [...prose, ...pages.map(([name]) => `docs/guides/${name}`)];
  const broken = all.flatMap((name) => {
    const page = readFileSync(join(projectRoot, name), "utf8");
    const links = [...page.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = ""]) => link);
    return links.filter((link) => !existsSync(join(projectRoot, name, "..", link))).map((link) => `${name}: ${link}`);
  });
  expect(broken).toEqual([]);
});
