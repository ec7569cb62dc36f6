// No rule that allows is talked into more than it says: a corpus of tricks against what "always" remembers, against
// `allow = ["bash"]`, against a denial and against exact rules; and random shell text made of the same pieces.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { bashTool } from "../../../src/builtin/tools/bash-tool.js";
import { shellTrim, splitCommand } from "../../../src/session/permission/command-parts.js";
import {
  decidePermission,
  defaultPolicy,
  formOf,
  type PermissionPolicy,
  suggestRule,
  withRule,
} from "../../../src/session/permission/policy.js";
import type { PermissionDecision, PermissionRequest } from "../../../src/session/permission/request.js";
import { parseRule } from "../../../src/session/permission/rule.js";
import { verifies } from "../../verifies.js";
import { HIDDEN_TOUCH } from "./hidden-touch.js";
import { ALWAYS_TRICKS, DANGEROUS, EXACT_TRICKS } from "./trick-corpus.js";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "palaver-tricks-")));
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));

/** The request that the real tool makes of it. */
async function bash(command: string): Promise<PermissionRequest> {
  const { access, subject, reach, danger } = await bashTool.plan(
    { command },
    { folder: scratch, signal: new AbortController().signal },
  );
  return { tool: "bash", access, subject, reach, danger };
}

function policyOf(...rules: (readonly [PermissionDecision, string])[]): PermissionPolicy {
  return rules.reduce((policy, [decision, text]) => {
    const parsed = parseRule(text, { decision, where: "test" });
    if (!parsed.ok) throw new Error(parsed.problem);
    return withRule(policy, "user", parsed.rule);
  }, defaultPolicy);
}

async function allowed(policy: PermissionPolicy, commands: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const command of commands) {
    if (decidePermission(policy, await bash(command)).decision === "allow") found.push(command);
  }
  return found;
}

describe("a rule that allows", () => {
  test('allows none of the tricks after an "always", and no "always" is about any arguments', async () => {
    expect(Object.values(ALWAYS_TRICKS).flat().length).toBeGreaterThan(90);
    const found: string[] = [];
    for (const [asked, tricks] of Object.entries(ALWAYS_TRICKS)) {
      const suggestion = suggestRule(await bash(asked));
      if (suggestion === null) throw new Error(`nothing is suggested for ${asked}`);
      expect(suggestion).not.toMatch(/:\*\)$/);
      const parsed = parseRule(suggestion, { decision: "allow", where: "test" });
      if (!parsed.ok) throw new Error(parsed.problem);
      const policy = withRule(defaultPolicy, "session", parsed.rule);
      expect(await allowed(policy, [asked])).toEqual([asked]);
      found.push(...(await allowed(policy, tricks)));
    }
    expect(found).toEqual([]);
  });

  test("covers none of the dangerous commands when it is about every command", async () => {
    verifies("rules.allow-is-narrow");
    expect(DANGEROUS.length).toBeGreaterThan(150);
    expect(await allowed(policyOf(["allow", "bash"]), DANGEROUS)).toEqual([]);
    expect(await allowed(policyOf(["allow", "*"]), DANGEROUS)).toEqual([]);
  });

  test("still covers ordinary commands", async () => {
    const ordinary = [
      "ls -la src",
      "npm test",
      "npm run build -- --watch",
      "npm test 2>&1 | tail -5",
      "git status && git diff --stat",
      "git commit -m 'a * b'",
      "grep -rn needle src | head -20",
      "sed -n 10,20p a.txt",
      "awk '{print $1}' a.txt",
      "python build.py",
      "node --test",
      "bash scripts/check.sh",
      "mkdir -p out && cp a.txt out/b.txt",
      "make all",
      "cargo test",
      "find . -name a.ts",
      `cat ${scratch}/a.txt`,
    ];
    expect(await allowed(policyOf(["allow", "bash"]), ordinary)).toEqual(ordinary);
  });

  test("covers other words behind its own, and no argument that makes the program run something else", async () => {
    const policy = policyOf(
      ["allow", "bash(npm test:*)"],
      ["allow", "bash(make -C lib:*)"],
      ["allow", "bash(npx vitest:*)"],
      ["allow", "bash(python -m pytest:*)"],
    );
    const meant = [
      "npm test",
      "npm test -- parser",
      "make -C lib all",
      "npx vitest run a.test.ts",
      "python -m pytest -q x",
    ];
    expect(await allowed(policy, meant)).toEqual(meant);
    const tricks = [
      ...(ALWAYS_TRICKS["npm test"] ?? []).filter((trick) => trick !== "npm test x"),
      "make -C lib -f evil.mk",
      "make -C lib SHELL=./x",
      "make -C evil",
      "npx vitest run --config evil.ts",
      "npx vitest --globalSetup=./x",
      "npx evil",
      "python -m pytest --rootdir=evil",
      "python -m pytest -c evil.ini",
    ];
    expect(await allowed(policy, tricks)).toEqual([]);
  });

  test("word by word means these words, to the last blank", async () => {
    for (const [asked, tricks] of Object.entries(EXACT_TRICKS)) {
      const policy = policyOf(["allow", `bash(${asked})`], ["allow", "bash(npm test)"], ["allow", "bash(cd evil)"]);
      expect(await allowed(policy, [asked, ` ${asked}\n`])).toHaveLength(2);
      expect(await allowed(policy, tricks)).toEqual([]);
      for (const trick of tricks) expect(await allowed(policyOf(["allow", `bash(${trick})`]), [asked])).toEqual([]);
    }
  });
});

