// The viewer over the screen, and the screen that is full: everything that is read away from the end of the transcript.

import { ENTER } from "../../views/talk-stage.js";
import type { GoldenStage } from "../golden-stage.js";
import { asked, finished, lines, questioned, raised, said, saying, toolRan } from "../heard.js";
import type { Scene } from "../scene.js";

const CTRL_O = "\x0f";
const ALT_O = "\x1bo";
const PAGE_UP = "\x1b[5~";

function talked(stage: GoldenStage): void {
  asked(stage);
  stage.hear(said("I'll run the tests first."));
  toolRan(stage, ["t1", "bash", { command: "npm test" }], { output: lines(43, (at) => `ok ${at} - the parser`) });
  stage.hear(said("They pass."), finished);
}

const remove = raised({ id: "c", question: { kind: "confirm", params: { title: "Delete the old build?" } } });

export const readingScenes: readonly Scene[] = [
  {
    name: "viewer",
    play(stage) {
      talked(stage);
      stage.type(CTRL_O);
    },
  },
  {
    name: "viewer-followed",
    play(stage) {
      talked(stage);
      stage.type("and now?", ENTER, CTRL_O);
      stage.hear(said("This came while the viewer was open."));
      stage.wait(600);
    },
  },
  {
    name: "viewer-scrolled",
    play(stage) {
      talked(stage);
      stage.type(CTRL_O, PAGE_UP);
      stage.hear(said("This came while the viewer was open."));
      stage.wait(600);
    },
  },
  {
    name: "viewer-long-query-not-found",
    play(stage) {
      talked(stage);
      stage.type(CTRL_O, "/", "a query that is longer than the row it stands in", ENTER);
    },
  },
  {
    name: "viewer-search",
    roles: "kept",
    play(stage) {
      talked(stage);
      stage.type(CTRL_O, "/", "ok 7");
    },
  },
  {
    name: "viewer-found",
    roles: "kept",
    play(stage) {
      talked(stage);
      stage.type(CTRL_O, "/", "ok 7", ENTER);
    },
  },
  {
    name: "viewer-not-found",
    play(stage) {
      talked(stage);
      stage.type(CTRL_O, "/", "not ok", ENTER);
    },
  },
  {
    name: "viewer-of-one-output",
    play(stage) {
      talked(stage);
      stage.type(ALT_O);
    },
  },
  { name: "full", screen: "full", play: talked },
  {
    name: "full-streaming",
    screen: "full",
    play(stage) {
      talked(stage);
      stage.type("and now?", ENTER);
      stage.hear(saying("The separator lost its space; I am adding it back and running the"));
      stage.wait(2_000);
    },
  },
  {
    name: "full-scrolled",
    screen: "full",
    play(stage) {
      talked(stage);
      for (let at = 0; at < 20; at += 1) stage.hear(said(`Paragraph ${at}.`));
      stage.wait(100);
      stage.type(PAGE_UP);
    },
  },
  {
    name: "full-question",
    screen: "full",
    play(stage) {
      talked(stage);
      questioned(stage, remove);
    },
  },
  {
    name: "full-left",
    screen: "full",
    play(stage) {
      talked(stage);
      stage.renderer.close();
    },
  },
];
