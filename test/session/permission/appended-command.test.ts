// The promise behind every allowed command: whatever is appended to it, no second command runs without being asked.
// The judge is a real bash that reports each command it runs; only what the policy would let pass is given to it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
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

// `npm` is a function that does nothing, nothing else is on the path, and the trace goes to a file of its own.
const HARNESS = 'npm() { :; }; exec 9>"$TRACE"; BASH_XTRACEFD=9; PS4="+RAN "; set -x; eval "$COMMAND"';

function commandsRun(command: string): string[] {
  const trace = join(scratch, "trace");
  const env = { PATH: join(scratch, "nothing"), TRACE: trace, COMMAND: command, LC_ALL: "C.UTF-8" };
  try {
    execFileSync("/bin/bash", ["--norc", "-c", HARNESS], { cwd: scratch, env, stdio: "ignore", timeout: 10_000 });
  } catch {
    // A command that fails has run all the same; the trace knows.
  }
  const ran = readFileSync(trace, "utf8").match(/^\++RAN .*/gm) ?? [];
  return ran.map((line) => line.replace(/^\++RAN /, "")).filter((line) => line !== ":" && !line.startsWith("eval "));
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
    let judged = 0;
    fc.assert(
      fc.property(appendix, (text) => {
        const command = `npm test${text}`;
        fc.pre(isAllowed(command));
        judged++;
        expect(commandsRun(command).filter((line) => !/^npm test(?: |$)/.test(line))).toEqual([]);
        expect(readdirSync(scratch)).toEqual(["trace"]);
      }),
      { numRuns: 150 },
    );
    expect(judged).toBeGreaterThan(100);
  });

  test("is judged by a harness that does see a second command", () => {
    expect(commandsRun("npm test; echo hi")).toEqual(["npm test", "echo hi"]);
    expect(commandsRun("npm test $(echo hi)")).toContain("echo hi");
    expect(isAllowed("npm test; echo hi")).toBe(false);
  });
});
