// What becomes of a question when nobody is there: given permissions, rules of a file, and the four policies, as a table.
import { describe, expect, test } from "vitest";
import type { Ask } from "../../src/contract/asks.js";
import { fitAnswer } from "../../src/session/answer-fit.js";
import { type AnswerRule, readAnswers, ruledAnswer } from "../../src/session/headless-answers.js";
import { decideAlone, decideBeforehand, type OnAsk } from "../../src/session/headless-policy.js";
import { outsideApproval } from "../../src/session/sandbox/outside-approval.js";

const ask = (question: Ask["question"]): Ask => ({
  id: "q1",
  sessionId: null,
  turnId: null,
  origin: { kind: "agent" },
  question,
  deadlineMs: null,
});

const choices = [
  { id: "yes", label: "yes", choice: "allow_once" },
  { id: "no", label: "no", choice: "reject_once" },
] as const;
const permission = ask({ kind: "permission", params: { title: "npm test", tool: "bash", choices: [...choices] } });
const approval = ask({ kind: "confirm", params: { title: "edit a.ts", opts: { tool: "edit", allow_remember: true } } });
const confirm = ask({ kind: "confirm", params: { title: "Sure?", opts: { default: true } } });
const options = ["npm", "pnpm"].map((value) => ({ value, label: value.toUpperCase() }));
const select = ask({ kind: "select", params: { title: "Which?", options, opts: { default: "pnpm" } } });
const bareSelect = ask({ kind: "select", params: { title: "Which?", options } });
const swapped = ask({
  kind: "select",
  params: {
    title: "Sure?",
    options: [
      { label: "no", value: "yes" },
      { label: "yes", value: "no" },
    ],
  },
});
const input = ask({ kind: "input", params: { title: "Name?", opts: { default: "", required: true } } });
const editor = ask({ kind: "editor", params: { title: "Text?", prefill: "once" } });
const form = ask({
  kind: "form",
  params: {
    title: "All",
    fields: [
      { name: "port", label: "Port", kind: "number", default: 80, max: 100 },
      { name: "name", label: "Name", kind: "text" },
    ],
  },
});
const service = ask({
  kind: "form",
  params: {
    title: "New service",
    fields: [
      { name: "port", label: "Port", kind: "number", default: 80 },
      { name: "name", label: "Name", kind: "text" },
      { name: "public", label: "Public", kind: "confirm", default: true },
      { name: "env", label: "Env", kind: "select", options, default: "none of them" },
    ],
  },
});

describe("a tool that was allowed by its name", () => {
  const given = { everything: "asked", tools: ["read", "bash", "write"], rules: [] } as const;
  const about = (params: object) =>
    ask({ kind: "permission", params: { title: "x", tool: "bash", choices: [...choices], ...params } });
  const kindOf = (params: object) => decideBeforehand(about(params), given).kind;

  test("is allowed what is not dangerous", () => {
    expect(kindOf({ command: "npm test" })).toBe("answered");
    expect(kindOf({ command: "rm -rf build", danger: "it deletes folders" })).toBe("undecided");
    expect(kindOf({ tool: "write", path: "~/.bashrc", danger: "it writes outside the workspace" })).toBe("undecided");
  });

  test.each([
    ["run", "Bash"],
    ["run", "run_shell_command"],
    ["bash", "run"],
    ["edit", "Write"],
    ["edit", "apply_patch"],
    ["read", "Read"],
    ["MyTool", "mytool"],
  ])("%s means the tool that an agent calls %s", (named, tool) => {
    const before = { everything: "asked", tools: [named], rules: [] } as const;
    expect(decideBeforehand(about({ tool, path: "a.ts" }), before).kind).toBe("answered");
    const rule = { match: { tool: named }, answer: "reject_once" };
    expect(decideBeforehand(about({ tool }), { ...before, tools: [], rules: [rule] }).kind).toBe("answered");
  });

  test("and edits is not allowed to run or to read", () => {
    const before = { everything: "asked", tools: ["edit"], rules: [] } as const;
    for (const tool of ["bash", "Read", "grep"])
      expect(decideBeforehand(about({ tool }), before).kind).toBe("undecided");
  });

  test("and reads is not allowed to run or to write", () => {
    expect(kindOf({ tool: "read", path: "a.ts" })).toBe("answered");
    expect(kindOf({ tool: "read", command: "sudo rm -rf ~" })).toBe("undecided");
    expect(kindOf({ tool: "read", diff: "--- a\n+++ b\n" })).toBe("undecided");
  });
});

