// What a provider's refusal means: whether to wait, how long, and what to tell the user.
import { describe, expect, test } from "vitest";
import { ModelError, pauseBeforeRetryMs } from "../../../src/builtin/models/model.js";
import { withFacts } from "../../../src/builtin/models/model-choice.js";
import { openModel } from "../../../src/builtin/models/open-model.js";
import { retryAfterMs } from "../../../src/builtin/models/sdk-model.js";
import { freshModelServer, startAgent, startWithModel } from "../rig.js";

describe("the pause a provider asks for", () => {
  const nowMs = Date.parse("2026-01-01T00:00:00Z");
  test.each<[Record<string, string>, number | null]>([
    [{}, null],
    [{ "retry-after": "3" }, 3_000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" }, 9_000],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
  ])("%j is %s ms", (headers, expected) => {
    expect(retryAfterMs(headers, nowMs)).toBe(expected);
  });

  test("is honoured up to what a person bears; without one pauses double and are spread", () => {
    const asked = (ms: number) => new ModelError("rate-limit", "", { retryAfterMs: ms });
    expect(pauseBeforeRetryMs(asked(60_000), 1, 0)).toBe(60_000);
    expect(pauseBeforeRetryMs(asked(3_600_000), 1, 0)).toBeNull();
    const overloaded = new ModelError("overloaded", "");
    expect([1, 2, 3, 4, 5].map((tries) => pauseBeforeRetryMs(overloaded, tries, 0))).toEqual([
      1000,
      2000,
      4000,
      8000,
      null,
    ]);
    expect(pauseBeforeRetryMs(overloaded, 1, 1)).toBe(1250);
    expect(pauseBeforeRetryMs(new ModelError("auth", ""), 1, 0)).toBeNull();
  });
});

describe("what the user reads", () => {
  test.each<[number, string, RegExp]>([
    [404, "model not found", /has no model "stand-in" at http.*choose another/],
    [403, "forbidden", /check the value of PALAVER_API_KEY/],
    [422, "temperature is wrong", /refused the request \(422\): temperature is wrong/],
  ])("for %i", async (status, message, words) => {
    const { agent, model } = await startWithModel();
    model.play({ status, message });
    await agent.prompt("hi");
    const [error] = agent.events().flatMap((event) => (event.type === "error" ? [event.message] : []));
    expect(error).toMatch(words);
  });

  test("for a missing key names the variable, and nothing is sent", async () => {
    const { agent, model } = await startWithModel({ api: "anthropic", environment: { ANTHROPIC_API_KEY: "" } });
    agent.send({ type: "prompt", text: "hi" });
    agent.answer(await agent.question(), null);
    await agent.event("agent_end");
    expect(JSON.stringify(agent.events())).toContain("anthropic needs a key: set ANTHROPIC_API_KEY");
    expect(model.requests).toEqual([]);
  });

  test("for a server that is not there says where it was looked for", async () => {
    const { agent, model } = await startWithModel();
    await model.close();
    await agent.prompt("hi");
    expect(agent.notices()[0]).toMatch(/no connection to 127\.0\.0\.1:\d+.*trying again/);
    expect(agent.notices()).toHaveLength(4);
  });
});

test("thoughts go back to the provider that signed them, and to no other", async () => {
  const { agent, model } = await startWithModel({ api: "anthropic" });
  model.play(
    { think: "Let me see.", text: "I look.", calls: [{ name: "ls", args: {} }] },
    { text: "Empty." },
    { text: "Hi." },
  );
  await agent.prompt("look");
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain("signed-by-the-stand-in");
  agent.send({ type: "set_config", key: "model", value: "other" });
  await agent.next("config_state");
  await agent.prompt("hello");
  const told = JSON.stringify(model.requests[2]?.body.messages);
  expect(model.requests[2]?.api).toBe("openai");
  expect(told).toContain("I look.");
  expect(told).not.toContain("Let me see.");
});

test("what the user says of a model reaches the provider, the stats and the gauge", async () => {
  const server = await freshModelServer();
  server.play({ text: "Hi.", usage: { input: 1_000_000, output: 1_000_000 } });
  const facts = {
    "compatible:mine": { context_tokens: 9_000_000, output_tokens: 2_048, price: { input: 1, output: 2 } },
  };
  const agent = await startAgent({
    requested: { model: "compatible:mine", baseUrl: server.url },
    openModel: (choice) => openModel(withFacts(choice, facts)),
  });
  await agent.prompt("hello");
  expect(server.requests[0]?.body).toMatchObject({ max_tokens: 2_048 });
  agent.send({ type: "stats" });
  expect((await agent.next("stats")).stats).toMatchObject({ cost: { total: 3 }, context: { size: 9_000_000 } });
});

test("what a model without a known price costs is not said at all", async () => {
  const { agent, model } = await startWithModel();
  model.play({ text: "Hi.", usage: { input: 10, output: 10 } });
  await agent.prompt("hello");
  agent.send({ type: "stats" });
  const { stats } = await agent.next("stats");
  expect(stats).toMatchObject({ input: 10, output: 10 });
  expect(stats).not.toHaveProperty("cost");
});

test("what Anthropic should remember is marked", async () => {
  const { agent, model } = await startWithModel({ api: "anthropic" });
  model.play({ text: "Hi." });
  await agent.prompt("hello");
  const { system, messages } = model.requests[0]?.body ?? { messages: [] };
  expect(JSON.stringify(system)).toContain("ephemeral");
  expect(JSON.stringify(messages.at(-1))).toContain("ephemeral");
});
