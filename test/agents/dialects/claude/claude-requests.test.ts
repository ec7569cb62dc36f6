// What Claude wants from the user: to use a tool, to have its questions answered, to pass on what a server asks. What is
// shown, and what goes back.
import { describe, expect, test } from "vitest";
import { createClaudeDialect } from "../../../../src/agents/dialects/claude/claude-dialect.js";
import type { JsonObject } from "../../../../src/agents/dialects/frames/json-frame.js";
import type { PermissionParams } from "../../../../src/contract/asks.js";
import { DialectTalk } from "../dialect-talk.js";
import { canUse, init, initialized } from "./claude-frames.js";

function talk(): DialectTalk {
  const talking = new DialectTalk(createClaudeDialect());
  talking.hear(initialized(talking));
  return talking;
}

function prompted(text = "go"): DialectTalk {
  const talking = talk();
  talking.say({ type: "prompt", text });
  talking.hear(init());
  return talking;
}

const responseIn = (frame: JsonObject | undefined) => (frame?.response as JsonObject | undefined)?.response;

describe("permissions", () => {
  const rule = {
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: "npm test:*" }],
    behavior: "allow",
    destination: "localSettings",
  };
  // A no without a reason ends the turn.
  const DENIED = { behavior: "deny", message: "Denied by the user.", interrupt: true };
  const PIECE = { old_string: "a", new_string: "b" };
  const bash = { tool_name: "Bash", input: { command: "npm test", description: "Run them" }, tool_use_id: "t1" };

  test.each(["replaceRules", "removeRules", "removeDirectories"])("offers no %s as something to allow", (type) => {
    const talking = prompted();
    talking.hear(canUse("r1", { ...bash, permission_suggestions: [{ ...rule, type }] }));
    const params = talking.asked.at(-1)?.question.params as PermissionParams | undefined;
    expect(params?.choices.map(({ choice }) => choice)).toEqual(["allow_once", "reject_once"]);
  });

  test("is about the file it reads, whatever other path blocks it", () => {
    const talking = prompted();
    const read = { tool_name: "Read", input: { file_path: ".env" }, tool_use_id: "t1" };
    talking.hear(canUse("r1", { ...read, blocked_path: "README.md" }));
    expect(talking.asked.at(-1)?.question.params).toMatchObject({ path: ".env" });
  });

  test("that gives no reason but that it asks is shown without one", () => {
    const talking = prompted();
    talking.hear(canUse("r1", { ...bash, decision_reason: "This command requires approval" }));
    expect(talking.asked.at(-1)?.question.params).toMatchObject({ message: "The agent says: Run them" });
  });

  test("shows the whole command, and each rule on offer as a choice of its own", () => {
    const talking = prompted();
    talking.hear(canUse("r1", { ...bash, permission_suggestions: [rule], decision_reason: "it runs code" }));
    expect(talking.asked).toEqual([
      {
        id: "r1",
        sessionId: "s-1",
        turnId: null,
        origin: { kind: "tool", name: "Bash" },
        deadlineMs: null,
        question: {
          kind: "permission",
          params: {
            title: "Bash npm test",
            tool: "Bash",
            toolCallId: "t1",
            command: "npm test",
            message: "The agent says: Run them\nWhy Claude asks: it runs code",
            allowReason: true,
            performedBy: "agent",
            choices: [
              { id: "allow", label: "allow once", choice: "allow_once" },
              {
                id: "always-0",
                label: "always allow Bash(npm test:*)",
                choice: "allow_always",
                description: "this project, for you",
              },
              { id: "reject", label: "no", choice: "reject_once" },
            ],
          },
        },
      },
    ]);
  });

  test.each<[unknown, object]>([
    [{ choiceId: "allow" }, { behavior: "allow", updatedInput: bash.input }],
    [{ choiceId: "always-0" }, { behavior: "allow", updatedInput: bash.input, updatedPermissions: [rule] }],
    [{ choiceId: "reject" }, DENIED],
    [
      { choiceId: "reject", reason: "use pnpm" },
      { behavior: "deny", message: "use pnpm" },
    ],
    [{ choiceId: "invented" }, DENIED],
    [null, DENIED],
    [true, DENIED],
  ])("the answer %j becomes %j", (value, response) => {
    const talking = prompted();
    talking.hear(canUse("r1", { ...bash, permission_suggestions: [rule] }));
    const [sent, ...more] = talking.answer("r1", value);
    expect(more).toEqual([]);
    expect(sent).toEqual({
      type: "control_response",
      response: { subtype: "success", request_id: "r1", response },
    });
  });

  test("an unknown tool is shown with all of its input, a server's tool under the server's name", () => {
    const talking = prompted();
    talking.hear(
      canUse("r1", {
        tool_name: "mcp__db__drop",
        display_name: "Drop",
        input: { table: "users" },
        mcp_server: { name: "db" },
      }),
    );
    expect(talking.asked[0]).toMatchObject({
      origin: { kind: "mcp", name: "db" },
      question: {
        params: {
          title: "mcp__db__drop",
          message: "The agent says: Drop",
          details: [{ name: "table", value: "users" }],
        },
      },
    });
  });

  test.each<[tool: string, input: JsonObject, details: readonly string[]]>([
    ["Bash", { command: "ls", run_in_background: true, timeout: 600_000 }, ["run_in_background", "timeout"]],
    ["Bash", { command: "ls", run_in_background: false, dangerouslyDisableSandbox: false }, []],
    ["Bash", { command: "ls", unheard_of: { a: [1] } }, ["unheard_of"]],
    ["Edit", { file_path: "a.ts", old_string: "a", new_string: "b", replace_all: false }, []],
    ["Write", { file_path: "a.ts", content: "a", mode: "777" }, ["mode"]],
    [
      "NotebookEdit",
      { notebook_path: "a.ipynb", new_source: "a", edit_mode: "delete", cell_id: "c" },
      ["edit_mode", "cell_id"],
    ],
    ["MultiEdit", { file_path: "a.ts", edits: [{ old_string: "a", new_string: "b", replace_all: true }] }, ["edits"]],
    ["MultiEdit", { file_path: "a.ts", edits: [{ old_string: "a", new_string: "b" }] }, []],
    ["Read", { file_path: "a.ts", limit: 5 }, ["limit"]],
    ["ExitPlanMode", { plan: "1. write", allowedPrompts: [{ tool: "Bash", prompt: "run tests" }] }, ["allowedPrompts"]],
    ["WebFetch", { url: "https://example.org", prompt: "say" }, ["prompt"]],
  ])("%s %j shows the inputs that stand nowhere else", (tool_name, input, details) => {
    const talking = prompted();
    talking.hear(canUse("r1", { tool_name, input }));
    const { params } = talking.asked[0]?.question ?? {};
    expect((params as PermissionParams).details?.map(({ name }) => name) ?? []).toEqual(details);
  });

  test.each<[title: string, tool: string, input: JsonObject, ours: string]>([
    ["Read README.md (it says: make deploy)", "Bash", { command: "make deploy" }, "Bash make deploy"],
    ["Read Makefile and list src", "Write", { file_path: "Makefile", content: "all:" }, "Write Makefile"],
    ["Search the code", "Grep", { pattern: "key", path: "/etc" }, "Grep /etc"],
  ])("the title is ours, and Claude's %j is told as its words", (title, tool_name, input, ours) => {
    const talking = prompted();
    talking.hear(canUse("r1", { tool_name, title, display_name: "Read", input }));
    expect(talking.asked[0]?.question.params).toMatchObject({
      title: ours,
      message: `The agent says: ${title}\nThe agent says: Read`,
    });
  });

  test.each<[tool: string, input: JsonObject, details: readonly string[]]>([
    ["MultiEdit", { file_path: "a.ts", edits: [PIECE, { old_string: "x", new_string: { a: 1 } }] }, ["edits"]],
    ["MultiEdit", { file_path: "a.ts", edits: [PIECE, { old_string: "x" }] }, ["edits"]],
    ["Edit", { file_path: "a.ts", ...PIECE, content: "x", new_source: "y" }, ["content", "new_source"]],
    ["Edit", { file_path: "a.ts", ...PIECE, notebook_path: "/etc/x" }, ["notebook_path"]],
    ["Write", { file_path: "a.ts", content: "x", ...PIECE }, ["old_string", "new_string"]],
  ])("%s %j: a change hides no input that it was not made from", (tool_name, input, details) => {
    const talking = prompted();
    talking.hear(canUse("r1", { tool_name, input }));
    const { params } = talking.asked[0]?.question ?? {};
    expect((params as PermissionParams).details?.map(({ name }) => name) ?? []).toEqual(details);
  });

  test.each<[string | null, JsonObject]>([
    [
      "always allow Bash(ls:*); never ask again, for anything; always allow work in /",
      {
        type: "setMode",
        rules: [{ toolName: "Bash", ruleContent: "ls:*" }],
        mode: "bypassPermissions",
        directories: ["/"],
      },
    ],
    ["accept all edits from now on", { type: "setMode", mode: "acceptEdits", destination: "session" }],
    [
      "always allow Bash(ls:*), Write",
      { type: "addRules", rules: [{ toolName: "Bash", ruleContent: "ls:*" }, { toolName: "Write" }] },
    ],
    [null, { type: "setMode", mode: "unheard-of" }],
    [null, { type: "addRules", rules: [{ toolName: "Bash", ruleContent: "ls:*", also: "rm" }] }],
    [null, { ...rule, everything: true }],
    [null, { ...rule, destination: "moon" }],
    [null, { type: "odd" }],
  ])("an answer for good says all that it sends, %j", (label, suggestion) => {
    const talking = prompted();
    talking.hear(canUse("r1", { ...bash, permission_suggestions: [suggestion] }));
    const choices = ((talking.asked[0]?.question.params ?? { choices: [] }) as PermissionParams).choices;
    expect(choices.filter(({ choice }) => choice === "allow_always").map((each) => each.label)).toEqual(
      label === null ? [] : [label],
    );
  });

  test("an edit of every occurrence says so", () => {
    const talking = prompted();
    const input = { file_path: "a.ts", old_string: "a", new_string: "b", replace_all: true };
    talking.hear(canUse("r1", { tool_name: "Edit", input }));
    expect(talking.asked[0]?.question.params).toMatchObject({
      details: [{ name: "replace_all", value: expect.stringContaining("every occurrence") }],
    });
  });

  test("a command without the sandbox is dangerous, in words", () => {
    const talking = prompted();
    talking.hear(canUse("r1", { tool_name: "Bash", input: { command: "ls -la", dangerouslyDisableSandbox: true } }));
    expect(talking.asked[0]?.question.params).toMatchObject({
      danger: "it runs without the sandbox",
      details: [{ name: "dangerouslyDisableSandbox", value: "true" }],
    });
  });

  test("a plan is shown whole before it is left", () => {
    const talking = prompted();
    talking.hear(canUse("r1", { tool_name: "ExitPlanMode", input: { plan: "1. read\n2. write" } }));
    expect(talking.asked[0]?.question.params).toMatchObject({
      title: "Start this plan?",
      message: "1. read\n2. write",
    });
  });

  test("a rule that forbids, or that is not to be offered, is no choice", () => {
    const talking = prompted();
    talking.hear(
      canUse("r1", { ...bash, permission_suggestions: [{ ...rule, behavior: "deny" }] }),
      canUse("r2", { ...bash, permission_suggestions: [rule], suppress_always_allow_rule: true }),
    );
    for (const { question } of talking.asked) expect(question.params.choices).toHaveLength(2);
  });

  test("a request that Claude takes back closes, and a late answer is dropped with words", () => {
    const talking = prompted();
    talking.hear(canUse("r1", bash));
    expect(talking.hear({ type: "control_cancel_request", request_id: "r1" })).toMatchObject([
      { type: "ask.withdrawn", askId: "r1", reason: "agent_cancelled" },
    ]);
    expect(talking.answer("r1", { choiceId: "allow" })).toEqual([]);
    expect(talking.events.at(-1)).toMatchObject({ type: "notice.shown", level: "warn" });
  });

  test("an answer that no one gave is a no that says so", () => {
    const talking = prompted();
    talking.hear(canUse("r1", bash));
    talking.say({ type: "ui_response", id: "r1", result: null, error: "timeout" });
    expect(responseIn(talking.lastSent)).toEqual({ behavior: "deny", message: "No one answered (timeout)." });
  });
});

