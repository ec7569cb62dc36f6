// What a server may not be like, for a hub that loses nothing: real servers with wrong configurations and wrong streams, and the words
// for each. A server that cannot answer now is not called wrong.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstreamManager, PersistMode, StorageType, type StreamConfig } from "@nats-io/jetstream";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { NatsHub } from "../../src/hub/nats/nats-hub.js";
import { isVersionAtLeast, reloadServers, serverProblems } from "../../src/hub/nats/servers.js";
import { fullStreams, makeStreams, streamProblems } from "../../src/hub/nats/streams.js";
import { newKey, usersConfig, usersStampIn } from "../../src/hub/nats/users.js";
import { natsServerProgram, TestServer } from "./nats-server.js";

const program = natsServerProgram();
const HOUR_NANOS = 3_600_000_000_000;
const DAY_NANOS = 24 * HOUR_NANOS;

test("a version is compared by its numbers", () => {
  expect(["2.11.0", "2.15.1", "3.0", "2.12.0-beta.1"].every((version) => isVersionAtLeast(version, "2.11.0"))).toBe(
    true,
  );
  expect(["2.9.10", "2.10.27", "1.99", ""].some((version) => isVersionAtLeast(version, "2.11.0"))).toBe(false);
});

describe.skipIf(program === null)("with a nats-server", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start(program ?? "");
  });
  afterAll(() => server?.remove());

  async function connected(user: string) {
    const connection = await server.connect(user);
    onTestFinished(() => connection.close());
    return connection;
  }

  const servers = async () => serverProblems(await connected("system"), { stamp: stamp(), leafNodes: [] });
  const stamp = () => usersStampIn(readFileSync(join(server.folder, "users.conf"), "utf8"));

  async function restarted(change: (config: string) => string): Promise<void> {
    await server.kill();
    server.changeConfig(change);
    await server.up();
  }

  test("a server as palaver hub init writes it is right", async () => {
    expect(await servers()).toMatchObject({ problems: [], servers: 1 });
    expect(await streamProblems(await connected("root"))).toEqual([]);
  });

  test("a server that has not read the users again is named: it lets in who was removed", async () => {
    const path = join(server.folder, "users.conf");
    const before = readFileSync(path, "utf8");
    writeFileSync(
      path,
      usersConfig(server.users.slice(0, 1).concat({ kind: "member", name: "zoe", key: newKey().key })),
    );
    const words = "the server: it has other users than users.conf here; copy the file there, then palaver hub reload";
    expect((await servers()).problems).toEqual([words]);
    server.nodes[0]?.child?.kill("SIGHUP");
    await expect.poll(async () => (await servers()).problems).toEqual([]);
    writeFileSync(path, before);
    server.nodes[0]?.child?.kill("SIGHUP");
    await expect.poll(async () => (await servers()).problems).toEqual([]);
  });

  test("a server that cannot read its configuration again says why", async () => {
    const leaves = `leafnodes { listen: "127.0.0.1:${server.nodes[0]?.leafPort}" }\n`;
    server.changeConfig((config) => config.replace(leaves, ""));
    const { reloaded, problems } = await reloadServers(await connected("system"));
    expect(reloaded).toBe(0);
    expect(problems).toEqual([expect.stringMatching(/^the server: .*LeafNode.*; it knows the users from before/)]);
    await restarted((config) => `${config}${leaves}`);
    expect(await reloadServers(await connected("system"))).toEqual({ reloaded: 1, problems: [] });
  });

  test.each<[string, string, Partial<StreamConfig>, string]>([
    ["what is kept for an hour only", "PV_ENDS", { max_age: HOUR_NANOS }, "max_age is"],
    ["open questions that expire", "PV_NOW", { max_age: HOUR_NANOS }, "max_age is"],
    ["small messages only", "PV_QUESTIONS", { max_msg_size: 1_000 }, "max_msg_size is 1000"],
    ["answers that lag behind", "PV_ANSWERS", { allow_direct: true }, "allow_direct is true"],
    ["few records", "PV_ENDS", { max_msgs: 10 }, "max_msgs is 10"],
    ["little room", "PV_QUESTIONS", { max_bytes: 1024 * 1024 }, "max_bytes is 1048576"],
    ["no confirmations", "PV_ANSWERS", { no_ack: true }, "no_ack is true"],
    ["no repetition of answers", "PV_ANSWERS", { republish: { src: "pv.answer.>", dest: "pv.other.>" } }, "republish"],
  ])("%s are refused in words", async (_, name, wrong, words) => {
    const { streams } = await jetstreamManager(await connected("root"));
    const { config } = await streams.info(name);
    await streams.update(name, { ...config, ...wrong });
    const problems = await streamProblems(await connected("root"));
    await streams.update(name, { no_ack: false, ...config });
    expect(problems).toEqual([expect.stringContaining(`${name}: `)]);
    expect(problems[0]).toContain(words);
  });

  test("three servers, and messages on one of them only", async () => {
    expect(await streamProblems(await connected("root"), 3)).toContainEqual(
      "PV_ANSWERS: its messages are on 1 server; palaver hub init --replicas 3",
    );
  });

  test("making the streams again changes only what is wanted, and what would lose data", async () => {
    const root = await connected("root");
    const { streams } = await jetstreamManager(root);
    const { config } = await streams.info("PV_ENDS");
    const before = { max_age: 400 * DAY_NANOS, max_bytes: config.max_bytes, max_msg_size: 950_000 };
    await streams.update("PV_ENDS", { ...config, ...before, no_ack: true });
    const limits = { replicas: 1, days: 30, bytesMax: 256 * 1024 * 1024 };
    expect(await makeStreams(root, {})).toEqual({
      limits: [limits, { ...limits, days: 400 }],
      changes: ["PV_ENDS: no_ack is false now; it was true"],
    });
    expect((await streams.info("PV_ENDS")).config).toMatchObject(before);
    expect((await makeStreams(root, {})).changes).toEqual([]);
    const { changes } = await makeStreams(root, { days: 60 });
    expect(changes).toEqual([
      "PV_QUESTIONS: max_age is 60 days now; it was 30 days",
      "PV_ANSWERS: max_age is 60 days now; it was 30 days",
      "PV_ENDS: max_age is 60 days now; it was 400 days",
      "PV_BODIES: max_age is 60 days now; it was 30 days",
    ]);
    expect((await streams.info("PV_ANSWERS")).config).toMatchObject({
      max_age: 60 * DAY_NANOS,
      max_bytes: limits.bytesMax,
    });
    await expect(makeStreams(root, { replicas: 3 })).rejects.toThrow(
      "--replicas 3 needs 3 servers that are one cluster",
    );
    expect(await streamProblems(root)).toEqual([]);
  });

  test("a stream that confirms too early, one that cannot be changed, and one in the way of another", async () => {
    const root = await connected("root");
    const { streams } = await jetstreamManager(root);
    const { config } = await streams.info("PV_BODIES");
    await streams.delete("PV_BODIES");
    await streams.add({ ...config, persist_mode: PersistMode.Async });
    expect(await streamProblems(root)).toEqual(["PV_BODIES: persist_mode is async and a power failure loses answers"]);
    await streams.delete("PV_BODIES");
    await streams.add({ ...config, storage: StorageType.Memory });
    expect(await streamProblems(root)).toEqual(["PV_BODIES: storage is memory and has to be file"]);
    await expect(makeStreams(root, {})).rejects.toThrow(/^PV_BODIES: .*storage type; .*: nats stream rm PV_BODIES /);
    await streams.delete("PV_BODIES");
    await streams.add({ name: "OTHER", subjects: ["pv.body.>"] });
    await expect(makeStreams(root, {})).rejects.toThrow(
      "PV_BODIES: the stream OTHER takes its subjects; delete that one",
    );
    await streams.delete("OTHER");
    expect((await makeStreams(root, {})).changes).toEqual(["made PV_BODIES"]);
  });

  test("a full hub says so, in the check and to the machine that writes", async () => {
    server.addUser("machine", "laptop");
    await expect
      .poll(() =>
        server.connect("laptop").then(
          (one) => one.close(),
          () => "no",
        ),
      )
      .toBeUndefined();
    const { streams } = await jetstreamManager(await connected("root"));
    const { config } = await streams.info("PV_QUESTIONS");
    await streams.update("PV_QUESTIONS", { ...config, max_bytes: 8 * 1024 * 1024 });
    const hub = await NatsHub.open(await server.connect("laptop"), { user: "laptop" });
    onTestFinished(() => hub.close());
    const put = (ask: string) =>
      hub.put({ kind: "question", machine: "laptop", daemon: "shop", ask }, new Uint8Array(900 * 1024));
    for (const ask of ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "q1"]) expect(await put(ask)).toBe("stored");
    expect(await fullStreams(await connected("root"))).toEqual([
      expect.stringMatching(/^PV_QUESTIONS is 8\d % full; /),
    ]);
    expect(await put("a8")).toBe("stored");
    await expect(put("q2")).rejects.toThrow("the hub is full");
    await streams.update("PV_QUESTIONS", config);
    expect(await put("q2")).toBe("stored");
  });

  test("a key of a member cannot ask for a machine, and that is said at once", async () => {
    server.addUser("member", "ada");
    await expect
      .poll(() =>
        server.connect("ada").then(
          (connection) => connection.close(),
          () => "no",
        ),
      )
      .toBeUndefined();
    const hub = await NatsHub.open(await server.connect("ada"), { user: "ada" });
    onTestFinished(() => hub.close());
    const beat = { kind: "daemon", machine: "ada", daemon: "shop" } as const;
    await expect(hub.set(beat, new Uint8Array(1))).rejects.toThrow(
      "ada may not write pv.now.ada.shop.daemon.here: machines ask, members answer",
    );
  });

  test("messages, an account or a server that are too small for the streams, and no system account", async () => {
    await restarted((config) => config.replace("max_payload: 1MB", "max_payload: 64KB"));
    expect(await streamProblems(await connected("root"))).toEqual([expect.stringContaining("max_payload is 65536")]);
    expect((await servers()).problems).toEqual([expect.stringContaining("the server: max_payload is 65536")]);
    await restarted((config) =>
      config.replace("64KB", "1MB").replace("jetstream: enabled", "jetstream: { max_file: 1MB }"),
    );
    expect(await fullStreams(await connected("root"))).toEqual([expect.stringContaining("raise max_file")]);
    await restarted((config) => config.replace("{ max_file: 1MB }", "enabled").replace("system_account: SYS", ""));
    expect(await servers()).toMatchObject({ problems: [expect.stringContaining("system_account: SYS")], servers: 0 });
    await restarted((config) => `${config}system_account: SYS\nmax_connections: 20\nmax_subscriptions: 20\n`);
    expect((await servers()).problems).toEqual([
      expect.stringMatching(/^the server: \d of at most 20 connections are open; raise max_connections$/),
      "the server: max_subscriptions is 20 and has to be at least 50",
    ]);
    await restarted((config) => config.replace(/max_(?:connections|subscriptions).*\n/g, ""));
    expect(await servers()).toMatchObject({ problems: [], servers: 1 });
  });

  test("a server that syncs now and then, one without its name, and one that stores nothing", async () => {
    await restarted((config) => config.replace("sync_interval: always", ""));
    expect(await servers()).toMatchObject({
      problems: ['the server: a power failure loses answers; add "sync_interval: always" to its jetstream block'],
      servers: 1,
    });
    await restarted((config) => config.replace("domain: hub", ""));
    await expect(streamProblems(await connected("root"))).rejects.toThrow('with "domain: hub"');
    await restarted((config) => config.replace(/jetstream \{[^}]*\}/, "").replace("jetstream: enabled", ""));
    expect(await servers()).toMatchObject({
      problems: ["the server: it stores nothing; its configuration needs a jetstream block"],
      servers: 0,
    });
  });
});

