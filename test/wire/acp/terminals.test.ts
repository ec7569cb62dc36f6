// Commands that we run for an agent: allowed, limited, shown while they run, and gone when nobody wants them any more.
import { describe, expect, test } from "vitest";
import { scriptOf } from "../../../src/wire/acp/allowances.js";
import { OutputTail } from "../../../src/wire/acp/output-tail.js";
import { verifies } from "../../verifies.js";
import { options, readyStage, type Stage } from "./stage.js";

const toolCall = { toolCallId: "t1", title: "Bash", kind: "execute", rawInput: { command: "npm test" } };

function allowedStage(choiceId = "yes-1"): Stage {
  const stage = readyStage().prompt();
  stage.asks("session/request_permission", { toolCall, options });
  return stage.answers({ choiceId });
}

function started(stage: Stage, params: Record<string, unknown> = {}): string {
  const id = stage.asks("terminal/create", { command: "/bin/bash", args: ["-c", "npm test"], ...params });
  stage.progressed(stage.effect("terminal.run").id, { kind: "started" });
  const { result } = stage.answerTo(id) as { result: { terminalId: string } };
  return result.terminalId;
}

describe("a terminal", () => {
  test("runs the command that was allowed, also behind a shell and a step into a folder", () => {
    const stage = allowedStage();
    const terminalId = started(stage, {
      args: ["-c", "cd '/home/ada/parser' && npm test"],
      env: [{ name: "CI", value: "1" }],
    });
    expect(stage.effect("terminal.run")).toMatchObject({ cwd: "/home/ada/parser", env: { CI: "1" } });
    expect(terminalId).not.toBe("");
    expect(stage.of("ask.raised")).toHaveLength(1);
  });

  test("asks first when the person saw another command, and runs nothing after a no", () => {
    verifies("safety.acp-command-gate");
    const stage = allowedStage();
    const id = stage.asks("terminal/create", { command: "bash", args: ["-c", "npm test; rm -rf ."] });
    expect(stage.ask().question.params).toMatchObject({
      title: "run npm test; rm -rf .",
      command: "bash -c npm test; rm -rf .",
    });
    stage.answers({ choiceId: "no" });
    expect(stage.answerTo(id)).toMatchObject({ error: { message: expect.stringContaining("did not allow") } });
    expect(() => stage.effect("terminal.run")).toThrow();
  });

  test("runs what an always covers, in later turns too", () => {
    const stage = allowedStage("yes-9").ends().prompt();
    started(stage, { args: ["-c", "ls"] });
    expect(stage.of("ask.raised")).toHaveLength(1);
  });

  test("shows its output in the tool call that names it, while it runs and after it was released", () => {
    const stage = allowedStage();
    const terminalId = started(stage);
    stage.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", content: [{ type: "terminal", terminalId }] });
    const effectId = stage.effect("terminal.run").id;
    stage.progressed(effectId, { kind: "output", text: "1 passed\n" });
    expect(stage.of("tool.updated").at(-1)).toMatchObject({ output: { content: [{ text: "1 passed\n" }] } });
    stage.performed(effectId, { ok: true, value: { exitCode: 0, signal: null } });
    stage.asks("terminal/release", { terminalId });
    stage.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" });
    expect(stage.of("tool.finished")).toMatchObject([{ output: { content: [{ text: "1 passed\n" }] } }]);
  });

  test("tells its output and its exit, now and to those who wait", () => {
    const stage = allowedStage();
    const terminalId = started(stage);
    const effectId = stage.effect("terminal.run").id;
    stage.progressed(effectId, { kind: "output", text: "so far" });
    const early = stage.asks("terminal/output", { terminalId });
    expect(stage.answerTo(early)).toMatchObject({ result: { output: "so far", truncated: false } });
    const waiting = stage.asks("terminal/wait_for_exit", { terminalId });
    expect(stage.answerTo(waiting)).toBeUndefined();
    stage.performed(effectId, { ok: true, value: { exitCode: 3, signal: null } });
    expect(stage.answerTo(waiting)).toMatchObject({ result: { exitCode: 3, signal: null } });
    const late = stage.asks("terminal/output", { terminalId });
    expect(stage.answerTo(late)).toMatchObject({ result: { exitStatus: { exitCode: 3 } } });
  });

  test("is killed and released on demand, and unknown afterwards", () => {
    const stage = allowedStage();
    const terminalId = started(stage);
    const kill = stage.asks("terminal/kill", { terminalId });
    expect(stage.answerTo(kill)).toMatchObject({ result: {} });
    expect(stage.effect("terminal.kill").of).toBe(stage.effect("terminal.run").id);
    const waiting = stage.asks("terminal/wait_for_exit", { terminalId });
    stage.asks("terminal/release", { terminalId });
    expect(stage.answerTo(waiting)).toMatchObject({ error: { code: -32800 } });
    const late = stage.asks("terminal/output", { terminalId });
    expect(stage.answerTo(late)).toMatchObject({ error: { code: -32002 } });
  });

  test("ends with its session", () => {
    const stage = allowedStage();
    started(stage);
    stage.ends().wants({ type: "close_session", session_id: "s1" }).replies("session/close", {});
    expect(stage.effect("terminal.kill").of).toBe(stage.effect("terminal.run").id);
  });

  test("that cannot be started is told with the reason", () => {
    const stage = allowedStage();
    const id = stage.asks("terminal/create", { command: "bash", args: ["-c", "npm test"] });
    stage.performed(stage.effect("terminal.run").id, { ok: false, message: "spawn bash ENOENT" });
    expect(stage.answerTo(id)).toMatchObject({ error: { message: "spawn bash ENOENT" } });
  });

  test("that was taken back while it started is ended, because nobody knows its name", () => {
    const stage = allowedStage();
    const id = stage.asks("terminal/create", { command: "bash", args: ["-c", "npm test"] });
    stage.says({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: id } });
    stage.progressed(stage.effect("terminal.run").id, { kind: "started" });
    expect(stage.effect("terminal.kill").of).toBe(stage.effect("terminal.run").id);
  });

  test("keeps the end of its output up to the agent's limit, and says that it is cut", () => {
    const stage = allowedStage();
    const terminalId = started(stage, { outputByteLimit: 5 });
    stage.progressed(stage.effect("terminal.run").id, { kind: "output", text: "abcdefgh" });
    const id = stage.asks("terminal/output", { terminalId });
    expect(stage.answerTo(id)).toMatchObject({ result: { output: "defgh", truncated: true } });
  });
});

describe("the end of an output", () => {
  test.each([
    [["ab", "cd"], 10, "abcd", false],
    [["ab", "cd"], 3, "bcd", true],
    [["ab", "cdefgh"], 2, "gh", true],
    [["aé€"], 4, "€", true],
    [["aé€"], 5, "é€", true],
    [["€€"], 2, "", true],
    [["abc"], 0, "", true],
  ])("of %j within %i bytes is %j", (pieces, bytesMax, text, truncated) => {
    const tail = new OutputTail(bytesMax);
    for (const piece of pieces) tail.push(piece);
    expect(tail.read()).toEqual({ text, truncated });
    expect(tail.read()).toEqual({ text, truncated });
  });
});

describe("what a command line runs", () => {
  test.each([
    ["/bin/bash", ["-c", "npm test"], "npm test"],
    ["bash", ["-lc", 'cd "/a b" && ls'], "ls"],
    ["sh", ["script.sh"], "sh script.sh"],
    ["ls", ["-c", "x"], "ls -c x"],
    ["npm", [], "npm"],
  ])("%s %j is %j", (command, args, script) => {
    expect(scriptOf(command, args)).toBe(script);
  });
});
