// The terminal UI and prompt mode hear the same link: one list of events, the same words, the same question, the same answer.
import { expect, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { assistant, PromptRig, ScriptedView } from "../mini/rig.js";
import { Stage } from "./stage.js";

const sessionId = "s1";
const ask: Ask = {
  id: "q1",
  sessionId,
  turnId: null,
  origin: { kind: "agent" },
  question: { kind: "confirm", params: { title: "Deploy it?" } },
  deadlineMs: null,
};
const events: readonly SessionEvent[] = [
  { type: "agent.readied", sessionId, ui: true, protocolVersion: "1" },
  { type: "prompt.started", sessionId },
  { type: "message.started", sessionId, message: assistant("") },
  { type: "message.grew", sessionId, kind: "text", index: 0, delta: "It is built.\n" },
  { type: "message.finished", sessionId, message: assistant("It is built.\n") },
  { type: "ask.raised", sessionId, ask },
];
const answers = (sent: readonly { type: string }[]) => sent.filter(({ type }) => type === "ui_response");

test("what the terminal UI is told is what the stream and its dialog are told", async () => {
  const view = new ScriptedView();
  const rig = new PromptRig({ openView: view.open });
  rig.hear(...events.map(({ sessionId: _, ...event }) => event as never));
  await expect.poll(() => view.asked.length).toBe(1);
  const stage = new Stage();
  stage.hear(...events);
  stage.wait(1_000);

  const screen = await stage.screen();
  const printed = rig.written.map(({ text }) => text).join("");
  for (const shown of [screen, printed]) expect(shown).toContain("It is built.");
  expect(view.asked).toMatchObject([{ question: ask.question, origin: ask.origin }]);
  expect(screen).toContain("▌ Deploy it?");

  view.answer(true);
  stage.answer("y");
  stage.wait(100);
  await expect.poll(() => answers(rig.sent).length).toBe(1);
  expect(answers(stage.sent)).toEqual(answers(rig.sent));
  expect(answers(stage.sent)).toMatchObject([{ id: "q1", result: true }]);
});