describe.skipIf(program === null)("with three servers", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start(program ?? "", { nodes: 3 });
  });
  afterAll(() => server?.remove());

  async function system() {
    const connection = await server.connect("system");
    onTestFinished(() => connection.close());
    return connection;
  }
  const problems = async () => (await serverProblems(await system())).problems;

  test("a copy that stays behind is named: put back from an older backup than those of the others", async () => {
    server.addUser("machine", "laptop");
    const hub = await NatsHub.open(await server.connect("laptop"), { user: "laptop" });
    onTestFinished(() => hub.close());
    const end = (ask: string) => hub.put({ kind: "end", machine: "laptop", daemon: "shop", ask }, Buffer.from("yes"));
    await end("q1");
    await expect.poll(problems).toEqual([]);
    const [store, old] = [join(server.folder, "n2"), join(server.folder, "old")];
    await server.kill(2);
    cpSync(store, old, { recursive: true });
    await server.up(2);
    await expect.poll(problems, { timeout: 20_000 }).toEqual([]);
    await end("q2");
    await expect.poll(problems).toEqual([]);
    const named = /^n2: its copy of PV_ENDS is \d records behind; wait, and check again$/;
    // Now and then a server brings its copy up to date before anyone looks.
    let found = "";
    for (let tries = 0; tries < 5 && found === ""; tries += 1) {
      await server.stopAll();
      rmSync(store, { recursive: true });
      cpSync(old, store, { recursive: true });
      await Promise.all([0, 1, 2].map((at) => server.up(at)));
      const words = async () => {
        found = (await problems()).join("\n");
        return found;
      };
      await expect.poll(words, { timeout: 20_000 }).toSatisfy((words: string) => words === "" || named.test(words));
    }
    expect(found).toMatch(named);
    await end("q3");
    await expect.poll(problems, { timeout: 20_000 }).toEqual([]);
  });

  test("those that were just killed are named, and a lost majority is told", async () => {
    await expect.poll(problems).toEqual([]);
    await server.kill(2);
    const words = expect.stringMatching(
      /^1 of 3 servers is silent( \(n2\))?; start it again before another one fails$/,
    );
    expect(await problems()).toEqual([words]);
    expect(await reloadServers(await system())).toEqual({ reloaded: 2, problems: [words] });
    await server.kill(1);
    expect(await problems()).toEqual([expect.stringContaining("nothing can be stored before a majority runs again")]);
  });
});
