// The routes of hosted sessions: that the description tells the truth about them, that the guard stands before them too, and that
// a reader who does not read costs nothing and loses nothing.
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { type EarlierPage, readEarlier } from "../../src/agents/remote/earlier-page.js";
import { transcriptPageSchema } from "../../src/contract/hosted-sessions.js";
import { linesCommandSchema } from "../../src/contract/lines-commands.js";
import { textOf } from "../../src/contract/message-parts.js";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { verifies } from "../verifies.js";
import { openStage, type Stage, slow } from "./session-stage.js";

type Operation = { responses: Record<string, unknown>; requestBody?: { content: Record<string, { schema: unknown }> } };
type Description = { paths: Record<string, Record<string, Operation>> };

describe("the description", () => {
  test("has the routes of sessions, the schema of their commands, and every status that was seen", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const { paths } = (await stage.ask("GET", "/openapi.json")).body as Description;
    expect(Object.keys(paths).filter((path) => path.startsWith("/sessions"))).toEqual([
      "/sessions",
      "/sessions/{id}/events",
      "/sessions/{id}/transcript",
      "/sessions/{id}/commands",
      "/sessions/{id}",
    ]);
    const { $schema: _, ...expected } = z.toJSONSchema(linesCommandSchema, { io: "input" });
    const commands = paths["/sessions/{id}/commands"]?.["post"];
    expect(commands?.requestBody?.content["application/json"]?.schema).toEqual(expected);
    const seen: [string, "get" | "post" | "delete", number][] = [
      ["/sessions", "get", (await stage.ask("GET", "/sessions")).status],
      ["/sessions", "post", (await stage.ask("POST", "/sessions", { agent: "nope" })).status],
      ["/sessions", "post", (await stage.ask("POST", "/sessions", { command: ["x"] })).status],
      ["/sessions", "post", (await stage.ask("POST", "/sessions", { session: id })).status],
      [
        "/sessions/{id}/commands",
        "post",
        (await stage.ask("POST", `/sessions/${id}/commands`, { type: "ping" })).status,
      ],
      ["/sessions/{id}", "delete", (await stage.ask("DELETE", `/sessions/${id}`)).status],
      [
        "/sessions/{id}/commands",
        "post",
        (await stage.ask("POST", `/sessions/${id}/commands`, { type: "ping" })).status,
      ],
    ];
    expect(seen.map(([, , status]) => status)).toEqual([200, 404, 403, 409, 200, 200, 410]);
    for (const [path, method, status] of seen) {
      expect(Object.keys(paths[path]?.[method]?.responses ?? {})).toContain(String(status));
    }
  });
});

describe("the guard", () => {
  test("stands before every route of sessions", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const routes = [
      ["GET", "/sessions"],
      ["POST", "/sessions"],
      ["GET", `/sessions/${id}/events`],
      ["GET", `/sessions/${id}/transcript`],
      ["POST", `/sessions/${id}/commands`],
      ["DELETE", `/sessions/${id}`],
    ] as const;
    const authorization = `Bearer ${stage.daemon.token}`;
    for (const [method, path] of routes) {
      const status = async (headers: Record<string, string>) =>
        (await fetch(new URL(path, stage.url), { method, headers })).status;
      expect([path, await status({}), await status({ authorization, origin: "http://evil.example" })]).toEqual([
        path,
        401,
        403,
      ]);
    }
    expect((await stage.sessions())[0]?.state).toBe("idle");
  });
});

