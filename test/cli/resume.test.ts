// How an agent goes on with a session: each is told in its own way, and what would begin another session instead is refused.
import { expect, test } from "vitest";
import { type GoingOnAgent, goingOn } from "../../src/cli/resume.js";

const command = { command: "agent", args: ["agent"] };
const agent = (kind: GoingOnAgent["kind"], protocol: GoingOnAgent["protocol"]) => ({ kind, command, protocol });
const isSaved = (named: string) => named === "s1";

test("the embedded agent reads the file of the session", () => {
  const told = { command: { command: "agent", args: ["agent", "--session-file", "s1"] }, resume: null };
  expect(goingOn(agent("embedded", "lines"), "s1", isSaved)).toEqual(told);
});

test("a name that is only misspelt begins no session of its own", () => {
  const misspelt = () => goingOn(agent("embedded", "lines"), "s2", isSaved);
  expect(misspelt).toThrow("there is no session s2; palaver sessions lists them");
});

const resumable = ["acp", "claude", "pi", "codelia", "codex"] as const;

test.each(resumable)("an agent that speaks %s is told over its wire", (protocol) => {
  expect(goingOn(agent("other", protocol), "theirs", isSaved)).toEqual({ command, resume: "theirs" });
});

test.each([
  ["lines", "one that speaks lines cannot"],
  ["rpc", "one that speaks rpc cannot"],
  ["detect", "say with --protocol how it speaks"],
] as const)("one that speaks %s is refused, in words", (protocol, words) => {
  const refused = () => goingOn(agent("other", protocol), "theirs", isSaved);
  expect(refused).toThrow(`this agent cannot go on with a session here: ${words}`);
});
