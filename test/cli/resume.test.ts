// How an agent goes on with a session: each is told in its own way, and what would begin another session instead is refused.
import { expect, test } from "vitest";
import { AgentSessions } from "../../src/cli/agent-sessions.js";
import { type ResumableAgent, resumedStart } from "../../src/cli/resume.js";

const command = { command: "agent", args: ["agent"] };
const agent = (kind: ResumableAgent["kind"], protocol: ResumableAgent["protocol"]) => ({ kind, command, protocol });
const isSaved = (named: string) => named === "s1";

test("the embedded agent reads the file of the session", () => {
  const told = { command: { command: "agent", args: ["agent", "--session-file", "s1"] }, resume: null };
  expect(resumedStart(agent("embedded", "lines"), "s1", isSaved)).toEqual(told);
});

test("a name that is only misspelt begins no session of its own", () => {
  const misspelt = () => resumedStart(agent("embedded", "lines"), "s2", isSaved);
  expect(misspelt).toThrow("there is no session s2; palaver sessions lists them");
});

const resumable = ["acp", "claude", "pi", "codelia", "codex"] as const;

test.each(resumable)("an agent that speaks %s is told over its wire", (protocol) => {
  expect(resumedStart(agent("other", protocol), "theirs", isSaved)).toEqual({ command, resume: "theirs" });
});

test.each([
  ["lines", "the lines protocol does not support it"],
  ["rpc", "the rpc protocol does not support it"],
  ["detect", "name its protocol with --protocol"],
] as const)("one that speaks %s is refused, in words", (protocol, words) => {
  const refused = () => resumedStart(agent("other", protocol), "theirs", isSaved);
  expect(refused).toThrow(`this agent cannot resume a session: ${words}`);
});

const OPTION = "--dangerously-skip-permissions";

test("what an agent or a user names like an option is no session, and is in no line to copy", async () => {
  for (const protocol of resumable) {
    expect(() => resumedStart(agent("other", protocol), OPTION, isSaved)).toThrow("that is an option, not an id");
  }
  const startedBy = { before: ["palaver", "run", "--sandbox"], after: ["--", "agent"] };
  const sessions = new AgentSessions({ ...agent("other", "pi"), startedBy });
  expect(await sessions.resumeLine("--no-sandbox")).toBeNull();
  expect(await sessions.resumeLine("s1; x")).toBe("palaver run --sandbox --resume 's1; x' -- agent");
});
