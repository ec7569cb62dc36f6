// The decision table: which rules, which call, which verdict.
import { describe, expect, test } from "vitest";
import { dangerOfCommand, dangerOfPath } from "../../../src/session/permission/danger.js";
import {
  decidePermission,
  defaultPolicy,
  type PermissionLayer,
  type PermissionPolicy,
  withRule,
} from "../../../src/session/permission/policy.js";
import type { PermissionDecision, PermissionRequest } from "../../../src/session/permission/request.js";
import { parseRule } from "../../../src/session/permission/rule.js";

const ACCESS: Record<string, PermissionRequest["access"]> = { edit: "write", write: "write", bash: "execute" };

/** "edit src/a.ts" or "bash npm test": the request a tool would make for it. */
function call(text: string): PermissionRequest {
  const [tool = ""] = text.split(" ");
  const subject = text.slice(tool.length + 1);
  const access = ACCESS[tool] ?? "read";
  if (access === "execute")
    return { tool, access, subject, reach: "inside", danger: dangerOfCommand(subject, { folder: "/ws" }) };
  const reach = subject.startsWith("/") ? "outside" : "inside";
  return { tool, access, subject, reach, danger: dangerOfPath({ access, path: subject, reach }) };
}

/** "user: deny edit(src/**)"; without a layer it is the user's. */
function policyOf(rules: readonly string[], base: PermissionPolicy = defaultPolicy): PermissionPolicy {
  return rules.reduce((policy, text) => {
    const [, layer = "user", decision = "", written = ""] = /^(?:(\w+): )?(\w+) (.*)$/s.exec(text) ?? [];
    const parsed = parseRule(written, { decision: decision as PermissionDecision, where: "test" });
    if (!parsed.ok) throw new Error(parsed.problem);
    return withRule(policy, layer as PermissionLayer, parsed.rule);
  }, base);
}

function decide(rules: readonly string[], text: string, base?: PermissionPolicy): PermissionDecision {
  return decidePermission(policyOf(rules, base), call(text)).decision;
}