describe("a question that no one hears", () => {
  test.each<[string, Ask, OnAsk, unknown]>([
    ["a permission", permission, "deny", { kind: "answered", value: { choiceId: "no" } }],
    ["a permission", permission, "default", { kind: "answered", value: { choiceId: "no" } }],
    ["a permission", permission, "fail", { kind: "undecided" }],
    ["a permission", permission, "wait", { kind: "undecided" }],
    ["an approval", approval, "default", { kind: "answered", value: { ok: false } }],
    ["a confirm with the default yes", confirm, "default", { kind: "answered", value: false }],
    ["a confirm", confirm, "deny", { kind: "answered", value: false }],
    ["a select", select, "deny", { kind: "cancelled" }],
    ["a select with a default", select, "default", { kind: "answered", value: "pnpm" }],
    ["a select without one", bareSelect, "default", { kind: "undecided" }],
    ["an input whose default does not fit", input, "default", { kind: "undecided" }],
    ["an editor", editor, "default", { kind: "answered", value: "once" }],
    ["a form", form, "default", { kind: "answered", value: { port: 80 } }],
    ["a form", form, "fail", { kind: "undecided" }],
  ])("%s, --on-ask: %#", (_, asked, onAsk, expected) => {
    expect(decideAlone(asked, onAsk, "user")).toMatchObject(expected as object);
  });

  test("an agent's default answers nothing: it may be a yes in any words", () => {
    const yes = { label: "Do it", value: "y" };
    const wishes: Ask["question"][] = [
      { kind: "select", params: { title: "Run it?", options: [yes], opts: { default: "y" } } },
      { kind: "input", params: { title: "Run it?", opts: { default: "yes" } } },
      { kind: "editor", params: { title: "Run it?", prefill: "yes" } },
      {
        kind: "form",
        params: { title: "F", fields: [{ name: "a", label: "A", kind: "select", options: [yes], default: "y" }] },
      },
    ];
    for (const wish of wishes) expect(decideAlone(ask(wish), "default", "agent")).toMatchObject({ kind: "undecided" });
  });

  test("leaving the sandbox is allowed only where it is named, not with everything or with bash", () => {
    const { title, message, ...opts } = outsideApproval("npm i", "it wanted to use the network");
    const leave = ask({ kind: "confirm", params: { title, message, opts } });
    const anything: AnswerRule[] = [
      { match: {}, answer: "allow_once" },
      { match: { kind: "permission" }, answer: "allow_once" },
    ];
    const given = (tools: string[], rules: AnswerRule[]) =>
      decideBeforehand(leave, { everything: "allowed", tools, rules });
    expect(given(["bash"], anything).kind).toBe("undecided");
    expect(given(["bash_outside_sandbox"], [])).toMatchObject({ kind: "answered", by: "--allowed-tools" });
    expect(given([], [{ match: { tool: "bash_outside_sandbox" }, answer: "allow_once" }])).toMatchObject({
      by: "answers[0]",
    });
  });

  test("no policy ever allows anything", () => {
    for (const asked of [permission, approval, confirm]) {
      for (const onAsk of ["deny", "default", "fail", "wait"] as const) {
        const decision = decideAlone(asked, onAsk, "user");
        expect(JSON.stringify(decision)).not.toMatch(/true|"yes"|allow/);
      }
    }
  });
});

describe("what was given beforehand", () => {
  const nothing = { everything: "asked", tools: [], rules: [] } as const;

  test("a tool that is allowed is allowed once, and nothing else is", () => {
    expect(decideBeforehand(permission, { ...nothing, tools: ["bash"] })).toEqual({
      kind: "answered",
      value: { choiceId: "yes" },
      by: "--allowed-tools",
    });
    expect(decideBeforehand(approval, { ...nothing, tools: ["bash"] })).toMatchObject({ kind: "undecided" });
    expect(decideBeforehand(input, { ...nothing, tools: ["bash"] })).toMatchObject({ kind: "undecided" });
  });

  test("skipping permissions answers permissions only, and says so", () => {
    const skipped = { ...nothing, everything: "allowed" } as const;
    expect(decideBeforehand(approval, skipped)).toEqual({
      kind: "answered",
      value: { ok: true },
      by: "--skip-permissions",
    });
    expect(decideBeforehand(confirm, skipped)).toMatchObject({ kind: "undecided" });
    expect(decideBeforehand(select, skipped)).toMatchObject({ kind: "undecided" });
  });

  test("a rule that matches and does not fit decides nothing and says why", () => {
    const rules: AnswerRule[] = [{ match: { kind: "permission" }, answer: "allow_always" }];
    expect(decideBeforehand(permission, { ...nothing, rules })).toEqual({
      kind: "undecided",
      why: "answers[0] does not fit: the agent does not offer allow_always here",
    });
  });
});