describe("questions", () => {
  const questions = [
    {
      question: "Which colour?",
      header: "Colour",
      options: [{ label: "Red", description: "warm" }, { label: "Blue" }],
    },
    { question: "Which sizes?", multiSelect: true, options: [{ label: "S" }, { label: "L" }] },
  ];
  const request = canUse("r1", {
    ...{ tool_name: "AskUserQuestion", tool_use_id: "t1" },
    ...{ input: { questions }, requires_user_interaction: true },
  });

  test("become a form of their tool call, with room for words of one's own", () => {
    const talking = prompted();
    talking.hear(request);
    expect(talking.asked[0]?.question).toEqual({
      kind: "form",
      params: {
        title: "2 questions",
        opts: { tool_call_id: "t1" },
        fields: [
          {
            name: "q1",
            label: "Which colour?",
            kind: "select",
            description: "Colour",
            options: [
              { label: "Red", value: "Red", description: "warm" },
              { label: "Blue", value: "Blue", description: null },
            ],
          },
          { name: "q1_other", label: "or in your own words", kind: "text" },
          expect.objectContaining({ name: "q2", kind: "multi_select" }),
          { name: "q2_other", label: "or in your own words", kind: "text" },
        ],
      },
    });
  });

  test.each<[unknown, object]>([
    [
      { q1: "Red", q2: ["S", "L"] },
      { "Which colour?": "Red", "Which sizes?": "S, L" },
    ],
    [
      { q1: "Red", q1_other: " green ", q2: ["S"], q2_other: "XS" },
      { "Which colour?": "green", "Which sizes?": "S, XS" },
    ],
    [{ q1: "Blue" }, { "Which colour?": "Blue" }],
  ])("the answers %j go back by question as %j", (value, answers) => {
    const talking = prompted();
    talking.hear(request);
    const [sent] = talking.answer("r1", value);
    expect(responseIn(sent)).toEqual({ behavior: "allow", updatedInput: { questions, answers } });
  });

  const one = (more: object = {}) =>
    canUse("r1", {
      ...{ tool_name: "AskUserQuestion", tool_use_id: "t1" },
      input: { questions: [{ ...questions[0], ...more }] },
    });

  test("a single one is a list, with its descriptions in sight", () => {
    const talking = prompted();
    talking.hear(one());
    expect(talking.asked[0]?.question).toEqual({
      kind: "select",
      params: {
        title: "Which colour?",
        opts: { tool_call_id: "t1" },
        options: [
          { label: "Red", value: "Red", description: "warm" },
          { label: "Blue", value: "Blue", description: null },
          { label: "in my own words…", value: "", description: null },
        ],
      },
    });
    const [sent] = talking.answer("r1", "Blue");
    expect(responseIn(sent)).toMatchObject({
      behavior: "allow",
      updatedInput: { answers: { "Which colour?": "Blue" } },
    });
  });

  test("words of one's own are typed in a line; a cancel there goes back to the list", () => {
    const talking = prompted();
    talking.hear(one({ multiSelect: true }));
    expect(talking.answer("r1", ["Red", ""])).toEqual([]);
    expect(talking.asked[1]).toMatchObject({
      id: "r1/2",
      question: { kind: "input", params: { title: "Which colour?" } },
    });
    expect(talking.answer("r1/2", null)).toEqual([]);
    expect(talking.asked[2]).toMatchObject({ id: "r1/3", question: { kind: "select" } });
    talking.answer("r1/3", ["Red", ""]);
    const [sent] = talking.answer("r1/4", " teal ");
    expect(responseIn(sent)).toMatchObject({ updatedInput: { answers: { "Which colour?": "Red, teal" } } });
  });

  test("one that Claude takes back is closed in any of its rounds, and a cancel is no answer", () => {
    const talking = prompted();
    talking.hear(one());
    talking.answer("r1", "");
    const events = talking.hear({ type: "control_cancel_request", request_id: "r1" });
    expect(events).toMatchObject([{ type: "ask.withdrawn", askId: "r1/2" }]);
    talking.hear({ ...one(), request_id: "r2" });
    expect(responseIn(talking.answer("r2", null)[0])).toMatchObject({ behavior: "deny" });
  });

  test.each([
    ["a cancel", null],
    ["an empty form", { q1: "", q1_other: "  ", q2: [] }],
  ])("%s lets Claude go on without answers", (_, given) => {
    const talking = prompted();
    talking.hear(request);
    const [sent] = talking.answer("r1", given);
    expect(responseIn(sent)).toEqual({ behavior: "deny", message: "The user did not answer the questions." });
  });
});

