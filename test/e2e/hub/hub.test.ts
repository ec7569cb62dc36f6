// A hub from its first command on: a real nats-server with the configuration that `palaver hub` wrote, a daemon of a machine, and
// a person on another one, each with its own settings and key. Broker and daemon are killed in the middle of it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { HubAsk, HubHistoryEntry, HubSession } from "../../../src/host/asks/hub-view.js";
import { freePort, natsServerProgram, takesConnections } from "../../hub/nats-server.js";
import { Attached } from "../attach/attach-rig.js";
import { endPrograms, ask as overHttp, type ReadyProgram, startProgram } from "../daemon/daemon-process.js";
import { startAlone } from "../prompt/alone.js";
import { play, scriptedAgent } from "../prompt/prompt-terminal.js";
import { palaver, runPalaver } from "../run-program.js";

const program = natsServerProgram();
/** The one hub of this file; each test has a project of its own on the machine. */
let hub: Awaited<ReturnType<typeof createHub>>;

beforeAll(async () => {
  if (program !== null) hub = await createHub(program);
});
afterEach(endPrograms);
afterAll(async () => {
  await hub?.down();
  if (hub !== undefined) rmSync(hub.place, { recursive: true, force: true, maxRetries: 5 });
});

/** A place for one user of the hub, with settings of its own. */
function homeOf(place: string, user: string, { port, folder }: { port: number; folder: string }) {
  const home = join(place, user);
  mkdirSync(join(home, "config", "palaver"), { recursive: true });
  const keyOf = (name: string) => join(folder, "keys", `${name}.nk`);
  // On the laptop, bob answers at the page of its daemons.
  const member = user === "laptop" ? { join: "always", member: "bob", member_key: keyOf("bob") } : {};
  const settings = { url: `nats://127.0.0.1:${port}`, user, key: keyOf(user), ...member };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  writeFileSync(join(home, "config", "palaver", "config.toml"), `[hub]\n${lines.join("\n")}\n`);
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") };
  return { home, env, run: (...args: string[]) => runPalaver(args, { cwd: home, env }) };
}

async function createHub(server: string) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "palaver-hub-")));
  const [port, folder] = [await freePort(), join(place, "hub")];
  const command = (...args: string[]) => runPalaver(["hub", ...args, "--folder", folder, "--port", String(port)]);
  let broker: ChildProcess | null = null;
  const up = async () => {
    broker = spawn(server, ["-c", join(folder, "hub.conf")], { stdio: "ignore" });
    await vi.waitFor(async () => expect(await takesConnections(port)).toBe(true), { timeout: 10_000 });
  };
  const down = async () => {
    const ended = new Promise((resolve) => broker?.once("exit", resolve));
    broker?.kill("SIGKILL");
    await ended;
  };
  expect(await command("init")).toMatchObject({ code: 0 });
  for (const args of [["ada"], ["bob"], ["laptop", "--machine"]]) {
    expect(await command("users", "add", ...args)).toMatchObject({ code: 0 });
  }
  await up();
  expect(await command("init")).toMatchObject({ code: 0 });
  const at = { port, folder };
  const [ada, bob, laptop] = [homeOf(place, "ada", at), homeOf(place, "bob", at), homeOf(place, "laptop", at)];
  return { command, up, down, place, folder, ada, bob, laptop };
}

/** A project on the laptop, which no other test has questions in. */
function newProject(name: string) {
  const { home, env } = hub.laptop;
  const cwd = join(home, name);
  mkdirSync(cwd);
  return {
    cwd,
    serve: (...args: string[]): Promise<ReadyProgram> =>
      startProgram(palaver, { args: ["serve", "--json", ...args], cwd, env }),
    ask: (...args: string[]) => startAlone(["ask", ...args, "--on-ask", "wait"], { cwd, env }),
    /** Its open questions, as a member sees them. */
    async open(): Promise<HubAsk[]> {
      const { stdout } = await hub.ada.run("asks", "--hub", "--json");
      return (JSON.parse(stdout || "[]") as HubAsk[]).filter(({ project }) => project === cwd);
    },
  };
}

function whereIs(firstLine: string) {
  const { url, token_file } = JSON.parse(firstLine) as { url: string; token_file: string };
  return { url, token: readFileSync(token_file, "utf8").trim() };
}