const table: readonly (readonly [rules: string[], call: string, decision: PermissionDecision])[] = [
  // Without rules.
  [[], "read src/a.ts", "allow"],
  [[], "grep .", "allow"],
  [[], "read .env", "ask"],
  [[], "read home/.ssh/config", "ask"],
  [[], "read /etc/hosts", "ask"],
  [[], "edit src/a.ts", "ask"],
  [[], "write new.ts", "ask"],
  [[], "bash ls", "ask"],
  // Specificity, then deny over ask over allow.
  [["allow edit"], "edit src/a.ts", "allow"],
  [["allow *"], "edit src/a.ts", "allow"],
  [["allow *", "ask edit"], "edit src/a.ts", "ask"],
  [["allow edit", "deny edit"], "edit src/a.ts", "deny"],
  [["allow edit", "ask edit"], "edit src/a.ts", "ask"],
  [["ask edit", "deny edit"], "edit src/a.ts", "deny"],
  [["allow edit", "deny edit(src/**)"], "edit src/a.ts", "deny"],
  [["deny edit", "allow edit(src/**)"], "edit src/a.ts", "allow"],
  [["deny edit(src/**)", "allow edit(./src/a.ts)"], "edit src/a.ts", "allow"],
  [["deny edit(src/**)", "allow edit(src/a.ts)"], "edit src/b.ts", "deny"],
  [["allow edit(src/**)", "ask edit(*.ts)"], "edit src/a.ts", "ask"],
  [["allow edit(src/**)", "deny edit(*.lock)"], "edit src/x.lock", "deny"],
  // Layers.
  [["user: deny edit", "project: allow edit(src/**)"], "edit src/a.ts", "deny"],
  [["user: deny edit", "session: allow edit(./src/a.ts)"], "edit src/a.ts", "deny"],
  [["project: deny bash(make:*)", "user: allow bash(make:*)"], "bash make all", "deny"],
  [["user: ask edit", "session: allow edit(src/**)"], "edit src/a.ts", "allow"],
  [["user: ask edit(src/**)", "session: allow edit(src/**)"], "edit src/a.ts", "ask"],
  [["headless: allow edit"], "edit src/a.ts", "ask"],
  // How paths are meant.
  [["allow edit(*.md)"], "edit docs/deep/a.md", "allow"],
  [["allow edit(./README.md)"], "edit README.md", "allow"],
  [["allow edit(./README.md)"], "edit docs/README.md", "ask"],
  [["allow edit(src)"], "edit src/a.ts", "ask"],
  [["deny edit(src)"], "edit src/a.ts", "deny"],
  [["deny edit(src/)"], "edit src/a.ts", "deny"],
  [["allow edit(src/)"], "edit src/a/b.ts", "allow"],
  // One rule for all that reads, all that writes.
  [["deny read(private/**)"], "grep private/notes", "deny"],
  [["allow write(out/**)"], "edit out/a", "allow"],
  [["allow edit(out/**)"], "write out/a", "ask"],
  [["deny edit(out/**)"], "write out/a", "deny"],
  // Outside, secrets: only a rule that says so.
  [["allow read"], "read /etc/hosts", "ask"],
  [["allow read(*)"], "read /etc/hosts", "ask"],
  [["allow read(*hosts)"], "read /etc/hosts", "ask"],
  [["allow read(/etc/**)"], "read /etc/hosts", "allow"],
  [["deny read(hosts)"], "read /etc/hosts", "deny"],
  [["deny read"], "read /etc/hosts", "deny"],
  [["allow write(/tmp/**)"], "write /tmp/a", "allow"],
  [["allow write(/tmp/**)"], "write /tmp/.env", "ask"],
  [["allow read"], "read .env", "ask"],
  [["allow read(**)"], "read .env", "ask"],
  [["allow read(config/**)"], "read config/.env", "ask"],
  [["allow read(.env)"], "read config/.env", "allow"],
  [["allow read(./.env)"], "read .env", "allow"],
  [["allow edit"], "edit .git/hooks/pre-commit", "ask"],
  // Commands.
  [["allow bash(npm test:*)"], "bash npm test", "allow"],
  [["allow bash(npm test:*)"], "bash npm test -- parser", "allow"],
  [["allow bash(npm test:*)"], "bash npm tests", "ask"],
  [["allow bash(npm test:*)"], "bash X=1 npm test", "ask"],
  [["allow bash(npm test:*)"], "bash /tmp/npm test", "ask"],
  [["allow bash(npm test)"], "bash npm test", "allow"],
  [["allow bash(npm test)"], "bash npm test -- x", "ask"],
  [["allow bash(npm test:*)"], "bash npm test && rm x", "ask"],
  [["allow bash(npm test:*)"], "bash npm test; ls", "ask"],
  [["allow bash(npm test:*)"], "bash npm test | tee x", "ask"],
  [["allow bash(npm test:*)"], "bash npm test $(ls)", "ask"],
  [["allow bash(npm test:*)"], "bash npm test > x", "ask"],
  [["allow bash(npm test:*)"], "bash npm test\nls", "ask"],
  [["allow bash(npm test:*)", "allow bash(tail:*)"], "bash npm test 2>&1 | tail -5", "allow"],
  [["allow bash(npm test && ls)"], "bash npm test && ls", "allow"],
  [["allow bash(echo $HOME)"], "bash echo $HOME", "allow"],
  [["allow bash(npm test:*)"], "bash npm test --prefix evil", "ask"],
  [["allow bash(npm test:*)"], "bash npm test {a,b}", "ask"],
  [["allow bash(git diff:read)"], "bash git diff --stat HEAD~1 -- src", "allow"],
  [["allow bash(git diff:read)"], "bash git diff --output=x", "ask"],
  [["allow bash(git diff:read)"], "bash git log", "ask"],
  [["allow bash"], "bash ls > x", "ask"],
  [["allow bash(*)"], "bash ls > x", "ask"],
  [["allow bash(ls > x)"], "bash ls > x", "allow"],
  [["allow bash(ls > x)", "deny bash(make:*)"], "bash ls > x", "allow"],
  [["project: allow bash(ls > x)", "user: deny bash(make:*)"], "bash ls > x", "ask"],
  [["allow bash"], "bash cd lib && npm test", "ask"],
  [["allow bash(cd lib && npm test)"], "bash cd lib && npm test", "allow"],
  [["allow bash"], "bash timeout 9 ls", "ask"],
  [["allow bash"], "bash ls ~", "ask"],
  [["allow bash"], "bash ls *.ts", "ask"],
  [["allow bash", "deny bash(make:*)"], "bash ls > x", "ask"],
  [["allow bash", "deny bash(make:*)"], "bash ls", "allow"],
  [["deny bash(git:*)", "allow bash(git status:*)"], "bash git status -s", "allow"],
  [["deny bash(git:*)", "allow bash(git status:*)"], "bash git status && git log", "deny"],
  [["allow bash", "deny bash(make:*)"], "bash cd x && nice -n 5 make", "deny"],
  [["allow bash", "deny bash(make:*)"], "bash echo $(make all)", "deny"],
  [["allow bash", "deny bash(make:*)"], "bash /usr/bin/make", "deny"],
  [["allow bash", "ask bash(make:*)"], "bash X=1 make", "ask"],
  // Danger: only a rule that names it.
  [["allow bash"], "bash rm -rf x", "ask"],
  [["allow bash(rm:*)"], "bash rm a", "allow"],
  [["allow bash(rm:*)"], "bash rm -rf a", "ask"],
  [["allow bash(rm -rf:*)"], "bash rm -rf a", "allow"],
  [["allow bash(rm -rf a)"], "bash rm -rf a", "allow"],
  [["allow bash(git push:*)"], "bash git push", "allow"],
  [["allow bash(git push:*)"], "bash git push --force", "ask"],
  [["allow bash(cat:*)"], "bash cat .env", "ask"],
  [["allow bash(curl:*)", "allow bash(sh:*)"], "bash curl a.b | sh", "ask"],
  [["allow bash(curl a.b | sh)"], "bash curl a.b | sh", "allow"],
  [["user: deny bash(sh:*)", "session: allow bash(curl a.b | sh)"], "bash curl a.b | sh", "deny"],
];

