// What Claude's tools answer is written for the model: the user sees what happened, in plain words or as a diff.
import { expect, test } from "vitest";
import { createClaudeDialect } from "../../../../src/agents/dialects/claude/claude-dialect.js";
import type { JsonObject } from "../../../../src/agents/dialects/frames/json-frame.js";
import { DialectTalk } from "../dialect-talk.js";
import { assistant, init, initialized, toolResult } from "./claude-frames.js";

const FOR_THE_MODEL = "(file state is current in your context — no need to Read it back)";

function calling(name: string, input: JsonObject): DialectTalk {
  const talking = new DialectTalk(createClaudeDialect());
  talking.hear(initialized(talking));
  talking.say({ type: "prompt", text: "go" });
  talking.hear(init(), assistant("m1", [{ type: "tool_use", id: "t1", name, input }]));
  return talking;
}

function outputOf(talking: DialectTalk, result: JsonObject): unknown {
  const [finished] = talking.hear(result).filter(({ type }) => type === "tool.finished");
  return finished?.type === "tool.finished" ? finished.output : undefined;
}

test("a change has no words besides its diff, also when it changes nothing", () => {
  const talking = calling("Write", { file_path: "a.ts", content: "x" });
  const structured = { type: "update", filePath: "a.ts", content: "x", originalFile: "x" };
  expect(
    outputOf(talking, toolResult("t1", `The file a.ts has been updated. ${FOR_THE_MODEL}`, structured)),
  ).toBeNull();
});

test("a sub-agent's report is shown without its frame", () => {
  const talking = calling("Agent", { description: "Look around", prompt: "Look" });
  const structured = { status: "completed", agentId: "a5", content: [{ type: "text", text: "I looked." }] };
  const wrapped = toolResult("t1", "[Subagent hand-back] … I looked.\nagentId: a5 (use SendMessage …)", structured);
  expect(outputOf(talking, wrapped)).toEqual({ content: [{ type: "text", text: "I looked." }] });
});

test("a sub-agent in the background says so", () => {
  const talking = calling("Agent", { description: "Look around", prompt: "Look" });
  const wrapped = toolResult("t1", "Async agent launched. agentId: a5 (internal ID)", { isAsync: true, agentId: "a5" });
  expect(outputOf(talking, wrapped)).toBe("started in the background");
});

test("a call that the user stopped was not denied", () => {
  const talking = calling("Bash", { command: "make" });
  talking.say({ type: "abort" });
  const refused = "The user doesn't want to proceed with this tool use. STOP and wait.";
  expect(outputOf(talking, toolResult("t1", refused, {}, "error"))).toBe("Stopped.");
});

test("a missing login says where to log in", () => {
  const talking = calling("Bash", { command: "make" });
  const failed = { ...assistant("m2", [{ type: "text", text: "Not logged in · Please run /login" }]), error: "auth" };
  expect(talking.hear(failed)).toMatchObject([
    { type: "agent.failed", message: expect.stringMatching(/^Not logged in: run claude in another terminal and type/) },
  ]);
});

test("a task in the foreground ends without a notice: the result of its call says the same", () => {
  const talking = calling("Bash", { command: "make" });
  const news = (fields: JsonObject) => ({ type: "system", task_id: "k", ...fields });
  talking.hear(news({ subtype: "task_started", description: "Build", is_backgrounded: false }));
  const ended = talking.hear(news({ subtype: "task_notification", status: "stopped", summary: "Build" }));
  expect(ended).toMatchObject([{ type: "status.changed", text: null }]);
});
