// codelia's runtime as a process of its own, played by a stand-in, with permission events and with texts instead.
import { describe, expect, test } from "vitest";
import { startStandIn } from "./stand-in.js";

describe("a link to codelia", () => {
  test.each(["", "legacy"])("previews, announces, asks and goes on (%s)", async (mode) => {
    const agent = startStandIn("codelia", { mode });
    await agent.prompt("edit");
    expect(await agent.answer({ ok: true, remember: true })).toMatchObject({
      ask: { origin: { kind: "tool", name: "edit" }, question: { params: { opts: { diff: "-one\n+two" } } } },
    });
    await agent.until("prompt.finished");
    expect(agent.said()).toEqual(['{"ok":true,"remember":true}']);
    expect(await agent.link.stop()).toMatchObject({ code: 0 });
  });

  test("asks for texts and picks, is cancelled, fails in words, and counts its events", async () => {
    const agent = startStandIn("codelia");
    await agent.prompt("questions");
    await agent.answer("hush");
    await agent.answer(["b"], 2);
    await agent.until("prompt.finished");
    expect(agent.said()).toEqual(['["hush",["b"]]']);
    await agent.prompt("hang");
    await agent.until("message.finished", 2);
    agent.send({ type: "abort" });
    await agent.until("prompt.finished", 2);
    await agent.prompt("fail");
    expect(await agent.until("agent.failed")).toMatchObject({ message: "no key" });
    await agent.prompt("gap");
    expect(await agent.until("events.missed")).toMatchObject({ count: 2 });
    await agent.link.stop();
  });

  test("survives noise and death", async () => {
    const agent = startStandIn("codelia");
    await agent.prompt("junk");
    await agent.until("prompt.finished");
    expect([agent.count("log.written"), agent.count("fault.reported")]).toEqual([1, 5]);
    await agent.prompt("die");
    await agent.until("prompt.finished", 2);
    expect(agent.count("ask.withdrawn")).toBe(1);
    expect(await agent.link.exited).toMatchObject({ code: 7 });
  });

  test("takes up a session that is to go on", async () => {
    const agent = startStandIn("codelia", { resume: "s0" });
    expect(await agent.until("session.activated")).toMatchObject({ sessionId: "s0" });
    await agent.link.stop();
  });
});
