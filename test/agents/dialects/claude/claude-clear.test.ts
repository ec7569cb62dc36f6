// A new conversation in the same process: Claude's own command, and what is told about the session that it begins.
import { describe, expect, test } from "vitest";
import { createClaudeDialect } from "../../../../src/agents/dialects/claude/claude-dialect.js";
import { DialectTalk } from "../dialect-talk.js";
import { claudeResult, init, initialized } from "./claude-frames.js";

function prompted(): DialectTalk {
  const talking = new DialectTalk(createClaudeDialect());
  talking.hear(initialized(talking));
  talking.say({ type: "prompt", text: "go" });
  talking.hear(init());
  return talking;
}

describe("a fresh conversation", () => {
  const reset = { type: "conversation_reset", new_conversation_id: "c-2", session_id: "s-1" };
  const next = { ...init(), session_id: "s-2" };

  test.each(["reset", "start_session"] as const)("%s is Claude's own /clear, told when Claude confirms it", (type) => {
    const talking = prompted();
    talking.hear(claudeResult());
    talking.say({ type });
    expect(talking.lastSent).toMatchObject({ message: { content: [{ type: "text", text: "/clear" }] } });
    expect(talking.types()).not.toContain("session.cleared");
    talking.hear(reset, next, claudeResult({ usage: {}, total_cost_usd: 0 }));
    expect(talking.events.filter(({ type: name }) => name.startsWith("session."))).toEqual([
      { type: "session.started", sessionId: "s-1", cwd: "/home/ada/parser" },
      { type: "session.cleared", sessionId: "s-1" },
      { type: "session.started", sessionId: "s-2", cwd: "/home/ada/parser" },
    ]);
    expect(talking.types().at(-1)).toBe("prompt.finished");
    talking.say({ type: "prompt", text: "again" });
    talking.hear(claudeResult({ total_cost_usd: 0.02 }));
    expect(talking.events.at(-2)).toMatchObject({ usage: { total_tokens: 115, cost: { total: 0.02 } } });
  });

  test("an older version only names the new conversation", () => {
    const talking = prompted();
    talking.hear(claudeResult());
    talking.say({ type: "reset" });
    talking.hear(next, claudeResult());
    expect(talking.types().filter((type) => type === "session.cleared")).toHaveLength(1);
  });

  test("waits for the end of the turn, and one that does not come is no success", () => {
    const talking = prompted();
    expect(talking.say({ type: "reset" })).toMatchObject([
      { type: "command.failed", message: "Claude is busy; stop it before you clear the conversation" },
    ]);
    talking.hear(claudeResult());
    talking.say({ type: "reset" });
    expect(talking.hear(claudeResult())[0]).toMatchObject({
      type: "command.failed",
      message: "Claude did not clear its conversation",
    });
  });
});
