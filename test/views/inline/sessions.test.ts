// Several sessions of one agent on one screen: tabs, drafts, what came while one looked elsewhere.
import { expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { DOWN, ENTER, Stage } from "./stage.js";

const ALT_UP = "\x1b[1;3A";
const ALT_DOWN = "\x1b[1;3B";

const says = (sessionId: string, text: string): SessionEvent => ({
  type: "message.finished",
  sessionId,
  message: {
    role: "assistant",
    content: [{ type: "text", text }],
    usage: { total_tokens: 1200, cost: { total: 0.02 } },
  },
});

function two(): Stage {
  const stage = new Stage();
  stage.hear(
    { type: "agent.readied", sessionId: "parser", ui: true, protocolVersion: "1" },
    { type: "session.started", sessionId: "docs", cwd: "/home/ada/docs" },
  );
  return stage;
}

test("one session needs no tabs; with two they stand above the status, with what is unread and what is asked", async () => {
  const stage = two();
  stage.hear(says("docs", "written"));
  stage.hear({
    type: "ask.raised",
    sessionId: "docs",
    ask: {
      id: "q",
      sessionId: "docs",
      turnId: null,
      origin: { kind: "agent" },
      question: { kind: "confirm", params: { title: "Publish?" } },
      deadlineMs: null,
    },
  });
  stage.wait(1_000);
  const screen = await stage.screen();
  expect(screen).toContain("1 parser  2 docs +1 ?1");
  expect(screen).toContain("▌ Publish?  in docs · alt+down\n› message");
});

const asks = (id: string, sessionId: string, kind: "confirm" | "input" = "input"): SessionEvent => ({
  type: "ask.raised",
  sessionId,
  ask: {
    id,
    sessionId,
    turnId: null,
    origin: { kind: "agent" },
    question: { kind, params: { title: `Name of ${id}` } },
    deadlineMs: null,
  },
});

test("a question stays open in its session while the user is in another one", async () => {
  const stage = two();
  stage.hear(asks("one", "parser", "confirm"));
  stage.wait(2_000);
  expect(await stage.screen()).toMatch(/▌ Name of one[\s\S]*enter/);
  stage.type(ALT_DOWN);
  stage.wait(2_000);
  expect(await stage.screen()).toContain("▌ Name of one  in parser · alt+down\n› message");
  stage.type("yes", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: "yes", session_id: "docs" });
  stage.type("y", ENTER);
  stage.type(ALT_UP);
  stage.wait(2_000);
  expect(await stage.screen()).toMatch(/▌ Name of one[\s\S]*enter/);
  expect(stage.sent.some(({ type }) => type === "ui_response")).toBe(false);
  stage.answer("y");
  expect(stage.sent.at(-1)).toMatchObject({ type: "ui_response", id: "one" });
});

test("an answer that is half written stays in its question", async () => {
  const stage = two();
  stage.hear(asks("one", "parser"));
  stage.wait(2_000);
  stage.type("half");
  stage.type(ALT_DOWN);
  stage.wait(2_000);
  expect(await stage.screen()).not.toContain("half");
  stage.type(ALT_UP);
  stage.wait(2_000);
  expect(await stage.screen()).toContain("› half");
});

test("a session that is shown again begins with the end of what it said", async () => {
  const stage = two();
  for (let at = 1; at <= 30; at += 1) stage.hear(says("parser", `words ${at}`));
  stage.type(ALT_DOWN);
  stage.wait(100);
  expect(await stage.screen()).toContain("session 2: docs\n\n›");
  stage.type(ALT_DOWN);
  stage.wait(100);
  expect(await stage.screen()).toMatch(/session 1: parser\n\n… ctrl\+o\n\nwords 25\n[\s\S]*words 29\n\nwords 30\n\n›/);
  stage.type(ALT_DOWN);
  stage.hear(says("parser", "words 31"));
  stage.type(ALT_DOWN);
  stage.wait(100);
  expect(await stage.screen()).toMatch(/words 29\n\nwords 30\n\nwords 31\n\n›/);
});

test("what another session said comes when one goes there, once and in order, and drafts stay where they were written", async () => {
  const stage = two();
  stage.type("for the parser");
  stage.hear(says("docs", "first words of docs"), says("docs", "second words of docs"));
  stage.wait(100);
  expect(await stage.screen()).not.toContain("words of docs");
  stage.type("\x1b[1;3B");
  stage.wait(100);
  const screen = await stage.screen();
  expect(screen.match(/first words of docs/g)).toHaveLength(1);
  expect(screen.indexOf("first words")).toBeLessThan(screen.indexOf("second words"));
  expect(screen).not.toContain("for the parser");
  expect(stage.sent).toContainEqual({ type: "set_active_session", session_id: "docs" });
  stage.type("hello docs", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: "hello docs", session_id: "docs" });
  stage.type("\x1b[1;3B");
  stage.wait(100);
  expect(await stage.screen()).toContain("› for the parser");
});

