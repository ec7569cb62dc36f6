// The tour: real tools and dialogs in a folder of its own, whatever is answered, and nothing of it stays.
import { readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LinesOutput } from "../../../src/contract/lines-outputs.js";
import { type Agent, freshFolder, startAgent } from "../rig.js";

/** Plays the tour to its end; every question gets the next answer. */
async function toured(agent: Agent, answers: readonly unknown[]): Promise<string[]> {
  const left = [...answers];
  const asked: string[] = [];
  agent.send({ type: "prompt", text: "/demo" });
  for (;;) {
    const frame = await agent.nextFrame((each) => each.type === "ui_request" || isEnd(each));
    if (frame.type !== "ui_request") return asked;
    asked.push(frame.params.title);
    agent.answer(frame, left.shift() ?? null);
  }
}

function isEnd(frame: LinesOutput): boolean {
  return frame.type === "event" && frame.event.type === "agent_end";
}

const QUESTIONS = ["edit src/parser.ts", "bash rm -rf build && ls", "Which package manager?", "A new project"];

function demoFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("palaver-demo-"));
}

test.each([
  ["all is allowed", [{ ok: true }, { ok: true }, "pnpm", { name: "x" }]],
  ["all is refused or cancelled", [{ ok: false }, { ok: false }, null, null]],
])("goes through every step when %s, and leaves nothing behind", async (_, answers) => {
  const before = demoFolders();
  const folder = freshFolder();
  writeFileSync(join(folder, "mine.txt"), "mine\n");
  const agent = await startAgent({ folder });
  expect(await toured(agent, answers)).toEqual(QUESTIONS);
  expect(agent.said().at(-1)).toContain("palaver run claude");
  expect(readdirSync(folder)).toEqual(["mine.txt"]);
  expect(demoFolders().filter((name) => !before.includes(name))).toEqual([]);
  const plans = agent.frames.flatMap((frame) => (frame.type === "ui_widget" ? [frame.params.content] : []));
  expect(plans.at(-1)).toBeNull();
});

test("is no part of the conversation", async () => {
  const agent = await startAgent();
  await toured(agent, []);
  agent.send({ type: "stats" });
  expect((await agent.next("stats")).stats).toMatchObject({ messages: 0, prompts: 0 });
});

test("can be left at a question", async () => {
  const agent = await startAgent();
  agent.send({ type: "prompt", text: "/demo" });
  await agent.question();
  agent.send({ type: "abort" });
  await agent.event("agent_end");
  expect(agent.said().join("")).not.toContain("A dangerous command");
});

test("is said in words where nothing can be asked", async () => {
  const agent = await startAgent({ ui: "none" });
  await agent.prompt("/demo");
  expect(agent.said().join("")).toMatch(/^Palaver is one terminal UI/);
});

test("the agent tells which commands it has, in each session", async () => {
  const agent = await startAgent();
  const names = ["compact", "demo"];
  const [ready] = agent.frames;
  expect(ready?.type === "ready" && ready.commands?.map(({ name }) => name)).toEqual(names);
  agent.send({ type: "start_session" });
  expect((await agent.next("session_started")).commands?.map(({ name }) => name)).toEqual(names);
});
