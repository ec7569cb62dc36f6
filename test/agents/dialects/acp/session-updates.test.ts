// Every kind of update an agent sends, in Palaver's own words; and those that make no sense, as faults that cost nothing.
import { describe, expect, test } from "vitest";
import { readyStage } from "./stage.js";

const said = (text: string) => ({ type: "text", text });

describe("an update", () => {
  test("of the plan is the whole list, and what is said after it is another message", () => {
    const stage = readyStage().prompt().text("Planning.");
    const entries = [
      { content: "read", priority: "high", status: "completed" },
      { content: "write", priority: "low", status: "in_progress" },
      { content: "rest", status: "someday" },
    ];
    stage.update({ sessionUpdate: "plan", entries }).text("ok").ends();
    expect(stage.of("plan.changed")).toMatchObject([
      {
        entries: [
          { text: "read", status: "completed" },
          { status: "in_progress" },
          { text: "rest", status: "pending" },
        ],
      },
    ]);
    expect(stage.blocks().closed).toMatchObject([{ text: "Planning." }, { text: "ok" }]);
  });

  test("of a tool that keeps todos is a plan, and a row without the list", () => {
    const stage = readyStage().prompt();
    const call = { sessionUpdate: "tool_call", toolCallId: "c1", title: "todowrite", kind: "other", status: "pending" };
    const todos = [
      { id: "1", content: "read", status: "completed" },
      { id: "2", title: "write", status: "in_progress" },
    ];
    const update = { sessionUpdate: "tool_call_update", toolCallId: "c1", kind: "other", rawInput: { todos } };
    const content = [{ type: "content", content: said(JSON.stringify(todos)) }];
    stage
      .update({ ...call, rawInput: {} })
      .update({ ...update, title: "2 todos", status: "in_progress" })
      .update({ ...update, title: "2 todos", status: "completed", content, rawOutput: { output: "[]" } })
      .ends();
    expect(stage.of("plan.changed")).toMatchObject([
      {
        entries: [
          { text: "read", status: "completed" },
          { text: "write", status: "in_progress" },
        ],
      },
    ]);
    expect(stage.blocks().closed).toMatchObject([
      { kind: "tool", name: "plan", args: { title: "1 of 2 done" }, output: "" },
    ]);
  });

  test("of the commands has their words and hints", () => {
    const stage = readyStage();
    const availableCommands = [
      { name: "review", description: "Review it", input: { hint: "branch" } },
      { name: "init", input: null },
    ];
    stage.update({ sessionUpdate: "available_commands_update", availableCommands });
    expect(stage.of("commands.changed")).toMatchObject([
      {
        commands: [
          { name: "review", summary: "Review it", hint: "branch" },
          { name: "init", summary: "" },
        ],
      },
    ]);
  });

  test("of the usage has the room and the cost", () => {
    const stage = readyStage().update({
      sessionUpdate: "usage_update",
      used: 5,
      size: 9,
      cost: { amount: 0.25, currency: "USD" },
    });
    expect(stage.of("usage.changed")).toMatchObject([
      { context: { used: 5, size: 9 }, usage: { cost: { total: 0.25 } } },
    ]);
  });

  test.each([
    ["info", "info"],
    ["warning", "warn"],
    ["error", "error"],
    ["cosmic", "info"],
  ])("with a notice of the severity %s is a notice of the level %s", (severity, level) => {
    const stage = readyStage().update({ sessionUpdate: "notice", severity, title: "Slow", description: "very" });
    expect(stage.of("notice.shown")).toMatchObject([{ level, message: "Slow\nvery" }]);
  });

  test("of a compaction is told while it goes on and when it is over", () => {
    const stage = readyStage().prompt();
    stage.update({ sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" });
    expect(stage.of("working.changed").at(-1)?.message).toContain("compacting");
    stage.update({ sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: said("we") });
    stage.update({
      sessionUpdate: "compaction_update",
      compactionId: "c",
      status: "completed",
      summary: [said("we did it")],
    });
    expect(stage.of("working.changed").at(-1)?.message).toBeNull();
    expect(stage.of("notice.shown")).toMatchObject([{ level: "info", message: expect.stringContaining("we did it") }]);
    stage.update({ sessionUpdate: "compaction_update", compactionId: "d", status: "failed", error: "too short" });
    expect(stage.of("notice.shown").at(-1)).toMatchObject({
      level: "warn",
      message: expect.stringContaining("too short"),
    });
  });

  test("with a tool call has its verb, its files, its changes and its output", () => {
    const stage = readyStage().prompt();
    stage.update({
      sessionUpdate: "tool_call",
      toolCallId: "t1",
      title: "Editing a.ts",
      kind: "edit",
      status: "in_progress",
      locations: [{ path: "/home/ada/parser/src/a.ts", line: 3 }],
      content: [
        { type: "content", content: said("one change") },
        { type: "diff", path: "/home/ada/parser/src/a.ts", oldText: "", newText: "x" },
      ],
    });
    expect(stage.of("tool.started")).toMatchObject([
      { name: "edit", args: { path: "src/a.ts", title: "Editing a.ts" }, changes: [{ oldText: null, newText: "x" }] },
    ]);
    stage.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "failed", title: null, content: null });
    expect(stage.of("tool.finished")).toMatchObject([
      {
        isError: true,
        output: { content: [{ text: "one change" }], details: { locations: ["/home/ada/parser/src/a.ts"] } },
      },
    ]);
  });

  test.each([
    [{ kind: "execute", rawInput: { command: ["npm", "test"] } }, "run", { command: "npm test" }],
    [{ kind: "execute", title: "ls -l" }, "run", { command: "ls -l" }],
    [{ kind: "read", rawInput: { file_path: "/etc/hosts" } }, "read", { path: "/etc/hosts" }],
    [{ kind: "search", rawInput: { pattern: "foo" } }, "search", { pattern: "foo" }],
    [{ kind: "fetch", rawInput: { url: "https://x.y" } }, "fetch", { url: "https://x.y" }],
    [{ kind: "think", title: "Guardian Review" }, "Guardian Review", {}],
    [{ kind: "brand_new", name: "grep", title: "Grep it", rawInput: { pattern: "x" } }, "Grep it", { pattern: "x" }],
    [{ kind: "brand_new", name: "grep" }, "grep", {}],
    [{ kind: "execute", title: "Bash" }, "run", {}],
    [{ kind: "edit", title: "Write" }, "edit", {}],
    [{}, "tool", {}],
  ])("with the tool call %j is read as %s", (call, name, args) => {
    const stage = readyStage()
      .prompt()
      .update({ sessionUpdate: "tool_call", toolCallId: "t1", ...call });
    expect(stage.of("tool.started")).toMatchObject([{ name, args }]);
  });

  test.each([
    ["plain words", "plain words"],
    [{ output: "from a field" }, "from a field"],
    [{ stdout: "", stderr: "", error: "it broke" }, "it broke"],
    [{ exit: 3 }, ""],
  ])("with the raw output %j shows it when there is nothing else", (rawOutput, text) => {
    const stage = readyStage().prompt();
    stage.update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "x", status: "completed", rawOutput }).ends();
    expect(stage.blocks().closed).toMatchObject([{ kind: "tool", output: text }]);
  });

  test.each([[{ oldText: null }], [{}], [{ oldText: "" }]])(
    "with a diff of a new file, told with %j, is a new file",
    (old) => {
      const stage = readyStage().prompt();
      const content = [{ type: "diff", path: "/home/ada/parser/a.ts", newText: "x", ...old }];
      stage.update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "Write", kind: "edit", content });
      expect(stage.of("tool.started")).toMatchObject([{ changes: [{ oldText: null, newText: "x" }] }]);
    },
  );

  test("with a tool call that shows a picture passes the picture on beside the words", () => {
    const stage = readyStage().prompt();
    const content = [
      { type: "content", content: { type: "image", data: "iVBO", mimeType: "image/png" } },
      { type: "content", content: said("a screenshot") },
    ];
    stage.update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "Look", status: "completed", content });
    expect(stage.of("tool.finished")).toMatchObject([
      {
        output: {
          content: [
            { type: "text", text: "a screenshot" },
            { type: "image", data: "iVBO" },
          ],
        },
      },
    ]);
  });

  test.each(["cancelled", "rejected", "error"])("with a tool call that is %s has failed", (status) => {
    const stage = readyStage().prompt();
    stage.update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "x", status });
    expect(stage.of("tool.finished")).toMatchObject([{ isError: true }]);
    expect(stage.of("fault.reported")).toEqual([]);
  });

  test("with a tool call whose id was used in an earlier turn is another call, and a late word about the earlier is none", () => {
    const stage = readyStage().prompt();
    const call = { toolCallId: "call_1", title: "ls", kind: "execute" };
    stage
      .update({ sessionUpdate: "tool_call", ...call, status: "completed" })
      .ends()
      .prompt("again");
    stage.update({ sessionUpdate: "tool_call_update", toolCallId: "call_1", status: "failed" });
    expect(stage.of("tool.finished")).toHaveLength(1);
    stage.update({ sessionUpdate: "tool_call", ...call, status: "completed", rawOutput: "b.ts" }).ends();
    expect(stage.blocks().closed).toMatchObject([
      { kind: "tool", output: "" },
      { kind: "tool", output: "b.ts" },
    ]);
  });

  test("with a picture is a picture, and other content is named in words", () => {
    const stage = readyStage().prompt();
    const show = (content: object) => stage.update({ sessionUpdate: "agent_message_chunk", content });
    show({ type: "image", data: "iVBO", mimeType: "image/png" });
    show({ type: "resource_link", uri: "file:///a.ts", name: "a.ts" });
    show({ type: "resource", resource: { uri: "file:///b.ts", text: "let b" } });
    show({ type: "audio", data: "AA", mimeType: "audio/wav" });
    stage.ends();
    expect(stage.blocks().closed).toMatchObject([
      { kind: "image", base64: "iVBO", mimeType: "image/png" },
      { kind: "prose", text: "[a.ts](file:///a.ts)let b(sound, audio/wav)" },
    ]);
  });

  test("of an unknown kind is a fault, once, and the next one counts", () => {
    const stage = readyStage().prompt();
    for (let time = 0; time < 3; time += 1) stage.update({ sessionUpdate: "telepathy", strength: 9 });
    expect(stage.of("fault.reported")).toMatchObject([
      { fault: { name: "unknownType", message: "unknown session update: telepathy" } },
    ]);
    stage.text("still here").ends();
    expect(stage.blocks().closed.at(-1)).toMatchObject({ text: "still here" });
  });

  test("with content or tool content of an unknown kind is a fault, and the rest of it counts", () => {
    const stage = readyStage().prompt();
    stage.update({ sessionUpdate: "agent_message_chunk", content: { type: "smell" } });
    const content = [{ type: "hologram" }, { type: "content", content: said("kept") }];
    stage.update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "x", status: "completed", content });
    expect(stage.of("fault.reported").map(({ fault }) => fault.message)).toEqual([
      "unknown kind of content: smell",
      "unknown tool content: hologram",
    ]);
    expect(stage.of("tool.finished")).toMatchObject([{ output: { content: [{ text: "kept" }] } }]);
  });

  test("that lacks what it needs is a fault that names the field", () => {
    const stage = readyStage().update({ sessionUpdate: "usage_update", used: "many" });
    expect(stage.of("fault.reported")[0]?.fault.message).toContain("used");
  });

  test("with fields no one knows is read like one without", () => {
    const stage = readyStage().prompt();
    stage
      .update({ sessionUpdate: "agent_message_chunk", content: { ...said("Hi"), annotations: [] }, mood: "good" })
      .ends();
    expect(stage.blocks().closed).toMatchObject([{ text: "Hi" }]);
    expect(stage.of("fault.reported")).toEqual([]);
  });
});
