// How agents with a wire of their own are started: what they need is there, what was given stays, nothing is said twice.
import { describe, expect, test } from "vitest";
import { wire as claude } from "../../src/agents/dialects/claude/claude-dialect.js";
import { wire as pi } from "../../src/agents/dialects/pi/pi-dialect.js";
import { wireOfCommand } from "../../src/agents/presets.js";

describe("claude", () => {
  test("gets everything that its stream-json needs", () => {
    expect(claude.args([], {}).join(" ")).toBe(
      "--print --input-format stream-json --output-format stream-json --verbose --include-partial-messages --permission-prompt-tool stdio",
    );
  });

  test("keeps what it was given, in whatever spelling", () => {
    const given = ["-p", "--model", "opus", "--permission-prompt-tool=mcp__front__approve", "--verbose"];
    expect(claude.args(given, {})).toEqual([
      ...given,
      ...["--input-format", "stream-json", "--output-format", "stream-json", "--include-partial-messages"],
    ]);
  });

  test("resumes a session", () => {
    const args = claude.args([], { resume: "5d1f" });
    expect(args.slice(-2)).toEqual(["--resume", "5d1f"]);
  });
});

describe("pi", () => {
  test("is started in its RPC mode, once", () => {
    expect(pi.args(["--no-session"], {})).toEqual(["--no-session", "--mode", "rpc"]);
    expect(pi.args(["--mode", "rpc"], {})).toEqual(["--mode", "rpc"]);
    expect(pi.args(["--mode=rpc"], { resume: "s.jsonl" })).toEqual(["--mode=rpc", "--session", "s.jsonl"]);
  });
});

describe("a command of one's own", () => {
  test.each([
    ["/usr/local/bin/claude", ["--model", "opus"], "claude"],
    ["gemini", ["--acp", "--debug"], "acp"],
    ["gemini", ["--debug"], null],
    ["my-agent", ["--acp"], null],
  ])("%s %j is known when a preset is called the same way", (program, args, wire) => {
    expect(wireOfCommand(program, args)).toBe(wire);
  });
});
