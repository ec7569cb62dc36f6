// Making room: the older part of a long conversation becomes a summary or a note, and what is left is valid.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openModel } from "../../../src/builtin/models/open-model.js";
import { mended } from "../../../src/builtin/session/history.js";
import { readSession } from "../../../src/builtin/session/session-record.js";
import { type Agent, freshFolder, startAgent, startWithModel } from "../rig.js";

const small = { PALAVER_CONTEXT_TOKENS: "4000" };
const long = "A long story about nothing at all. ".repeat(120);

/** The provider counts, and is believed. */
const heard = [
  { text: "I see.", usage: { input: 1300, output: 10 } },
  { text: "Go on.", usage: { input: 2600, output: 10 } },
];

async function tell(agent: Agent, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await agent.prompt(long);
}

describe("a conversation that fills the model's window", () => {
  test("is summed up by the model, the user is told, and the model continues with the summary", async () => {
    const { agent, model } = await startWithModel({ environment: small });
    model.play(...heard, { text: "The user tells long stories." }, { text: "Well." });
    await tell(agent, 3);
    expect(agent.notices()).toEqual([expect.stringMatching(/^the context was \d+ % full; .* summarised$/)]);
    const summing = model.requests[2]?.body;
    expect(summing?.tools).toBeUndefined();
    const after = JSON.stringify(model.requests[3]?.body.messages);
    expect(after).toContain("The user tells long stories.");
    expect(after.length).toBeLessThan(JSON.stringify(summing?.messages).length + long.length);
    agent.send({ type: "stats" });
    const { stats } = await agent.next("stats");
    expect(stats).toMatchObject({ context: { size: 4000 } });
    expect((stats as { context: { used: number } }).context.used).toBeLessThan(4000);
  });

  test("loses its beginning when the summary fails", async () => {
    const { agent, model } = await startWithModel({ environment: small });
    model.play(...heard, { status: 400, message: "no" }, { text: "Well." });
    await tell(agent, 3);
    expect(agent.notices()).toEqual([expect.stringContaining("left out")]);
    expect(JSON.stringify(model.requests[3]?.body.messages)).toContain("was left out here");
  });

  test("a provider that says it is too long gets a shorter one, once", async () => {
    const { agent, model } = await startWithModel();
    model.play(
      { text: "I see." },
      { text: "Go on." },
      { status: 400, message: "prompt is too long: 300000 tokens" },
      { text: "Stories." },
      { text: "Well." },
    );
    await agent.prompt(long);
    await agent.prompt(long);
    await agent.prompt(long.repeat(40));
    expect(agent.types()).not.toContain("error");
    expect(agent.said().at(-1)).toBe("Well.");
  });
});

describe("in the middle of a request", () => {
  const read = (id: string) => ({
    calls: [{ id, name: "read", args: { path: "story.txt" } }],
    usage: { input: 1_200, output: 10 },
  });

  async function startedWithStory(environment = small) {
    const folder = freshFolder();
    writeFileSync(join(folder, "story.txt"), `${long.slice(0, 2_600)}\n`);
    return startWithModel({ folder, environment });
  }

  test("the request stays word for word, every answer stays with its call, and so it is read again later", async () => {
    const { agent, model } = await startedWithStory();
    const full = { ...read("c3"), usage: { input: 3_600, output: 10 } };
    model.play(read("c1"), read("c2"), full, { text: "Read some stories." }, { text: "Done." });
    await agent.prompt("read story.txt thrice, and mind the gap");
    expect(agent.notices()).toEqual([expect.stringContaining("summarised")]);
    const after = model.requests.at(-1)?.body.messages ?? [];
    expect(after.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(after[1]?.content).toMatch(
      /Read some stories\.[\s\S]*my own words:\s+read story\.txt thrice, and mind the gap/,
    );
    agent.send({ type: "save" });
    const { path } = await agent.next("save_result");
    const recorded = readSession(readFileSync(path ?? "", "utf8").split("\n"))?.messages ?? [];
    expect(mended(recorded)).toEqual(recorded);
    expect(recorded.map(({ role }) => role)).toEqual(["user", "assistant", "tool_result", "assistant"]);
  });

  test("one answer of a tool cannot fill a small window alone", async () => {
    const { agent, model } = await startedWithStory({ PALAVER_CONTEXT_TOKENS: "1000" });
    model.play({ calls: [{ name: "read", args: { path: "story.txt" } }] }, { text: "ok" });
    await agent.prompt("read it");
    const answer = String(model.requests[1]?.body.messages.at(-1)?.content);
    expect(answer).toMatch(/characters left out/);
    expect(answer.length).toBeLessThan(900);
  });

  test("the model that cannot sum up does not lose what it is doing", async () => {
    const folder = freshFolder();
    for (const name of ["a", "b", "c"]) writeFileSync(join(folder, `${name}.txt`), `${name}${long}\n`);
    const agent = await startAgent({
      folder,
      openModel: async (choice) => ({ ...(await openModel(choice)), contextTokens: 2_000 }),
    });
    await agent.prompt("hello");
    await agent.prompt("show a.txt, then show b.txt, then show c.txt");
    expect(agent.said().at(-1)).toBe("The plan is done.\n");
    expect(agent.said().join("")).not.toContain("I have no model to think about them with");
  });
});

test("/compact sums up also what would still have fitted", async () => {
  const { agent, model } = await startWithModel();
  model.play({ text: "I see." }, { text: "Go on." }, { text: "Stories." });
  await tell(agent, 2);
  await agent.prompt("/compact");
  expect(agent.notices()).toEqual(["the older conversation was summarised"]);
  expect(model.requests).toHaveLength(3);
});

test("/compact makes room whenever the user wants it, also without a model", async () => {
  const agent = await startAgent();
  await agent.prompt("hello");
  await agent.prompt("/compact");
  expect(agent.notices()).toEqual(["there is nothing to compact"]);
  expect(agent.types().at(-1)).toBe("agent_end");
});
