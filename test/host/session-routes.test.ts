// The routes of hosted sessions: that the description tells the truth about them, that the guard stands before them too, and that
// a reader who does not read costs nothing and loses nothing.
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import {
  changeSchema,
  intentParamsSchema,
  snapshotSchema,
  transcriptPageSchema,
} from "../../src/contract/session-changes.js";
import { verifies } from "../verifies.js";
import { openStage, type Stage, slow } from "./session-stage.js";

type Operation = { responses: Record<string, unknown>; requestBody?: { content: Record<string, { schema: unknown }> } };
type Description = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};

describe("the description", () => {
  test("has the routes of sessions, the schema of their intents, and every status that was seen", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const { paths, components } = (await stage.ask("GET", "/openapi.json")).body as Description;
    expect(Object.keys(paths).filter((path) => path.startsWith("/sessions"))).toEqual([
      "/sessions",
      "/sessions/{id}/changes",
      "/sessions/{id}/transcript",
      "/sessions/{id}/intents",
      "/sessions/{id}",
      "/sessions/{id}/events",
      "/sessions/{id}/commands",
      "/sessions/{id}/shares",
    ]);
    const {
      $schema: _,
      $defs,
      ...expected
    } = JSON.parse(
      JSON.stringify(z.toJSONSchema(intentParamsSchema, { io: "input" })).replaceAll(
        "#/$defs/",
        "#/components/schemas/",
      ),
    ) as Record<string, object>;
    const intents = paths["/sessions/{id}/intents"]?.["post"];
    expect(intents?.requestBody?.content["application/json"]?.schema).toEqual(expected);
    expect(components.schemas).toMatchObject($defs as object);
    const seen: [string, "get" | "post" | "delete", number][] = [
      ["/sessions", "get", (await stage.ask("GET", "/sessions")).status],
      ["/sessions", "post", (await stage.ask("POST", "/sessions", { agent: "nope" })).status],
      ["/sessions", "post", (await stage.ask("POST", "/sessions", { command: ["x"] })).status],
      ["/sessions", "post", (await stage.ask("POST", "/sessions", { session: id })).status],
      ["/sessions/{id}/intents", "post", (await stage.send(id, { type: "abort" })).status],
      ["/sessions/{id}", "delete", (await stage.ask("DELETE", `/sessions/${id}`)).status],
      ["/sessions/{id}/intents", "post", (await stage.send(id, { type: "abort" })).status],
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
      ["GET", `/sessions/${id}/changes`],
      ["GET", `/sessions/${id}/transcript`],
      ["POST", `/sessions/${id}/intents`],
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
  test("comes on the stream, and what was before it in parts; nothing is doubled, also after a restart", async () => {
    verifies("daemon.late-view-misses-nothing");
    const stage = await openStage();
    const id = await stage.start();
    const first = stage.attach(id, "ada");
    await first.isCaughtUp();
    for (let number = 1; number <= 40; number += 1) first.prompt(`say ${number} ${"·".repeat(200)}`);
    await expect.poll(() => first.said().length, slow).toBe(40);
    await first.isIdle();
    const all = first.said();
    const joins = async (where: Stage) => {
      const late = where.attach(id, "bob", { tailChars: 4_000 });
      await late.isCaughtUp();
      const tail = late.said();
      expect(tail.length).toBeGreaterThan(2);
      expect(tail.length).toBeLessThan(12);
      await expect.poll(() => late.facts.phase, slow).toBe("idle");
      const parts: string[] = [];
      for (let blocks = await late.session.readEarlier(3_000); blocks !== null; ) {
        parts.unshift(...blocks.flatMap((block) => (block.kind === "prose" ? [block.text] : [])));
        blocks = await late.session.readEarlier(3_000);
      }
      expect([...parts, ...tail]).toEqual(all);
    };
    await joins(stage);
    await stage.daemon.stop();
    await joins(await openStage({ folder: stage.folder }));
  });

  test("a view that joins in the middle of work sees that the agent is at work", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const first = stage.attach(id, "ada");
    first.prompt("say long ago");
    first.prompt("hang 50");
    await first.heard("hanging");
    const late = stage.attach(id, "bob", { tailChars: 1_024 });
    await late.isCaughtUp();
    expect(late.said()).toContain("hanging");
    expect(late.facts.phase).toBe("working");
  });

  test("odd wishes are refused, and a number beyond the end means the end", async () => {
    const stage = await openStage();
    const id = await stage.start();
    for (const query of ["before=x", "before=-1", "chars=many", "before=1e9"]) {
      expect((await stage.ask("GET", `/sessions/${id}/transcript?${query}`)).status).toBe(400);
    }
    expect((await stage.ask("GET", `/sessions/${id}/changes?tail=all`)).status).toBe(400);
    expect((await stage.ask("GET", "/sessions/nope/transcript")).status).toBe(404);
    const { body } = await stage.ask("GET", `/sessions/${id}/transcript?before=9999999999999999`);
    expect(transcriptPageSchema.parse(body).earlier).toBeNull();
  });
});

test("a listener is told when a session comes, gets a name, ends and is forgotten", async () => {
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

test("a view that does not read delays none of the others, and has everything when it reads again", async () => {
  const limits = {
    changes: { itemsMax: 200, weightMax: 1024 * 1024 },
    transcript: { itemsMax: 100, weightMax: 1024 * 1024 },
  };
  const stage = await openStage({ limits });
  const id = await stage.start();
  const sleeper = new SleepingReader(stage, id);
  await sleeper.connected;
  await stage.send(id, { type: "submit", text: "lines 10000" });
  const front = stage.attach(id, "ada", { tailChars: 1_024 });
  await expect.poll(() => front.blocks("log").at(-1)?.text ?? "", slow).toContain("line 10000 of");
  sleeper.wake();
  await expect.poll(() => sleeper.text.includes("line 10000 of"), slow).toBe(true);
  const closed = [...sleeper.text.matchAll(/"text":"line (\d+) of/g)].map(([, number]) => Number(number));
  expect([...new Set(closed)]).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1));
  // It got the rest as snapshots.
  expect(sleeper.text.match(/event: snapshot/g)?.length).toBeGreaterThan(1);
}, 60_000);

test("what travels has the shape that is published", async () => {
  const stage = await openStage();
  const id = await stage.start();
  const sleeper = new SleepingReader(stage, id);
  await sleeper.connected;
  sleeper.wake();
  for (const text of ["stream 5", "ask"]) await stage.send(id, { type: "submit", text });
  await expect.poll(() => sleeper.text.includes('"ask.raised"'), slow).toBe(true);
  const events = sleeper.text.split("\n\n").map((event) => ({
    name: /^event: (.*)$/m.exec(event)?.[1] ?? "message",
    data: /^data: (.*)$/m.exec(event)?.[1] ?? "null",
  }));
  const [snapshot] = events.filter(({ name }) => name === "snapshot");
  snapshotSchema.parse(JSON.parse(snapshot?.data ?? ""));
  const changes = events.filter(({ name, data }) => name === "message" && data !== "null");
  expect(changes.length).toBeGreaterThan(0);
  for (const { data } of changes) z.array(changeSchema).parse(JSON.parse(data));
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
      `GET /sessions/${id}/changes HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${daemon.token}\r\n\r\n`,
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
