// Making room: the older part of a long conversation becomes a summary or a note, and what is left is valid.
import { describe, expect, test } from "vitest";
import { type Agent, startAgent, startWithModel } from "../rig.js";

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
  test("is summed up by the model, the person is told, and the model goes on with the summary", async () => {
    const { agent, model } = await startWithModel({ environment: small });
    model.play(...heard, { text: "The person tells long stories." }, { text: "Well." });
    await tell(agent, 3);
    expect(agent.notices()).toEqual([expect.stringMatching(/^context was \d+ % full; .* summed up$/)]);
    const summing = model.requests[2]?.body;
    expect(summing?.tools).toBeUndefined();
    const after = JSON.stringify(model.requests[3]?.body.messages);
    expect(after).toContain("The person tells long stories.");
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

test("/compact makes room whenever the person wants it, also without a model", async () => {
  const agent = await startAgent();
  await agent.prompt("hello");
  await agent.prompt("/compact");
  expect(agent.notices()).toEqual(["there is nothing to make room for"]);
  expect(agent.types().at(-1)).toBe("agent_end");
});
