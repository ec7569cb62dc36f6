// A question from a server of tools comes up like the agent's own; its answer goes to whoever asked and to nobody else.
import { describe, expect, test } from "vitest";
import type { AgentExit } from "../../src/agents/agent-process.js";
import type { SessionLink } from "../../src/agents/dialect-link.js";
import { McpAskBridge } from "../../src/agents/mcp-ask-bridge.js";
import type { Ask } from "../../src/contract/asks.js";
import type { LinesCommand } from "../../src/contract/lines-commands.js";
import type { SessionEvent } from "../../src/contract/session-events.js";

const gone: AgentExit = { code: 0, signal: null, error: null, stderrTail: "" };

function question(id: string): Ask {
  const origin = { kind: "mcp", name: "deploy" } as const;
  return {
    id,
    sessionId: null,
    turnId: null,
    origin,
    question: { kind: "confirm", params: { title: "Deploy?" } },
    deadlineMs: null,
  };
}

async function opened(door = new McpAskBridge()) {
  const events: SessionEvent[] = [];
  const toAgent: LinesCommand[] = [];
  let exit: (exit: AgentExit) => void = () => undefined;
  const exited = new Promise<AgentExit>((resolve) => {
    exit = resolve;
  });
  const agent: SessionLink = {
    send: (command) => (toAgent.push(command) > 0 ? "delivered" : "lost"),
    setFlow: () => undefined,
    exited,
    stop: async () => {
      exit(gone);
      return exited;
    },
  };
  const handlers = { onEvent: (event: SessionEvent) => void events.push(event), nowMs: () => 0 };
  const link = await door.open(handlers, async () => agent);
  return { door, link, events, toAgent, end: () => exit(gone) };
}

const respond = (id: string, result: unknown, error: string | null = null): LinesCommand => ({
  type: "ui_response",
  id,
  result,
  error,
});

describe("a question from a server of tools", () => {
  test("is raised beside the agent's own and answered past the agent", async () => {
    const { door, link, events, toAgent } = await opened();
    const outcome = door.ask(question("m1"));
    expect(events).toEqual([{ type: "ask.raised", sessionId: null, ask: question("m1") }]);
    expect(link.send(respond("a1", "the agent's"))).toBe("delivered");
    expect(link.send(respond("m1", true))).toBe("delivered");
    expect(await outcome).toEqual({ kind: "answered", value: true, by: "person" });
    expect(toAgent).toEqual([respond("a1", "the agent's")]);
  });

  test.each([
    [respond("m1", null), { kind: "cancelled", by: "person" }],
    [respond("m1", false), { kind: "answered", value: false, by: "person" }],
    [respond("m1", null, "timeout"), { kind: "expired" }],
    [respond("m1", null, "turn_ended"), { kind: "withdrawn", reason: "turn_ended" }],
    [respond("m1", null, "whatever"), { kind: "withdrawn", reason: "agent_cancelled" }],
  ])("that is answered with %j is settled so", async (response, outcome) => {
    const { door, link } = await opened();
    const settled = door.ask(question("m1"));
    link.send(response);
    expect(await settled).toEqual(outcome);
  });

  test("is taken from the screen when the asker is gone, and a late answer reaches no one", async () => {
    const { door, link, events, toAgent } = await opened();
    const outcome = door.ask(question("m1"));
    door.withdraw("m1", "agent_cancelled");
    door.withdraw("m1", "agent_cancelled");
    expect(await outcome).toEqual({ kind: "withdrawn", reason: "agent_cancelled" });
    expect(events.map(({ type }) => type)).toEqual(["ask.raised", "ask.withdrawn"]);
    expect(link.send(respond("m1", true))).toBe("delivered");
    expect(toAgent).toEqual([]);
  });

  test("ends with the agent, and no one can be asked after that", async () => {
    const { door, link, events } = await opened();
    const outcome = door.ask(question("m1"));
    expect(await link.stop()).toEqual(gone);
    expect(await outcome).toEqual({ kind: "withdrawn", reason: "disconnected" });
    expect(events.at(-1)).toMatchObject({ type: "ask.withdrawn", askId: "m1" });
    await expect(door.ask(question("m2"))).rejects.toThrow("No one is here");
  });

  test("stays when the agent that is gone was already replaced", async () => {
    const first = await opened();
    const second = await opened(first.door);
    const outcome = first.door.ask(question("m1"));
    first.end();
    await first.link.exited;
    expect(second.events.map(({ type }) => type)).toEqual(["ask.raised"]);
    second.link.send(respond("m1", true));
    expect(await outcome).toMatchObject({ kind: "answered" });
  });

  test("is refused when the same one waits already", async () => {
    const { door } = await opened();
    void door.ask(question("m1"));
    await expect(door.ask(question("m1"))).rejects.toThrow("ask again later");
  });

  test("has notices beside it", async () => {
    const { door, events } = await opened();
    door.notify("warn", "the disk is full");
    expect(events).toEqual([{ type: "notice.shown", sessionId: null, level: "warn", message: "the disk is full" }]);
  });
});
