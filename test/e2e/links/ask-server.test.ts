// `palaver run` gives an agent servers of tools: those of the settings, and one of its own through which the agent's tools ask
// the user in the same terminal. How the agent speaks need not be said.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { PtySession } from "../pty-session.js";
import { palaver } from "../run-program.js";

const folder = mkdtempSync(join(tmpdir(), "palaver-ask-server-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
mkdirSync(join(folder, "palaver"));
writeFileSync(join(folder, "palaver", "config.toml"), '[mcp_servers.files]\ncommand = "files-server"\nargs = []\n');

const agent = fileURLToPath(new URL("./asking-agent.mjs", import.meta.url));

function run(...args: string[]): PtySession {
  return new PtySession(process.execPath, [palaver, "run", ...args], {
    columns: 100,
    env: { XDG_CONFIG_HOME: folder },
  });
}

describe("an agent in the terminal UI", () => {
  test("asks the user through Palaver's own server of tools", async () => {
    const session = run("--protocol", "acp", "--", process.execPath, agent);
    await session.shows("› message");
    session.type("go\r");
    await session.shows(/▌ Shall I go on\?\s+from asking-agent/);
    await session.shows("▌ ❯ n  no");
    await session.answers("y");
    await session.shows("given files/stdio palaver/http; the user said true");
    expect(await session.text()).toContain("? Shall I go on?  yes");
    session.type("\x03\x03");
    expect(await session.ended).toBe(0);
  });

  test("gets no server of Palaver's where no one wants it, and its protocol is found out", async () => {
    const session = run("--no-mcp", "--", process.execPath, agent, "--acp");
    await session.shows("› message");
    session.type("go\r");
    await session.shows("failed:");
    session.type("\x03\x03");
    expect(await session.ended).toBe(0);
  });

  test("that is Claude Code finds its servers in a file for its owner alone, which is gone afterwards", async () => {
    const claude = join(folder, "claude.mjs");
    const source = `import { statSync, readFileSync } from "node:fs";
      const at = process.argv.indexOf("--mcp-config");
      const path = process.argv[at + 1];
      const { mcpServers } = JSON.parse(readFileSync(path, "utf8"));
      const names = Object.entries(mcpServers).map(([name, { type, alwaysLoad }]) => name + "/" + type + "/" + alwaysLoad);
      const text = [path, (statSync(path).mode & 0o777).toString(8), ...names, process.env.MCP_TOOL_TIMEOUT].join(" ");
      const say = (frame) => process.stdout.write(JSON.stringify(frame) + "\\n");
      process.stdin.on("data", (data) => {
        for (const line of String(data).split("\\n").filter(Boolean)) {
          const { type, request_id } = JSON.parse(line);
          if (type === "control_request") say({ type: "control_response", response: { subtype: "success", request_id, response: {} } });
          if (type !== "user") continue;
          say({ type: "assistant", message: { id: "m", role: "assistant", content: [{ type: "text", text }] }, session_id: "s" });
          say({ type: "result", subtype: "success", is_error: false, session_id: "s" });
        }
      });
      process.stdin.on("end", () => process.exit(0));`;
    writeFileSync(claude, source);
    const session = run("--protocol", "claude", "--", process.execPath, claude);
    await session.shows("› message");
    session.type("go\r");
    await session.shows("files/undefined/undefined palaver/http/true 86400000");
    const [, path = "", mode] = /^(?:│ )?(\S+mcp\.json) (\d+)/m.exec(await session.text()) ?? [];
    expect(mode).toBe("600");
    expect(existsSync(path)).toBe(true);
    session.type("\x03\x03");
    expect(await session.ended).toBe(0);
    expect(existsSync(path)).toBe(false);
  });
});
