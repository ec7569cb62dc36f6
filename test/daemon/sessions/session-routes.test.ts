// The routes of hosted sessions: that the description tells the truth about them, that the guard stands before them too, and that
// a reader who does not read costs nothing and loses nothing.
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { linesCommandSchema } from "../../../src/contract/lines-commands.js";
import { verifies } from "../../verifies.js";
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
    verifies("safety.daemon-token", "safety.daemon-host-and-origin");
    const stage = await openStage();
    const id = await stage.start();
    const routes = [
      ["GET", "/sessions"],
      ["POST", "/sessions"],
      ["GET", `/sessions/${id}/events`],
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
