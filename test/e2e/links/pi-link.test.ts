// pi as a process of its own, played by a stand-in, in a newer and an older version.
import { describe, expect, test } from "vitest";
import { startStandIn } from "./stand-in.js";

describe.each(["new", "old"])("a link to a pi that is %s", (mode) => {
  test("streams, runs tools, lets extensions ask, and leaves with code 0", async () => {
    const agent = startStandIn("pi", { mode });
    await agent.prompt("tool");
    await agent.until("prompt.finished");
    expect(agent.events).toContainEqual(
      expect.objectContaining({ type: "tool.finished", name: "bash", isError: false }),
    );
    await agent.prompt("gate");
    await agent.answer("No");
    await agent.until("prompt.finished", 2);
    await agent.prompt("dialogs");
    await agent.answer(true, 2);
    await agent.answer("Ada", 3);
    await agent.answer(null, 4);
    await agent.until("prompt.finished", 3);
    expect(agent.said()).toEqual(["No", '[true,"Ada",null]']);
    expect(await agent.link.stop()).toMatchObject({ code: 0 });
  });

  test("is aborted, and takes the next prompt", async () => {
    const agent = startStandIn("pi", { mode });
    await agent.prompt("hang");
    await agent.until("message.started");
    agent.send({ type: "abort" });
    await agent.until("prompt.finished");
    await agent.prompt("hello");
    await agent.until("prompt.finished", 2);
    expect(agent.said().at(-1)).toBe("You said: hello");
    await agent.link.stop();
  });
});

describe("a link to pi", () => {
  test("shows what extensions show, without an answer", async () => {
    const agent = startStandIn("pi");
    await agent.prompt("show");
    await agent.until("prompt.finished");
    for (const type of [
      "notice.shown",
      "status.changed",
      "widget.changed",
      "title.changed",
      "editor-text.changed",
    ] as const) {
      expect(agent.count(type)).toBe(1);
    }
    await agent.link.stop();
  });

  test("waits for a retry, and changes session and model", async () => {
    const agent = startStandIn("pi");
    await agent.prompt("retry");
    await agent.until("prompt.finished");
    expect(agent.said().at(-1)).toBe("better now");
    expect(agent.count("agent.failed")).toBe(0);
    agent.send({ type: "start_session", session_file: "x.jsonl" });
    expect(await agent.until("session.activated")).toMatchObject({ sessionId: "loaded" });
    const before = agent.count("settings.changed");
    agent.send({ type: "set_config", key: "model", value: "stand-in:m2" });
    await agent.until("settings.changed", before + 1);
    expect(agent.events.at(-1)).toMatchObject({ settings: [{ value: "stand-in:m2" }, {}] });
    await agent.link.stop();
  });

  test("survives noise and death", async () => {
    const agent = startStandIn("pi");
    await agent.prompt("junk");
    await agent.until("prompt.finished");
    expect([agent.count("log.written"), agent.count("fault.reported")]).toEqual([1, 4]);
    await agent.prompt("die");
    await agent.until("prompt.finished", 2);
    expect(agent.count("ask.withdrawn")).toBe(1);
    expect(await agent.link.exited).toMatchObject({ code: 7 });
  });
});
