// Commands that we run for an agent: allowed, limited, shown while they run, and gone when nobody wants them any more.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OutputTail } from "../../../../src/agents/dialects/acp/output-tail.js";
import {
  argvLine,
  environmentLine,
  firstLine,
  saysWhatRuns,
  scriptOf,
} from "../../../../src/agents/dialects/acp/run-line.js";
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
  test("runs the command that was allowed, behind a shell", () => {
    const stage = allowedStage();
    const terminalId = started(stage);
    expect(stage.effect("terminal.run")).toMatchObject({ cwd: "/home/ada/parser", env: {} });
    expect(terminalId).not.toBe("");
    expect(stage.of("ask.raised")).toHaveLength(1);
  });

  test("asks first when the user saw another command, and runs nothing after a no", () => {
    const stage = allowedStage();
    const id = stage.asks("terminal/create", { command: "bash", args: ["-c", "npm test; rm -rf ."] });
    expect(stage.ask().question.params).toMatchObject({
      title: "run npm test; rm -rf .",
      command: "npm test; rm -rf .",
    });
    stage.answers({ choiceId: "no" });
    expect(stage.answerTo(id)).toMatchObject({ error: { message: expect.stringContaining("denied by the user") } });
    expect(() => stage.effect("terminal.run")).toThrow();
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

  test("that was taken back while it started is ended, because no one knows its name", () => {
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

describe("a command as text", () => {
  test.each<[readonly string[], string]>([
    [["npm", "test"], "npm test"],
    [["rm", "a b", ""], "rm 'a b' ''"],
    [["echo", "it's", "$HOME", "*"], "echo 'it'\\''s' '$HOME' '*'"],
    [["A=1", "B=2"], "'A=1' B=2"],
    [["bash", "-c", "ls | wc"], "bash -c 'ls | wc'"],
  ])("%j is %j", (argv, line) => {
    expect(argvLine(argv)).toBe(line);
  });

  test("never reads like another command", () => {
    const word = fc.string({ unit: fc.constantFrom("a", " ", "'", "=", "\n", "\\"), maxLength: 4 });
    const argv = fc.array(word, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(argv, argv, (one, other) => {
        expect(argvLine(one) === argvLine(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  test("of variables has one order, and of two with one name the last", () => {
    const env = [
      { name: "B", value: "1" },
      { name: "A", value: "x y" },
      { name: "B", value: "2" },
    ];
    expect(environmentLine(env)).toBe("'A=x y' B=2");
  });

  test.each<[readonly string[], string | null]>([
    [["/bin/bash", "-c", "npm test"], "npm test"],
    [["sh", "-c", ""], ""],
    [["bash", "-lc", "ls"], null],
    [["bash", "-c", "ls", "x"], null],
    [["bash", "script.sh"], null],
    [["fish", "-c", "ls"], null],
    [["/tmp/bash", "-c", "ls"], null],
  ])("%j is the script %j of a shell", (argv, script) => {
    expect(scriptOf(argv)).toBe(script);
  });

  test("says what runs when it is the script of a shell or every word, and nothing else is", () => {
    expect(saysWhatRuns("npm test", ["sh", "-c", "npm test"])).toBe(true);
    expect(saysWhatRuns("npm test", ["npm", "test"])).toBe(true);
    expect(saysWhatRuns("sh -c 'npm test'", ["sh", "-c", "npm test"])).toBe(true);
    expect(saysWhatRuns("npm test", ["npm test"])).toBe(false);
  });

  test("in a title is its first line, and says when there is more", () => {
    expect([firstLine("ls"), firstLine("ls\nrm")]).toEqual(["ls", "ls …"]);
  });
});
