// A turn from the prompt to its end, whichever end that is: done, cut, refused, failed, stopped, or never.
import { describe, expect, test } from "vitest";
import { options, readyStage, SESSION, Stage } from "./stage.js";

const toolCall = { toolCallId: "t1", title: "rm -r build", kind: "execute", rawInput: { command: "rm -r build" } };

describe("a turn", () => {
  test("is a prompt, chunks as they come, and an end with what it cost", () => {
    const stage = readyStage().prompt("hello").text("Hi").text(" there.");
    expect(stage.params("session/prompt")).toEqual({ sessionId: SESSION, prompt: [{ type: "text", text: "hello" }] });
    expect(stage.of("message.grew").map(({ delta }) => delta)).toEqual(["Hi", " there."]);
    stage.replies("session/prompt", { stopReason: "end_turn", usage: { inputTokens: 5, outputTokens: 3 } });
    expect(stage.of("message.finished")).toMatchObject([
      { message: { content: [{ type: "text", text: "Hi there." }] } },
    ]);
    expect(stage.of("prompt.finished")).toMatchObject([{ sessionId: SESSION, usage: { input: 5, output: 3 } }]);
  });

  test("shows thinking and prose as parts of one message, in their order", () => {
    const stage = readyStage().prompt();
    stage
      .update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } })
      .text("Yes.")
      .ends();
    expect(stage.blocks().closed).toMatchObject([
      { kind: "thinking", text: "Hm." },
      { kind: "prose", text: "Yes." },
    ]);
  });

  test("starts a new message where the id changes or a tool is called, and where the user speaks", () => {
    const stage = readyStage().prompt();
    const chunk = (text: string, messageId: string) => ({
      sessionUpdate: "agent_message_chunk",
      messageId,
      content: { type: "text", text },
    });
    stage.update(chunk("one", "m1")).update(chunk("two", "m2"));
    stage
      .update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "x", status: "completed" })
      .update(chunk("three", "m2"))
      .ends();
    expect(stage.blocks().closed.map(({ kind }) => kind)).toEqual(["prose", "prose", "tool", "prose"]);
  });

  test("does not show the user's own prompt again when the agent repeats it", () => {
    const stage = readyStage().prompt("hello");
    stage
      .update({ sessionUpdate: "user_message_chunk", content: { type: "text", text: "hello" } })
      .text("Hi")
      .ends();
    expect(stage.of("message.started")).toHaveLength(1);
  });

  test("takes files that are mentioned along as links, and pictures as pictures", () => {
    const stage = readyStage().prompt('look at @src/a.ts, "@b" and @"my notes.md", not ada@example.org');
    expect(stage.effect("mentions.find")).toMatchObject({ names: ["src/a.ts", "b", "my notes.md"], pictures: "read" });
    expect(stage.methods()).not.toContain("session/prompt");
    const file = { name: "src/a.ts", path: "/p/src/a.ts", uri: "file:///p/src/a.ts", sizeBytes: 9 };
    const picture = { data: "iVBO", mimeType: "image/png" };
    stage.performs("mentions.find", [file, { ...file, name: "b", uri: "file:///p/b", picture }]);
    expect(stage.params("session/prompt")["prompt"]).toMatchObject([
      { type: "text" },
      { type: "resource_link", uri: "file:///p/src/a.ts", name: "a.ts", size: 9 },
      { type: "image", data: "iVBO", mimeType: "image/png" },
    ]);
  });

  test("takes pictures along that came with the prompt", () => {
    const stage = readyStage().wants({
      type: "prompt",
      text: "see",
      images: [{ data: "AAAA", mime_type: "image/gif" }],
    });
    expect(stage.params("session/prompt")["prompt"]).toMatchObject([
      { text: "see" },
      { data: "AAAA", mimeType: "image/gif" },
    ]);
  });

  test.each([
    ["max_tokens", "cut"],
    ["max_turn_requests", "requests"],
    ["refusal", "refused"],
  ])("that ends with %s says so in words", (reason, word) => {
    const stage = readyStage().prompt().ends(reason);
    expect(stage.of("notice.shown").map(({ message }) => message)).toMatchObject([expect.stringContaining(word)]);
    expect(stage.of("prompt.finished")).toHaveLength(1);
  });

  test("with an unknown stop reason ends all the same, and with none it has failed", () => {
    const stage = readyStage().prompt().ends("bored");
    expect(stage.of("prompt.finished")).toHaveLength(1);
    expect(stage.of("fault.reported")).toMatchObject([{ fault: { message: "unknown stop reason: bored" } }]);
    stage.prompt().replies("session/prompt", null);
    expect(stage.of("prompt.finished")).toHaveLength(2);
    expect(stage.of("agent.failed")).toMatchObject([{ message: expect.stringContaining("without a stop reason") }]);
  });

  test.each([
    [{ code: 401, message: '{"type":"error","error":{"code":401,"message":"bad key"}}' }, "bad key"],
    [{ code: -32603, message: "Internal error", data: { details: "the model is away" } }, "the model is away"],
    [{ code: -32603, message: "Internal error: bad key" }, "Internal error: bad key"],
    [{ code: -32603, message: "failed", data: "quota" }, "failed: quota"],
  ])("that fails shows the innermost reason", (error, words) => {
    const stage = readyStage().prompt().fails("session/prompt", error);
    expect(stage.of("agent.failed")).toMatchObject([{ message: words }]);
    expect(stage.of("prompt.finished")).toHaveLength(1);
  });

  test("refuses a second prompt while it runs, and takes one after", () => {
    const stage = readyStage().prompt("one").prompt("two");
    expect(stage.of("command.failed")).toMatchObject([{ code: -32022 }]);
    stage.ends().prompt("three").ends();
    expect(stage.of("prompt.finished")).toHaveLength(2);
  });

  test("that is stopped cancels its questions, keeps listening, and ends when the agent says so", () => {
    const stage = readyStage().prompt();
    const id = stage.asks("session/request_permission", { toolCall, options });
    stage.wants({ type: "abort" });
    expect(stage.params("session/cancel")).toEqual({ sessionId: SESSION });
    expect(stage.answerTo(id)).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    expect(stage.of("ask.withdrawn")).toMatchObject([{ askId: stage.ask().id }]);
    expect(stage.of("prompt.finished")).toEqual([]);
    stage.text("one last word").ends("cancelled");
    expect(stage.blocks().closed.at(-1)).toMatchObject({ kind: "prose", text: "one last word" });
    expect(stage.of("prompt.finished")).toHaveLength(1);
  });

  test("that is stopped answers whatever is still asked, without asking the user", () => {
    const stage = readyStage().prompt().wants({ type: "abort" });
    const late = stage.asks("session/request_permission", { toolCall, options });
    expect(stage.answerTo(late)).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    const command = stage.asks("terminal/create", { command: "ls" });
    expect(stage.answerTo(command)).toMatchObject({ error: { code: -32800 } });
    const write = stage.asks("fs/write_text_file", { path: "/home/ada/parser/a", content: "" });
    stage.performs("file.inspect", { realPath: "/home/ada/parser/a", place: "inside", oldText: null });
    expect(stage.answerTo(write)).toMatchObject({ error: { code: -32800 } });
    expect(stage.of("ask.raised")).toEqual([]);
  });

  test("that does not stop is given up after a while, in words, and the next prompt works", () => {
    const stage = readyStage().prompt().wants({ type: "abort" }).passes(10_000);
    expect(stage.of("notice.shown").at(-1)?.message).toContain("did not stop within 10 s");
    expect(stage.params("$/cancel_request")).toEqual({ requestId: stage.request("session/prompt")["id"] });
    expect(stage.of("prompt.finished")).toHaveLength(1);
    stage.ends("cancelled").prompt("again").ends();
    expect(stage.of("prompt.finished")).toHaveLength(2);
  });

  test("that was stopped in time is not given up later", () => {
    const stage = readyStage().prompt().wants({ type: "abort" }).ends("cancelled").prompt("again").passes(10_000);
    expect(stage.of("notice.shown")).toEqual([]);
    expect(stage.of("prompt.finished")).toHaveLength(1);
  });

  test("stopped before its files were found never leaves", () => {
    const stage = readyStage().prompt("@a").wants({ type: "abort" }).performs("mentions.find", []);
    expect(stage.methods()).not.toContain("session/prompt");
    expect(stage.of("prompt.finished")).toHaveLength(1);
  });

  test("in which the agent is silent says so, and takes it back with the next word", () => {
    const stage = readyStage().prompt().passes(30_000);
    expect(stage.of("working.changed")).toMatchObject([{ message: "no output from Test Agent for 30 s" }]);
    stage.text("here");
    expect(stage.of("working.changed").at(-1)).toMatchObject({ message: null });
  });

  test("in which the agent waits for the user is not silent", () => {
    const stage = readyStage().prompt();
    stage.asks("session/request_permission", { toolCall, options });
    stage.passes(30_000);
    expect(stage.of("working.changed")).toEqual([]);
  });

  test("ends when the agent is gone, and its questions with it", () => {
    const stage = readyStage().prompt().text("half a");
    stage.asks("session/request_permission", { toolCall, options });
    stage.dies();
    expect(stage.of("ask.withdrawn")).toMatchObject([{ reason: "disconnected" }]);
    expect(stage.of("prompt.finished")).toHaveLength(1);
    expect(stage.blocks().open).toEqual([]);
  });

  test("before there is a session is refused in words", () => {
    expect(new Stage().prompt().of("command.failed")).toMatchObject([{ code: -32020 }]);
  });
});
