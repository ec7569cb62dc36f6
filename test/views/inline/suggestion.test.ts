// What an agent may do with the composer: suggest a text. It replaces and empties nothing, takes no key by surprise, is never a
// command, and does not turn the keys of a draft into answers.
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { activeSession } from "../../../src/session/engine/engine-state.js";
import { verifies } from "../../verifies.js";
import { ReaderStage } from "../reader/reader-stage.js";
import { BACKSPACE, CTRL_C, UP } from "../talk-stage.js";
import { ENTER, Stage } from "./stage.js";

const sessionId = null;
const HOME = "\x1b[H";
const END = "\x1b[F";
const DELETE = "\x1b[3~";
const UNDO = "\x1f";
const DOWN = "\x1b[B";
const CTRL_G = "\x07";
const CTRL_U = "\x15";
const YANK = "\x19";
const suggested = (text: string): SessionEvent => ({ type: "editor-text.changed", sessionId, text });
const approval: SessionEvent = {
  type: "ask.raised",
  sessionId,
  ask: {
    id: "a",
    sessionId,
    turnId: null,
    origin: { kind: "agent" },
    question: { kind: "confirm", params: { title: "Clean", opts: { tool: "bash", command: "rm -rf build" } } },
    deadlineMs: null,
  },
};
const prompts = (stage: Stage) => stage.sent.flatMap((sent) => (sent.type === "prompt" ? [sent.text] : []));
const answers = (stage: Stage) => stage.sent.filter(({ type }) => type === "ui_response");
const commandsRun = (stage: Stage) => stage.written.match(/! (?:true|touch)/g) ?? [];

function opened(screen: "inline" | "full" = "inline"): Stage {
  const stage = new Stage(80, 24, { screen });
  stage.ready();
  stage.wait(1_000);
  return stage;
}

describe.each(["inline", "full"] as const)("a text that an agent suggests, %s", (screen) => {
  test("is marked, shown from its first line, and sent as a prompt whatever it begins with", async () => {
    verifies("composer.suggestion-is-no-command");
    for (const sign of ["!true", "/clear", " !true", "/quit"]) {
      const stage = opened(screen);
      stage.hear(suggested(`${sign}${"\n".repeat(40)}hello`));
      stage.wait(1_000);
      const shown = await stage.screen();
      expect(shown).toContain(`› ${sign.trim()}`);
      expect(shown).toContain("from the agent · enter send · ctrl+c clear");
      stage.type(ENTER);
      expect(prompts(stage)).toEqual([`${sign.trim()}${"\n".repeat(40)}hello`]);
      expect(commandsRun(stage)).toEqual([]);
      expect(stage.left).toBe("no");
      // Neither is it a command when it comes back.
      expect(stage.remembered).toEqual([]);
      expect(stage.drafts.filter((text) => text !== "")).toEqual([]);
    }
  });

  test("stays a prompt when the user types a command sign before it", () => {
    const stage = opened(screen);
    stage.hear(suggested(`look${"\n".repeat(30)}touch x`));
    stage.wait(1_000);
    stage.type(HOME, "!ls ");
    expect(stage.written).toContain("goes to the agent, is not run here");
    stage.type(ENTER);
    expect(prompts(stage)).toEqual([`!ls look${"\n".repeat(30)}touch x`]);
  });

  test("does not come back with undo or yank once nothing of it is left", () => {
    for (const keys of [
      [CTRL_U, "hi", UNDO, UNDO, UNDO],
      [CTRL_U, "y", BACKSPACE, YANK],
      [HOME, DELETE, END, CTRL_U, YANK],
      [HOME, DELETE, END, CTRL_U, UNDO],
      [HOME, UP, DOWN],
    ]) {
      const stage = opened(screen);
      stage.hear(suggested("x!true"));
      stage.wait(1_000);
      stage.type(...keys, ENTER);
      expect(prompts(stage)).toEqual([]);
      expect(commandsRun(stage)).toEqual([]);
    }
  });

  test("stays a prompt in the user's editor although the agent takes it away meanwhile", async () => {
    const stage = opened(screen);
    stage.hear(suggested("!true"));
    stage.wait(1_000);
    stage.type(CTRL_G);
    stage.hear(suggested(""));
    await new Promise(setImmediate);
    stage.type(ENTER);
    expect(prompts(stage)).toEqual(["!true edited"]);
    expect(commandsRun(stage)).toEqual([]);
  });

  test("takes no key while it is new, and what is typed meanwhile stays alone", async () => {
    const stage = opened(screen);
    stage.hear(suggested("!true"));
    stage.wait(700);
    stage.type(ENTER);
    stage.wait(700);
    stage.type(ENTER);
    expect(stage.sent).toEqual([]);
    stage.type("mine");
    expect(await stage.screen()).toContain("› mine");
    stage.type(ENTER);
    expect(prompts(stage)).toEqual(["mine"]);
  });

  test("neither replaces nor empties a draft, and comes when that is sent", async () => {
    verifies("composer.draft-is-the-users");
    const stage = opened(screen);
    stage.type("fix section ");
    for (const text of ["!true", ""]) {
      stage.hear(suggested(text));
      stage.wait(1_000);
      expect(await stage.screen()).toContain("› fix section");
    }
    stage.hear(suggested("then this"));
    stage.type("2", ENTER);
    stage.wait(100);
    expect(prompts(stage)).toEqual(["fix section 2"]);
    expect(await stage.screen()).toContain("› then this");
    stage.hear(suggested(""));
    stage.wait(100);
    expect(await stage.screen()).not.toContain("then this");
  });

  test("is not there beside a question, whose keys answer it", async () => {
    const stage = opened(screen);
    stage.hear(suggested("!true"));
    stage.wait(1_000);
    stage.hear(approval);
    stage.hear(suggested("!touch x"));
    stage.wait(1_000);
    expect(await stage.screen()).not.toMatch(/› !/);
    stage.choose(UP, "\x1b[B");
    expect(answers(stage)).toMatchObject([{ result: false }]);
    stage.type(ENTER);
    stage.wait(1_000);
    expect(prompts(stage)).toEqual([]);
    expect(await stage.screen()).toContain("› !touch x");
  });
});

