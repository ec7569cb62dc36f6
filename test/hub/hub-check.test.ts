// What a server may not be like, for a hub that loses nothing: real servers with wrong configurations and wrong streams, and the words
// for each. A server that cannot answer now is not called wrong.
import { jetstreamManager, type StreamConfig } from "@nats-io/jetstream";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { NatsHub } from "../../src/hub/nats/nats-hub.js";
import { serverProblems } from "../../src/hub/nats/servers.js";
import { fullStreams, isVersionAtLeast, streamProblems } from "../../src/hub/nats/streams.js";
import { natsServerProgram, TestServer } from "./nats-server.js";

const program = natsServerProgram();
const HOUR_NANOS = 3_600_000_000_000;

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

  const servers = async () => serverProblems(await connected("system"));

  async function restarted(change: (config: string) => string): Promise<void> {
    await server.kill();
    server.changeConfig(change);
    await server.up();
  }

  test("a server as palaver hub init writes it is right", async () => {
    expect(await servers()).toEqual({ problems: [], servers: 1 });
    expect(await streamProblems(await connected("root"))).toEqual([]);
  });

  test.each<[string, string, Partial<StreamConfig>, string]>([
    ["what is kept for an hour only", "PV_ENDS", { max_age: HOUR_NANOS }, "max_age is"],
    ["open questions that expire", "PV_NOW", { max_age: HOUR_NANOS }, "max_age is"],
    ["small messages only", "PV_QUESTIONS", { max_msg_size: 1_000 }, "max_msg_size is 1000"],
    ["answers that lag behind", "PV_ANSWERS", { allow_direct: true }, "allow_direct is true"],
    ["no repetition of answers", "PV_ANSWERS", { republish: { src: "pv.answer.>", dest: "pv.other.>" } }, "republish"],
  ])("%s are refused in words", async (_, name, wrong, words) => {
    const { streams } = await jetstreamManager(await connected("root"));
    const { config } = await streams.info(name);
    await streams.update(name, { ...config, ...wrong });
    const problems = await streamProblems(await connected("root"));
    await streams.update(name, config);
    expect(problems).toEqual([expect.stringContaining(`${name}: `)]);
    expect(problems[0]).toContain(words);
  });

  test("three servers, and messages on one of them only", async () => {
    expect(await streamProblems(await connected("root"), 3)).toContainEqual(
      "PV_ANSWERS: its messages are on 1 server; palaver hub init --replicas 3",
    );
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
    await streams.update("PV_QUESTIONS", { ...config, max_bytes: 20_000 });
    const hub = await NatsHub.open(await server.connect("laptop"), { user: "laptop" });
    onTestFinished(() => hub.close());
    const put = (ask: string) =>
      hub.put({ kind: "question", machine: "laptop", daemon: "shop", ask }, new Uint8Array(17_000));
    expect(await put("q1")).toBe("stored");
    expect(await fullStreams(await connected("root"))).toEqual([
      expect.stringMatching(/^PV_QUESTIONS is 8\d % full; /),
    ]);
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

  test("a server that syncs now and then, one without its name, and one that stores nothing", async () => {
    await restarted((config) => config.replace("sync_interval: always", ""));
    expect(await servers()).toEqual({
      problems: ['the server: a power failure loses answers; add "sync_interval: always" to its jetstream block'],
      servers: 1,
    });
    await restarted((config) => config.replace("domain: hub", ""));
    await expect(streamProblems(await connected("root"))).rejects.toThrow('its jetstream block needs "domain: hub"');
    await restarted((config) => config.replace(/jetstream \{[^}]*\}/, "").replace("jetstream: enabled", ""));
    expect(await servers()).toEqual({
      problems: ["the server: it stores nothing; its configuration needs a jetstream block"],
      servers: 0,
    });
  });
});