describe("a denial", () => {
  test("is about its words, whatever blanks, flags and other words stand between them", async () => {
    verifies("rules.denial-is-wide");
    const denied: Readonly<Record<string, readonly string[]>> = {
      "npm run deploy:*": [
        "npm run deploy",
        "npm run -s deploy",
        "npm run --silent deploy x",
        "npm --silent run deploy",
      ],
      "git commit:*": ["git --no-pager commit", "git --no-optional-locks commit -m x", "git&>/dev/null commit"],
      "make deploy": ["make deploy", "make  deploy", "make test deploy", "make -s deploy", "make deploy test"],
      "./deploy.sh:*": ["./deploy.sh", "bash -c ./deploy.sh"],
      "rm:*": ["rm&>/dev/null -rf victim", "rm<&0 -rf victim", "/bin/rm x"],
    };
    for (const [rule, commands] of Object.entries(denied)) {
      const policy = policyOf(["allow", "bash"], ["deny", `bash(${rule})`]);
      for (const command of commands) {
        expect(decidePermission(policy, await bash(command)).decision, command).toBe("deny");
      }
    }
  });

  test("leaves a command alone that lacks one of its words", async () => {
    const policy = policyOf(["allow", "bash"], ["deny", "bash(npm run deploy:*)"], ["deny", "bash(make deploy)"]);
    const others = ["npm run build", "npm test", "make test", "echo make deploy"];
    expect(await allowed(policy, others)).toEqual(others);
  });
});

describe("a command that a denial cannot be checked against", () => {
  test("is never allowed without a question", async () => {
    expect(HIDDEN_TOUCH.length).toBeGreaterThan(150);
    expect(await allowed(policyOf(["allow", "bash"], ["deny", "bash(touch:*)"]), HIDDEN_TOUCH)).toEqual([]);
    const pattern = "{touch,marker}";
    const denied = policyOf(["deny", "bash(touch:*)"]);
    const layered = withRule(denied, "project", { decision: "allow", tool: "bash", pattern });
    expect(await allowed(layered, [pattern])).toEqual([]);
  });

  test("is a command that a real bash does run", () => {
    const folders = HIDDEN_TOUCH.map((command, at) => {
      const folder = join(scratch, `touch-${at}`);
      mkdirSync(folder);
      writeFileSync(join(scratch, `touch-${at}.sh`), command);
      return folder;
    });
    const run = `cd "$1" && for ((at = 0; at < ${folders.length}; at++)); do
      (cd "touch-$at" && exec bash --norc ../touch-$at.sh) >/dev/null 2>&1 </dev/null; done; true`;
    execFileSync("/bin/bash", ["--norc", "-c", run, "bash", scratch], { stdio: "ignore", timeout: 60_000 });
    const idle = HIDDEN_TOUCH.filter((_, at) => !existsSync(join(folders[at] ?? "", "marker")));
    // Not every program is installed everywhere.
    expect(idle.length, idle.join("\n")).toBeLessThan(HIDDEN_TOUCH.length / 10);
  });
});

