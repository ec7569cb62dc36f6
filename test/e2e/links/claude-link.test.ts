// Claude as a process of its own, played by a stand-in: the whole way from bytes to events and back.
import { describe, expect, test } from "vitest";
import { startStandIn } from "./stand-in.js";

describe("a link to Claude", () => {
  test("streams, asks, remembers a rule, says the next thing, and leaves with code 0", async () => {
    const agent = startStandIn("claude");
    await agent.prompt("write");
    expect(await agent.answer({ choiceId: "always-0" })).toMatchObject({ ask: { question: { kind: "permission" } } });
    await agent.until("prompt.finished");
    expect(agent.said()).toEqual(["I write it.", "Done, with 1 new rules."]);
    await agent.prompt("hello");
    await agent.until("prompt.finished", 2);
    expect(agent.said().at(-1)).toBe("You said: hello");
    expect(await agent.link.stop()).toMatchObject({ code: 0 });
  });

  test("puts its questions and those of its servers to the user", async () => {
    const agent = startStandIn("claude");
    await agent.prompt("ask");
    await agent.answer("blue");
    await agent.until("prompt.finished");
    await agent.prompt("elicit");
    await agent.answer({ name: "Ada" }, 2);
    await agent.until("prompt.finished", 2);
    expect(agent.said()).toEqual(['{"Which?":"blue"}', '{"action":"accept","content":{"name":"Ada"}}']);
    await agent.link.stop();
  });

  test("is interrupted in the middle of its words", async () => {
    const agent = startStandIn("claude");
    await agent.prompt("hang");
    await agent.until("message.grew");
    agent.send({ type: "abort" });
    await agent.until("prompt.finished");
    expect(agent.count("agent.failed")).toBe(0);
    await agent.link.stop();
  });

  test("survives noise, and tells it", async () => {
    const agent = startStandIn("claude");
    await agent.prompt("junk");
    await agent.until("prompt.finished");
    expect(agent.said()).toEqual(["Still here."]);
    expect(agent.count("log.written")).toBe(1);
    expect(agent.count("fault.reported")).toBe(6);
    await agent.link.stop();
  });

  test("that dies in the middle leaves no question and no turn open", async () => {
    const agent = startStandIn("claude");
    await agent.prompt("die");
    await agent.until("prompt.finished");
    expect(agent.count("ask.withdrawn")).toBe(agent.count("ask.raised"));
    expect(await agent.link.exited).toMatchObject({ code: 7, stderrTail: "out of luck\n" });
    expect(await agent.send({ type: "prompt", text: "there?" })).toBe("lost");
  });

  test("that cannot be started ends at once, with the reason", async () => {
    const { openSessionLink } = await import("../../../src/agents/session-link.js");
    const link = openSessionLink(
      { command: "/no/such/claude", args: [] },
      { protocol: "claude", onEvent: () => undefined, nowMs: () => 0 },
    );
    expect(await link.exited).toMatchObject({ code: null, error: expect.stringContaining("ENOENT") });
  });
});
