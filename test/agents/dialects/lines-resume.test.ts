// An agent on the lines wire starts on one of its earlier sessions: what it is sent, and when the front end hears that it is ready.
import { describe, expect, test } from "vitest";
import { createLinesDialect } from "../../../src/agents/dialects/lines/lines-dialect.js";
import { introduction } from "../../../src/contract/introduction.js";
import { DialectTalk } from "./dialect-talk.js";

const saved = [
  { id: "s-old", path: "/store/old", cwd: "/project", timestamp: 1 },
  { id: "s-new", path: "/store/new", cwd: "/project", timestamp: 2 },
  { id: "x-away", path: "/store/away", cwd: "/elsewhere", timestamp: 3 },
];
const ready = { type: "ready", protocol_version: "2", active_session_id: "first" };
const able = { type: "initialized", protocol_version: "2", server_capabilities: { supports_sessions: true } };
const list = { type: "sessions_list", sessions: saved };
const started = { type: "session_started", session_id: "s-new" };
const user = { role: "user", content: "hello" };
const said = { type: "event", session_id: "s-new", event: { type: "message_end", message: user } };
const active = { type: "active_session", session_id: "s-new" };
const closed = { type: "session_closed", session_id: "first", reason: "normal" };

const talk = (resume: string) => new DialectTalk(createLinesDialect({ resume, workspace: "/project" }));
const sentBy = ({ sent }: DialectTalk) => sent.map(({ type, ...fields }) => [type, ...Object.values(fields)]);

test("the session is opened, its messages come, and then the agent is ready", () => {
  const agent = talk("s-new");
  const before = agent.hear(ready, able, list, started, said, active);
  expect(before.map(({ type }) => type)).toEqual(["session.started", "message.finished"]);
  expect(agent.hear(closed)).toMatchObject([{ type: "agent.readied", sessionId: "s-new" }]);
  expect(sentBy(agent).slice(1)).toEqual([
    ["list_sessions"],
    ["start_session", "/store/new"],
    ["set_active_session", "s-new"],
    ["close_session", "first"],
  ]);
  const introduced = agent.say(introduction("2"));
  expect(introduced).toMatchObject([{ type: "command.answered", command: "initialized" }]);
  expect(agent.sent.filter(({ type }) => type === "initialize")).toHaveLength(1);
});

test.each([
  ["", "/store/new"],
  ["s-o", "/store/old"],
  ["x-away", "/store/away"],
  ["/store/unlisted", "/store/unlisted"],
])("the session that is meant by %j is %s", (name, file) => {
  const agent = talk(name);
  agent.hear(ready, able, list);
  expect(agent.sent.at(-1)).toEqual({ type: "start_session", session_file: file });
});

test("an agent that lists nothing is asked for the session by its name", () => {
  const agent = talk("s-new");
  agent.hear(ready, able, { type: "error", message: "list_sessions is not supported" });
  expect(agent.sent.at(-1)).toEqual({ type: "start_session", session_file: "s-new" });
});

describe("an agent that cannot resume it resumes its own session, and the user is told so", () => {
  const unable = { ...able, server_capabilities: {} };
  const error = (message: string) => ({ type: "error", message });
  test.each([
    ["s-new", [unable], "the agent does not remember the earlier conversation"],
    ["s-new", [error("unknown command: initialize")], "unknown command: initialize"],
    ["", [able, { ...list, sessions: [] }], "there is no session to resume in this folder"],
    ["s-", [able, list], '"s-" could be s-new or s-old'],
    ["gone", [able, list, error("no such session: gone")], "no such session: gone"],
  ])("%j: %s", (name, frames, reason) => {
    const agent = talk(name);
    const events = agent.hear(ready, ...frames);
    const message = `the session could not be resumed, so this is a new one: ${reason}`;
    expect(events).toMatchObject([
      { type: "notice.shown", level: "warn", message },
      { type: "agent.readied", sessionId: "first" },
    ]);
  });

  test("also when it does not answer", () => {
    const agent = talk("s-new");
    agent.hear(ready, able);
    const ids = agent.effects.flatMap((effect) => (effect.type === "wait" ? [effect.id] : []));
    const events = agent.waited(ids.at(-1) ?? "");
    expect(events).toEqual([]);
    expect(agent.sent.at(-1)).toEqual({ type: "start_session", session_file: "s-new" });
    const last = agent.effects.flatMap((effect) => (effect.type === "wait" ? [effect.id] : [])).at(-1) ?? "";
    expect(agent.waited(last)).toMatchObject([
      { message: expect.stringContaining("no answer to start_session within 30 s") },
      { type: "agent.readied" },
    ]);
  });
});

test("its commands are those of the session", () => {
  const agent = talk("s-new");
  const commands = [{ name: "plan", summary: "make a plan" }];
  const frames = [ready, able, list, { ...started, commands }, active, closed];
  expect(agent.hear(...frames)).toContainEqual({ type: "commands.changed", sessionId: "s-new", commands });
});
