// From the first frame, which is there before anything is loaded, to an agent at work.
import { welcomeWith } from "../../../src/cli/welcome.js";
import { firstFrame } from "../../../src/views/inline/first-frame.js";
import type { GoldenStage } from "../golden-stage.js";
import { asked, said, saying, sessionId, started } from "../heard.js";
import type { Scene } from "../scene.js";

function first(stage: GoldenStage, typed: string): void {
  const { screen } = stage.renderer;
  screen.setView(({ columns }) => firstFrame("claude", typed, columns - 1, stage.look));
  screen.requestFrame("now");
}

function welcomed(stage: GoldenStage, agents: readonly string[]): void {
  stage.hear({ type: "agent.readied", sessionId, ui: true, protocolVersion: "1", model: "palaver:offline" });
  stage.renderer.welcome(welcomeWith("Palaver 9.9.9", agents));
}

const usage = { type: "usage.changed" as const, sessionId, usage: { total_tokens: 12_431, cost: { total: 0.083 } } };

export const startScenes: readonly Scene[] = [
  { name: "first-frame", play: (stage) => first(stage, "") },
  { name: "first-frame-typed", play: (stage) => first(stage, "fix the failing test in parser.ts and then tell me") },
  { name: "starting", play: (stage) => stage.wait(400) },
  { name: "welcome", roles: "kept", play: (stage) => welcomed(stage, ["claude", "gemini", "opencode"]) },
  { name: "welcome-no-agents", play: (stage) => welcomed(stage, []) },
  { name: "idle", play: (stage) => void stage.ready() },
  {
    name: "idle-with-all-fields",
    play(stage) {
      stage.hear({ type: "agent.readied", sessionId, ui: true, protocolVersion: "1", model: "sonnet-5" }, usage);
      stage.hear({ type: "usage.changed", sessionId, context: { used: 92_000, size: 100_000 } });
      stage.renderer.app.setBranch("main");
    },
  },
  {
    name: "working",
    roles: "kept",
    play(stage) {
      asked(stage);
      stage.hear(usage);
      stage.later(12_000);
    },
  },
  {
    name: "working-message",
    play(stage) {
      asked(stage);
      stage.hear({
        type: "working.changed",
        sessionId,
        message: "reading test/parser.test.ts and everything it imports",
      });
      stage.later(72_000);
    },
  },
  {
    name: "working-ascii",
    glyphs: "ascii",
    play(stage) {
      asked(stage);
      stage.hear(saying("The separator lost its space; I am adding it back and running the"), usage);
      stage.later(12_000);
    },
  },
  {
    name: "written-while-working",
    play(stage) {
      asked(stage);
      stage.hear(said("I'll look at the test first."), started);
      stage.hear(saying("The separator lost its space; I am adding it back and running the"));
      stage.later(3_000);
      stage.type("and then update the changelog");
    },
  },
];
