// A real process at the other end: files are really written, commands really run, and nothing is left behind, whichever way
// the agent ends.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openSessionLink } from "../../../src/agents/session-link.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { verifies } from "../../verifies.js";
import { isRunning } from "../processes.js";
import { AgentWorkshop } from "./test-agent.js";

const workshop = new AgentWorkshop();
beforeAll(() => workshop.build());
afterEach(() => workshop.clear());
afterAll(() => workshop.close());

const options = [
  { optionId: "y", name: "Yes", kind: "allow_once" },
  { optionId: "n", name: "No", kind: "reject_once" },
];

function permission(path: string, newText = "") {
  const content = [{ type: "diff", path, oldText: null, newText }];
  const toolCall = { toolCallId: "t1", title: `Edit ${path}`, kind: "edit", content };
  return { ask: "session/request_permission", params: { toolCall, options } };
}

describe("an agent on the wire of the Agent Client Protocol", () => {
  test("is greeted, prompted, heard and left, and ends by itself", async () => {
    const agent = workshop.open();
    expect(await agent.heard("agent.readied")).toMatchObject({ protocolVersion: "acp 1" });
    agent.link.send({ type: "prompt", text: "hello" });
    await agent.heard("prompt.finished");
    expect(agent.said()).toBe("You said: hello");
    expect(await agent.link.stop()).toMatchObject({ code: 0, signal: null });
  });

  test("takes what is said before its wire is loaded", async () => {
    const command = { command: process.execPath, args: [workshop.program], cwd: workshop.folder };
    const heard: string[] = [];
    const onEvent = (event: SessionEvent) => void heard.push(event.type);
    const link = openSessionLink(command, { protocol: "acp", onEvent, nowMs: () => performance.now() });
    expect(await link.send({ type: "ping" })).toBe("delivered");
    await expect.poll(() => heard, { timeout: 20_000 }).toContain("agent.readied");
    expect(heard).toContain("command.answered");
    expect(await link.stop()).toMatchObject({ code: 0 });
  });

  test("writes a file that was allowed, and no other without being asked about", async () => {
    const agent = workshop.open();
    await agent.heard("agent.readied");
    const [allowed, other] = [join(workshop.folder, "sub/allowed.txt"), join(workshop.folder, "other.txt")];
    agent.play(
      permission(allowed, "one\ntwo\nthree"),
      { ask: "fs/write_text_file", params: { path: allowed, content: "one\ntwo\nthree" } },
      { ask: "fs/write_text_file", params: { path: other, content: "never" } },
      { ask: "fs/read_text_file", params: { path: allowed, line: 2, limit: 1 } },
      { ask: "fs/read_text_file", params: { path: other } },
    );
    agent.answer((await agent.heard("ask.raised")).ask, { choiceId: "y" });
    const { ask } = await agent.heard("ask.raised", 2);
    expect(ask.question.params).toMatchObject({ path: other, changes: [{ oldText: null, newText: "never" }] });
    agent.answer(ask, { choiceId: "no" });
    await agent.heard("prompt.finished");
    expect(readFileSync(allowed, "utf8")).toBe("one\ntwo\nthree");
    expect(existsSync(other)).toBe(false);
    expect(agent.said()).toContain('{"content":"two"}');
    expect(agent.said()).toContain('"error":-32002');
  });

  test("does not write through a link that leads out of the workspace without asking", async () => {
    const outside = join(tmpdir(), `palaver-outside-${process.pid}.txt`);
    mkdirSync(join(workshop.folder, "links"), { recursive: true });
    symlinkSync(outside, join(workshop.folder, "links/dangling"));
    const agent = workshop.open();
    await agent.heard("agent.readied");
    const path = join(workshop.folder, "links/dangling");
    agent.play(permission(path, "out"), { ask: "fs/write_text_file", params: { path, content: "out" } });
    agent.answer((await agent.heard("ask.raised")).ask, { choiceId: "y" });
    const { ask } = await agent.heard("ask.raised", 2);
    expect(ask.question.params).toMatchObject({ danger: expect.stringContaining("outside the workspace") });
    agent.answer(ask, null);
    await agent.heard("prompt.finished");
    expect(existsSync(outside)).toBe(false);
  });

  test("runs commands whose output is shown while they run", async () => {
    const agent = workshop.open();
    await agent.heard("agent.readied");
    agent.play({ run: ["sh", "-c", "printf 'one\\n'; printf 'two\\n' >&2; exit 3"] });
    agent.answer((await agent.heard("ask.raised")).ask, { choiceId: "once" });
    const { output } = await agent.heard("tool.finished");
    await agent.heard("prompt.finished");
    expect(output).toMatchObject({ content: [{ text: "one\ntwo\n" }] });
    expect(agent.said()).toContain('{"exitCode":3,"output":"one\\ntwo\\n"}');
  });

  test("leaves no command running when it is gone", async () => {
    const agent = workshop.open();
    await agent.heard("agent.readied");
    const pidFile = join(workshop.folder, "pid");
    agent.play({ leaveRunning: ["sh", "-c", `sleep 600 & echo $! > ${pidFile}; wait`] }, { hang: "ignore" });
    agent.answer((await agent.heard("ask.raised")).ask, { choiceId: "once" });
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, "utf8").trim() !== "").toBe(true);
    const pid = Number(readFileSync(pidFile, "utf8"));
    expect(isRunning(pid)).toBe(true);
    await agent.link.stop();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test("takes files that are mentioned as links and pictures", async () => {
    writeFileSync(join(workshop.folder, "notes.md"), "notes");
    writeFileSync(join(workshop.folder, "dot.png"), Buffer.from("89504e47", "hex"));
    const agent = workshop.open();
    await agent.heard("agent.readied");
    agent.link.send({ type: "prompt", text: "see @notes.md and @dot.png and @nothing" });
    await agent.heard("prompt.finished");
    expect(agent.said()).toContain(`"uri":"file://${workshop.folder}/notes.md"`);
    expect(agent.said()).toContain('"data":"iVBORw=="');
    expect(agent.said()).not.toContain("file://nothing");
  });

  test("that takes a question back gets it back, and the dialog is closed", async () => {
    const agent = workshop.open();
    await agent.heard("agent.readied");
    agent.play({ askAndTakeBack: "session/request_permission", params: permission("/a").params });
    expect(await agent.heard("ask.withdrawn")).toMatchObject({ reason: "agent_cancelled" });
    await agent.heard("prompt.finished");
    expect(agent.said()).toContain('"error":-32800');
  });

  test("is stopped while a question is open, and takes the next prompt", async () => {
    const agent = workshop.open();
    await agent.heard("agent.readied");
    agent.play(permission("/a"), { say: "never said" });
    await agent.heard("ask.raised");
    agent.link.send({ type: "abort" });
    await agent.heard("prompt.finished");
    expect(agent.said()).not.toContain("never said");
    agent.play({ say: "again" });
    await agent.heard("prompt.finished", 2);
    expect(agent.said()).toContain("again");
  });

  test("that ignores being stopped is left behind in words", async () => {
    const agent = workshop.open([], { limits: { stopMs: 50 } });
    await agent.heard("agent.readied");
    agent.play({ say: "stuck" }, { hang: "ignore" });
    await agent.heard("message.grew");
    agent.link.send({ type: "abort" });
    await agent.heard("prompt.finished");
    expect((await agent.heard("notice.shown")).message).toContain("did not stop");
  });
});

