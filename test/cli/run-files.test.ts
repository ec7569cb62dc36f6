// What a run leaves on disk and what it must not: the private file of its server, and the record by which it goes on.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { claudePromptArguments } from "../../src/agents/dialects/claude/claude-arguments.js";
import { writePrivateFile } from "../../src/agents/mcp-servers.js";
import { PausedRuns, type RunRecord } from "../../src/cli/prompt/paused-runs.js";
import { promptText, resumeCommand, resumeText } from "../../src/cli/prompt/prompt-arguments.js";
import { askOf, nameQuestion } from "../views/mini/rig.js";

const folder = mkdtempSync(join(tmpdir(), "palaver-runs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

describe("the private file of a run", () => {
  test("is for its owner's eyes and gone when removed, with its folder", () => {
    const file = writePrivateFile("mcp.json", "{}");
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file.path)).mode & 0o777).toBe(0o700);
    file.remove();
    file.remove();
    expect(existsSync(dirname(file.path))).toBe(false);
  });
});

describe("runs that can be gone on with", () => {
  const record = (session: string, more: Partial<RunRecord> = {}): RunRecord => ({
    version: 1,
    session,
    agent: "claude",
    command: "claude",
    args: [],
    protocol: "claude",
    folder: "/project",
    ask: askOf(nameQuestion),
    savedAtMs: 1,
    ...more,
  });

  test("are found by their session, whatever it is called", () => {
    const runs = new PausedRuns(join(folder, "a"));
    for (const session of ["s1", "../../etc/passwd", "日本", "a/b.json"]) {
      expect(runs.save(record(session))).toBe(true);
      expect(runs.find(session)).toEqual(record(session));
    }
    expect(runs.find("s2")).toBeNull();
    expect(readdirSync(folder)).toEqual(["a"]);
    expect(statSync(join(folder, "a", "s1.json")).mode & 0o777).toBe(0o600);
  });

  test("the newest of an agent in a folder is the one that continues", () => {
    const runs = new PausedRuns(join(folder, "b"));
    runs.save(record("old", { savedAtMs: 1 }));
    runs.save(record("new", { savedAtMs: 3 }));
    runs.save(record("elsewhere", { savedAtMs: 9, folder: "/other" }));
    runs.save(record("own", { savedAtMs: 9, agent: null, command: "./agent" }));
    const here = { folder: "/project", command: "" };
    expect(runs.latest({ ...here, agent: "claude" })?.session).toBe("new");
    expect(runs.latest({ ...here, agent: null, command: "./agent" })?.session).toBe("own");
    expect(runs.latest({ ...here, agent: "gemini" })).toBeNull();
  });

  test("a damaged record and a folder that cannot be written are no run, and no failure", () => {
    const runs = new PausedRuns(join(folder, "c"));
    runs.save(record("x"));
    writeFileSync(join(folder, "c", "x.json"), "{");
    expect(runs.find("x")).toBeNull();
    writeFileSync(join(folder, "file"), "");
    expect(new PausedRuns(join(folder, "file")).save(record("y"))).toBe(false);
  });
});

describe("what the agent is told", () => {
  test("Claude's flags come in a fixed order", () => {
    const none = {
      turnsMax: null,
      permissions: "asked",
      session: "new",
      allowedTools: [],
      mcpConfigPath: null,
      own: "off",
    } as const;
    expect(claudePromptArguments(none)).toEqual([]);
    expect(
      claudePromptArguments({
        turnsMax: 3,
        permissions: "skipped",
        session: { resume: "abc" },
        allowedTools: ["Read", "Bash(git diff:*)"],
        mcpConfigPath: "/tmp/x/mcp.json",
        own: "on",
      }),
    ).toEqual([
      "--max-turns",
      "3",
      "--dangerously-skip-permissions",
      "--resume",
      "abc",
      "--allowedTools",
      "Bash(git diff:*),mcp__palaver",
      "--mcp-config",
      "/tmp/x/mcp.json",
    ]);
    expect(claudePromptArguments({ ...none, session: "continue" })).toEqual(["--continue"]);
    expect(claudePromptArguments({ ...none, mcpConfigPath: "/x" })).toEqual(["--mcp-config", "/x"]);
  });

  test("files and input come with the message, in a fence that they cannot end", () => {
    const text = promptText({
      message: "explain",
      context: [{ path: "a.md", text: "```\ncode\n```\n" }],
      input: "piped\n",
      schema: null,
    });
    expect(text).toBe("explain\n\nFile a.md:\n````\n```\ncode\n```\n````\n\nInput:\n```\npiped\n```");
    expect(promptText({ message: "", context: [], input: "alone", schema: null })).toBe("alone");
    expect(promptText({ message: "m", context: [], input: null, schema: { type: "number" } })).toContain(
      '{"type":"number"}',
    );
  });

  test("a secret answer is not part of the words", () => {
    const secret = askOf({ kind: "input", params: { title: "Token?", opts: { secret: true } } });
    expect(resumeText(secret, "hunter2")).not.toContain("hunter2");
    expect(resumeText(askOf(nameQuestion), "Ada")).toBe(
      'We stopped at your question "Name?". The answer is: Ada. Continue from there.',
    );
  });
});

describe("the command that resumes a run", () => {
  test.each([
    ["20261114-091500-5a6b7c8d", "palaver prompt --resume 20261114-091500-5a6b7c8d --answer …"],
    ["$(touch x)", "palaver prompt --resume='$(touch x)' --answer …"],
    ["a'; touch x; '", "palaver prompt --resume='a'\\''; touch x; '\\''' --answer …"],
    ["--skip-permissions", "palaver prompt --resume='--skip-permissions' --answer …"],
  ])("names session %j so that a shell takes it as one word", (session, command) => {
    expect(resumeCommand(session)).toBe(command);
  });
});
