// Plans of Claude and what else it tells: how one is shown, what each answer means for the mode, and what stays of it in the transcript.
import { describe, expect, test } from "vitest";
import { createClaudeDialect } from "../../../../src/agents/dialects/claude/claude-dialect.js";
import type { JsonObject } from "../../../../src/agents/dialects/frames/json-frame.js";
import { DialectTalk } from "../dialect-talk.js";
import { assistant, canUse, claudeResult, init, initialized, toolResult } from "./claude-frames.js";

const PLAN = "# Plan\n\n1. Read **it**.";
const input = { plan: PLAN, planFilePath: "/home/ada/.claude/plans/a.md" };

function asked(): DialectTalk {
  const talking = new DialectTalk(createClaudeDialect());
  talking.hear(initialized(talking));
  talking.say({ type: "prompt", text: "go" });
  talking.hear(init(), assistant("m1", [{ type: "tool_use", id: "t1", name: "ExitPlanMode", input }]));
  talking.hear(canUse("r1", { tool_name: "ExitPlanMode", tool_use_id: "t1", input }));
  return talking;
}

const responseIn = (frame: JsonObject | undefined) => (frame?.response as JsonObject | undefined)?.response;

describe("a plan", () => {
  test("is Markdown of the agent, with answers that say what follows, and without the file it is kept in", () => {
    expect(asked().asked).toMatchObject([
      {
        origin: { kind: "agent" },
        question: {
          kind: "permission",
          params: {
            title: "Start this plan?",
            message: PLAN,
            markdown: true,
            choices: [
              { label: "yes, and ask before changes", choice: "allow_once" },
              { label: "yes, and accept all edits", choice: "allow_always" },
              { label: "no, keep planning", choice: "reject_once" },
            ],
          },
        },
      },
    ]);
    expect(asked().asked[0]?.question.params).not.toHaveProperty("details");
  });

  test.each([
    ["plan-ask", "default", "mode: ask before changes"],
    ["plan-accept", "acceptEdits", "mode: accept edits"],
  ])("%s leaves the plan mode for %s, and says so", (choiceId, mode, message) => {
    const talking = asked();
    const [sent] = talking.answer("r1", { choiceId });
    expect(responseIn(sent)).toEqual({
      behavior: "allow",
      updatedInput: input,
      updatedPermissions: [{ type: "setMode", mode, destination: "session" }],
    });
    expect(talking.events.at(-1)).toMatchObject({ type: "notice.shown", message });
  });

  test("stays in the transcript as what the agent said, its call without a text for the model", () => {
    const talking = asked();
    talking.answer("r1", { choiceId: "plan-ask" });
    talking.hear(toolResult("t1", "User has approved your plan. You can now start coding.", { plan: PLAN }));
    expect(talking.blocks).toContainEqual(expect.objectContaining({ kind: "prose", text: PLAN }));
    expect(talking.events.find(({ type }) => type === "tool.started")).toMatchObject({ args: {} });
    expect(talking.events.at(-1)).toMatchObject({ type: "tool.finished", output: null });
  });
});

describe("what Claude writes for the model", () => {
  function finished(name: string, given: JsonObject, content: unknown, structured?: unknown) {
    const talking = new DialectTalk(createClaudeDialect({ workspace: "/home/ada" }));
    talking.hear(initialized(talking));
    talking.say({ type: "prompt", text: "go" });
    talking.hear(init(), assistant("m1", [{ type: "tool_use", id: "t1", name, input: given }]));
    talking.hear(toolResult("t1", content as string, structured));
    return talking.events.filter((event) => event.type === "tool.finished" || event.type === "tool.started");
  }

  test("a file has no line behind its last line break", () => {
    const read = finished("Read", { file_path: "a.js" }, "1\tone\n2\ttwo\n3\t");
    expect(read.at(-1)).toMatchObject({ output: "1\tone\n2\ttwo", isError: false });
  });

  test("a question of an earlier run is a line, with its answer", () => {
    const questions = [{ question: "Which colour?", header: "Colour", options: [{ label: "Red" }] }];
    const structured = { questions, answers: { "Which colour?": "Red" } };
    const content = "User has answered your questions: ...";
    expect(finished("AskUserQuestion", { questions }, content, structured)).toMatchObject([
      { args: "Which colour?" },
      { output: "Red" },
    ]);
  });

  test("printed columns keep their lines, and Markdown stays Markdown", () => {
    const talking = new DialectTalk(createClaudeDialect());
    talking.hear(initialized(talking));
    const said = (text: string) => ({
      ...{ type: "assistant", parent_tool_use_id: null },
      message: { id: text.slice(0, 5), role: "assistant", model: "<synthetic>", content: [{ type: "text", text }] },
    });
    talking.hear(
      said("Total cost:   $1\nTotal time:   2s"),
      claudeResult(),
      said("## Usage\n\n| a | b |"),
      claudeResult(),
    );
    const prose = talking.blocks.flatMap((block) => (block.kind === "prose" ? [block.text] : []));
    expect(prose).toEqual(["```\nTotal cost:   $1\nTotal time:   2s\n```", "## Usage\n\n| a | b |"]);
  });
});

