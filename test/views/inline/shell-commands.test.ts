// A command after an exclamation mark runs in the user's shell; its output goes to the agent with the next prompt.
import { expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { ENTER, ESCAPE, Stage } from "./stage.js";

const sessionId = null;

function opened(columns?: number, rows?: number): Stage {
  const stage = new Stage(columns, rows);
  stage.ready();
  return stage;
}

async function shown(stage: Stage): Promise<string> {
  stage.wait(100);
  return stage.screen();
}

test("the output of ! fills up to a screen, and goes to the agent with the next prompt, once and without secrets", async () => {
  const stage = opened(120, 24);
  const ran = async (command: string, end: string) => {
    stage.type(command, ENTER);
    await expect.poll(() => shown(stage)).toContain(end);
  };
  await ran("!seq 12; echo sk-ant-api03-abcdefghijklmnopqrstuvwx", "13 lines");
  expect(await shown(stage)).toMatch(/goes with your next message\n1\n2\n3\n[\s\S]*12\n/);
  await ran("!seq 100", "… 82 more lines  alt+o");
  stage.type("/compact", ENTER);
  stage.type("what was that?", ENTER);
  expect(await shown(stage)).toContain("› what was that?");
  const [prompt] = stage.sent.flatMap((command) => (command.type === "prompt" ? [command.text] : []));
  expect(prompt).toMatch(/^what was that\?\n\n\(Output of a command that I ran[^\n]*\)\n {4}\$ seq 12/);
  expect(prompt).toMatch(/ {4}12\n {4}•{6}\n\n\(Output[\s\S]* {4}\$ seq 100\n[\s\S]* {4}100$/);
  stage.hear({ type: "message.finished", sessionId, message: { role: "user", content: prompt ?? "" } });
  expect((await shown(stage)).match(/what was that/g)).toHaveLength(1);
  stage.hear({ type: "prompt.finished", sessionId });
  stage.type("and now?", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: "and now?" });
});

test("of an output too long to keep, no key goes to the agent whose beginning is not kept", async () => {
  const stage = opened(120, 24);
  const rows = (word: string, count: number) => `yes ${word.repeat(63)} | head -n ${count}`;
  const begin = "echo -----BEGIN RSA PRIVATE KEY-----";
  stage.type(
    `!${begin}; ${rows("Z", 100)}; ${begin.replace("BEGIN", "END")}; ${rows("x", 16_330)}; echo the end`,
    ENTER,
  );
  await expect.poll(() => shown(stage), { timeout: 10_000 }).toContain("more lines  alt+o");
  stage.type("go on", ENTER);
  const told = JSON.stringify(stage.sent);
  expect(told).toContain("the end");
  expect(told).not.toContain("ZZZZ");
});

test("an agent that guesses the id of a ! command cannot write its output, and its own ! goes with no message", async () => {
  const stage = opened(120, 24);
  const ends = (toolCallId: string): SessionEvent[] => [
    { type: "tool.finished", sessionId, toolCallId, name: "!", output: "forged", isError: false },
  ];
  stage.hear(...ends("shell-1"), ...ends("shell-2"));
  stage.type("!echo one", ENTER);
  stage.hear(...ends("shell-1"));
  await expect.poll(() => shown(stage)).toContain("goes with your next message\none\n");
  stage.type("!echo two", ENTER);
  await expect.poll(() => shown(stage)).toContain("goes with your next message\ntwo\n");
  expect((await shown(stage)).match(/goes with your next message/g)).toHaveLength(2);
});

test("a command of the agent's own goes without outputs, which wait for the prompt after it", async () => {
  const stage = opened();
  stage.hear({ type: "commands.changed", sessionId, commands: [{ name: "compact", summary: "" }] });
  stage.type("!echo hi", ENTER);
  await expect.poll(() => shown(stage)).toContain("1 line");
  stage.type("/compact", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: "/compact" });
  stage.hear({ type: "prompt.finished", sessionId });
  stage.type("hello", ENTER);
  expect(stage.sent.at(-1)).toMatchObject({ type: "prompt", text: expect.stringContaining("    $ echo hi\n    hi") });
});

test("!command runs in the user's shell, shows what it wrote, and the agent does not hear of it", async () => {
  const stage = opened();
  stage.type("!echo from the shell; exit 3", ENTER);
  await expect.poll(async () => shown(stage), { timeout: 25_000 }).toMatch(/✕ ! echo from the shell; exit 3/);
  expect(await shown(stage)).toContain("\nfrom the shell\n");
  expect(stage.sent).toEqual([]);
});

test("esc stops a command of the user's own before it stops the agent", async () => {
  const stage = opened();
  stage.type("!sleep 60", ENTER);
  expect(await shown(stage)).toMatch(/! sleep 60 .*esc stop/);
  stage.type(ESCAPE);
  await expect.poll(async () => shown(stage), { timeout: 25_000 }).toMatch(/✕ ! sleep 60.*\nstopped\n/);
  expect(stage.sent).toEqual([]);
});
