// An agent in a daemon is given the servers of the settings and one of our own, like one in a terminal: what its tools ask comes
// up in its session, and the server is gone with the agent.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { awaitedLink } from "../../../src/agents/link-relay.js";
import { hostedAgentOpener } from "../../../src/cli/commands/serve-command.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";

const program = fileURLToPath(new URL("./asking-agent.mjs", import.meta.url));
const patiently = { timeout: 20_000, interval: 20 };

test.each(["acp", "detect"] as const)("an agent of a daemon asks through its server, found by %s", async (protocol) => {
  const events: SessionEvent[] = [];
  const open = hostedAgentOpener({ files: { kind: "program", command: "files-server", args: [], env: {} } });
  const command = { command: process.execPath, args: [program, "--acp"] };
  const handlers = { onEvent: (event: SessionEvent) => void events.push(event), nowMs: () => performance.now() };
  const link = open({ name: null, command, protocol, memory: "none" }, handlers, null);
  const heard = (type: SessionEvent["type"]) =>
    expect.poll(() => events.map((event) => event.type), patiently).toContain(type);
  await heard("agent.readied");
  link.send({ type: "prompt", text: "go" });
  await heard("ask.raised");
  const raised = events.find((event) => event.type === "ask.raised");
  link.send({ type: "ui_response", id: raised?.ask.id ?? "", result: true, error: null });
  await heard("prompt.finished");
  const words = events.flatMap((event) => (event.type === "message.grew" ? [event.delta] : [])).join("");
  expect(words).toBe("given files/stdio palaver/http; the user said true");
  expect(await link.stop()).toMatchObject({ code: 0 });
});

test("a link that never comes about ends like an agent that could not be started", async () => {
  const link = awaitedLink(Promise.reject(new Error("no port is free")));
  expect(await link.send({ type: "ping" })).toBe("lost");
  expect(await link.exited).toEqual({ code: null, signal: null, error: "no port is free", stderrTail: "" });
  expect(await link.stop()).toMatchObject({ error: "no port is free" });
});