describe("a stopped command", () => {
  const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected";

  test("is stopped and not denied, and its description is no news", () => {
    const talking = new DialectTalk(createClaudeDialect());
    talking.hear(initialized(talking));
    talking.say({ type: "prompt", text: "go" });
    talking.hear(init(), assistant("m1", [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }]));
    talking.say({ type: "abort" });
    talking.hear(
      { type: "system", subtype: "task_notification", task_id: "b1", status: "stopped", summary: "Count slowly" },
      toolResult("t1", rejected, "User rejected tool use", "error"),
      { type: "user", message: { content: "[Request interrupted by user for tool use]" }, parent_tool_use_id: null },
      claudeResult({ subtype: "error_during_execution", terminal_reason: "aborted_tools" }),
    );
    expect(talking.blocks).toMatchObject([{ kind: "tool", phase: "stopped", output: "" }]);
  });
});

describe("an approval", () => {
  const bash = { tool_name: "Bash", tool_use_id: "t1", input: { command: "cat <<'E' > /tmp/z\nx\nE" } };
  const rule = { type: "addRules", rules: [{ toolName: "Bash", ruleContent: "ls" }], destination: "localSettings" };
  const folder = { type: "addDirectories", directories: ["/home/ada"], destination: "session" };

  function about(more: JsonObject): DialectTalk {
    const talking = new DialectTalk(createClaudeDialect({ workspace: "/home/ada" }));
    talking.hear(initialized(talking));
    talking.say({ type: "prompt", text: "go" });
    talking.hear(init(), canUse("r1", { ...bash, ...more }));
    return talking;
  }

  test("repeats no command as its description, and names a path once if it is in the agent's folder", () => {
    const inside = about({ description: bash.input.command, blocked_path: "/home/ada/ran.txt" });
    expect(inside.asked[0]?.question.params).not.toHaveProperty("message");
    expect(inside.asked[0]?.question.params).toMatchObject({ path: "/home/ada/ran.txt" });
    expect(about({ blocked_path: "/etc/x" }).asked[0]?.question.params).toMatchObject({
      message: "needs access to /etc/x",
    });
  });

  test("allows the file that a command writes with the command, or it would be asked about again", () => {
    const talking = about({ permission_suggestions: [rule, folder], blocked_path: "/home/ada/ran.txt" });
    expect(talking.asked[0]?.question.params).toMatchObject({
      choices: [
        { choice: "allow_once" },
        { id: "always-0", label: "always allow Bash(ls), Edit(//home/ada/ran.txt)" },
        { choice: "reject_once" },
      ],
    });
    const rules = [...rule.rules, { toolName: "Edit", ruleContent: "//home/ada/ran.txt" }];
    expect(responseIn(talking.answer("r1", { choiceId: "always-0" })[0])).toMatchObject({
      updatedPermissions: [{ ...rule, rules }],
    });
  });

  test.each(["/home/ada/a*.txt", "/etc/ran.txt", "/home/ada/../x"])("makes no rule for %s", (blocked_path) => {
    const talking = about({ permission_suggestions: [rule, folder], blocked_path });
    const [sent] = talking.answer("r1", { choiceId: "always-0" });
    expect(responseIn(sent)).toMatchObject({ updatedPermissions: [rule] });
  });

  test("makes no rule to change a file that is only read", () => {
    const reading = { tool_name: "Read", input: { file_path: "/home/ada/ran.txt" } };
    const talking = about({ ...reading, permission_suggestions: [rule, folder], blocked_path: "/home/ada/ran.txt" });
    expect(JSON.stringify(talking.asked[0]?.question.params)).not.toContain("Edit(");
    expect(JSON.stringify(talking.answer("r1", { choiceId: "always-0" }))).not.toContain("Edit");
  });

  test("offers all rules that Claude suggests as one answer", () => {
    const talking = about({ permission_suggestions: [rule, folder] });
    expect(talking.asked[0]?.question.params).toMatchObject({
      choices: [
        { choice: "allow_once" },
        {
          id: "always-all",
          label: "always allow Bash(ls) for this project, for you; always allow work in /home/ada for this session",
        },
        { id: "always-0", label: "always allow Bash(ls)" },
        { id: "always-1", label: "always allow work in /home/ada" },
        { choice: "reject_once" },
      ],
    });
    const [sent] = talking.answer("r1", { choiceId: "always-all" });
    expect(responseIn(sent)).toMatchObject({ updatedPermissions: [rule, folder] });
  });
});

describe("the status", () => {
  test.each<[readonly string[], string]>([
    [["--model", "sonnet"], "sonnet"],
    [["-p", "--model=claude-sonnet-5"], "claude-sonnet-5"],
    [["--verbose"], "opus"],
  ])("the model that it is started with is its model from the beginning: %j", (args, model) => {
    const talking = new DialectTalk(createClaudeDialect({ args }));
    talking.hear(initialized(talking));
    expect(talking.events[0]).toMatchObject({ type: "agent.readied", model });
  });
});