describe("elicitation", () => {
  const schema = {
    type: "object",
    properties: { age: { type: "integer", minimum: 1 }, name: { type: "string", title: "Name", minLength: 2 } },
    required: ["name"],
  };
  const form = (fields = {}) => ({
    type: "control_request",
    request_id: "e1",
    request: { subtype: "elicitation", mcp_server_name: "files", message: "Who?", requested_schema: schema, ...fields },
  });

  test("is a form in the order the server wants, from the server that asks", () => {
    const talking = prompted();
    talking.hear(form({ property_order: ["name", "age"] }));
    expect(talking.asked[0]).toMatchObject({
      id: "e1",
      origin: { kind: "mcp", name: "files" },
      question: {
        kind: "form",
        params: { title: "Who?", fields: [{ name: "name", required: true }, { name: "age" }] },
      },
    });
    const [sent] = talking.answer("e1", { name: "Ada", age: "36" });
    expect(responseIn(sent)).toEqual({ action: "accept", content: { name: "Ada", age: 36 } });
  });

  test("an answer that does not fit is asked for again and answered once", () => {
    const talking = prompted();
    talking.hear(form());
    expect(talking.answer("e1", { name: "A" })).toEqual([]);
    const [, again] = talking.asked;
    expect(again?.question.params).toMatchObject({ fields: [{}, { name: "name", error: expect.any(String) }] });
    const sent = talking.answer(again?.id ?? "", { name: "Ada" });
    expect(sent.map(responseIn)).toEqual([{ action: "accept", content: { name: "Ada" } }]);
    expect(sent[0]).toMatchObject({ response: { request_id: "e1" } });
  });

  test("one that was asked again is closed when Claude takes it back", () => {
    const talking = prompted();
    talking.hear(form());
    talking.answer("e1", { name: "A" });
    const events = talking.hear({ type: "control_cancel_request", request_id: "e1" });
    expect(events).toMatchObject([{ type: "ask.withdrawn", askId: talking.asked[1]?.id }]);
  });

  test("a cancel is a cancel", () => {
    const talking = prompted();
    talking.hear(form());
    expect(talking.answer("e1", null).map(responseIn)).toEqual([{ action: "cancel" }]);
  });

  test("a form no one can show is cancelled and reported", () => {
    const talking = prompted();
    talking.hear(form({ requested_schema: { properties: { x: { type: "quantum" } } } }));
    expect(talking.asked).toEqual([]);
    expect(responseIn(talking.lastSent)).toEqual({ action: "cancel" });
    expect(talking.events.at(-1)).toMatchObject({ type: "fault.reported" });
  });

  const page = form({ mode: "url", url: "https://example.org/login", elicitation_id: "v1" });

  test.each([
    [true, "accept"],
    [false, "decline"],
    [null, "cancel"],
  ])("a page to visit is named in full; %j means %s", (value, action) => {
    const talking = prompted();
    talking.hear(page);
    expect(talking.asked[0]?.question).toMatchObject({
      kind: "confirm",
      params: { message: "Who?\nhttps://example.org/login" },
    });
    expect(talking.answer("e1", value).map(responseIn)).toEqual([{ action }]);
  });

  test("when the server sees the visit itself, the question closes and is answered", () => {
    const talking = prompted();
    talking.hear(page);
    talking.hear({ type: "system", subtype: "elicitation_complete", elicitation_id: "v1" });
    expect(talking.events.at(-1)).toMatchObject({ type: "ask.withdrawn", askId: "e1" });
    expect(responseIn(talking.lastSent)).toEqual({ action: "accept" });
  });
});