describe("an agent that misbehaves as a process", () => {
  test("and never answers its greeting is given up in words and stopped", async () => {
    const agent = workshop.open(["--greeting=never"], { limits: { greetingMs: 300 } });
    expect((await agent.heard("agent.failed")).message).toContain("no answer to initialize");
    expect(await agent.link.exited).toMatchObject({ code: 0 });
  });

  test("and speaks another version is given up in words and stopped", async () => {
    const agent = workshop.open(["--greeting=version-2"]);
    expect((await agent.heard("agent.failed")).message).toContain("version 2");
    await agent.link.exited;
  });

  test("and prints junk before and between its frames is understood all the same", async () => {
    const agent = workshop.open(["--greeting=junk-first"]);
    await agent.heard("agent.readied");
    expect(agent.of("log.written")).toMatchObject([{ text: "Welcome to the test agent!" }]);
    expect(agent.of("fault.reported")).toHaveLength(2);
    agent.play({ raw: "warning: something\n\n" }, { say: "fine" });
    await agent.heard("prompt.finished");
    expect(agent.said()).toBe("fine");
  });

  test("and dies in the middle of a turn ends the turn and its questions", async () => {
    verifies("asks.withdrawn-with-their-agent");
    const agent = workshop.open();
    await agent.heard("agent.readied");
    agent.play({ say: "half a wo" }, { stderr: "out of memory" }, { exit: 9 });
    await agent.heard("prompt.finished");
    expect(await agent.link.exited).toMatchObject({ code: 9, stderrTail: "out of memory" });
    expect(await agent.link.send({ type: "prompt", text: "anybody?" })).toBe("lost");
  });

  test("and sends frames of many megabytes, or more than is allowed, goes on after them", async () => {
    const agent = workshop.open();
    await agent.heard("agent.readied");
    agent.play({ sayMuch: 8 * 1024 * 1024 }, { sayMuch: 33 * 1024 * 1024 }, { say: "done" });
    await agent.heard("prompt.finished");
    expect(agent.said()).toHaveLength(8 * 1024 * 1024 + "done".length);
    expect(agent.of("fault.reported")).toMatchObject([{ fault: { name: "frameTooLong" } }]);
  });

  test("and hides behind a wrapper that does not end with its input is stopped with everything it started", async () => {
    const readyFile = join(workshop.folder, "ready");
    const line = `"${process.execPath}" "${workshop.program}" --after-input=stay --ready-file="${readyFile}"; true`;
    const agent = workshop.openBehind("sh", ["-c", line]);
    await agent.heard("agent.readied");
    const pid = Number(readFileSync(readyFile, "utf8"));
    expect(isRunning(pid)).toBe(true);
    await agent.link.stop();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test("and is locked asks how to sign in, and works after", async () => {
    const agent = workshop.open(["--session=locked"]);
    const { ask } = await agent.heard("ask.raised");
    expect(ask.question).toMatchObject({ kind: "select", params: { title: "Test Agent needs you to sign in" } });
    agent.answer(ask, "open-sesame");
    await agent.heard("agent.readied");
  });

  test("and reads a key when it starts is started again with the one that was typed, until it fits", async () => {
    const pidFile = join(workshop.folder, "keyed-pid");
    const agent = workshop.open(["--session=keyed", `--ready-file=${pidFile}`]);
    agent.answer((await agent.heard("ask.raised")).ask, "key");
    const { ask } = await agent.heard("ask.raised", 2);
    expect(ask.question).toMatchObject({
      kind: "input",
      params: { title: "Key (TEST_AGENT_KEY)", opts: { secret: true } },
    });
    const first = Number(readFileSync(pidFile, "utf8"));
    agent.answer(ask, "wrong");
    agent.answer((await agent.heard("ask.raised", 3)).ask, "key");
    agent.answer((await agent.heard("ask.raised", 4)).ask, "right");
    await agent.heard("agent.readied");
    expect(isRunning(first)).toBe(false);
    agent.link.send({ type: "prompt", text: "hello" });
    await agent.heard("prompt.finished");
    expect(agent.said()).toBe("You said: hello");
    expect(agent.of("agent.failed")).toEqual([]);
    expect(JSON.stringify(agent.events)).not.toContain("right");
    expect(await agent.link.stop()).toMatchObject({ code: 0 });
  });

  test("and cannot open a session, or cannot even be started, says why", async () => {
    const broken = workshop.open(["--session=broken"]);
    expect((await broken.heard("agent.failed")).message).toBe("the disk is full");
    await broken.link.exited;
    const link = openSessionLink(
      { command: "/no/such/agent", args: [] },
      { protocol: "acp", onEvent: () => undefined, nowMs: () => performance.now() },
    );
    expect(await link.exited).toMatchObject({ code: null, error: expect.stringContaining("ENOENT") });
  });
});
