// `palaver agents`: what can be started by name, what is here, and what was probably meant.
import { describe, expect, test } from "vitest";
import { presets } from "../../src/agents/presets.js";
import { agentsText, listAgents, presetNamed } from "../../src/cli/commands/agents-command.js";

const mine = { command: "node", args: ["my-agent.mjs"], env: {} };

describe("the table", () => {
  test("has every name once, and all that is needed to start and to get each", () => {
    expect(new Set(presets.map(({ name }) => name)).size).toBe(presets.length);
    for (const { name, command, protocol, install, needs } of presets) {
      expect(name).toMatch(/^[a-z][a-z-]*$/);
      expect(command).not.toBe("");
      expect(protocol).not.toBe(null);
      expect(install).not.toBe("");
      expect(needs).not.toBe("");
    }
  });

  test.each([
    "claude",
    "gemini",
    "codex",
    "opencode",
    "copilot",
    "qwen",
    "kimi",
    "goose",
    "kilo",
    "pi",
    "cursor",
    "auggie",
    "cline",
  ])("knows %s", (name) => {
    expect(presetNamed(name, {})).toMatchObject({ found: { name } });
  });
});

describe("a name", () => {
  test("of one's own wins over the table", () => {
    expect(presetNamed("claude", { claude: { ...mine, protocol: "acp" } })).toMatchObject({
      found: { command: "node", args: ["my-agent.mjs"], protocol: "acp", install: null },
    });
    expect(presetNamed("mine", { mine })).toMatchObject({ found: { name: "mine", protocol: null } });
  });

  test.each([
    ["gemnii", "gemini"],
    ["Claude", "claude"],
    ["mien", "mine"],
    ["something-else", null],
  ])("that is none, %s, was probably %s", (name, nearest) => {
    expect(presetNamed(name, { mine })).toEqual({ nearest });
  });
});

describe("the list", () => {
  const agents = listAgents({ mine }, (program) => (program === "pi" || program === "node" ? `/bin/${program}` : null));

  test("has what is here first, and says whose it is", () => {
    expect(agents.slice(0, 2)).toMatchObject([
      { name: "mine", path: "/bin/node", origin: "own" },
      { name: "pi", path: "/bin/pi", origin: "palaver" },
    ]);
    expect(agents.slice(2).every(({ path }) => path === null)).toBe(true);
    expect(agents).toHaveLength(presets.length + 1);
  });

  test("says how to start these and how to get the others, within eighty columns", () => {
    const lines = agentsText(agents).split("\n");
    expect(lines.slice(0, 6)).toEqual([
      "Installed",
      "  mine        mine               palaver run mine",
      "  pi          pi                 palaver run pi",
      "",
      "Others",
      "  claude      Claude Code        npm i -g @anthropic-ai/claude-code",
    ]);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("with nothing here says what to do", () => {
    expect(agentsText(listAgents({}, () => null))).toContain("none yet");
  });

  test("a name with control characters cannot move the cursor", () => {
    const hostile = listAgents({ "a\u001b[2Jb": mine }, () => "/bin/node");
    expect(agentsText(hostile)).not.toContain("\u001b");
  });
});
