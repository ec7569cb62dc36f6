// "Always" allows as little as is useful, and nothing dangerous.
import { describe, expect, test } from "vitest";
import { dangerOfCommand } from "../../../src/session/permission/danger.js";
import { decidePermission, defaultPolicy, suggestRule, withRule } from "../../../src/session/permission/policy.js";
import type { PermissionRequest } from "../../../src/session/permission/request.js";
import { parseRule } from "../../../src/session/permission/rule.js";

function bash(subject: string): PermissionRequest {
  return { tool: "bash", access: "execute", subject, reach: "inside", danger: dangerOfCommand(subject) };
}

function edit(subject: string): PermissionRequest {
  return { tool: "edit", access: "write", subject, reach: "inside", danger: null };
}

const outside: PermissionRequest = {
  tool: "read",
  access: "read",
  subject: "/usr/x.h",
  reach: "outside",
  danger: null,
};

const table: readonly (readonly [request: PermissionRequest, text: string])[] = [
  [bash("npm test -- parser"), "bash(npm test -- parser)"],
  [bash("npm run test:read"), "bash(npm run test:read)"],
  [bash("git status -s"), "bash(git status:read)"],
  [bash("git log -n 5 --oneline main..HEAD"), "bash(git log:read)"],
  [bash("git log --show-signature"), "bash(git log --show-signature)"],
  [bash("timeout 60 npm test"), "bash(timeout 60 npm test)"],
  [bash("python x.py"), "bash(python x.py)"],
  [bash("cd a && npm test"), "bash(cd a && npm test)"],
  [edit("src/parser.ts"), "edit(src/**)"],
  [edit("src/[id]/page.ts"), "edit(src/\\[id\\]/**)"],
  [edit("README.md"), "edit(./README.md)"],
  [outside, "read(/usr/x.h)"],
];

describe("the suggested rule", () => {
  test.each(table)("for %j is %s", (request, text) => {
    expect(suggestRule(request)).toBe(text);
  });

  test.each(table)("for %j allows that call, also after it was written down and read again", (request) => {
    const text = suggestRule(request) ?? "";
    const parsed = parseRule(text, { decision: "allow", where: "test" });
    if (!parsed.ok) throw new Error(parsed.problem);
    expect(decidePermission(withRule(defaultPolicy, "session", parsed.rule), request).decision).toBe("allow");
  });

  test.each([
    "rm -rf x",
    "git push",
    "npm install x",
    "cat .env",
    "ls > x",
    "echo $HOME",
    "ls *.ts",
    "ls {a,b}",
    "./build.sh\u3000",
    `echo ${"x".repeat(200)}`,
    "a\nb",
  ])("is none for %j", (command) => expect(suggestRule(bash(command))).toBeNull());

  test("is none where it would not help", () => {
    const asks = withRule(defaultPolicy, "user", { decision: "ask", tool: "edit", pattern: "*.ts" });
    expect(suggestRule(edit("src/a.ts"), asks)).toBeNull();
    expect(suggestRule(edit("src/a.md"), asks)).not.toBeNull();
  });
});
