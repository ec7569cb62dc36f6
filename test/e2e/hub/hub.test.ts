// A hub from its first command on: a real nats-server with the configuration that `palaver hub` wrote, a daemon of a machine, and
// a person on another one, each with its own settings and key. Broker and daemon are killed in the middle of it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { HubAsk, HubHistoryEntry, HubSession } from "../../../src/host/asks/hub-view.js";
import { natsServerProgram } from "../../hub/nats-server.js";
import { endPrograms, type ReadyProgram, startProgram, temporaryPlace } from "../daemon/daemon-process.js";
import { startAlone } from "../prompt/alone.js";
import { scriptedAgent } from "../prompt/prompt-terminal.js";
import { palaver, runPalaver } from "../run-program.js";

const program = natsServerProgram();
const brokers = new Set<ChildProcess>();

afterEach(async () => {
  await endPrograms();
});
beforeAll(() => () => {
  for (const broker of brokers) broker.kill("SIGKILL");
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A place for one user of the hub, with settings of its own. */
function homeOf(place: string, user: string, { port, folder }: { port: number; folder: string }) {
  const home = join(place, user);
  mkdirSync(join(home, "config", "palaver"), { recursive: true });
  mkdirSync(join(home, "project"));
  const settings = { url: `nats://127.0.0.1:${port}`, user, key: join(folder, "keys", `${user}.nk`) };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  writeFileSync(join(home, "config", "palaver", "config.toml"), `[hub]\n${lines.join("\n")}\n`);
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") };
  return {
    env,
    cwd: join(home, "project"),
    run: (...args: string[]) => runPalaver(args, { cwd: join(home, "project"), env }),
  };
}

async function createHub() {
  const place = temporaryPlace();
  const [port, folder] = [await freePort(), join(place, "hub")];
  const hub = (...args: string[]) => runPalaver(["hub", ...args, "--folder", folder, "--port", String(port)]);
  let broker: ChildProcess | null = null;
  const up = () => {
    broker = spawn(program ?? "", ["-c", join(folder, "hub.conf")], { stdio: "ignore" });
    brokers.add(broker);
  };
  const down = async () => {
    const ended = new Promise((resolve) => broker?.once("exit", resolve));
    broker?.kill("SIGKILL");
    await ended;
  };
  expect(await hub("init")).toMatchObject({ code: 0 });
  for (const args of [["ada"], ["bob"], ["laptop", "--machine"]]) {
    expect(await hub("users", "add", ...args)).toMatchObject({ code: 0 });
  }
  up();
  await expect.poll(async () => (await hub("init")).code, { timeout: 20_000 }).toBe(0);
  const at = { port, folder };
  return {
    hub,
    up,
    down,
    folder,
    ada: homeOf(place, "ada", at),
    bob: homeOf(place, "bob", at),
    laptop: homeOf(place, "laptop", at),
  };
}

type Hub = Awaited<ReturnType<typeof createHub>>;

const serve = ({ laptop }: Hub, ...args: string[]): Promise<ReadyProgram> =>
  startProgram(palaver, { args: ["serve", "--hub", "--json", ...args], cwd: laptop.cwd, env: laptop.env });

const openAt = async ({ run }: Hub["ada"]) =>
  JSON.parse((await run("asks", "--hub", "--json")).stdout || "[]") as HubAsk[];

// Each starts a broker and a dozen programs one after the other; the limit of a whole test has to hold all of their own.
describe.skipIf(program === null)("with a nats-server", { timeout: 120_000 }, () => {
  test("a hub is set up, checked, and refused where it would lose data", async () => {
    const { hub, up, down, folder } = await createHub();
    expect(await hub("check")).toMatchObject({ code: 0, stdout: "This hub keeps what it is given.\n" });
    expect((await hub("users")).stdout).toBe("ada     member\nbob     member\nlaptop  machine\n");
    await down();
    const config = join(folder, "hub.conf");
    writeFileSync(config, readFileSync(config, "utf8").replace("sync_interval: always", ""));
    up();
    await expect.poll(async () => (await hub("check")).stderr, { timeout: 20_000 }).toContain("sync_interval: always");
    expect(await hub("check")).toMatchObject({ code: 1 });
  });

  test("a question of one machine is seen and answered on another, once, with a record everywhere", async () => {
    const hub = await createHub();
    const { ada, bob, laptop } = hub;
    await serve(hub, "--", process.execPath, scriptedAgent);
    const script = startAlone(["ask", "select", "Which?", "npm", "pnpm", "--on-ask", "wait"], laptop);
    const id = await script.waitingId();
    await expect
      .poll(() => openAt(ada), { timeout: 20_000 })
      .toMatchObject([{ ask: { id }, address: { machine: "laptop" } }]);
    expect((await ada.run("asks", "--hub")).stdout).toContain(`on laptop in ${laptop.cwd}`);
    expect(await ada.run("answer", "--hub", id.slice(0, 6), "yarn")).toMatchObject({ code: 2 });
    expect(await ada.run("answer", "--hub", id.slice(0, 6), "pnpm")).toMatchObject({ code: 0, stderr: "" });
    expect(await script.ended).toMatchObject({ code: 0, stdout: "pnpm\n" });
    expect(await bob.run("answer", "--hub", id, "npm")).toMatchObject({ code: 1 });
    const history = JSON.parse((await bob.run("asks", "--history", "--hub", "--json")).stdout) as HubHistoryEntry[];
    expect(history).toMatchObject([{ askId: id, machine: "laptop", outcome: { value: "pnpm", by: "hub:ada" } }]);
    const sessions = JSON.parse((await bob.run("sessions", "--hub", "--json")).stdout) as HubSession[];
    expect(sessions).toMatchObject([{ machine: "laptop", daemon: "here", entry: { name: "scripted-agent.mjs" } }]);
  });

  test("broker and daemon are killed: the question is still there, and so is the answer", async () => {
    const hub = await createHub();
    const { ada, laptop } = hub;
    const daemon = await serve(hub);
    const script = startAlone(["ask", "confirm", "Deploy?", "--on-ask", "wait"], laptop);
    const id = await script.waitingId();
    await expect.poll(() => openAt(ada), { timeout: 20_000 }).toHaveLength(1);
    daemon.child.kill("SIGKILL");
    await daemon.exited;
    // The machine is away; its question can be answered all the same.
    expect(await ada.run("answer", "--hub", id, "--yes")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("stored"),
    });
    await hub.down();
    hub.up();
    await serve(hub);
    expect(await script.ended).toMatchObject({ code: 0, stdout: "yes\n" });
    await expect.poll(() => openAt(ada), { timeout: 20_000 }).toEqual([]);
  });

  test("a daemon starts without its hub, and joins when it is there", async () => {
    const hub = await createHub();
    const { ada, laptop } = hub;
    await hub.down();
    await serve(hub);
    const script = startAlone(["ask", "confirm", "Deploy?", "--on-ask", "wait"], laptop);
    await script.waitingId();
    hub.up();
    await expect.poll(() => openAt(ada), { timeout: 25_000 }).toHaveLength(1);
  });
});
