// Several sessions of one agent: tabs, what is unread, what is asked elsewhere, and going from one to another.

import { ENTER } from "../../views/talk-stage.js";
import type { GoldenStage } from "../golden-stage.js";
import { questioned, raised, said } from "../heard.js";
import type { Scene } from "../scene.js";

const ALT_DOWN = "\x1b[1;3B";

function two(stage: GoldenStage): void {
  stage.hear(
    { type: "agent.readied", sessionId: "parser", ui: true, protocolVersion: "1" },
    { type: "session.started", sessionId: "docs", cwd: "~/docs" },
  );
}

const publish = (sessionId: string) =>
  raised({ id: "q", sessionId, question: { kind: "confirm", params: { title: "Publish the pages?" } } });

export const sessionScenes: readonly Scene[] = [
  {
    name: "tabs",
    roles: "kept",
    play(stage) {
      two(stage);
      stage.hear(said("The parser is mended.", "parser"), said("First page.", "docs"), said("Second page.", "docs"));
    },
  },
  {
    name: "tabs-many",
    play(stage) {
      two(stage);
      for (let at = 3; at < 14; at += 1) stage.hear({ type: "session.started", sessionId: `session-number-${at}` });
      for (let at = 0; at < 6; at += 1) stage.type(ALT_DOWN);
    },
  },
  {
    name: "tabs-question-far-away",
    play(stage) {
      two(stage);
      for (let at = 3; at < 14; at += 1) stage.hear({ type: "session.started", sessionId: `session-number-${at}` });
      questioned(stage, publish("session-number-13"));
    },
  },
  {
    name: "tabs-question-elsewhere",
    play(stage) {
      two(stage);
      stage.hear(said("The parser is mended.", "parser"));
      questioned(stage, publish("docs"));
    },
  },
  {
    name: "session-switched",
    play(stage) {
      two(stage);
      stage.hear(said("The parser is mended.", "parser"), said("First page.", "docs"));
      stage.type("a draft for the parser", ALT_DOWN);
    },
  },
  {
    name: "session-list",
    play(stage) {
      two(stage);
      stage.hear(said("First page.", "docs"));
      stage.type("/sessions", ENTER);
    },
  },
  {
    name: "session-closed",
    play(stage) {
      two(stage);
      stage.hear(said("First page.", "docs"), { type: "session.closed", sessionId: "docs", reason: "done" });
    },
  },
  {
    name: "session-unknown",
    play(stage) {
      two(stage);
      stage.type("/switch nowhere", ENTER);
    },
  },
];
