// A leaf node of a site: its users ask and answer over it as at the hub itself, and it can pass on nothing for anyone else, whatever its
// own configuration says.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstream } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { expect, onTestFinished, test } from "vitest";
import { connectHub } from "../../src/hub/nats/connection.js";
import { NatsHub } from "../../src/hub/nats/nats-hub.js";
import { reloadServers } from "../../src/hub/nats/servers.js";
import { siteConfig, usersIn } from "../../src/hub/nats/users.js";
import { freePort, natsServerProgram, TestServer } from "./nats-server.js";

const program = natsServerProgram();

/** In a configuration, a word that begins like a date is none. */
const SITE = "2026";

/** A hub with a site that has ada and laptop; the leaf node would let other connect, too. */
async function createSite(server: TestServer) {
  server.addUser("machine", "laptop");
  server.addUser("machine", "other");
  server.addUser("member", "ada");
  const site = server.addUser("site", SITE, ["laptop", "ada"]);
  const port = await freePort();
  const seed = readFileSync(server.keyPath(SITE), "utf8").trim();
  const urls = [`nats://127.0.0.1:${server.nodes[0]?.leafPort}`];
  const all = server.users;
  const config = siteConfig({ site: { ...site, users: ["laptop", "ada", "other"] }, seed, all, port, urls });
  const path = join(server.folder, "site.conf");
  writeFileSync(path, config);
  const child = spawn(program ?? "", ["-c", path], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const connect = async (user: string) => {
    const connection = await connectHub({ ...server.login(user), url: `nats://127.0.0.1:${port}` });
    onTestFinished(() => connection.close());
    return connection;
  };
  const open = async (user: string) => NatsHub.open(await connect(user), { user });
  // The node listens first, and is at the hub a moment later.
  const opened = (user: string) =>
    expect
      .poll(() => open(user).catch(() => null), { timeout: 10_000 })
      .not.toBeNull()
      .then(() => open(user));
  return { connect, opened };
}

test.skipIf(program === null)(
  "with a nats-server: a site asks and answers over its leaf node, for its own users only",
  async () => {
    const server = await TestServer.start(program ?? "");
    onTestFinished(() => server.remove());
    const { connect, opened } = await createSite(server);
    const [laptop, ada] = [await opened("laptop"), await opened("ada")];
    const address = { machine: "laptop", daemon: "shop", ask: "q1" };
    const heard = new Promise((resolve) => onTestFinished(laptop.onAnswer(address, resolve)));
    const seen = new Promise((resolve) => {
      void ada.watch({ onNow: resolve, onCaughtUp: () => undefined }).then((stop) => onTestFinished(stop));
    });
    await laptop.put({ kind: "question", ...address }, Buffer.from("deploy?"));
    await laptop.set({ kind: "open", ...address }, Buffer.from("open"));
    expect(await seen).toMatchObject({ kind: "open", ask: "q1" });
    expect(await ada.put({ kind: "answer", ...address, person: "ada" }, Buffer.from("yes"))).toBe("stored");
    expect(await heard).toBe("q1");
    expect(Buffer.from((await laptop.nextAnswer(address, 0))?.body ?? []).toString()).toBe("yes");
    const other = jetstream(await connect("other"));
    await expect(other.publish("pv.question.other.shop.q2", "forged", { timeout: 500 })).rejects.toThrow();
    const direct = await NatsHub.open(await server.connect("other"), { user: "other" });
    onTestFinished(() => direct.close());
    expect(await direct.get({ kind: "question", machine: "other", daemon: "shop", ask: "q2" })).toBeNull();
  },
);

test.skipIf(program === null)(
  "with a nats-server: a removed user of a site writes nothing at the hub any more",
  async () => {
    const server = await TestServer.start(program ?? "");
    onTestFinished(() => server.remove());
    const { connect, opened } = await createSite(server);
    const ada = await opened("ada");
    const laptop = jetstream(await connect("laptop"));
    await laptop.publish("pv.question.laptop.shop.q1", "deploy?");
    const system = await server.connect("system");
    onTestFinished(() => system.close());
    server.removeUser("laptop");
    const asked = (ask: string) =>
      laptop.publish(`pv.question.laptop.shop.${ask}`, "deploy?", { timeout: 500 }).then(
        () => "taken",
        () => "refused",
      );
    expect(await reloadServers(system)).toEqual({ reloaded: 1, problems: [] });
    await expect.poll(() => asked("q2"), { timeout: 5_000 }).toBe("refused");
    // The node is at the hub again, for those who are left.
    const address = { machine: "laptop", daemon: "shop" };
    expect(await ada.put({ kind: "answer", ...address, ask: "q1", person: "ada" }, Buffer.from("yes"))).toBe("stored");
    expect(await asked("q3")).toBe("refused");
    const direct = await NatsHub.open(await server.connect("ada"), { user: "ada" });
    onTestFinished(() => direct.close());
    expect(await direct.get({ kind: "question", ...address, ask: "q3" })).toBeNull();
  },
);

test.skipIf(program === null)("with a nats-server: a site whose users are all removed may do nothing", async () => {
  const server = await TestServer.start(program ?? "");
  onTestFinished(() => server.remove());
  const { connect, opened } = await createSite(server);
  await opened("ada");
  const laptop = jetstream(await connect("laptop"));
  const system = await server.connect("system");
  onTestFinished(() => system.close());
  const at = server.users.findIndex(({ name }) => name === SITE);
  server.users[at] = { ...(server.users[at] ?? expect.unreachable()), users: [] };
  server.removeUser("laptop");
  server.removeUser("ada");
  expect(await reloadServers(system)).toEqual({ reloaded: 1, problems: [] });
  const asked = () =>
    laptop.publish("pv.question.laptop.shop.q1", "deploy?", { timeout: 500 }).then(
      () => "taken",
      (error: Error) => error.message,
    );
  await expect.poll(() => leafNodesOf(system), { timeout: 5_000 }).toHaveLength(1);
  expect(await asked()).not.toBe("taken");
  expect(usersIn(readFileSync(join(server.folder, "users.conf"), "utf8"))).toContainEqual(
    expect.objectContaining({ kind: "site", name: SITE }),
  );
});

async function leafNodesOf(system: NatsConnection): Promise<readonly unknown[]> {
  const reply = await system.request("$SYS.REQ.SERVER.PING.LEAFZ", "{}");
  return reply.json<{ readonly data: { readonly leafs: readonly unknown[] } }>().data.leafs;
}
