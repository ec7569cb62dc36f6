// A new conversation in the same session: what clears it, when it is called cleared, and whose command it is.
import { expect, test } from "vitest";
import { ENTER, Stage } from "./stage.js";

const sessionId = null;

function opened(columns?: number, rows?: number): Stage {
  const stage = new Stage(columns, rows);
  stage.ready();
  return stage;
}

async function shown(stage: Stage): Promise<string> {
  stage.wait(100);
  return stage.screen();
}

test("/clear clears the conversation, and pushes what is on the screen into the scrollback", async () => {
  const stage = opened();
  stage.type("hello", ENTER);
  stage.hear({ type: "prompt.finished", sessionId });
  stage.type("/clear", ENTER);
  stage.hear({ type: "session.cleared", sessionId });
  const screen = await shown(stage);
  expect(screen).not.toContain("› hello");
  expect(screen).toContain("ℹ conversation cleared");
  expect(stage.sent.at(-1)).toEqual({ type: "reset" });
  expect(stage.emulator.scrollback().join("\n")).toContain("› hello");
});

test("/clear screen leaves the conversation as it is", async () => {
  const stage = opened();
  stage.type("/clear screen", ENTER);
  expect(await shown(stage)).toContain("screen cleared");
  expect(stage.sent).not.toContainEqual({ type: "reset" });
});

test("an agent that cannot clear its conversation is not said to have cleared it", async () => {
  const stage = opened();
  const answer = { commands: ["prompt", "abort"] };
  stage.hear({ type: "command.answered", sessionId, command: "initialized", answer });
  stage.type("/clear", ENTER);
  expect(await shown(stage)).toContain("screen cleared; agent.py cannot clear the conversation");
  stage.type("/reset", ENTER);
  expect(await shown(stage)).toContain("agent.py cannot clear the conversation; restart it");
  expect(stage.sent).not.toContainEqual({ type: "reset" });
});

test("nothing is cleared while the agent works: a queued message would be lost", async () => {
  const stage = opened();
  stage.type("hello", ENTER, "then this", ENTER, "/clear", ENTER);
  const screen = await shown(stage);
  expect(screen).toContain("stop the agent first (esc)");
  expect(screen).toContain("› hello");
  expect(stage.sent).not.toContainEqual({ type: "reset" });
});

test("a session that replaces the only one has no number", async () => {
  const stage = opened();
  stage.type("hello", ENTER);
  stage.hear({ type: "prompt.finished", sessionId });
  stage.hear({ type: "session.started", sessionId: "s1" });
  stage.hear(
    { type: "session.started", sessionId: "s2" },
    { type: "session.closed", sessionId: "s1", reason: "normal" },
  );
  expect(stage.engine.state.sessions).toHaveLength(1);
  expect(await shown(stage)).not.toContain("session 2");
});

test("a command of the agent that we have, too, is listed once, and is ours; one that only it can do goes to it", async () => {
  const stage = opened(90, 50);
  const commands = ["clear", "reset", "compact", "save"].map((name) => ({ name, summary: `its own ${name}` }));
  stage.hear(
    { type: "command.answered", sessionId, command: "initialized", answer: { commands: ["prompt", "abort", "reset"] } },
    { type: "commands.changed", sessionId, commands },
  );
  stage.type("/help", ENTER);
  const screen = await shown(stage);
  expect(screen.match(/\/clear/g)).toHaveLength(1);
  expect(screen).not.toContain("its own reset");
  stage.type("/clear", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "reset" });
  stage.type("/save", ENTER);
  expect(stage.sent.at(-1)).toMatchObject({ type: "prompt", text: "/save" });
});

test("the conversation is called cleared when the agent says so, and goes on as a new one", async () => {
  const stage = opened();
  stage.hear(
    { type: "session.started", sessionId: "s1" },
    { type: "usage.changed", sessionId: "s1", usage: { total_tokens: 1_200 } },
  );
  stage.type("/reset", ENTER);
  expect(await shown(stage)).not.toContain("conversation cleared");
  stage.hear({ type: "session.cleared", sessionId: "s1" }, { type: "session.started", sessionId: "s2" });
  const screen = await shown(stage);
  expect(screen).toContain("conversation cleared");
  expect(screen).not.toContain("1.2 k tok");
  expect(screen).not.toContain("session 2");
  stage.type("next", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: "next", session_id: "s2" });
});
