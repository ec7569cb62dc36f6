// Agents that live in the daemon, as a person and a script meet them: the commands, a front end that is killed, and a daemon that
// is killed and started again.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, onTestFinished, test } from "vitest";
import type { HostedSessionEntry } from "../../../src/contract/hosted-sessions.js";
import { EventStream } from "../../rigs/daemon/browser.js";
import { verifies } from "../../verifies.js";
import { isRunning } from "../processes.js";
import { palaver, projectRoot, runPalaver } from "../run-program.js";
import { ask, compile, type ReadyProgram, startProgram, temporaryPlace } from "./daemon-process.js";

const agent = join(projectRoot, "test/host/scripted-agent.mjs");
const slow = { timeout: 20_000 };

type Where = { url: string; pid: number; token_file: string; log_file: string };

function createPlace() {
  const root = temporaryPlace();
  const project = join(root, "project");
  mkdirSync(project);
  writeFileSync(join(project, ".palaver.toml"), "");
  const env = { XDG_STATE_HOME: join(root, "state"), XDG_CONFIG_HOME: join(root, "config"), USER: "ada" };
  const run = (...args: string[]) => runPalaver(args, { env, cwd: project });
  return {
    ...{ project, env, run },
    async serve(...args: string[]) {
      const program = await startProgram(palaver, { args: ["serve", "--json", ...args], env, cwd: project });
      return { program, ...whereOf(program) };
    },
  };
}

type Reached = { url: string; token: string };

/** Asked over HTTP: a process for every look would cost more than all the rest. */
async function theSession(daemon: Reached): Promise<HostedSessionEntry | undefined> {
  return (JSON.parse((await ask(daemon, "/sessions")).body) as HostedSessionEntry[])[0];
}

/** The one session, when its agent is ready. */
async function ready(daemon: Reached): Promise<HostedSessionEntry> {
  await expect.poll(async () => (await theSession(daemon))?.state, slow).toBe("idle");
  const session = await theSession(daemon);
  if (session === undefined) throw new Error("there is no session");
  return session;
}

function whereOf({ firstLine }: ReadyProgram) {
  const where = JSON.parse(firstLine) as Where;
  return { ...where, token: readFileSync(where.token_file, "utf8").trim() };
}

const prompt = (daemon: Reached, id: string, text: string) =>
  ask(daemon, `/sessions/${id}/intents`, {
    method: "POST",
    body: JSON.stringify({ intent: { type: "submit", text } }),
  });

