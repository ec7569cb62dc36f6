// A leaf node of a site: its users ask and answer over it as at the hub itself, and it can pass on nothing for anyone else, whatever its
// own configuration says.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstream } from "@nats-io/jetstream";
import { expect, onTestFinished, test } from "vitest";
import { connectHub } from "../../src/hub/nats/connection.js";
import { NatsHub } from "../../src/hub/nats/nats-hub.js";
import { siteConfig } from "../../src/hub/nats/users.js";
import { freePort, natsServerProgram, TestServer } from "./nats-server.js";

const program = natsServerProgram();

/** A hub with a site that has ada and laptop; the leaf node would let other connect, too. */
async function createSite(server: TestServer) {
  server.addUser("machine", "laptop");
  server.addUser("machine", "other");
  server.addUser("member", "ada");
  const site = server.addUser("site", "berlin", ["laptop", "ada"]);
  const port = await freePort();
  const seed = readFileSync(server.keyPath("berlin"), "utf8").trim();
  const urls = [`nats://127.0.0.1:${server.nodes[0]?.leafPort}`];
  const all = server.users;
  const config = siteConfig({ site: { ...site, users: ["laptop", "ada", "other"] }, seed, all, port, urls });
  const path = join(server.folder, "berlin.conf");
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