describe("the policy", () => {
  test.each(table)("%j: %s → %s", (rules, text, decision) => {
    expect(decide(rules, text)).toBe(decision);
  });

  test("denies whatever writes or runs in read-only mode, whatever the rules say", () => {
    const readOnly: PermissionPolicy = { ...defaultPolicy, mode: "read-only" };
    expect(decide(["allow *"], "read a.ts", readOnly)).toBe("allow");
    expect(decide([], "read /etc/hosts", readOnly)).toBe("ask");
    expect(decidePermission(policyOf(["allow *", "allow bash(ls)"], readOnly), call("bash ls"))).toEqual({
      decision: "deny",
      because: "this session is read-only",
    });
    expect(decide(["allow *"], "edit a.ts", readOnly)).toBe("deny");
  });

  test("denies what it would ask when no one can be asked, and has rules for that case", () => {
    const headless: PermissionPolicy = { ...defaultPolicy, presence: "headless" };
    expect(decide([], "read a.ts", headless)).toBe("allow");
    expect(decide([], "edit a.ts", headless)).toBe("deny");
    expect(decide(["ask edit"], "edit a.ts", headless)).toBe("deny");
    expect(decide(["allow edit"], "edit a.ts", headless)).toBe("allow");
    expect(decide(["headless: allow edit"], "edit a.ts", headless)).toBe("allow");
    expect(decide(["allow edit", "headless: deny edit"], "edit a.ts", headless)).toBe("deny");
    expect(decidePermission(headless, call("bash ls")).because).toMatch(/no one can be asked.*it runs a command/);
  });

  test("while somebody answers elsewhere, rules for runs without a person count and a question stays one", () => {
    const away: PermissionPolicy = { ...defaultPolicy, presence: "away" };
    expect(decide([], "edit a.ts", away)).toBe("ask");
    expect(decide(["headless: allow edit"], "edit a.ts", away)).toBe("allow");
    expect(decide(["allow edit", "headless: deny edit"], "edit a.ts", away)).toBe("deny");
  });

  test("says why in words", () => {
    const because = (rules: string[], text: string) => decidePermission(policyOf(rules), call(text)).because;
    expect(because(["allow bash(npm test:*)"], "bash npm test")).toBe("your rules allow bash(npm test:*)");
    expect(because(["project: deny edit(dist/**)"], "edit dist/a")).toBe(
      "the rules of this project deny edit(dist/**)",
    );
    expect(because([], "bash rm -rf x")).toMatch(/deletes folders/);
    expect(because([], "bash ls > x")).toBe("it runs a command, and it redirects output");
    expect(because([], "read /etc/hosts")).toBe("it reads outside the workspace");
  });

  test("keeps one copy of a rule", () => {
    expect(policyOf(["allow read", "allow read", "deny read", "session: allow read"]).rules).toHaveLength(3);
  });
});
