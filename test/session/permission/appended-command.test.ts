// The promise behind every allowed command: whatever is appended to it, no second command runs without being asked.
// The judge is a real bash that reports each command it runs; only what the policy would let pass is given to it.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { dangerOfCommand } from "../../../src/session/permission/danger.js";
import { decidePermission, defaultPolicy, withRule } from "../../../src/session/permission/policy.js";

const scratch = mkdtempSync(join(tmpdir(), "palaver-policy-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));

const policy = withRule(defaultPolicy, "user", { decision: "allow", tool: "bash", pattern: "npm test:*" });

function isAllowed(subject: string): boolean {
  const danger = dangerOfCommand(subject);
  const request = { tool: "bash", access: "execute", subject, reach: "inside", danger } as const;
  return decidePermission(policy, request).decision === "allow";
}

// `npm` is a function that does nothing, nothing else is on the path, and the trace of each command goes to a file of its own.
const HARNESS = `
npm() { :; }
n=0
for COMMAND in "$@"; do
  ( exec 9>"$TRACES/$n"; BASH_XTRACEFD=9; PS4="+RAN "; set -x; eval "$COMMAND" )
  n=$((n + 1))
done`;

/** What each of these commands ran, all judged by one bash. */
function commandsRun(...commands: string[]): string[][] {
  const traces = mkdtempSync(join(tmpdir(), "palaver-traces-"));
  onTestFinished(() => rmSync(traces, { recursive: true, force: true, maxRetries: 5 }));
  const env = { PATH: join(scratch, "nothing"), TRACES: traces, LC_ALL: "C.UTF-8" };
  // A command that fails has run all the same; the trace knows.
  spawnSync("/bin/bash", ["--norc", "-c", HARNESS, "bash", ...commands], { cwd: scratch, env, stdio: "ignore" });
  return commands.map((_, at) => {
    const ran = readFileSync(join(traces, String(at)), "utf8").match(/^\++RAN .*/gm) ?? [];
    return ran.map((line) => line.replace(/^\++RAN /, "")).filter((line) => line !== ":" && !line.startsWith("eval "));
  });
}

const token = fc.constantFrom(
  ..." |  |;|&|&&|\n|$(|)|(|`|>|<|>>|2>&1|>/dev/null|<(|<<x|{|}|[[|\\|'|\"|#|!|$x|${x|~|*|=|x|ls|npm test|-c|if|then|\t|\r|\u00a0|;;|a=b"
    .split("|")
    .filter(Boolean),
  "|",
  "||",
  "|&",
);
const appendix = fc.array(token, { maxLength: 7 }).map((tokens) => tokens.join(""));

describe("an allowed command", () => {
  test("stays the only one, whatever is appended", () => {
    const allowed = appendix.map((text) => `npm test${text}`).filter(isAllowed);
    const commands = fc.sample(allowed, { seed: fc.readConfigureGlobal().seed ?? 1, numRuns: 150 });
    const seconds = commandsRun(...commands).map((ran) => ran.filter((line) => !/^npm test(?: |$)/.test(line)));
    expect(commands.filter((_, at) => seconds[at]?.length !== 0)).toEqual([]);
    expect(readdirSync(scratch)).toEqual([]);
  });

  test("is judged by a harness that does see a second command", () => {
    const [ran, expanded] = commandsRun("npm test; echo hi", "npm test $(echo hi)");
    expect(ran).toEqual(["npm test", "echo hi"]);
    expect(expanded).toContain("echo hi");
    expect(isAllowed("npm test; echo hi")).toBe(false);
  });
});
