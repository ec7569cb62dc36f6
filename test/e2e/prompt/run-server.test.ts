// Questions that come through the MCP server of the run, from a real MCP client, while the agent itself is silent; and the
// file that told it where the server is.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { runPalaver } from "../run-program.js";
import { Workplace } from "./prompt-terminal.js";

const place = new Workplace();
afterEach(() => place.endAll());
afterAll(() => place.remove());

// A person who has given all agents a server of tools.
const settings = place.path("settings");
mkdirSync(join(settings, "palaver"), { recursive: true });
writeFileSync(join(settings, "palaver", "config.toml"), '[mcp_servers.files]\ncommand = "files-server"\nargs = []\n');

type ClaudeConfig = { path: string; mode: string; args: string[]; servers: string[] };

const claude = fileURLToPath(new URL("asking-claude.mjs", import.meta.url));
const agent = ["--protocol", "claude", "--", process.execPath, claude];

describe("a question through the server of the run", () => {
  test("opens its dialog although the agent says nothing, and the answer goes back", async () => {
    const terminal = place.palaver(["prompt", "ask", ...agent]);
    await terminal.dialog("Enter feature name");
    terminal.type("checkout 日本\r");
    expect(await terminal.ended).toBe(0);
    expect(await terminal.text()).toContain("answered:checkout 日本");
    await terminal.expectGivenBack();
  });

  test("of an agent whose protocol is found out opens it, too; it has the servers of the settings besides", async () => {
    const acpAgent = fileURLToPath(new URL("../links/asking-agent.mjs", import.meta.url));
    const env = { XDG_CONFIG_HOME: settings };
    const terminal = place.palaver(["prompt", "go", "--", process.execPath, acpAgent, "--acp"], { env });
    await terminal.dialog("┌ Shall I go on?");
    terminal.type("y\r");
    expect(await terminal.ended).toBe(0);
    expect(await terminal.text()).toContain("given files/stdio palaver/http; the user said true");
  });

  test("cancelled it is an empty text, and told as a cancel", async () => {
    const terminal = place.palaver(["prompt", "ask", ...agent]);
    await terminal.dialog("Enter feature name");
    terminal.type("\x1b");
    expect(await terminal.ended).toBe(0);
    expect(await terminal.text()).toMatch(/^cancelled:$/m);
  });

  test("three at once come one after the other, each to its own caller", async () => {
    const terminal = place.palaver(["prompt", "ask three", ...agent]);
    for (const nth of [1, 2, 3]) {
      await expect.poll(() => terminal.window(), { timeout: 20_000 }).toMatch(/┌ (?:One|Two|Three)\?/);
      await terminal.shows("esc cancel");
      const title = /┌ (\w+)\?/.exec(await terminal.window())?.[1] ?? "";
      terminal.type(`${title.toLowerCase()}\r`);
      if (nth < 3) await expect.poll(() => terminal.window()).not.toContain(`┌ ${title}?`);
    }
    expect(await terminal.ended).toBe(0);
    expect(await terminal.text()).toContain("answered:one answered:two answered:three");
  });

  test("a client that is killed takes its dialog along, and the run goes on", async () => {
    const terminal = place.palaver(["prompt", "ask elsewhere", ...agent]);
    await terminal.dialog("Asked by another process");
    const pid = Number(/client (\d+)/.exec(await terminal.text())?.[1]);
    process.kill(pid, "SIGKILL");
    expect(await terminal.ended).toBe(0);
    expect(await terminal.text()).toContain("the client is gone");
    await terminal.expectGivenBack();
  });

  test("its configuration is private, and gone after the run", async () => {
    const { code, stdout } = await runPalaver(["prompt", "config", "--max-turns", "2", "--no-input", ...agent], {
      cwd: place.folder,
      env: { XDG_CONFIG_HOME: settings },
    });
    const { path, mode, args, servers } = JSON.parse(stdout) as ClaudeConfig;
    expect({ code, mode, servers }).toEqual({ code: 0, mode: "600", servers: ["files", "palaver"] });
    expect(args.slice(0, 6)).toEqual(["--max-turns", "2", "--allowedTools", "mcp__palaver", "--mcp-config", path]);
    expect(existsSync(path)).toBe(false);
  });

  test("not even a killed run leaves it behind", async () => {
    const terminal = place.palaver(["prompt", "ask", ...agent]);
    await terminal.dialog("Enter feature name");
    const files = () => readdirSync(place.folder).filter((name) => name.startsWith("palaver-"));
    expect(files()).toHaveLength(1);
    process.kill(terminal.pty.pid, "SIGKILL");
    await terminal.ended;
    await expect.poll(files).toEqual([]);
  });
});
