// How agents with a wire of their own are started: what they need is there, what was given stays, nothing is said twice.
import { describe, expect, test } from "vitest";
import { claudeCommand } from "../../src/agents/claude-link.js";
import { piCommand } from "../../src/agents/pi-link.js";
import { wireOfCommand } from "../../src/agents/presets.js";

describe("claude", () => {
  test("gets everything that its stream-json needs", () => {
    expect(claudeCommand({ command: "claude", args: [] }, {}).args.join(" ")).toBe(
      "--print --input-format stream-json --output-format stream-json --verbose --include-partial-messages --permission-prompt-tool stdio",
    );
  });

  test("keeps what it was given, in whatever spelling", () => {
    const given = ["-p", "--model", "opus", "--permission-prompt-tool=mcp__front__approve", "--verbose"];
    expect(claudeCommand({ command: "claude", args: given, cwd: "x" }, {})).toEqual({
      command: "claude",
      cwd: "x",
      args: [
        ...given,
        ...["--input-format", "stream-json", "--output-format", "stream-json", "--include-partial-messages"],
      ],
    });
  });

  test("goes on with a session", () => {
    const { args } = claudeCommand({ command: "claude", args: [] }, { resume: "5d1f" });
    expect(args.slice(-2)).toEqual(["--resume", "5d1f"]);
  });
});

describe("pi", () => {
  test("is started in its RPC mode, once", () => {
    expect(piCommand({ command: "pi", args: ["--no-session"] }, {}).args).toEqual(["--no-session", "--mode", "rpc"]);
    expect(piCommand({ command: "pi", args: ["--mode", "rpc"] }, {}).args).toEqual(["--mode", "rpc"]);
    expect(piCommand({ command: "pi", args: ["--mode=rpc"] }, { resume: "s.jsonl" }).args).toEqual([
      "--mode=rpc",
      "--session",
      "s.jsonl",
    ]);
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