test("what a form covers changes nothing in the folder when a real git runs it", () => {
  const folder = join(scratch, "repository");
  const words = fc.constantFrom(
    ..."--stat -p -n 5 -n5 -3 -S -G x --output=pwned --output pwned --outp=pwned -O -Ox --ext-diff --textconv --no-index".split(
      " ",
    ),
    ..."--oneline --format=%H%x0apwned --cached -- a.txt HEAD HEAD~1 HEAD:a.txt .. ../x /etc/hosts -U1 --all -D -M -m -f new".split(
      " ",
    ),
    ..."-a -r -v --list --show-current --word-diff --color=always -s -sb --porcelain=v2 --exec=x -c -C --git-dir=x --follow".split(
      " ",
    ),
  );
  const line = fc.tuple(
    fc.constantFrom("status", "diff", "log", "show", "branch"),
    fc.array(words, { maxLength: 4 }).map((args) => args.join(" ")),
  );
  const covered = fc
    .sample(line, 1_500)
    .map(([name, args]) => shellTrim(`git ${name} ${args}`))
    .filter((command) => formOf(command.split(/ +/)) !== undefined);
  expect(covered.length).toBeGreaterThan(100);
  const script = [
    `mkdir "$1" && cd "$1" && git init -q && git config user.email a@b && git config user.name a`,
    "echo one > a.txt && git add a.txt && git commit -qm one && echo two > a.txt && git commit -qam two && echo three > a.txt",
    "before=$(ls -A; git for-each-ref)",
    ...[...new Set(covered)].slice(0, 200).map((command) => `${command} </dev/null >/dev/null 2>&1`),
    '[ "$before" = "$(ls -A; git for-each-ref)" ] && [ "$(cat a.txt)" = three ]',
  ];
  const env = { PATH: process.env["PATH"], HOME: scratch, GIT_CONFIG_NOSYSTEM: "1" };
  execFileSync("/bin/bash", ["--norc", "-c", script.join("\n"), "bash", folder], { stdio: "ignore", env });
});

const PIECES =
  "touch rm npm test git diff x -c -C --output=x env bash eval exec {a,b} { } $x $( ) ` ' \" \\ ~ ~/x * ? [a] = A=1 ; && || | & &> &>/dev/null >&2 wait -np > < <<< 2>&1 ! if then fi for do done cd .. / \u3000 #";
const piece = fc.constantFrom(" ", " ", " ", "\n", "\t", ...PIECES.split(" "));
const shellText = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(""));

test("whatever every rule together allows is plain words", async () => {
  const policy = policyOf(
    ["allow", "bash"],
    ["allow", "*"],
    ["allow", "bash(npm test:*)"],
    ["allow", "bash(git diff:read)"],
    ["deny", "bash(rm:*)"],
  );
  let plain = 0;
  await fc.assert(
    fc.asyncProperty(shellText, async (text) => {
      fc.pre(/[^ \t\n]/.test(text));
      if (decidePermission(policy, await bash(text)).decision !== "allow") return;
      const split = splitCommand(text);
      expect(split.kind).toBe("parts");
      if (split.kind !== "parts") return;
      plain++;
      for (const { words } of split.parts) expect(words[0]).not.toMatch(/^(?:rm|env|eval|exec|if|for|!|A=1)$/);
    }),
    { numRuns: 3_000 },
  );
  expect(plain).toBeGreaterThan(50);
});
