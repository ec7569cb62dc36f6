// What real agents do and the protocol does not say: each of these was met, and each is something people would lose work
// or patience over if a front end took the protocol by its word.
import { describe, expect, test } from "vitest";
import { greeting, options, readyStage, SESSION, Stage } from "./stage.js";

const edit = { toolCallId: "t1", title: "Writing a.ts", kind: "edit", locations: [{ path: "/home/ada/parser/a.ts" }] };

describe("an agent that surprises", () => {
  test("a tool call first seen in its permission request is shown, and finished by a lone update", () => {
    const stage = readyStage().prompt();
    stage.asks("session/request_permission", { toolCall: { ...edit, status: "pending" }, options });
    expect(stage.of("tool.started")).toMatchObject([{ toolCallId: "t1", name: "edit", args: { path: "a.ts" } }]);
    stage.answers({ choiceId: "yes-1" });
    stage.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" }).ends();
    expect(stage.blocks().closed).toMatchObject([{ kind: "tool", name: "edit", phase: "done" }]);
  });

  test("a permission request before its tool call is one tool call all the same", () => {
    const stage = readyStage().prompt();
    stage.asks("session/request_permission", { toolCall: { toolCallId: "t1", title: "ls", kind: "execute" }, options });
    stage.update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "ls", kind: "execute", status: "in_progress" });
    stage
      .answers({ choiceId: "yes-1" })
      .update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" });
    stage.ends();
    expect(stage.blocks().closed.map(({ kind }) => kind)).toEqual(["tool"]);
  });

  test("a tool call that never finishes ends with the turn", () => {
    const stage = readyStage().prompt();
    stage.update({
      sessionUpdate: "tool_call",
      toolCallId: "t1",
      title: "sleep",
      kind: "execute",
      status: "in_progress",
    });
    stage.ends("cancelled");
    expect(stage.blocks()).toMatchObject({ open: [], closed: [{ kind: "tool", phase: "stopped" }] });
  });

  test("a rejected tool call about which the agent says nothing more is over when the agent goes on", () => {
    const stage = readyStage().prompt();
    stage.asks("session/request_permission", { toolCall: edit, options });
    stage.answers({ choiceId: "no-1" }).text("Then I leave it.");
    expect(stage.blocks().closed).toMatchObject([{ kind: "tool", phase: "failed", output: "not allowed" }]);
  });

  test("output of a terminal that the agent runs itself is taken from where it puts it", () => {
    const stage = readyStage().prompt();
    const content = [{ type: "terminal", terminalId: "its-own" }];
    stage.update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "ls", kind: "execute", content });
    for (const data of ["one\n", "two\n"]) {
      const _meta = { terminal_output: { terminal_id: "its-own", data } };
      stage.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", _meta });
    }
    stage.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" }).ends();
    expect(stage.blocks().closed).toMatchObject([{ output: "one\ntwo\n" }]);
  });

  test("a missing file reads as empty for agents that could not create it otherwise, and is an error for the others", () => {
    const missing = { ok: false, message: "ENOENT", code: "ENOENT" } as const;
    const gemini = readyStage({}, { ...greeting, agentInfo: { name: "gemini-cli" } }).prompt();
    const first = gemini.asks("fs/read_text_file", { path: "/home/ada/parser/new.ts" });
    gemini.performed(gemini.effect("file.read").id, missing);
    expect(gemini.answerTo(first)).toMatchObject({ result: { content: "" } });
    const other = readyStage().prompt();
    const second = other.asks("fs/read_text_file", { path: "/home/ada/parser/new.ts" });
    other.performed(other.effect("file.read").id, missing);
    expect(other.answerTo(second)).toMatchObject({ error: { code: -32002 } });
  });

  test("a write that no permission was asked for is asked about before it happens", () => {
    const stage = readyStage().prompt();
    const id = stage.asks("fs/write_text_file", { path: "/home/ada/parser/a.ts", content: "new" });
    stage.inspects("old");
    expect(stage.ask().question).toMatchObject({ kind: "permission", params: { title: "edit a.ts" } });
    expect(stage.answerTo(id)).toBeUndefined();
    expect(() => stage.effect("file.write")).toThrow();
  });

  test("tool content replaces what was there, and arguments on their way are not shown as output", () => {
    const stage = readyStage().prompt();
    const showing = (text: string) => [{ type: "content", content: { type: "text", text } }];
    stage.update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "Write", kind: "edit" });
    for (const text of ['{"path":"a', '{"path":"a.ts","content":"x"}']) {
      stage.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", content: showing(text) });
    }
    expect(stage.of("tool.updated")).toEqual([]);
    expect(stage.of("tool.started").at(-1)).toMatchObject({ args: { path: "a.ts" } });
    stage.update({
      sessionUpdate: "tool_call_update",
      toolCallId: "t1",
      status: "completed",
      content: showing("wrote 1 byte"),
    });
    expect(stage.of("tool.finished")).toMatchObject([{ output: { content: [{ text: "wrote 1 byte" }] } }]);
  });

  test("a permission in other words than its tool call is asked in its own, and erases nothing", () => {
    const stage = readyStage().prompt();
    const content = [{ type: "diff", path: "/home/ada/parser/a.ts", oldText: "1", newText: "2" }];
    stage.update({ sessionUpdate: "tool_call", ...edit, status: "pending", content });
    const rawInput = { filepath: "/home/ada/parser/a.ts", diff: "--- a\n+++ b\n" };
    stage.asks("session/request_permission", {
      toolCall: { toolCallId: "t1", title: "other words", rawInput },
      options,
    });
    expect(stage.ask().question.params).toMatchObject({ changes: [{ oldText: "1", newText: "2" }] });
    stage
      .answers({ choiceId: "yes-1" })
      .update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" });
    expect(stage.of("tool.finished")).toMatchObject([{ changes: [{ newText: "2" }] }]);
  });

  test("a diff that is only in the raw input of a permission is shown", () => {
    const stage = readyStage().prompt();
    const rawInput = { fileName: "a.ts", diff: "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-1\n+2\n" };
    stage.asks("session/request_permission", {
      toolCall: { toolCallId: "t1", title: "Edit", kind: "edit", rawInput },
      options,
    });
    expect(stage.ask().question.params).toMatchObject({ diff: rawInput.diff });
  });

  test("a permission that speaks of the call in other fields keeps the file that the call named", () => {
    const stage = readyStage().prompt();
    const path = "/home/ada/parser/new.ts";
    stage.update({
      ...{ sessionUpdate: "tool_call", toolCallId: "t1", title: "Create a file", kind: "edit", status: "pending" },
      rawInput: { path, file_text: "hi" },
    });
    stage.asks("session/request_permission", {
      toolCall: { toolCallId: "t1", title: "Create file", rawInput: { diff: "+hi\n" } },
      options,
    });
    expect(stage.ask().question.params).toMatchObject({ title: "edit new.ts", path, diff: "+hi\n" });
  });

  test("options come in one order whatever the agent's, and are told apart by their kind", () => {
    const stage = readyStage().prompt();
    const [once, always, no] = options;
    const extra = { optionId: "tool-always", name: "Always for this tool", kind: "allow_always" };
    const id = stage.asks("session/request_permission", { toolCall: edit, options: [always, extra, no, once] });
    const { params } = stage.ask().question;
    expect(params).toMatchObject({
      choices: [{ id: "yes-1" }, { id: "yes-9" }, { id: "tool-always" }, { id: "no-1" }],
    });
    stage.answers({ choiceId: "tool-always" });
    expect(stage.answerTo(id)).toMatchObject({ result: { outcome: { outcome: "selected", optionId: "tool-always" } } });
  });

  test("private requests are refused by name, private notifications are let go", () => {
    const stage = readyStage();
    const id = stage.asks("craft/drainMidTurnQueue", {});
    expect(stage.answerTo(id)).toMatchObject({ error: { code: -32601 } });
    stage.says({ jsonrpc: "2.0", method: "_auth/status_update", params: {} });
    expect(stage.of("fault.reported").map(({ fault }) => fault.message)).toEqual([
      "unknown request: craft/drainMidTurnQueue",
    ]);
    stage
      .says({ jsonrpc: "2.0", method: "qwen/notify/x", params: {} })
      .says({ jsonrpc: "2.0", method: "qwen/notify/x" });
    expect(stage.of("fault.reported")).toHaveLength(2);
  });

  test("updates of a session that has no name yet wait for it, and those after the end of a turn count", () => {
    const stage = new Stage().replies("initialize", greeting);
    stage.update({ sessionUpdate: "available_commands_update", availableCommands: [{ name: "compact" }] });
    expect(stage.of("commands.changed")).toEqual([]);
    stage.replies("session/new", { sessionId: SESSION });
    expect(stage.of("commands.changed")).toMatchObject([{ commands: [{ name: "compact", summary: "" }] }]);
    stage.prompt().ends().update({ sessionUpdate: "session_info_update", title: "parser" });
    expect(stage.of("title.changed")).toMatchObject([{ title: "parser" }]);
  });

  test("errors without an id are reported, and ids of the agent may be anything and overlap ours", () => {
    const stage = readyStage().prompt();
    stage.says({ jsonrpc: "2.0", error: { code: -32601, message: "no such notification" } });
    stage.says({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "what?" } });
    expect(stage.of("fault.reported")).toHaveLength(2);
    const ours = stage.request("session/prompt")["id"] as number;
    stage.asks("terminal/kill", { terminalId: "none" }, ours);
    stage.asks("terminal/kill", { terminalId: "none" }, "0d1c-uuid");
    expect(stage.answerTo(ours)).toMatchObject({ error: { code: -32002 } });
    expect(stage.answerTo("0d1c-uuid")).toMatchObject({ error: { code: -32002 } });
    expect(stage.of("prompt.finished")).toEqual([]);
  });

  test("initialize is the first thing any agent hears, and nothing else before its answer", () => {
    expect(new Stage().methods()).toEqual(["initialize"]);
  });

  test.each([-32002, -32602, -32603])("a session that is not there is told in words, also with the code %i", (code) => {
    const stage = readyStage();
    stage
      .wants({ type: "set_active_session", session_id: "gone" })
      .fails("session/load", { code, message: "no such thing" });
    expect(stage.of("command.failed")).toMatchObject([{ message: "no such thing" }]);
    stage.prompt();
    expect(stage.params("session/prompt")["sessionId"]).toBe(SESSION);
  });

  test("a mode may stand in two places, have an address for a name, and change without a word", () => {
    const url = "https://agent.example/modes#ask";
    const modes = {
      currentModeId: url,
      availableModes: [
        { id: url, name: "Ask" },
        { id: "auto", name: "Auto" },
      ],
    };
    const stage = readyStage({}, greeting, { modes });
    stage.wants({ type: "set_config", key: "mode", value: "auto" }).replies("session/set_mode", {});
    expect(stage.of("settings.changed").at(-1)?.settings).toMatchObject([{ key: "mode", value: "auto" }]);
    const option = {
      id: "m",
      name: "Mode",
      category: "mode",
      type: "select",
      currentValue: url,
      options: [{ value: url }, { value: "auto" }],
    };
    const both = readyStage({}, greeting, { modes, configOptions: [option] });
    expect(both.of("settings.changed").at(-1)?.settings).toMatchObject([{ key: "m", kind: "mode", value: url }]);
    both.wants({ type: "set_config", key: "mode", value: "auto" });
    expect(both.params("session/set_config_option")).toEqual({ sessionId: SESSION, configId: "m", value: "auto" });
    both.update({ sessionUpdate: "current_mode_update", currentModeId: "auto" });
    expect(both.of("settings.changed").at(-1)?.settings).toMatchObject([{ value: "auto" }]);
  });

  test("an echo of a change of the mode is no message; a text that names another mode is a message and changes nothing", () => {
    const modes = { currentModeId: "default", availableModes: [{ id: "default" }, { id: "autoEdit" }] };
    const stage = readyStage({}, greeting, { modes });
    const mode = () => stage.of("settings.changed").at(-1)?.settings[0]?.value;
    stage.wants({ type: "set_config", key: "mode", value: "autoEdit" });
    stage.text("[MODE_UPDATE] autoEdit").replies("session/set_mode", {}).text("[MODE_UPDATE] autoEdit").passes(400);
    expect(mode()).toBe("autoEdit");
    expect(stage.of("message.finished")).toEqual([]);
    stage.text("[MODE_UPDATE] elsewhere").passes(400);
    expect(mode()).toBe("autoEdit");
    expect(stage.of("message.finished")).toHaveLength(1);
    // The model can write it, too.
    stage.text("[MODE_UPDATE] default").passes(400);
    expect(mode()).toBe("autoEdit");
    expect(stage.of("message.finished")).toHaveLength(2);
  });

  test("an agent that refuses its own mode as root is asked for the ordinary one, in new and in old sessions", () => {
    const ordinary = { claudeCode: { options: { allowDangerouslySkipPermissions: false } } };
    const stage = readyStage({}, { ...greeting, agentInfo: { name: "claude-agent-acp" } });
    expect(stage.params("session/new")["_meta"]).toEqual(ordinary);
    stage.wants({ type: "set_active_session", session_id: "old" });
    expect(stage.params("session/load")["_meta"]).toEqual(ordinary);
    expect(readyStage().params("session/new")).not.toHaveProperty("_meta");
  });

  test("a banner before any prompt is a message that ends by itself, empty chunks are nothing, and their counts count", () => {
    const stage = readyStage().text("welcome").passes(400);
    expect(stage.blocks()).toMatchObject({ open: [], closed: [{ kind: "prose", text: "welcome" }] });
    const _meta = { usage: { inputTokens: 7, outputTokens: 2 } };
    stage.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "" }, _meta });
    expect(stage.of("message.started")).toHaveLength(1);
    expect(stage.of("message.grew")).toHaveLength(1);
    expect(stage.of("usage.changed")).toMatchObject([{ usage: { input: 7, output: 2 } }]);
  });

  test("an agent that fails its greeting with a code of its own is given up with its words", () => {
    const stage = new Stage().fails("initialize", {
      code: 1001,
      message: "approval_policy untrusted is not supported",
    });
    expect(stage.of("agent.failed")).toMatchObject([{ message: "approval_policy untrusted is not supported" }]);
    expect(stage.effects.at(-1)).toEqual({ type: "hang-up" });
  });

  test("text that an agent has blacked out is taken as it is", () => {
    const stage = readyStage().prompt().text("hello from ").text("****** llm").ends();
    expect(stage.blocks().closed).toMatchObject([{ text: "hello from ****** llm" }]);
  });
});