describe.skipIf(program === null)("with a nats-server", () => {
  test("a question of one machine is seen and answered on another, once, with a record everywhere", async () => {
    const { ada, bob } = hub;
    const { cwd, serve, ask, open } = newProject("answered");
    const { firstLine } = await serve("--hub", "--", process.execPath, scriptedAgent);
    const script = ask("select", "Which?", "npm", "pnpm");
    const id = await script.waitingId();
    await expect.poll(open, { timeout: 10_000 }).toMatchObject([{ ask: { id }, address: { machine: "laptop" } }]);
    const [listed, unfit] = await Promise.all([
      ada.run("asks", "--hub"),
      ada.run("answer", "--hub", id.slice(0, 6), "yarn"),
    ]);
    expect([listed.stdout, unfit.code]).toEqual([expect.stringContaining(`on laptop in ${cwd}`), 2]);
    expect(await ada.run("answer", "--hub", id.slice(0, 6), "pnpm")).toMatchObject({ code: 0, stderr: "" });
    expect(await script.ended).toMatchObject({ code: 0, stdout: "pnpm\n" });
    const late = { code: 1, stderr: "palaver: hub:ada already answered it\n" };
    expect(await bob.run("answer", "--hub", id.slice(0, 8), "npm")).toMatchObject(late);
    const [history, sessions] = (
      await Promise.all([bob.run("asks", "--history", "--hub", "--json"), bob.run("sessions", "--hub", "--json")])
    ).map(({ stdout }) => JSON.parse(stdout)) as [HubHistoryEntry[], HubSession[]];
    expect(history).toMatchObject([{ askId: id, machine: "laptop", outcome: { value: "pnpm", by: "hub:ada" } }]);
    expect(sessions).toMatchObject([{ machine: "laptop", daemon: "here", entry: { name: "scripted-agent.mjs" } }]);
    // A session that asks is seen to work, and to rest when it has its answer.
    const body = JSON.stringify({
      intent: { type: "submit", text: play({ ask: "confirm", params: { title: "Sure?" } }) },
    });
    await overHttp(whereIs(firstLine), `/sessions/${sessions[0]?.entry.id}/intents`, { method: "POST", body });
    const stateOf = async () =>
      (JSON.parse((await bob.run("sessions", "--hub", "--json")).stdout) as HubSession[])[0]?.entry.state;
    await expect.poll(open, { timeout: 10_000 }).toHaveLength(1);
    expect(await stateOf()).toBe("working");
    const [{ ask: asked } = expect.unreachable()] = await open();
    expect(await bob.run("answer", "--hub", asked.id, "--yes")).toMatchObject({ code: 0 });
    await expect.poll(stateOf, { timeout: 10_000 }).toBe("idle");
  });

  test("the daemon of another project answers a question as its member, over the route of its page", async () => {
    const { serve, ask, open } = newProject("asking");
    const [{ firstLine }] = await Promise.all([newProject("desk").serve(), serve()]);
    const script = ask("confirm", "Deploy?");
    await expect.poll(open, { timeout: 10_000 }).toHaveLength(1);
    const [{ address } = expect.unreachable()] = await open();
    const path = `/asks/hub.laptop.${address.daemon}.${address.ask}/answer`;
    const answer = async () =>
      JSON.parse(
        (await overHttp(whereIs(firstLine), path, { method: "POST", body: '{"value":true}' })).body,
      ) as unknown;
    // It is not known there before the hub has told of it.
    await expect.poll(answer, { timeout: 10_000 }).toEqual({ outcome: "answered", by: "hub:bob" });
    expect(await script.ended).toMatchObject({ code: 0, stdout: "yes\n" });
    await expect.poll(open, { timeout: 10_000 }).toEqual([]);
  });

  test("palaver attach --hub shows the sessions and questions of all machines, and answers in the user's own name", async () => {
    const { serve, ask, cwd } = newProject("attached");
    await serve("--", process.execPath, scriptedAgent);
    const script = ask("select", "Which?", "npm", "pnpm");
    const id = await script.waitingId();
    const attached = new Attached(process.execPath, [palaver, "attach", "--hub"], { env: hub.ada.env, columns: 160 });
    await attached.shows(/scripted-a \S{4} +idle · .*attached/);
    await attached.shows(`from laptop in ${cwd}`);
    await attached.shows("enter");
    attached.type("pn\r");
    expect(await script.ended).toMatchObject({ code: 0, stdout: "pnpm\n" });
    await attached.shows("answered by hub:ada: Which?");
    attached.type("\x03");
    expect(await attached.ended).toBe(0);
    const { stdout } = await hub.bob.run("asks", "--history", "--hub", "--json");
    const shown = [expect.objectContaining({ person: "ada", view: "attach" })];
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ askId: id, machine: "laptop", shown }));
  });

  test("broker and daemon are killed: the question is still there, and so is the answer for a daemon that starts before its hub", async () => {
    const { serve, ask, open } = newProject("killed");
    const daemon = await serve();
    const script = ask("confirm", "Deploy?");
    const id = await script.waitingId();
    await expect.poll(open, { timeout: 10_000 }).toHaveLength(1);
    daemon.child.kill("SIGKILL");
    await daemon.exited;
    // The machine is away; its question can be answered all the same.
    expect(await hub.ada.run("answer", "--hub", id, "--yes")).toMatchObject({
      code: 0,
      stderr: "▲ the answer is stored; laptop has not taken it yet\n",
    });
    expect(await hub.bob.run("answer", "--hub", id, "--no")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is stored behind that of ada, who was first"),
    });
    expect((await hub.bob.run("asks", "--hub")).stdout).toContain("answered by ada, not taken by laptop yet");
    await hub.down();
    await serve();
    await hub.up();
    expect(await script.ended).toMatchObject({ code: 0, stdout: "yes\n" });
    await expect.poll(open, { timeout: 10_000 }).toEqual([]);
  });
});
