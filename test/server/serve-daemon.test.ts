// A daemon in this process: what connects handlers, routes, the log and its file, and how all of it ends.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { askDaemonForJson } from "../../src/agents/remote/daemon-request.js";
import { AskRegistry } from "../../src/host/asks/ask-registry.js";
import { createDaemonClient } from "../../src/server/client/daemon-client.js";
import { followLogs, type LogNews } from "../../src/server/client/log-follower.js";
import { HeadlessTui } from "../../src/server/handlers/headless-tui.js";
import { ProjectSlot } from "../../src/server/project/project-slot.js";
import { type DaemonOptions, serveDaemon } from "../../src/server/serve-daemon.js";
import { temporaryFolder } from "./temporary-folder.js";

async function start(options: Partial<DaemonOptions> = {}) {
  const folder = temporaryFolder();
  const environment = { XDG_STATE_HOME: join(folder, "state") };
  const daemon = await serveDaemon({ tui: null, version: "1.0.0", folder, environment, ...options });
  return { daemon, folder, environment, client: createDaemonClient(daemon) };
}

const secret = "correct-horse-battery";

describe("a daemon", () => {
  test("without handlers has no state, takes no actions but its end, and is found no more after it", async () => {
    const { daemon, client, folder } = await start();
    expect(await client.state()).toBeNull();
    await expect(client.act("anything", "")).rejects.toMatchObject({ status: 404 });
    expect(await client.health()).toMatchObject({ status: "ok", pid: process.pid, project: folder, version: "1.0.0" });
    await client.act("quit", "");
    await daemon.ended;
    await expect(client.health()).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(readdirSync(join(daemon.logPath, "..")).sort()).toEqual(["access.log", "daemon.log", "token"]);
  });

  test("needs a version, and says so to a program without types", async () => {
    const options = { tui: null, folder: temporaryFolder() } as unknown as DaemonOptions;
    await expect(serveDaemon(options)).rejects.toThrow('serveDaemon({ tui, version: "1.0.0" })');
  });

  test("is found only when what it restores is there", async () => {
    let found: string[] | null = null;
    const folder = temporaryFolder();
    const environment = { XDG_STATE_HOME: join(folder, "state") };
    const onClaimed = async () => {
      const other = serveDaemon({ tui: null, version: "1.0.0", folder, environment });
      await expect(other).rejects.toMatchObject({ code: "already_running" });
      found = readdirSync(environment.XDG_STATE_HOME, { recursive: true }).map((name) => basename(String(name)));
    };
    const daemon = await serveDaemon({ tui: null, version: "1.0.0", folder, environment, onClaimed });
    expect(found).toContain("daemon.lock");
    expect(found).not.toContain("daemon.json");
    await daemon.stop();
  });

  test("takes questions and speaks MCP without being told to", async () => {
    const { daemon } = await start({ tui: new HeadlessTui() });
    const signal = AbortSignal.timeout(10_000);
    expect(await askDaemonForJson(daemon, "/asks", { signal })).toEqual({ status: 200, body: [] });
    const headers = { accept: "application/json, text/event-stream" };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expect((await askDaemonForJson(daemon, "/mcp", { method: "POST", headers, body, signal })).status).toBe(200);
    await daemon.stop();
  });

  test("lets a handler ask its users", async () => {
    const tui = new HeadlessTui();
    const section = tui.newTabSection("DEPLOY", "");
    const said: boolean[] = [];
    const execute = async () => void said.push(await daemon.ui.confirm({ title: "Deploy?", danger: "3 customers" }));
    tui.addHandler({ name: () => "Deploy", label: () => "Deploy", execute }, "#6cb6ff", section);
    const { daemon, client } = await start({ tui, program: "deployer" });
    const done = tui.runAction("Deploy", "");
    const open = async () => ((await client.asks()) as readonly { id: string; origin: object }[])[0];
    await expect.poll(open, { timeout: 20_000 }).toMatchObject({ origin: { kind: "tool", name: "deployer" } });
    await client.answer((await open())?.id ?? "", { value: true }, "ada");
    await done;
    expect(said).toEqual([true]);
    const cancelled = daemon.ui.input({ title: "Name?" }, { signal: AbortSignal.timeout(1) });
    expect(await cancelled).toBeNull();
    expect(await client.asks()).toEqual([]);
    const late = expect(daemon.ui.confirm({ title: "Late?" })).rejects.toMatchObject({ name: "UiError" });
    await daemon.stop();
    await late;
  });

  test("keeps secrets out of its state, its stream and its file", async () => {
    const tui = new HeadlessTui();
    const section = tui.newTabSection("DEPLOY", "");
    const key = { name: () => "Key", label: () => "Key", value: () => secret, change: () => {} };
    tui.addHandler(key, "", section);
    tui.addHandler({ name: () => "voice", setLog: (log) => setImmediate(log, `the key is ${secret}`) }, "", section);
    const { daemon, client } = await start({ tui, redact: (text) => text.replaceAll(secret, "•••") });
    await expect.poll(async () => (await client.logs({ handler: "voice" })).length).toBe(1);
    expect((await client.state())?.[0]?.value).toBe("•••");
    const logs = JSON.stringify(await client.logs({}));
    await daemon.stop();
    const file = readFileSync(daemon.logPath, "utf8");
    expect([logs, file].map((text) => [text.includes("the key is •••"), text.includes(secret)])).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  test("tells a handler once that somebody elsewhere looks at its tab, and of a cancel, in the project's own tabs too", async () => {
    const heard: string[] = [];
    const surface = (tab: string) => {
      const tui = new HeadlessTui();
      const hear = (what: string) => () => void heard.push(`${tab} ${what}`);
      const handler = { name: () => tab, content: () => "", onTabActive: hear("shown"), cancel: hear("cancelled") };
      tui.addHandler(handler, "", tui.newTabSection(tab, ""));
      return tui;
    };
    const slot = new ProjectSlot({
      onError: (error) => expect.fail(String(error)),
      async open({ show, signal }) {
        show(surface("PROJECT"));
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    const { daemon, folder } = await start({ tui: surface("DAEMON"), slot });
    await slot.start(folder);
    const post = async (path: string, body: object) =>
      (await askDaemonForJson(daemon, path, { method: "POST", body, signal: AbortSignal.timeout(5_000) })).status;
    for (const title of ["DAEMON", "PROJECT", "DAEMON"]) expect(await post("/tabs/active", { title })).toBe(200);
    expect(await post("/tabs/active", { title: "NOPE" })).toBe(404);
    await expect.poll(() => heard).toEqual(["DAEMON shown", "PROJECT shown"]);
    expect(await post("/action", { key: "PROJECT", cancel: true })).toBe(200);
    await expect.poll(() => heard.at(-1)).toBe("PROJECT cancelled");
    await daemon.stop();
  });

  test("tells its followers of changes of state and of asks", async () => {
    const [tui, asks] = [new HeadlessTui(), new AskRegistry()];
    const { daemon, client } = await start({ tui, asks });
    const news: LogNews["type"][] = [];
    const leaving = new AbortController();
    const following = followLogs({
      signal: leaving.signal,
      filter: { linesMax: 0 },
      connect: async () => client,
      onNews: ({ type }) => void news.push(type),
    });
    await expect.poll(() => news).toEqual(["connected"]);
    tui.refreshUI();
    await expect.poll(() => news).toEqual(["connected", "refresh"]);
    const question = { kind: "confirm", params: { title: "Deploy?" } } as const;
    const ask = {
      id: "a",
      sessionId: null,
      turnId: null,
      origin: { kind: "tool" },
      deadlineMs: null,
      question,
    } as const;
    const outcome = asks.ask({ ...ask, origin: { kind: "tool" } });
    await expect.poll(() => news).toEqual(["connected", "refresh", "asks"]);
    asks.answer("a", { value: true }, "me");
    expect(await outcome).toEqual({ kind: "answered", value: true, by: "me" });
    leaving.abort();
    await following;
    await daemon.stop();
  });

  test("gives the program's own keys a turn after the handlers", async () => {
    const own: string[] = [];
    const onAction = (key: string, value: string) => {
      own.push(`${key} ${value}`);
      return key === "deploy";
    };
    const { daemon, client } = await start({ tui: new HeadlessTui(), onAction });
    await client.act("deploy", "now");
    await expect(client.act("nothing", "")).rejects.toMatchObject({ status: 404 });
    expect(own).toEqual(["deploy now", "nothing "]);
    await daemon.stop();
  });

  test("waits for a handler, and reports its failure over HTTP and MCP without secrets", async () => {
    const tui = new HeadlessTui();
    const section = tui.newTabSection("BUILD", "");
    const change = async (value: string) => {
      if (value !== "80") throw new Error(`${secret} is not a port`);
    };
    tui.addHandler({ name: () => "Port", label: () => "Port", value: () => "", change }, "", section);
    tui.addHandler({ name: () => "Watch", label: () => "Watch", execute: () => new Promise(() => {}) }, "", section);
    const { daemon, client } = await start({ tui, redact: (text) => text.replaceAll(secret, "•••") });
    expect(await client.act("Port", "80")).toBe("finished");
    await expect(client.act("Port", "x")).rejects.toMatchObject({ status: 422, message: "••• is not a port" });
    expect(await client.act("Watch", "", { waitMs: 1 })).toBe("running");
    const params = { key: "Port", value: "x" };
    const answer = await askDaemonForJson(daemon, "/mcp", {
      method: "POST",
      headers: { accept: "application/json, text/event-stream" },
      body: { jsonrpc: "2.0", id: 1, method: "palaver/action", params },
      signal: AbortSignal.timeout(10_000),
    });
    expect(answer.body).toMatchObject({ error: { message: "••• is not a port" } });
    await daemon.stop();
  });

  test("ends once, however often and from however many sides it is asked to", async () => {
    const { daemon, client } = await start({ tui: new HeadlessTui() });
    const asked = client.act("quit", "").catch(() => undefined);
    await Promise.all([daemon.stop(), daemon.stop(), asked, daemon.ended]);
    const lines = readFileSync(daemon.logPath, "utf8").trimEnd().split("\n");
    expect(lines.filter((line) => line.includes("is ending"))).toHaveLength(1);
  });

  test("on a port that is taken says so and leaves no claim on the project", async () => {
    const { daemon, folder, environment } = await start();
    const port = Number(new URL(daemon.url).port);
    await expect(start({ port })).rejects.toMatchObject({ code: "port_taken" });
    await daemon.stop();
    const again = await serveDaemon({ tui: null, version: "1.0.0", folder, environment, port });
    expect(again.url).toBe(daemon.url);
    await again.stop();
  });
});
