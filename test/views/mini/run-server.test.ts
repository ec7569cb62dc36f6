// Asks and notices that come through the MCP server of a run, beside the events of the agent.
import { expect, test } from "vitest";
import { McpAskBridge } from "../../../src/agents/mcp-ask-bridge.js";
import type { Ask } from "../../../src/contract/asks.js";
import type { PromptOptions } from "../../../src/views/mini/prompt-options.js";
import { askOf, nameQuestion, PromptRig, ScriptedView } from "./rig.js";

/** A link with a server beside it is there after a few microtasks, and so are the asks of the server. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

async function begun(options: Partial<PromptOptions> = {}) {
  const view = new ScriptedView();
  const bridge = new McpAskBridge();
  const rig = new PromptRig({ openView: view.open, ...options }, bridge);
  await settled();
  return { view, bridge, rig: rig.begin() };
}

test("an ask of the run's own server comes between those of the agent, and its answer goes to the server", async () => {
  const { view, bridge, rig } = await begun({ output: "stream-json" });
  const outcome = bridge.ask(askOf(nameQuestion, "m1"));
  await settled();
  view.answer("from server");
  rig.ask(askOf(nameQuestion, "a1"));
  view.answer("from agent");
  expect(await outcome).toMatchObject({ kind: "answered", value: "from server" });
  expect(rig.responses).toEqual([{ id: "a1", result: "from agent", error: null }]);
  expect(rig.audits.map(({ askId, delivery }) => [askId, delivery?.result])).toEqual([
    ["m1", "delivered"],
    ["a1", "delivered"],
  ]);
});

test("a cancelled ask of the server is told from a no, and one that Ctrl+C withdraws is told as well", async () => {
  const { view, bridge, rig } = await begun();
  const confirm: Ask["question"] = { kind: "confirm", params: { title: "Go on?" } };
  const cancelled = bridge.ask(askOf(confirm, "m1"));
  await settled();
  view.cancel();
  expect(await cancelled).toMatchObject({ kind: "cancelled" });
  const withdrawn = bridge.ask(askOf(confirm, "m2"));
  await settled();
  rig.run.interrupt();
  expect(await withdrawn).toEqual({ kind: "withdrawn", reason: "turn_ended" });
});

test("a client of the server that goes away takes its question along", async () => {
  const { view, bridge } = await begun();
  const outcome = bridge.ask(askOf(nameQuestion, "m1"));
  await settled();
  bridge.withdraw("m1", "disconnected");
  expect(await outcome).toEqual({ kind: "withdrawn", reason: "disconnected" });
  await settled();
  expect(view.withdrawn).toEqual(["m1"]);
});

test("what a tool of the server tells goes aside, and is no event of the agent", async () => {
  const { bridge, rig } = await begun({ output: "stream-json" });
  const said = rig.out;
  bridge.notify("info", "half of it is done");
  await settled();
  expect(rig.err).toBe("half of it is done\n");
  expect(rig.out).toBe(said);
});
