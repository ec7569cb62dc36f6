// The composite action as a workflow runs it: its script starts a daemon, says in the job summary where to answer, waits, and fails on a no.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { palaver, projectRoot, runPalaver } from "./run-program.js";

const folder = join(projectRoot, "examples", "github-action");

test.each([
  ["--yes", "yes", 0],
  ["--no", "no", 1],
])("%s is the answer %s, and the exit code %i", async (flag, answer, code) => {
  const place = mkdtempSync(join(tmpdir(), "palaver-action-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));
  const project = join(place, "project");
  mkdirSync(project);
  const [summary, output] = [join(place, "summary.md"), join(place, "output")];
  for (const file of [summary, output]) writeFileSync(file, "");
  const own = { HOME: place, XDG_STATE_HOME: join(place, "state"), XDG_CONFIG_HOME: join(place, "config") };
  const job = {
    QUESTION: "Deploy?",
    DANGER: "3 customers",
    PAGE: "https://palaver.example.com",
    PALAVER: `node ${palaver}`,
  };
  const env = {
    ...process.env,
    ...own,
    ...job,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: output,
    TIMEOUT_SECONDS: "60",
  };
  const step = spawn("sh", [join(folder, "ask.sh")], { cwd: project, env, stdio: "ignore", detached: true });
  const exited = new Promise((resolve) => step.once("exit", resolve));
  const asks = async () =>
    JSON.parse((await runPalaver(["asks", "--json"], { cwd: project, env: own })).stdout || "[]");
  await expect.poll(asks, { timeout: 25_000, interval: 200 }).toHaveLength(1);
  expect(readFileSync(summary, "utf8")).toContain("[Answer it on the page](https://palaver.example.com)");
  const [{ id }] = await asks();
  await runPalaver(["answer", id, flag], { cwd: project, env: own });
  expect(await exited).toBe(code);
  expect(readFileSync(output, "utf8")).toBe(`answer=${answer}\n`);
  expect(readFileSync(summary, "utf8")).toContain(`The answer: **${answer}**`);
});

test("action.yml hands every input to the script", () => {
  const action = readFileSync(join(folder, "action.yml"), "utf8");
  const inputs = [...action.matchAll(/^ {2}([a-z-]+):$/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== "answer" && name !== "steps");
  expect(inputs).toContain("question");
  for (const name of inputs) expect(action).toContain(`\${{ inputs.${name} }}`);
});
