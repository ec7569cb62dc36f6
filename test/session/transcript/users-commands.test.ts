// Rows of commands that the user runs with "!": only the user's own shell writes them, and no tool of an agent passes for one.
import { expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { activeSession } from "../../../src/session/engine/engine-state.js";
import { SessionEngine } from "../../../src/session/engine/source.js";
import type { ToolBlock } from "../../../src/session/transcript/block.js";

function talk() {
  const clock = { nowMs: () => 1_000, after: () => () => undefined };
  const engine = new SessionEngine({ clock, send: () => undefined, respond: () => "delivered" });
  const { key: session } = activeSession(engine.state);
  const call = { sessionId: null, toolCallId: "mine", name: "!" };
  return {
    engine,
    hear: (...events: SessionEvent[]) => {
      for (const event of events) engine.take({ type: "event", event });
    },
    start: () =>
      engine.dispatch({
        type: "shell",
        session,
        event: { type: "tool.started", ...call, args: { command: "git status" } },
      }),
    end: () =>
      engine.dispatch({
        type: "shell",
        session,
        event: { type: "tool.finished", ...call, output: " M a.ts", isError: false },
      }),
    tools: (key = session): ToolBlock[] => {
      const found = engine.state.sessions.find((each) => each.key === key);
      const blocks = [...(found?.journal.blocks ?? []), ...(found?.transcript.open ?? [])];
      return blocks.filter((block) => block.kind === "tool");
    },
  };
}

const whole = { by: "user", name: "!", phase: "done", output: " M a.ts" };

test.each(["!", " !", "\u200b!", "！", "! git status", "❗️ git status", "ⵑ git status", "❢ git status", "!!"])(
  "a tool that an agent calls %j is not the user's, and is not called so",
  (name) => {
    const { hear, tools } = talk();
    const call = { sessionId: null, toolCallId: "c1", name };
    hear({ type: "tool.started", ...call, args: { command: "git status" } });
    hear({ type: "tool.finished", ...call, output: "(clean)", isError: false });
    hear({
      type: "message.finished",
      sessionId: null,
      message: { role: "tool_result", tool_call_id: "c2", tool_name: name, content: "(clean)" },
    });
    expect(tools()).toHaveLength(2);
    for (const tool of tools()) {
      expect(tool.by).toBeUndefined();
      expect(tool.name).toMatch(/^(?:tool|git status)$/);
    }
  },
);

test("the end of a turn, or of the agent, does not end the user's command", () => {
  const { engine, hear, start, end, tools } = talk();
  start();
  hear({ type: "prompt.finished", sessionId: null });
  engine.take({ type: "agent", change: "closed", words: [] });
  expect(tools()).toMatchObject([{ phase: "running" }]);
  end();
  expect(tools()).toMatchObject([whole]);
});

test("it ends with the view", () => {
  const { engine, start, tools } = talk();
  start();
  engine.dispatch({ type: "cut-short" });
  expect(tools()).toMatchObject([{ by: "user", phase: "stopped" }]);
});

test("its output stands in the session that it was started in, whatever session the agent goes to", () => {
  const { hear, start, end, tools, engine } = talk();
  hear({ type: "session.started", sessionId: "a" });
  start();
  hear({ type: "session.started", sessionId: "b" }, { type: "session.activated", sessionId: "b" });
  end();
  expect(tools()).toMatchObject([whole]);
  expect(tools(activeSession(engine.state).key)).toEqual([]);
});
