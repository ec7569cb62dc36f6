// alt+o opens the last output that is not all on the screen.
import { expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { Stage } from "./stage.js";

const ALT_O = "\x1bo";

const tool = (name: string, lines: readonly string[]): SessionEvent[] => [
  { type: "tool.started", sessionId: null, toolCallId: name, name, args: {} },
  { type: "tool.finished", sessionId: null, toolCallId: name, name, output: lines.join("\n"), isError: false },
];
const log = Array.from({ length: 40 }, (_, line) => `request ${line + 1}`);

test.each([
  ["a plan", tool("plan", ["step 6 of 6"])],
  ["a short output", tool("bash", ["done"])],
])("alt+o passes over %s that came after a folded output", async (_, later) => {
  const stage = new Stage(80, 24);
  stage.ready();
  stage.hear(...tool("run", log), ...later);
  stage.type(ALT_O);
  stage.wait(100);
  expect(await stage.screen()).toContain("request 20");
});

test("alt+o opens the last output when none is folded", async () => {
  const stage = new Stage(80, 24);
  stage.ready();
  stage.hear(...tool("bash", ["first"]), ...tool("run", ["second"]));
  stage.type(ALT_O);
  stage.wait(100);
  expect(await stage.screen()).toMatch(/second[\s\S]*q close/);
});