describe("the end of a session first", () => {
  const saidIn = ({ items }: EarlierPage) =>
    items.flatMap((item) => {
      const event = "event" in item ? (item.event as SessionEvent) : null;
      return event?.type === "message.finished" ? [textOf(event.message.content)] : [];
    });

  test("comes on the stream, and what was before it in pieces; nothing is doubled, also after a restart", async () => {
    verifies("daemon.late-view-misses-nothing");
    const stage = await openStage();
    const id = await stage.start();
    const first = stage.attach(id, "ada");
    for (let number = 1; number <= 40; number += 1) first.prompt(`say ${number} ${"·".repeat(200)}`);
    await expect.poll(() => first.of("prompt.finished").length, slow).toBe(40);
    const all = first.said();
    const joins = async (where: Stage) => {
      let before: number | null = null;
      const late = where.attach(id, "bob", { tailChars: 4_000, onEarlier: (place) => (before = place) });
      await late.isCaughtUp();
      const tail = late.said();
      expect(tail.length).toBeGreaterThan(2);
      expect(tail.length).toBeLessThan(12);
      await expect.poll(() => late.of("agent.readied").length, slow).toBe(1);
      const pieces: string[] = [];
      while (before !== null) {
        const page: EarlierPage = await readEarlier(where.daemon, { sessionId: id, before, chars: 3_000 });
        pieces.unshift(...saidIn(page));
        before = page.earlier;
      }
      expect([...pieces, ...tail]).toEqual(all);
      return late;
    };
    await joins(stage);
    await stage.daemon.stop();
    await joins(await openStage({ folder: stage.folder }));
  });

  test("who joins in the middle of work is told that the agent is ready and at work", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const first = stage.attach(id, "ada");
    first.prompt("say long ago");
    first.prompt("hang 50");
    await first.heard("hanging");
    const late = stage.attach(id, "bob", { tailChars: 1_024 });
    await late.isCaughtUp();
    expect(late.said()).toEqual(["hanging"]);
    expect(late.events.map(({ type }) => type).slice(0, 2)).toEqual(["agent.readied", "prompt.started"]);
  });

  test("odd wishes are refused, and a number beyond the end means the end", async () => {
    const stage = await openStage();
    const id = await stage.start();
    for (const query of ["before=x", "before=-1", "chars=many", "before=1e9"]) {
      expect((await stage.ask("GET", `/sessions/${id}/transcript?${query}`)).status).toBe(400);
    }
    expect((await stage.ask("GET", `/sessions/${id}/events?tail=all`)).status).toBe(400);
    expect((await stage.ask("GET", "/sessions/nope/transcript")).status).toBe(404);
    const { body } = await stage.ask("GET", `/sessions/${id}/transcript?before=9999999999999999`);
    expect(transcriptPageSchema.parse(body).earlier).toBeNull();
  });
});

test("whoever listens is told when a session comes, gets a name, ends and is forgotten", async () => {
  const stage = await openStage();
  let news = 0;
  const forget = stage.host.subscribe(() => {
    news += 1;
  });
  const after = async (work: () => Promise<unknown>) => {
    const before = news;
    await work();
    await expect.poll(() => news, slow).toBeGreaterThan(before);
  };
  let id = "";
  await after(async () => {
    id = await stage.start();
  });
  await after(() => stage.ask("DELETE", `/sessions/${id}`));
  await after(() => stage.ask("DELETE", `/sessions/${id}`));
  forget();
  const before = news;
  await stage.start();
  expect(news).toBe(before);
});

describe("a reader that does not read", () => {
  test("holds nobody up, and has everything when it reads again", async () => {
    const limits = {
      steps: { itemsMax: 200, weightMax: 1024 * 1024 },
      transcript: { itemsMax: 100, weightMax: 1024 * 1024 },
    };
    const stage = await openStage({ limits });
    const id = await stage.start();
    const sleeper = new SleepingReader(stage, id);
    await sleeper.connected;
    const front = stage.attach(id, "ada");
    front.prompt("lines 30000");
    await expect.poll(() => front.of("prompt.finished").length, slow).toBe(1);
    expect(front.of("log.written")).toHaveLength(30_000);
    sleeper.wake();
    await expect.poll(() => sleeper.text.includes("line 30000 of"), slow).toBe(true);
    const lines = [...sleeper.text.matchAll(/"text":"line (\d+) of/g)].map(([, number]) => Number(number));
    expect(lines).toEqual(Array.from({ length: 30_000 }, (_, index) => index + 1));
    // It was told that it got the rest in one go.
    expect(sleeper.text).toMatch(/event: caught-up\nid: \d+\ndata: \{"skipped":[1-9]\d*\}/);
  }, 60_000);
});

/** A client at the stream that takes nothing from its socket until it is woken. */
class SleepingReader {
  readonly connected: Promise<void>;
  private readonly socket;
  private raw = "";

  constructor({ url, daemon }: Stage, id: string) {
    const { port, host } = new URL(url);
    this.socket = connect(Number(port), "127.0.0.1");
    this.socket.write(
      `GET /sessions/${id}/events HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${daemon.token}\r\n\r\n`,
    );
    onTestFinished(() => void this.socket.destroy());
    this.connected = new Promise((resolve) => {
      this.socket.on("data", (chunk: Buffer) => {
        this.raw += chunk.toString("latin1");
        if (this.raw.includes("caught-up")) resolve();
      });
    });
    void this.connected.then(() => this.socket.pause());
  }

  /** What came, without the lengths of its chunks. */
  get text(): string {
    return this.raw.replace(/\r\n[0-9a-f]+\r\n/g, "");
  }

  wake(): void {
    this.socket.resume();
  }
}
