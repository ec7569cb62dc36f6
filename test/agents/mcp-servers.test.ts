// Servers of tools, in the two ways in which agents want to hear of them.
import { describe, expect, test } from "vitest";
import { claudeMcpConfig, mcpServersOf } from "../../src/agents/mcp-servers.js";

const chosen = {
  files: { kind: "program", command: "files-server", args: ["-v"], env: { ROOT: "." } },
  search: { kind: "address", url: "https://search.example/mcp", headers: { Authorization: "t" } },
} as const;

describe("a server of tools from the settings", () => {
  test("is written as the Agent Client Protocol has it, with every list there", () => {
    expect(mcpServersOf({ ...chosen, bare: { kind: "program", command: "b", args: [], env: {} } })).toEqual([
      { name: "files", command: "files-server", args: ["-v"], env: [{ name: "ROOT", value: "." }] },
      {
        type: "http",
        name: "search",
        url: "https://search.example/mcp",
        headers: [{ name: "Authorization", value: "t" }],
      },
      { name: "bare", command: "b", args: [], env: [] },
    ]);
  });

  test("is written as Claude Code reads it, and a person may take their time over a call", () => {
    expect(JSON.parse(claudeMcpConfig(mcpServersOf(chosen), { patienceMs: 5_000, atHand: ["files"] }))).toEqual({
      mcpServers: {
        files: { command: "files-server", args: ["-v"], env: { ROOT: "." }, alwaysLoad: true },
        search: {
          type: "http",
          url: "https://search.example/mcp",
          headers: { Authorization: "t" },
          timeout: 5_000,
        },
      },
    });
  });
});