test("tokens and cost are those of the session one looks at", async () => {
  const stage = two();
  stage.hear(says("parser", "a"), says("parser", "b"), says("docs", "c"));
  stage.wait(100);
  expect(await stage.screen()).toContain("2.4 k tok · $0.04");
  stage.type("\x1b[1;3B");
  stage.wait(100);
  expect(await stage.screen()).toContain("1.2 k tok · $0.02");
});

test("/switch offers the sessions, /new opens one and goes there, /close asks the agent to end it", async () => {
  const stage = two();
  stage.type("/switch", ENTER);
  stage.wait(100);
  expect(await stage.screen()).toContain("❯ 1 parser");
  stage.type(DOWN, ENTER);
  stage.wait(100);
  expect(stage.sent.at(-1)).toEqual({ type: "set_active_session", session_id: "docs" });
  stage.type("/new /home/ada/site", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "start_session", cwd: "/home/ada/site" });
  stage.hear({ type: "session.started", sessionId: "site", cwd: "/home/ada/site" });
  expect(stage.sent.at(-1)).toEqual({ type: "set_active_session", session_id: "site" });
  stage.type("/close", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "close_session", session_id: "site" });
  stage.hear({ type: "session.closed", sessionId: "site", reason: "normal" });
  stage.wait(100);
  expect(await stage.screen()).toMatch(/1 parser {2}2 docs\n/);
});

test("a session that is closed takes its questions with it; those of the others stay", async () => {
  const stage = two();
  stage.hear(asks("one", "docs"), asks("two", "parser"));
  stage.wait(1_000);
  expect(await stage.screen()).toContain("2 docs ?1");
  stage.hear({ type: "session.closed", sessionId: "docs", reason: "normal" });
  stage.wait(1_000);
  const screen = await stage.screen();
  expect(screen).toContain("Name of two");
  expect(screen).not.toContain("▌ Name of one");
});

test("missing events are told in the session they are missing from", async () => {
  const stage = two();
  stage.hear({ type: "events.missed", sessionId: "parser", count: 3 });
  stage.wait(100);
  expect(await stage.screen()).toContain("3 events of the agent are missing here");
});

test("a session is known by what was asked first in it, until the agent names it", async () => {
  const stage = two();
  stage.type("mend the parser", ENTER);
  stage.wait(60);
  expect(await stage.screen()).toContain("1 mend the parser  2 docs");
  stage.hear({ type: "title.changed", sessionId: "parser", title: "parsing" });
  stage.wait(60);
  expect(await stage.screen()).toContain("1 parsing  2 docs");
});

test("another session begins one blank line below its name, fresh or not", async () => {
  const stage = two();
  stage.hear(says("docs", "words of docs"), says("parser", "words of parser"));
  stage.type("\x1b[1;3B");
  stage.wait(100);
  expect(await stage.screen()).toMatch(/words of parser\n\nsession 2: docs\n\nwords of docs\n\n›/);
});

test("an agent that is started again goes on where the user is, whatever it calls its session", async () => {
  const stage = two();
  stage.hear(says("docs", "nobody has seen this"));
  stage.linkChanged("closed", ["agent.py ended with code 1"]);
  stage.linkChanged("opened", []);
  stage.hear({ type: "agent.readied", sessionId: "another", ui: true, protocolVersion: "1" });
  stage.type("hello again", ENTER);
  stage.wait(100);
  expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: "hello again", session_id: "another" });
  const screen = await stage.screen();
  expect(screen).toMatch(/session 2: docs\n\nnobody has seen this/);
  expect(screen).not.toMatch(/1 .* {2}2 docs|starting/);
});

test("a session that the agent closes leaves behind what no one has seen of it", async () => {
  const stage = two();
  stage.hear(says("docs", "its last words"), { type: "session.closed", sessionId: "docs", reason: "done" });
  stage.wait(60);
  const screen = await stage.screen();
  expect(screen).toContain("session 2: docs");
  expect(screen.match(/its last words/g)).toHaveLength(1);
});

test("a message for an agent that has ended says how it is sent", async () => {
  const stage = new Stage(80, 20);
  stage.ready();
  stage.linkChanged("closed", ["agent.py ended with code 1"]);
  stage.type("are you back", ENTER);
  stage.wait(100);
  expect(await stage.screen()).toContain("◌ are you back  /restart sends it · ctrl+up edit");
});