describe("agents in a daemon", () => {
  test("are listed, ask, and are answered from the command line, once", async () => {
    const { run, serve } = createPlace();
    const daemon = await serve("--", process.execPath, agent);
    const session = await ready(daemon);
    expect((await run("sessions")).stdout).toMatch(
      new RegExp(`^In the daemon\\n {2}${session.id} .* idle .* just now\\n`),
    );
    expect(JSON.parse((await run("sessions", "--json")).stdout)).toMatchObject({ hosted: [{ id: session.id }] });
    expect((await run("asks")).stdout).toBe("no open questions\n");
    await prompt(daemon, session.id, "ask");
    await expect.poll(async () => (await theSession(daemon))?.open_asks, slow).toBe(1);
    const [open] = JSON.parse((await run("asks", "--json")).stdout) as { id: string; sessionId: string }[];
    const id = open?.id ?? "";
    expect(open?.sessionId).toBe(session.id);
    expect((await run("asks")).stdout).toBe(`${id}  select      Which one?\n${" ".repeat(id.length + 2)}npm · pnpm\n`);
    expect(await run("answer", id, "cargo")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('palaver: "cargo" is not one of the options: '),
    });
    expect(await run("answer", id.slice(0, 5), "pnpm", "--json")).toMatchObject({
      code: 0,
      stdout: '{"outcome":"answered","by":"ada"}\n',
    });
    expect(await run("answer", id, "npm")).toMatchObject({ code: 1, stderr: "palaver: ada already answered it\n" });
    expect(await run("answer", "nope", "--yes")).toMatchObject({
      code: 1,
      stderr: 'palaver: no open question has an id that begins with "nope"; no question is open\n',
    });
    await prompt(daemon, session.id, "confirm");
    await expect.poll(async () => (await theSession(daemon))?.open_asks, slow).toBe(1);
    expect((await run("answer", "q", "--yes")).code).toBe(0);
    const history = JSON.parse((await run("asks", "--history", "--json")).stdout) as { settledAt: string }[];
    expect(history).toMatchObject([
      { title: "Which one?", agent: "scripted-agent.mjs", outcome: { by: "ada" }, delivery: "delivered" },
      {},
    ]);
    for (const { settledAt } of history) expect(Math.abs(Date.parse(settledAt) - Date.now())).toBeLessThan(3_600_000);
    await run("stop");
    expect(await daemon.program.exited).toBe(0);
  });

  test.each([
    ["answer"],
    ["answer", "q1"],
    ["answer", "q1", "--yes", "--no"],
    ["answer", "q1", "a", "--no"],
    ["serve", "claude", "codex"],
    ["serve", "no-such-agent"],
    ["serve", "--protocol", "smoke", "--", "true"],
  ])("%s %s %s %s is bad usage", async (...args) => {
    expect((await createPlace().run(...args.filter((arg): arg is string => typeof arg === "string"))).code).toBe(2);
  });

  test("outlive a front end that is killed, which is noticed and loses nothing", async () => {
    const { serve } = createPlace();
    const front = await compile("test/e2e/daemon/session-front.ts");
    const daemon = await serve("--", process.execPath, agent);
    const { id } = await ready(daemon);
    const start = (text: string) => startProgram(front, { args: [daemon.url, daemon.token, id, text] });
    const victim = await start("stream 200");
    await expect.poll(() => victim.stdout(), slow).toContain("word50");
    expect((await theSession(daemon))?.front_ends).toEqual(["victim"]);
    victim.child.kill("SIGKILL");
    await victim.exited;
    await expect.poll(async () => (await theSession(daemon))?.front_ends, slow).toEqual([]);
    const next = await start("say after all");
    await expect.poll(() => next.stdout(), slow).toContain('"text":"after all"');
    const finished = next
      .stdout()
      .split("\n")
      .filter((line) => line.includes('{"type":"closed","block":{"kind":"prose"'));
    expect(finished.map((line) => /word0 .*word199|after all/.test(line))).toEqual([true, true]);
  });

  test("come back with their transcript when the daemon was killed", async () => {
    const { serve } = createPlace();
    const front = await compile("test/e2e/daemon/session-front.ts");
    const first = await serve("--", process.execPath, agent);
    const { id } = await ready(first);
    await prompt(first, id, "say remember me");
    const transcript = join(first.log_file, "..", "sessions", id, "transcript.jsonl");
    await expect.poll(() => readFileSync(transcript, "utf8"), slow).toContain('"text":"remember me"');
    first.program.child.kill("SIGKILL");
    await first.program.exited;
    const second = await serve("--", process.execPath, agent);
    const again = await ready(second);
    expect(again.id).toBe(id);
    const viewer = await startProgram(front, { args: [second.url, second.token, id, "memory"] });
    await expect.poll(() => viewer.stdout(), slow).toContain("started with");
    expect(viewer.stdout()).toContain('"text":"remember me"');
    expect(viewer.stdout()).toContain("does not remember the earlier conversation");
  });

  test("give a view that was away what was said last before the daemon was killed", async () => {
    const { serve } = createPlace();
    const first = await serve("--", process.execPath, agent);
    const { id } = await ready(first);
    await prompt(first, id, "say before");
    await ready(first);
    const items = async (daemon: Reached) =>
      (JSON.parse((await ask(daemon, `/sessions/${id}/transcript`)).body) as { items: { seq: number }[] }).items;
    await expect.poll(async () => JSON.stringify(await items(first)), slow).toContain('"text":"before"');
    const lastEventId = String((await items(first)).at(-1)?.seq);
    // The turn does not end, so that the record of the session is older than its transcript.
    await prompt(first, id, "hang");
    const transcript = join(first.log_file, "..", "sessions", id, "transcript.jsonl");
    await expect.poll(() => readFileSync(transcript, "utf8"), slow).toContain('"text":"hang"');
    first.program.child.kill("SIGKILL");
    await first.program.exited;
    const second = await serve();
    await ready(second);
    const headers = { authorization: `Bearer ${second.token}`, "last-event-id": lastEventId };
    const stream = new EventStream(await fetch(`${second.url}/sessions/${id}/changes`, { headers }));
    await stream.event("caught-up");
    const history = JSON.stringify(stream.named("history").map(({ data }) => data));
    expect(history).toContain('"text":"hang"');
    expect(history).not.toContain('"text":"before"');
  });

  test("end with a daemon that is killed, also one that does not mind being alone", async () => {
    const { serve } = createPlace();
    const daemon = await serve("--", process.execPath, join(projectRoot, "test/e2e/daemon/stubborn-agent.mjs"));
    const { id } = await ready(daemon);
    const said = async () => (await ask(daemon, `/sessions/${id}/transcript`)).body;
    await expect.poll(said, slow).toMatch(/I am \d+/);
    const pid = Number(/I am (\d+)/.exec(await said())?.[1]);
    expect(isRunning(pid)).toBe(true);
    daemon.program.child.kill("SIGKILL");
    await expect.poll(() => isRunning(pid), slow).toBe(false);
  });

  test("know what was said before, when the embedded agent is started again by the next daemon", async () => {
    verifies("daemon.sessions-survive");
    const { serve } = createPlace();
    const first = await serve("palaver");
    const { id } = await ready(first);
    const counted = async (daemon: Reached) =>
      (await ask(daemon, `/sessions/${id}/transcript`)).body.split("5 6 7").length - 1;
    await prompt(first, id, "count to 7");
    await ready(first);
    const once = await counted(first);
    expect(once).toBeGreaterThan(0);
    first.program.child.kill("SIGKILL");
    await first.program.exited;
    const second = await serve();
    expect((await ready(second)).id).toBe(id);
    // It has no words of its own for this: it does again what it was asked last, and that was of the daemon before.
    await prompt(second, id, "go on");
    await expect.poll(() => counted(second), slow).toBe(2 * once);
    expect((await ask(second, `/sessions/${id}/transcript`)).body).not.toContain("does not remember");
  });

  test("and their daemon are reached by MCP clients through palaver mcp: state, actions, logs and the user", async () => {
    const { project, env, run, serve } = createPlace();
    const daemon = await serve("--", process.execPath, agent);
    await ready(daemon);
    const client = new Client(
      { name: "a client", version: "1" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    const environment = { ...process.env, ...env } as Record<string, string>;
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [palaver, "mcp"], env: environment, cwd: project }),
    );
    onTestFinished(() => client.close());
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args }, { timeout: 120_000 });
      return JSON.stringify(result.structuredContent ?? result);
    };
    expect(await call("state", {})).toContain('"handler_name":"daemon"');
    expect(await call("logs", { lines: 50 })).toContain(`the daemon listens at ${daemon.url}`);
    expect(await call("action", { key: "nope" })).toContain("nope");
    const asked = call("ask_input", { title: "Which name?" });
    await expect.poll(async () => (await ask(daemon, "/asks")).body, slow).toContain("Which name?");
    const [{ id, origin }] = JSON.parse((await run("asks", "--json")).stdout);
    expect(origin).toMatchObject({ kind: "mcp", name: "a client" });
    expect((await run("answer", id, "Zoë")).code).toBe(0);
    expect(JSON.parse(await asked)).toMatchObject({ outcome: "answered", value: "Zoë" });
    await call("action", { key: "quit" });
    expect(await daemon.program.exited).toBe(0);
  });
});