describe("a suggestion that the user continues", () => {
  test("is a command only when nothing of it is left", () => {
    verifies("composer.suggestion-is-no-command");
    const wentOnWith = (text: string, ...keys: string[]) => {
      const stage = opened();
      stage.hear(suggested(text));
      stage.wait(1_000);
      stage.type(...keys, ENTER);
      return { prompts: prompts(stage), ran: commandsRun(stage).length };
    };
    expect(wentOnWith("!true", " now")).toEqual({ prompts: ["!true now"], ran: 0 });
    expect(wentOnWith("x!true", HOME, DELETE)).toEqual({ prompts: ["!true"], ran: 0 });
    expect(wentOnWith("!true", HOME, DELETE, UNDO)).toEqual({ prompts: ["!true"], ran: 0 });
    expect(wentOnWith("true", HOME, "!")).toEqual({ prompts: ["!true"], ran: 0 });
    expect(wentOnWith("!x", BACKSPACE, BACKSPACE, "!true").prompts).toEqual([]);
  });

  test("stays no command while sessions are switched, and when it comes back from the queue", () => {
    verifies("composer.suggestion-is-no-command");
    const stage = opened();
    stage.hear({ type: "session.started", sessionId: "s1" });
    stage.hear({ type: "editor-text.changed", sessionId: "s1", text: "!true" });
    stage.wait(1_000);
    stage.type(" now");
    stage.hear({ type: "session.started", sessionId: "s2" }, { type: "session.activated", sessionId: "s2" });
    stage.hear({ type: "session.activated", sessionId: "s1" });
    stage.wait(1_000);
    stage.type(ENTER);
    expect(prompts(stage)).toEqual(["!true now"]);
    stage.hear({ type: "prompt.started", sessionId: "s1" });
    stage.hear({ type: "editor-text.changed", sessionId: "s1", text: "!true" });
    stage.wait(1_000);
    stage.type(ENTER);
    stage.type("/queue edit", ENTER);
    stage.hear({ type: "prompt.finished", sessionId: "s1" });
    stage.type(ENTER);
    expect(prompts(stage)).toEqual(["!true now", "!true"]);
    expect(commandsRun(stage)).toEqual([]);
  });

  test("stays no command in a draft that comes back after a crash", () => {
    const unsent = `.${"\n".repeat(39)}touch x`;
    const stage = new Stage(80, 24, { unsent }).ready();
    stage.renderer.app.start({ warnings: [] });
    stage.wait(1_000);
    stage.type(...Array.from({ length: 39 }, () => UP), HOME, "!ls ", ENTER);
    expect(prompts(stage)).toEqual([`!ls ${unsent}`]);
  });

  test("is gone when it was cleared, and gives way to an earlier prompt", async () => {
    const stage = opened();
    stage.hear(suggested("do this"));
    stage.wait(1_000);
    stage.type(CTRL_C);
    stage.wait(1_000);
    expect(await stage.screen()).not.toContain("do this");
    stage.hear(suggested("do that"));
    stage.wait(1_000);
    stage.type(HOME, UP);
    expect(await stage.screen()).toContain("› an older prompt");
  });
});

test("a draft that vanished without a key keeps its next key", () => {
  verifies("composer.draft-is-the-users");
  for (const keys of [["1"], [UP, ENTER]]) {
    const stage = opened();
    stage.hear({ type: "session.started", sessionId: "s1" });
    stage.type("fix section ");
    stage.hear({ ...approval, sessionId: "s1" } as SessionEvent);
    stage.wait(1_000);
    stage.hear({ type: "session.started", sessionId: "s2" }, { type: "session.activated", sessionId: "s2" });
    stage.wait(2_000);
    for (const key of keys) {
      stage.type(key);
      stage.wait(400);
    }
    stage.wait(2_000);
    expect(answers(stage)).toEqual([]);
  }
});

// A daemon's facts are mirrored as it sent them: no engine of ours has made them safe.
test.each([
  ["the composer", () => opened()],
  ["the composer of the full screen", () => opened("full")],
  ["the reader's line", () => new ReaderStage().ready()],
])("a suggestion of a daemon brings no escape sequence to %s", (_, open) => {
  const stage: Stage | ReaderStage = open();
  const session = activeSession(stage.engine.state);
  const suggestion = "a\x1b]0;owned\x07b\x1b[2Jc\u202ed";
  Object.assign(session, { facts: { ...session.facts, suggestion } });
  stage.hear({ type: "notice.shown", sessionId, level: "info", message: "hello" });
  stage.wait(1_000);
  expect(stage.written).toContain("abcd");
  expect(stage.written).not.toMatch(/\x1b\]0;owned|\x1b\[2Jc|\u202e/);
});
