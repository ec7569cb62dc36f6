// How an agent goes on with a session: each is told in its own way, and what would begin another session instead is refused.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { AgentSessions } from "../../src/cli/agent-sessions.js";
import { type ResumableAgent, resumedStart } from "../../src/cli/resume.js";
import { takeLock } from "../../src/system/file-lock.js";

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

const resumable = ["lines", "detect", "acp", "claude", "pi", "codelia", "codex"] as const;

test.each(resumable)("an agent that speaks %s is told over its wire", (protocol) => {
  expect(resumedStart(agent("other", protocol), "theirs", isSaved)).toEqual({ command, resume: "theirs" });
});

test.each([
  ["rpc", "the rpc protocol does not support it"],
  ["plain", "the plain protocol does not support it"],
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

test("a restarted agent resumes its session once something was said in it, and forgets the sessions before", async () => {
  const startedBy = { before: ["palaver", "run"], after: ["--", "agent"] };
  const sessions = new AgentSessions({ ...agent("other", "lines"), startedBy });
  const answer = { server_capabilities: { supports_sessions: true } };
  const readied = (sessionId: string) => {
    sessions.heard({ type: "agent.readied", sessionId, ui: true, protocolVersion: "2" });
    sessions.heard({ type: "command.answered", sessionId: null, command: "initialized", answer });
  };
  readied("s1");
  expect(await sessions.start()).toEqual({ command, link: {}, session: "new" });
  readied("s2");
  sessions.heard({ type: "prompt.started", sessionId: "s2" });
  const resumed = { command, link: { resume: "s2" }, session: "resumed" };
  expect(await sessions.start()).toEqual(resumed);
  expect(await sessions.start()).toEqual(resumed);
  readied("s2");
  sessions.heard({ type: "session.activated", sessionId: "s3" });
  expect(await sessions.start()).toEqual({ command, link: {}, session: "new" });
});

test.each(["rpc", "lines"] as const)(
  "a restarted agent on %s that has no sessions has forgotten what was said",
  async (protocol) => {
    const sessions = new AgentSessions({ ...agent("other", protocol), startedBy: { before: [], after: [] } });
    sessions.heard({ type: "agent.readied", sessionId: "main", ui: true, protocolVersion: "2" });
    const answer = { server_capabilities: {} };
    sessions.heard({ type: "command.answered", sessionId: null, command: "initialized", answer });
    sessions.heard({ type: "prompt.started", sessionId: "main" });
    expect(await sessions.start()).toEqual({ command, link: {}, session: "forgotten" });
    expect(await sessions.start()).toEqual({ command, link: {}, session: "new" });
  },
);

test("a session that another process has open is refused while this agent still runs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "palaver-resume-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "s1.jsonl");
  const sessions = new AgentSessions({ ...agent("other", "claude"), startedBy: { before: [], after: [] } });
  const saved = { agent: "palaver", id: "s1", title: "", cwd: folder, atMs: null, ref: path, path };
  expect(await sessions.problemWith(saved)).toBeNull();
  const attempt = await takeLock(`${path}.lock`);
  expect(await sessions.problemWith(saved)).toBe(
    `this session is open in another process (pid ${process.pid}); quit it there first`,
  );
  if (attempt.kind === "taken") await attempt.lock.release();
  expect(await sessions.problemWith(saved)).toBeNull();
});
