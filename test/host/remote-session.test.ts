// A hosted session over real sockets that break wherever they like: behind a proxy which cuts the stream after any number of
// bytes, and drops answers after the intent has arrived.
import { createServer as createHttpServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { proofOf } from "../../src/agents/remote/daemon-proof.js";
import { FRAME_BYTES_MAX } from "../../src/contract/limits.js";
import { SESSION_PROTOCOL } from "../../src/contract/protocol-numbers.js";
import { activeSession, startingState } from "../../src/session/engine/engine-state.js";
import { snapshotOf } from "../../src/session/engine/snapshot.js";
import { openStage, type Stage, slow } from "./session-stage.js";

/** Knows the token and proves it, and answers everything else as it likes. */
async function falseDaemon({ daemon }: Stage, answer: (response: ServerResponse) => void): Promise<string> {
  const server = createHttpServer((request, response) => {
    const [, nonce = ""] = /nonce=(\w+)/.exec(request.url ?? "") ?? [];
    const claims = { program: "palaver", version: "0.1.0", pid: process.pid };
    const { port } = server.address() as AddressInfo;
    const proof = proofOf(daemon.token, { nonce, address: `127.0.0.1:${port}` }, claims);
    if (nonce === "") answer(response);
    else response.end(JSON.stringify({ ...claims, proof }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Passes on the first bytes of each answer as the list says, then breaks the connection; after the list, everything. */
class CuttingProxy {
  readonly cuts: number[];
  private readonly server: Server;
  private readonly targetPort: number;
  private readonly token: string;
  private readonly sockets = new Set<Socket>();

  constructor({ url, token }: Pick<Stage["daemon"], "url" | "token">, cuts: readonly number[]) {
    this.cuts = [...cuts];
    this.token = token;
    this.targetPort = Number(new URL(url).port);
    this.server = createServer((client) => this.join(client, connect(this.targetPort, "127.0.0.1")));
  }

  private proof(nonce: string): Buffer {
    const claims = { program: "proxy", version: "1", pid: process.pid };
    const { port } = this.server.address() as AddressInfo;
    const proof = proofOf(this.token, { nonce, address: `127.0.0.1:${port}` }, claims);
    const body = JSON.stringify({ ...claims, proof });
    return Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, target: Socket): void {
    let left = this.cuts.shift() ?? Number.POSITIVE_INFINITY;
    for (const socket of [client, target]) {
      this.sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => [client, target].forEach((each) => void each.destroy()));
    }
    const answer = (chunk: Buffer) => {
      client.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) client.destroy();
    };
    // The daemon answers only those who mean it by its own address, and its proof is good for that address only.
    client.on("data", (chunk: Buffer) => {
      const text = chunk.toString("latin1");
      const [, nonce] = /^GET \/prove\?nonce=(\w+)/.exec(text) ?? [];
      if (nonce !== undefined) answer(this.proof(nonce));
      else target.write(text.replace(/^(host: 127\.0\.0\.1:)\d+/im, `$1${this.targetPort}`), "latin1");
    });
    target.on("data", answer);
  }
}

async function behindProxy(stage: Stage, cuts: readonly number[]) {
  const proxy = new CuttingProxy(stage.daemon, cuts);
  const url = await proxy.listen();
  onTestFinished(() => proxy.close());
  return { proxy, url };
}

/** In the middle of the answer to a command, or somewhere in the stream. */
const anyCut = fc.oneof(fc.integer({ min: 1, max: 250 }), fc.integer({ min: 251, max: 6_000 }));

/** Pauses that are over at once. */
const soon = (delayMs: number, run: () => void) => {
  const isPause = delayMs < 20_000;
  const timer = setTimeout(run, isPause ? 1 : delayMs);
  return () => clearTimeout(timer);
};

describe("a view of a hosted session", () => {
  test("hears every message once, wherever its connections break", async () => {
    const stage = await openStage();
    const id = await stage.start();
    await fc.assert(
      fc.asyncProperty(fc.array(anyCut, { maxLength: 6 }), async (cuts) => {
        const { proxy, url } = await behindProxy(stage, cuts);
        const steady = stage.attach(id, "steady");
        const front = stage.attach(id, "cut", { url, after: soon });
        await steady.isCaughtUp();
        const before = steady.said().length;
        front.prompt("stream 30");
        front.prompt("say the end");
        await expect.poll(() => steady.said().length, slow).toBe(before + 2);
        await expect.poll(() => front.said(), slow).toEqual(steady.said());
        await Promise.all([front.session.close(), steady.session.close()]);
        await proxy.close();
      }),
      { numRuns: 12 },
    );
  }, 120_000);

  test("tells in the status line that the daemon is away, and that it is back", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const { url } = await behindProxy(stage, [3_000, 10]);
    const front = stage.attach(id, "cut", { url, after: soon });
    front.prompt("stream 400");
    await expect.poll(() => front.said().length, slow).toBe(1);
    const told = front.of("facts").flatMap(({ facts }) => (facts.status === undefined ? [] : [facts.status]));
    const words = told.map((status) => status.find(({ key }) => key === "daemon")?.text.replace(/[\d.]+ s/, "N s"));
    expect(words).toContain("daemon not reachable, trying again in N s");
    expect(words.at(-1)).toBeUndefined();
  });

  test("ends in words when the daemon refuses it for good", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const wrong = stage.attach(id, "ada", { token: "x".repeat(64) });
    expect(await wrong.ended()).toBe("the daemon does not accept the token");
    wrong.prompt("say nothing");
    expect(wrong.notices()).toEqual(["the agent of this session has ended"]);
  });

  test("leaves without ending the agent, and takes what was sent along", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const front = stage.attach(id, "ada");
    front.prompt("say last words");
    await front.session.close();
    const other = stage.attach(id, "bob");
    await other.heard("last words");
    expect((await stage.sessions())[0]).toMatchObject({ state: "idle", front_ends: ["bob"] });
  });

  test("gives a deadline on the front end's own clock", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const front = stage.attach(id, "ada");
    front.prompt("deadline");
    const { deadlineMs } = await front.asked();
    const leftMs = (deadlineMs ?? 0) - performance.now();
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThan(120_000);
  });

  test("tells a daemon of another version from one without the session", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const url = await falseDaemon(stage, (response) =>
      response.writeHead(404).end(JSON.stringify({ error: "there is nothing at this address" })),
    );
    const old = stage.attach(id, "ada", { url });
    expect(await old.ended()).toContain("another version of Palaver");
  });

  test("takes nothing out of sight into the composer, and no fact of a wrong type, from a false daemon", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const [session] = await stage.sessions();
    const state = startingState();
    const { key } = activeSession(state);
    const url = await falseDaemon(stage, (response) => {
      const tell = (event: string, data: unknown) =>
        response.write(`${event === "" ? "" : `event: ${event}\n`}id: 5\ndata: ${JSON.stringify(data)}\n\n`);
      response.writeHead(200, { "content-type": "text/event-stream" });
      tell("hello", { session, at_ms: 0, protocol: SESSION_PROTOCOL });
      tell("snapshot", snapshotOf(state, null));
      tell("caught-up", {});
      tell("", [{ type: "facts", session: key, facts: { suggestion: 5 } }]);
      tell("", [{ type: "composer", session: key, text: "a\x9b2J\u202eb\u2028▌ c", by: "ada" }]);
    });
    const front = stage.attach(id, "ada", { url });
    await expect.poll(() => front.of("composer").length, slow).toBe(1);
    expect(front.of("composer")[0]?.text).not.toMatch(/[\x9b\u202e\u2028▌]/);
    expect(front.facts.suggestion).toBeNull();
    expect(front.notices()).toEqual(["the daemon sent something that this version does not understand"]);
  });

  test("asks for a snapshot when a change is too large to be read, and says so", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const [session] = await stage.sessions();
    const places: unknown[] = [];
    const url = await falseDaemon(stage, (response) => {
      places.push(response.req.headers["last-event-id"]);
      const hello = { session, at_ms: 0, protocol: SESSION_PROTOCOL };
      response.write(`event: hello\ndata: ${JSON.stringify(hello)}\n\n`);
      response.write(`event: snapshot\ndata: ${JSON.stringify(snapshotOf(startingState(), null))}\n\n`);
      response.write("id: 5\nevent: caught-up\ndata: {}\n\n");
      if (places.length === 1) response.write(`id: 9\ndata: ["${"x".repeat(FRAME_BYTES_MAX)}"]\n\n`);
    });
    const front = stage.attach(id, "ada", { url, after: soon });
    await expect.poll(() => places, slow).toEqual([undefined, "9~"]);
    expect(front.notices()).toEqual(["a change was too large to send, so this view was reloaded"]);
    await front.session.close();
  });

  test("keeps its place among texts for the composer when a part of the history is too large to be read", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const [session] = await stage.sessions();
    const places: unknown[] = [];
    const url = await falseDaemon(stage, (response) => {
      places.push(response.req.headers["last-event-id"]);
      const hello = { session, at_ms: 0, protocol: SESSION_PROTOCOL };
      response.write(`event: hello\ndata: ${JSON.stringify(hello)}\n\n`);
      response.write(`event: snapshot\ndata: ${JSON.stringify(snapshotOf(startingState(), null))}\n\n`);
      if (places.length === 1)
        response.write(`id: 60~42\nevent: history\ndata: ["${"x".repeat(FRAME_BYTES_MAX)}"]\n\n`);
    });
    const front = stage.attach(id, "ada", { url, after: soon });
    await expect.poll(() => places, slow).toEqual([undefined, "60~42"]);
    await front.session.close();
  });

  test("closes its asks when it can no longer reach the session", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const { proxy, url } = await behindProxy(stage, []);
    const front = stage.attach(id, "ada", { url, after: soon });
    front.prompt("ask");
    const ask = await front.asked();
    await stage.ask("DELETE", `/sessions/${id}`);
    expect(await front.ended()).toBe("the agent ended with code 0");
    expect(front.settled.map(({ askId }) => askId)).toEqual([ask.id]);
    await proxy.close();
  });

  test("keeps what concerns it alone to itself", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const [ada, bob] = [stage.attach(id, "ada"), stage.attach(id, "bob")];
    await Promise.all([ada.isCaughtUp(), bob.isCaughtUp()]);
    ada.session.dispatch({ type: "notice", level: "info", text: "only here" });
    ada.prompt("say for all");
    await Promise.all([ada.heard("for all"), bob.heard("for all")]);
    expect([ada.notices(), bob.notices()]).toEqual([["only here"], []]);
    const ids = ada
      .blocks("prose")
      .concat(ada.blocks("notice") as never)
      .map((block) => block.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("lets the user take what the agent suggests", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const [ada, bob] = [stage.attach(id, "ada"), stage.attach(id, "bob")];
    ada.prompt("suggest run the tests again");
    await expect.poll(() => bob.facts.suggestion, slow).toBe("run the tests again");
    ada.session.dispatch({ type: "suggestion.take" });
    await expect.poll(() => [ada.facts.suggestion, bob.facts.suggestion], slow).toEqual([null, null]);
    expect(ada.notices()).toEqual([]);
  });

  test("gives a prompt back that the full queue refuses, and says why; a page is not told to try again", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const ada = stage.attach(id, "ada");
    await ada.isCaughtUp();
    ada.prompt("hang");
    await expect.poll(() => ada.facts.phase, slow).toBe("working");
    for (let at = 0; at < 200; at += 1) stage.host.find(id)?.dispatch({ type: "submit", text: `${at}` }, "a script");
    ada.prompt("one more");
    await expect.poll(() => ada.of("composer").map(({ text }) => text), slow).toEqual(["one more"]);
    expect(ada.notices()).toEqual(["not sent: too many messages are queued"]);
    const { status } = await stage.ask("POST", `/sessions/${id}/intents`, { intent: { type: "submit", text: "x" } });
    expect(status).toBe(409);
  });

  test("gives a queued prompt back to the user who takes it back, as it was typed", async () => {
    const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwx";
    const stage = await openStage();
    const id = await stage.start();
    const [ada, bob] = [stage.attach(id, "ada"), stage.attach(id, "bob")];
    await Promise.all([ada.isCaughtUp(), bob.isCaughtUp()]);
    ada.prompt("hang");
    ada.prompt(`say ${secret}`);
    await expect.poll(() => bob.facts.queue.length, slow).toBe(1);
    expect(JSON.stringify(bob.facts.queue)).not.toContain(secret);
    ada.session.dispatch({ type: "queue.take-back" });
    await expect.poll(() => ada.of("composer").map(({ text }) => text), slow).toEqual([`say ${secret}`]);
    expect(bob.of("composer")).toEqual([]);
    expect(JSON.stringify(bob.changes)).not.toContain(secret);
  });

  test.for([
    ["ada", [1, 0]],
    ["a script", [1, 1]],
  ] as const)(
    "gives the queue back when %s stops the turn: to that view, or to all without secrets",
    async ([by, backTo]) => {
      const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwx";
      const stage = await openStage();
      const id = await stage.start();
      const [ada, bob] = [stage.attach(id, "ada"), stage.attach(id, "bob")];
      await Promise.all([ada.isCaughtUp(), bob.isCaughtUp()]);
      const back = (view: typeof ada) => view.of("composer").map(({ text }) => text);
      ada.prompt("hang");
      ada.prompt(`say ${secret}`);
      await expect.poll(() => bob.facts.queue.length, slow).toBe(1);
      stage.host.find(id)?.dispatch({ type: "abort" }, by);
      await expect.poll(() => bob.facts.queue.length, slow).toBe(0);
      await expect.poll(() => [back(ada).length, back(bob).length], slow).toEqual(backTo);
      expect(back(ada)[0] === `say ${secret}`).toBe(by === "ada");
      expect(JSON.stringify(bob.changes)).not.toContain(secret);
    },
  );
});
