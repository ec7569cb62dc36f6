// A laptop that slept for a day: everything that was due is due at once, nothing runs twice, and nobody's key is taken for an
// answer to what was drawn before.
import { expect, test } from "vitest";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { Stage } from "../views/inline/stage.js";

const sessionId = null;
const DAY_MS = 86_400_000;

test("a day that passes in one step expires a question once, and goes on showing time in words", async () => {
  const stage = new Stage(70, 20);
  stage.ready();
  const ask: SessionEvent = {
    type: "ask.raised",
    sessionId,
    ask: {
      id: "q",
      sessionId,
      turnId: null,
      origin: { kind: "agent" },
      question: { kind: "confirm", params: { title: "Go on?" } },
      deadlineMs: stage.clock.nowMs() + 30_000,
    },
  };
  stage.hear({ type: "prompt.started", sessionId }, ask);
  stage.wait(1_000);
  expect(await stage.screen()).toContain("Go on?");
  stage.clock.jump(DAY_MS);
  stage.wait(200);
  expect(stage.sent.filter(({ type }) => type === "ui_response").length).toBeLessThanOrEqual(1);
  const screen = await stage.screen();
  expect(screen).not.toContain("▌ Go on?");
  expect(screen).toMatch(/working {2}(?:24 h|1 d|\d+ h \d+ m|\d[\d,]* m)/);
  stage.type("y");
  stage.wait(100);
  expect(await stage.screen()).toContain("› y");
});
