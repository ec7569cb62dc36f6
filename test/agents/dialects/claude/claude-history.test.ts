// What Claude's own file holds of a session, shown when it is resumed.
import { expect, test } from "vitest";
import { createClaudeDialect } from "../../../../src/agents/dialects/claude/claude-dialect.js";
import type { JsonObject } from "../../../../src/agents/dialects/frames/json-frame.js";
import { DialectTalk } from "../dialect-talk.js";
import { assistant, init, initialized, toolResult } from "./claude-frames.js";

const said = (text: string, more: JsonObject = {}) => ({ type: "user", message: { content: text }, ...more });
const call = (id: string) => ({ type: "tool_use", id, name: "Bash", input: { command: "npm test" } });
const { tool_use_result: _none, ...result } = toolResult("c1", "1 failed");

function resumed(lines: readonly JsonObject[], isCut = false): DialectTalk {
  const history = { lines, isCut };
  const talking = new DialectTalk(createClaudeDialect({ resume: "s-1", history, workspace: "/home/ada/parser" }));
  talking.hear(initialized(talking));
  return talking;
}

test("a resumed session shows what its file holds of the conversation, and nothing of what was for the model", () => {
  const talking = resumed([
    { type: "queue-operation", content: "fix it" },
    said("fix it"),
    said("<command-name>/clear</command-name>"),
    said("a summary", { isCompactSummary: true }),
    said("of a sub-agent", { isSidechain: true }),
    { ...assistant("m1", [{ type: "text", text: "I look." }, call("c1"), call("never-ended")]), requestId: "r" },
    { ...result, toolUseResult: { stdout: "1 failed" } },
    { type: "user", message: "damaged" },
  ]);
  // A prompt that was typed meanwhile is sent when the agent is ready, and comes after all this.
  const shown = talking.events.slice(
    talking.types().indexOf("session.started"),
    talking.types().indexOf("agent.readied"),
  );
  expect(shown).toMatchObject([
    { type: "session.started", sessionId: "s-1", cwd: "/home/ada/parser" },
    { type: "message.started", message: { role: "user" } },
    { type: "message.finished", message: { role: "user", content: [{ text: "fix it" }] } },
    { type: "message.started", message: { role: "assistant" } },
    { type: "message.updated" },
    { type: "tool.started", toolCallId: "c1", name: "Bash" },
    { type: "message.finished", message: { content: [{ text: "I look." }, { type: "tool_call", id: "c1" }] } },
    { type: "tool.finished", toolCallId: "c1", output: "1 failed" },
  ]);
  talking.say({ type: "prompt", text: "go on" });
  talking.hear(init());
  expect(talking.types().filter((type) => type === "session.started")).toHaveLength(1);
});

test("a resumed session says when there was more", () => {
  const many = Array.from({ length: 500 }, (_, at) => said(`prompt ${at}`));
  const notices = (talking: DialectTalk) => talking.events.filter(({ type }) => type === "notice.shown");
  expect(notices(resumed(many))).toMatchObject([{ message: "earlier messages are not shown" }]);
  expect(notices(resumed([said("last")], true))).toHaveLength(1);
  expect(notices(resumed([said("all")]))).toEqual([]);
});