describe("a file of answers", () => {
  const rules = (...list: AnswerRule[]) => list;

  test("the first rule that matches answers", () => {
    const list = rules(
      { match: { kind: "permission", tool: "edit" }, answer: "reject_once" },
      { match: { title: "npm *" }, answer: "allow_once" },
      { match: {}, answer: null },
    );
    expect(ruledAnswer(permission, list)).toEqual({
      rule: 1,
      fitted: { kind: "answered", value: { choiceId: "yes" } },
    });
    expect(ruledAnswer(input, list)).toEqual({ rule: 2, fitted: { kind: "cancelled" } });
    expect(ruledAnswer(approval, list)).toEqual({ rule: 0, fitted: { kind: "answered", value: { ok: false } } });
    expect(ruledAnswer(input, [])).toBeNull();
  });

  test("a yes to every confirm does not allow what an agent wants to do; a rule that names the tool or the title does", () => {
    const yes = { match: { kind: "confirm" }, answer: true } as const;
    expect(ruledAnswer(confirm, [yes])).not.toBeNull();
    expect(ruledAnswer(approval, [yes])).toBeNull();
    expect(ruledAnswer(approval, [{ match: {}, answer: true }])).toBeNull();
    expect(ruledAnswer(approval, [{ ...yes, match: { kind: "confirm", tool: "edit" } }])).not.toBeNull();
    expect(ruledAnswer(approval, [{ ...yes, match: { kind: "confirm", title: "edit *" } }])).not.toBeNull();
    expect(ruledAnswer(approval, [{ ...yes, answer: false }])).not.toBeNull();
  });

  test("a form gets the defaults of the fields that the rule leaves out, and no for a yes or no", () => {
    const answered = (answer: unknown) => ruledAnswer(service, [{ match: {}, answer }])?.fitted;
    expect(answered({ name: "x" })).toEqual({ kind: "answered", value: { port: 80, name: "x", public: false } });
    expect(answered({ port: 8, public: true })).toEqual({ kind: "answered", value: { port: 8, public: true } });
  });

  test("the words of a permission never answer another question, not even by a rule for everything", () => {
    expect(ruledAnswer(input, rules({ match: {}, answer: "allow_once" }))).toBeNull();
  });

  test.each([
    ["{", "this is not JSON"],
    ["[]", 'there must be a list "answers"'],
    ['{"answers": [], "more": 1}', 'unexpected field "more"'],
    ['{"answers": [{"match": {}}]}', 'answers[0]: there is no "answer"'],
    ['{"answers": [{"answer": 1}]}', 'answers[0]: "match" must be an object'],
    ['{"answers": [{"match": {"kind": "permisson"}, "answer": 1}]}', "answers[0]: match.kind is one of"],
    ['{"answers": [{"match": {"name": "x"}, "answer": 1}]}', 'not "name"'],
    ['{"answers": [{"match": {"title": 3}, "answer": 1}]}', "match.title must be a text"],
  ])("%s is refused", (text, words) => {
    const read = readAnswers(text);
    expect(read).toMatchObject({ ok: false, problem: expect.stringContaining(words) });
  });

  test("a good one is read", () => {
    const text = '{"answers": [{"match": {"kind": "confirm", "title": "Sure*"}, "answer": true}]}';
    expect(readAnswers(text)).toEqual({
      ok: true,
      rules: [{ match: { kind: "confirm", title: "Sure*" }, answer: true }],
    });
  });
});

describe("an answer that was written down", () => {
  test.each<[Ask, unknown, unknown]>([
    [permission, "reject_always", { kind: "cancelled" }],
    [permission, true, { kind: "unfit" }],
    [approval, "allow_always", { kind: "answered", value: { ok: true, remember: true } }],
    [approval, "always", { kind: "unfit", problem: expect.stringContaining("must be allow_once, allow_always,") }],
    [confirm, true, { kind: "answered", value: true }],
    [confirm, "allow_always", { kind: "unfit" }],
    [confirm, "yes", { kind: "unfit" }],
    [select, "NPM", { kind: "answered", value: "npm" }],
    [select, "yarn", { kind: "unfit", problem: '"yarn" is not one of the options: npm, pnpm' }],
    [swapped, "no", { kind: "unfit" }],
    [select, ["npm"], { kind: "unfit" }],
    [input, "", { kind: "unfit", problem: "required" }],
    [input, 3, { kind: "unfit" }],
    [editor, "a\nb", { kind: "answered", value: "a\nb" }],
    [form, { port: 8080 }, { kind: "unfit", problem: "port: at most 100" }],
    [form, { prt: 1 }, { kind: "unfit", problem: 'there is no field "prt"' }],
    [form, { port: 8, name: "x" }, { kind: "answered", value: { port: 8, name: "x" } }],
    [service, { name: "x", env: "NPM" }, { kind: "answered", value: { name: "x", env: "npm", public: false } }],
    [form, null, { kind: "cancelled" }],
  ])("%#", (asked, said, expected) => {
    expect(fitAnswer(asked, said)).toMatchObject(expected as object);
  });
});

test("a no that was given beforehand tells why, to an agent that takes a reason: its turn goes on", () => {
  const asking = ask({
    kind: "permission",
    params: { title: "npm test", tool: "bash", choices: [...choices], allowReason: true },
  });
  const value = { choiceId: "no", reason: expect.stringContaining("no one is there") };
  expect(decideAlone(asking, "deny", "agent")).toMatchObject({ kind: "answered", value });
  const rules = [{ match: {}, answer: "reject_once" }];
  expect(decideBeforehand(asking, { everything: "asked", tools: [], rules })).toMatchObject({ value });
  expect(decideBeforehand(asking, { everything: "allowed", tools: [], rules })).toMatchObject({
    value: { choiceId: "yes" },
  });
});
