// The agent's modes: /mode, shift+tab and the status line.
import { expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { ENTER, ESCAPE, Stage } from "./stage.js";

const sessionId = null;

function opened(): Stage {
  const stage = new Stage();
  stage.ready();
  return stage;
}

async function shown(stage: Stage): Promise<string> {
  stage.wait(100);
  return stage.screen();
}

const modes = [
  { value: "default", label: "ask" },
  { value: "plan", label: "plan only" },
  { value: "yolo", label: "YOLO" },
];

function inMode(value: string): SessionEvent {
  const mode = { key: "mode", label: "Mode", kind: "mode" as const, value, options: modes };
  return { type: "settings.changed", sessionId, settings: [mode] };
}

test("/mode of an agent without modes says so, and Enter runs no similar command", async () => {
  const stage = opened();
  stage.type("/mode");
  expect(await shown(stage)).not.toContain("choose the model");
  stage.type(ENTER);
  expect(await shown(stage)).toContain("agent.py has no modes");
  expect(stage.sent).toEqual([]);
});

test("/mode lists the agent's modes and sets one by its name; the status shows it, the transcript does not", async () => {
  const stage = opened();
  stage.hear(inMode("default"));
  expect(await shown(stage)).toContain(" · ask · ");
  stage.type("/mode", ENTER);
  expect(await shown(stage)).toContain("YOLO  never asks");
  stage.type(ESCAPE, "/mode plan", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "set_config", key: "mode", value: "plan" });
  stage.hear(inMode("plan"), {
    type: "command.answered",
    sessionId,
    command: "config_state",
    answer: { config: { mode: "plan" } },
  });
  expect(await shown(stage)).toContain(" · plan only · ");
  expect(await shown(stage)).not.toContain("ℹ");
});

test.each([0, 100, 1_000, 3_000])("shift+tab %i ms after a question has appeared changes no mode", (afterMs) => {
  for (const draft of ["", "a draft"]) {
    const stage = opened();
    stage.hear(inMode("plan"));
    stage.type(...draft);
    const opts = { tool: "bash", command: "make" };
    const question = { kind: "confirm" as const, params: { title: "bash make", opts } };
    const origin = { kind: "agent" as const };
    const ask = { id: "q", sessionId, turnId: null, origin, question, deadlineMs: null };
    stage.hear({ type: "ask.raised", sessionId, ask });
    stage.wait(afterMs);
    stage.type("\x1b[Z");
    stage.wait(2_000);
    expect(stage.sent).toEqual([]);
  }
});

test("shift+tab never leads into a mode that does not ask", () => {
  const stage = opened();
  stage.hear(inMode("plan"));
  stage.type("\x1b[Z");
  expect(stage.sent.at(-1)).toEqual({ type: "set_config", key: "mode", value: "default" });
});

test("shift+tab goes to the agent's next mode; one without modes is named", async () => {
  const stage = opened();
  stage.type("\x1b[Z");
  expect(await shown(stage)).toContain("agent.py has no modes");
  const options = [
    { value: "ask", label: "Ask" },
    { value: "code", label: "Code" },
  ];
  stage.hear({
    type: "settings.changed",
    sessionId,
    settings: [{ key: "mode", label: "Mode", kind: "mode", value: "code", options }],
  });
  stage.type("\x1b[Z");
  expect(stage.sent).toEqual([{ type: "set_config", key: "mode", value: "ask" }]);
});
