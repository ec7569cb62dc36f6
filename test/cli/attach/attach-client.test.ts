// The daemon as the attached view hears it over HTTP: older, newer and broken daemons cost what they break, and no more.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createAttachClient } from "../../../src/cli/commands/attach-command.js";
import type { AttachDaemon } from "../../../src/views/attach/attach-daemon.js";
import { proved } from "../../agents/daemon/proving.js";
import { entry } from "../../session/attach/daemon-samples.js";

interface Heard {
  readonly client: AttachDaemon;
  readonly requests: string[];
}

/** A daemon that answers each path with a status and a body. */
async function daemonWith(answers: Readonly<Record<string, readonly [status: number, body: unknown]>>): Promise<Heard> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    if (proved(request, response, "t")) return;
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      requests.push(`${request.method} ${request.url} ${body}`.trim());
      const [status, answer] = answers[request.url ?? ""] ?? [404, { error: "there is nothing here" }];
      response.writeHead(status, { "content-type": "application/json" });
      response.end(answer === undefined ? undefined : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const first = { url: `http://127.0.0.1:${port}`, token: "t" };
  const client = createAttachClient({
    first,
    find: () => Promise.resolve(first),
    clock: { nowMs: () => 5_000 },
    name: "ada",
    tailChars: 4_096,
  });
  return { client, requests };
}

const isPost = (request: string) => request.startsWith("POST");

describe("state", () => {
  test("is asked for before there is a view, and the answer is good for one question", async () => {
    const { client, requests } = await daemonWith({ "/state": [200, []], "/sessions": [200, []] });
    await Promise.all([client.state(), client.sessions()]);
    expect(requests.toSorted()).toEqual(["GET /sessions", "GET /state"]);
    await client.state();
    expect(requests.toSorted()).toEqual(["GET /sessions", "GET /state", "GET /state"]);
  });

  test("handlers of a kind that is not known come as something to look at, and what is no entry is left out", async () => {
    const future = { ...entry("BUILD", "Future", 9, { value: "42" }), more: true };
    const { client } = await daemonWith({ "/state": [200, [entry("BUILD", "Mode", 1), future, { name: "?" }, null]] });
    expect((await client.state())?.map((one) => [one.handler_name, one.handler_type])).toEqual([
      ["Mode", 1],
      ["Future", 0],
    ]);
  });

  test("no state is none, and a daemon that speaks otherwise is told apart with a remedy", async () => {
    expect(await (await daemonWith({ "/state": [204, undefined] })).client.state()).toBeNull();
    const other = await daemonWith({ "/state": [200, { version: 2 }] });
    await expect(other.client.state()).rejects.toThrow("palaver stop, then start it again");
  });
});

describe("actions", () => {
  test("are sent as they are, and a refusal keeps its words", async () => {
    const { client, requests } = await daemonWith({ "/action": [400, { error: "not on Sundays" }] });
    await expect(client.act("Mode", "x")).rejects.toThrow("not on Sundays");
    expect(requests.filter(isPost)).toEqual(['POST /action {"key":"Mode","value":"x"}']);
  });

  test("a handler that does not listen for a cancel is no trouble", async () => {
    const { client, requests } = await daemonWith({});
    await client.cancel("Mode");
    expect(requests.filter(isPost)).toEqual(['POST /action {"key":"Mode","cancel":true}']);
  });

  test("a daemon that is gone is said to be gone", async () => {
    const first = { url: "http://127.0.0.1:1", token: "t" };
    const client = createAttachClient({
      first,
      find: () => Promise.resolve(null),
      clock: { nowMs: () => 0 },
      name: "ada",
      tailChars: 4_096,
    });
    await expect(client.act("Mode", "x")).rejects.toThrow("the daemon is not reachable");
  });
});

describe("questions", () => {
  const ask = (id: string, sessionId: string | null, deadlineMs: number | null) => ({
    id,
    sessionId,
    turnId: null,
    origin: { kind: "mcp" },
    question: { kind: "confirm", params: { title: "Sure?" } },
    deadlineMs,
  });
  const session = {
    id: "s1",
    name: "claude",
    agent: null,
    protocol: "lines",
    cwd: "/",
    state: "working",
    created_at_ms: 0,
    active_at_ms: 0,
    front_ends: [],
    open_asks: 1,
    exit_code: null,
  };

  test("those of hosted sessions are left to their tabs, and deadlines are on the clock of the view", async () => {
    const deadlineMs = Date.now() + 60_000;
    const { client } = await daemonWith({
      "/asks": [200, [ask("a", null, null), ask("b", "s1", null), ask("c", "elsewhere", deadlineMs), "junk"]],
      "/sessions": [200, [session, { id: "broken" }]],
    });
    const asks = await client.asks();
    expect(asks.map(({ id }) => id)).toEqual(["a", "c"]);
    const leftMs = (asks[1]?.deadlineMs ?? 0) - 5_000;
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(60_000);
    expect(await client.sessions()).toEqual([{ id: "s1", name: "claude", state: "running" }]);
  });

  test("an answer that came second is no trouble", async () => {
    const { client, requests } = await daemonWith({ "/asks/a%2Fb/answer": [409, { outcome: "answered", by: "ada" }] });
    await client.answer("a/b", { kind: "answered", value: true, by: "tui" });
    expect(requests.filter(isPost)).toEqual(['POST /asks/a%2Fb/answer {"value":true,"by":"ada"}']);
  });
});
