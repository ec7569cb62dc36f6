// Servers of tools, in the two ways in which agents want to hear of them.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { mcpServersOf, writeServerFile } from "../../src/agents/mcp-servers.js";

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

  test("is written as Claude Code reads it, our own at hand, and a person may take a day over a call", () => {
    const own = { name: "palaver", type: "http", url: "http://127.0.0.1:1/mcp", headers: [] };
    const file = writeServerFile("claude", [...mcpServersOf(chosen), own]);
    const timeout = 86_400_000;
    try {
      expect(JSON.parse(readFileSync(file?.path ?? "", "utf8"))).toEqual({
        mcpServers: {
          files: { command: "files-server", args: ["-v"], env: { ROOT: "." } },
          search: { type: "http", url: "https://search.example/mcp", headers: { Authorization: "t" }, timeout },
          palaver: { type: "http", url: "http://127.0.0.1:1/mcp", headers: {}, timeout, alwaysLoad: true },
        },
      });
    } finally {
      file?.remove();
    }
  });

  test("is in no file where there is none, or where it is told over the wire", () => {
    expect(writeServerFile("claude", [])).toBeNull();
    expect(writeServerFile("acp", mcpServersOf(chosen))).toBeNull();
  });
});
