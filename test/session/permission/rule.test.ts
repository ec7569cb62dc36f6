// Rules are read as they are written, and a rule that cannot be read says where it stands and what to write instead.
import { describe, expect, test } from "vitest";
import { parseRule, parseRuleLists, ruleText } from "../../../src/session/permission/rule.js";

const origin = { decision: "allow", where: ".palaver.toml, line 3" } as const;

describe("a rule", () => {
  test.each([
    ["read", "read", null],
    [" edit(src/**) ", "edit", "src/**"],
    ["bash(npm test:*)", "bash", "npm test:*"],
    ["bash(echo (x))", "bash", "echo (x)"],
    ["bash(*)", "bash", "*"],
    ["*", "*", null],
    ["github.create_issue", "github.create_issue", null],
  ])("%j is a tool and a pattern", (text, tool, pattern) => {
    expect(parseRule(text, origin)).toEqual({ ok: true, rule: { decision: "allow", tool, pattern } });
  });

  test("may deny or ask about what no rule can allow", () => {
    for (const decision of ["deny", "ask"] as const) {
      expect(parseRule("bash(sudo:*)", { decision, where: "x" })).toMatchObject({ ok: true });
    }
    expect(parseRule("bash(sh:*)", origin)).toMatchObject({ ok: true });
  });

  test("is written back as it was read", () => {
    expect(ruleText({ tool: "edit", pattern: "src/**" })).toBe("edit(src/**)");
    expect(ruleText({ tool: "read", pattern: null })).toBe("read");
  });

  test.each([
    ["", /is empty: write a tool/],
    ["bash(npm test", /no closing parenthesis/],
    ["bash npm test", /not of the form tool\(pattern\)/],
    ["Bash(npm test)", /lower case, such as bash/],
    ["bash()", /nothing in its parentheses: write bash/],
    ["bash(npm *)", /write bash\(npm:\*\)/],
    ["bash(npm test && ls:*)", /single plain command/],
    ["bash(npm $(x):*)", /single plain command/],
    ["bash(sudo apt:*)", /allows nothing, because of sudo: .* Write the whole command/],
    ["bash(bash -c:*)", /allows nothing, because of bash/],
    ["read(~/notes/**)", /write the home folder out/],
  ])("%j is refused with advice", (text, advice) => {
    const parsed = parseRule(text, origin);
    expect(parsed).toEqual({ ok: false, problem: expect.stringMatching(advice) });
    expect(parsed).toMatchObject({ problem: expect.stringContaining(".palaver.toml, line 3") });
  });

  test("that is broken does not take the good ones of its list with it", () => {
    const { rules, problems } = parseRuleLists({ allow: ["read", "Edit"], deny: ["bash(rm:*)"] }, "user config");
    expect(rules.map((rule) => `${rule.decision} ${ruleText(rule)}`)).toEqual(["deny bash(rm:*)", "allow read"]);
    expect(problems).toEqual([expect.stringContaining("user config, allow[1]")]);
  });
});
