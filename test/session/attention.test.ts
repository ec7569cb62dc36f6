// When the user is called, and what the window says meanwhile.
import { expect, test } from "vitest";
import { attentionFor, type Situation } from "../../src/session/attention.js";
import { callBytes, callWayFor, showsProgress, titleBytes } from "../../src/views/inline/attention-caller.js";

const idle: Situation = { agent: "claude", agentTitle: null, phase: "idle", asking: null, focus: "here" };
const asking: Situation = { ...idle, phase: "working", asking: { title: "Delete it?", waiting: 0 } };
const away = (situation: Situation): Situation => ({ ...situation, focus: "elsewhere" });

test("the title says that an answer is needed, and whose window it is", () => {
  expect(attentionFor(idle, null).title).toBe("claude");
  expect(attentionFor({ ...idle, agentTitle: "parser: a test" }, null).title).toBe("parser: a test");
  expect(attentionFor(asking, idle).title).toBe("? claude: an answer is needed");
});

test("somebody who looks elsewhere is called once for each question, and when the work is done", () => {
  const working: Situation = { ...idle, phase: "working" };
  expect(attentionFor(away(asking), away(working)).call).toBe("claude asks: Delete it?");
  expect(attentionFor(away(asking), away(asking)).call).toBeNull();
  expect(attentionFor(away(idle), away(working)).call).toBe("claude is done");
  expect(attentionFor({ ...away(idle), phase: "ended" }, away(idle)).call).toBe("claude has ended");
});

test("no one is called who is looking", () => {
  expect(attentionFor(asking, idle).call).toBeNull();
  expect(attentionFor(idle, { ...idle, phase: "working" }).call).toBeNull();
});

test("progress shows work, and work that waits", () => {
  expect([idle, { ...idle, phase: "working" as const }, asking].map((now) => attentionFor(now, null).progress)).toEqual(
    ["none", "working", "waiting"],
  );
});

test("nothing an agent says can end a sequence and begin another", () => {
  const hostile = "x\x07\x1b]52;c;eA==\x07;y\x1b\\z";
  const inside = (bytes: string) => bytes.slice(1, -1).replace(/^\]\d+;/, "");
  for (const bytes of [titleBytes(hostile), callBytes(hostile, "osc9"), callBytes(hostile, "osc777")]) {
    expect(inside(bytes)).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
  }
});

test("each terminal is called in a way it knows, and a multiplexer by its bell", () => {
  const ways: [Record<string, string>, string][] = [
    [{ TERM: "xterm-kitty" }, "osc99"],
    [{ TERM: "xterm-kitty", TMUX: "/tmp/tmux" }, "bell"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "ghostty" }, "osc9"],
    [{ TERM: "foot" }, "osc777"],
    [{ TERM: "xterm-256color", VTE_VERSION: "7600" }, "osc777"],
    [{ TERM: "xterm-256color" }, "bell"],
  ];
  expect(ways.map(([environment]) => callWayFor(environment))).toEqual(ways.map(([, way]) => way));
  expect(callBytes("anything", "bell")).toBe("\x07");
  expect(callBytes("anything", "off")).toBe("");
  expect([showsProgress({ WT_SESSION: "1" }), showsProgress({ TERM_PROGRAM: "iTerm.app" })]).toEqual(["yes", "no"]);
});
