// The link to a hosted session over real sockets that break wherever they like: behind a proxy which cuts the stream after any
// number of bytes, and drops answers after the command has arrived.
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SessionLink } from "../../src/agents/dialect-link.js";
import { proofOf } from "../../src/agents/remote/daemon-proof.js";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { openStage, type Stage, slow } from "../host/session-stage.js";

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

describe("the link to a hosted session", () => {
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
        await Promise.all([front.link.stop(), steady.link.stop()]);
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
    const told = front.of("status.changed").map(({ text }) => (text === null ? null : text.replace(/[\d.]+ s/, "N s")));
    expect([told[0], told.at(-1)]).toEqual(["daemon away, trying again in N s", null]);
  });

  test("ends in words when the daemon refuses it for good", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const wrong = stage.attach(id, "ada", { token: "x".repeat(64) });
    expect(await wrong.link.exited).toMatchObject({ code: null, error: "the daemon does not know the token" });
    expect(wrong.link.send({ type: "ping" })).toBe("lost");
  });

  test("leaves without ending the agent, and takes what was sent along", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const front = stage.attach(id, "ada");
    front.prompt("say last words");
    front.link.send({ type: "quit" });
    expect(await front.link.stop()).toMatchObject({ code: 0, error: null });
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
    expect(leftMs).toBeLessThanOrEqual(60_000);
  });

  test("withdraws a question for front ends that cannot be told who answered", async () => {
    const { openDaemonLink } = await import("../../src/agents/remote/daemon-link.js");
    const stage = await openStage();
    const id = await stage.start();
    const events: SessionEvent[] = [];
    const plain: SessionLink = openDaemonLink({
      ...{ url: stage.url, token: stage.daemon.token, sessionId: id },
      onEvent: (event) => void events.push(event),
      nowMs: () => 0,
    });
    onTestFinished(async () => void (await plain.stop()));
    const ada = stage.attach(id, "ada");
    ada.prompt("ask");
    ada.answer(await ada.asked(), "npm");
    await expect.poll(() => events.filter(({ type }) => type === "ask.withdrawn"), slow).toHaveLength(1);
  });
});
