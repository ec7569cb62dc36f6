// What goes over the wire of the MCP server and what does not get past its door: versions, ids, malformed messages, wrong
// tokens, and web pages that happen to know the port.
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { messagesOf, openStage, type Stage } from "./mcp-stage.js";

const list = (id: unknown) => ({ jsonrpc: "2.0", id, method: "tools/list" });

const initialize = (protocolVersion: string) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "tester", version: "1" } },
});

describe("messages", () => {
  test("initialisation answers with the version that was asked for, and else with the newest one", async () => {
    const stage = await openStage();
    const settled = async (version: string) => {
      const [answer] = await messagesOf(await stage.post(initialize(version)));
      return (answer as { result: { protocolVersion: string } }).result.protocolVersion;
    };
    expect(await settled("2025-11-25")).toBe("2025-11-25");
    expect(await settled("2025-06-18")).toBe("2025-06-18");
    expect(await settled("2024-11-05")).toBe("2024-11-05");
    expect(await settled("1999-01-01")).toBe("2025-11-25");
    expect(await settled("2099-01-01")).toBe("2025-11-25");
  });

  test("ping is answered, and a notification gets 202 and no body", async () => {
    const stage = await openStage();
    const ping = await stage.post({ jsonrpc: "2.0", id: "p", method: "ping" });
    expect(await messagesOf(ping)).toEqual([{ jsonrpc: "2.0", id: "p", result: {} }]);
    const notice = await stage.post({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect([notice.status, await notice.text()]).toEqual([202, ""]);
  });

  test("an id comes back with the type it had", async () => {
    const stage = await openStage();
    for (const id of [1, 0, -7, "1", "", "ünï"]) {
      expect(await messagesOf(await stage.post(list(id)))).toMatchObject([{ id }]);
    }
  });

  test("no JSON, no JSON-RPC and wrong parameters have their own codes, and the server goes on", async () => {
    const stage = await openStage();
    const codeOf = async (body: unknown) => {
      const response = await stage.post(body);
      const [answer] = await messagesOf(response);
      const { error, id } = answer as { error: { code: number }; id: unknown };
      return [error.code, id];
    };
    expect(await codeOf("{")).toEqual([-32700, null]);
    expect(await codeOf("")).toEqual([-32700, null]);
    expect(await codeOf('"words"')).toEqual([-32600, null]);
    expect(await codeOf([])).toEqual([-32600, null]);
    expect(await codeOf({ id: 4, method: "ping" })).toEqual([-32600, 4]);
    expect(await codeOf({ jsonrpc: "2.0", id: { a: 1 }, method: "ping" })).toEqual([-32600, null]);
    expect(
      await codeOf(`{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(9_999)}${"]".repeat(9_999)}}`),
    ).toEqual([-32600, null]);
    expect(await codeOf({ jsonrpc: "2.0", id: 5, method: "no/such" })).toEqual([-32601, 5]);
    expect(await codeOf({ jsonrpc: "2.0", id: "six", method: "tools/call", params: {} })).toEqual([-32602, "six"]);
    expect((await messagesOf(await stage.post(list(7))))[0]).toMatchObject({ id: 7, result: {} });
  });

  test("a batch of an old client is answered together", async () => {
    const stage = await openStage();
    const answers = await messagesOf(
      await stage.post([list(1), { jsonrpc: "2.0", method: "notifications/x" }, list("b")]),
    );
    expect(answers.map((answer) => (answer as { id: unknown }).id)).toEqual([1, "b"]);
  });

  test("a body over the limit and one that is no JSON by its type are refused", async () => {
    const stage = await openStage();
    const huge = await stage.post({ ...list(1), params: { pad: "x".repeat(5 * 1024 * 1024) } });
    expect(huge.status).toBe(413);
    expect((await stage.post(list(1), { "content-type": "text/plain" })).status).toBe(415);
    expect((await stage.post(list(1), { accept: "text/html" })).status).toBe(406);
    expect((await stage.post(list(1))).status).toBe(200);
  });

  test("arguments of absurd size are refused before anybody is asked", async () => {
    const stage = await openStage({ limits: { argumentPartsMax: 100 } });
    const options = Array.from({ length: 200 }, (_, index) => `option ${index}`);
    const params = { name: "ask_select", arguments: { title: "?", options } };
    const [answer] = await messagesOf(await stage.post({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
    expect(answer).toMatchObject({ result: { isError: true } });
    expect(stage.board.openAsks()).toEqual([]);
  });
});

// `fetch` does not let a program lie about Host and Origin; a plain socket does.
function send(
  stage: Stage,
  headers: Record<string, string>,
  method = "POST",
): Promise<{ status: number; headers: object }> {
  const { port } = new URL(stage.server.url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port, path: "/mcp", method, headers }, (answer) => {
      answer.resume().on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }));
    });
    outgoing.on("error", reject).end(method === "POST" ? JSON.stringify(list(1)) : undefined);
  });
}

describe("the door", () => {
  test("every route needs the token, whole and exact", async () => {
    const stage = await openStage();
    const { token, url } = stage.server;
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    for (const wrong of ["", "Bearer", `Bearer ${token}x`, `Bearer ${token.slice(1)}`, token, `Basic ${token}`]) {
      expect((await stage.post(list(1), { authorization: wrong })).status).toBe(401);
    }
    for (const path of ["/mcp", "/health", "/openapi.json", "/nothing"]) {
      expect((await fetch(new URL(path, url))).status).toBe(401);
    }
  });

  test("it listens on loopback at a port the system picked, and says how it is", async () => {
    const [one, other] = await Promise.all([openStage(), openStage()]);
    expect(new URL(one.server.url).hostname).toBe("127.0.0.1");
    expect(one.server.url).not.toBe(other.server.url);
    expect(one.server.token).not.toBe(other.server.token);
    const headers = { authorization: `Bearer ${one.server.token}` };
    const health = await fetch(new URL("/health", one.server.url), { headers });
    expect(await health.json()).toMatchObject({ status: "ok", pid: process.pid, calls: 0 });
  });

  test("a web page cannot reach it, whatever it knows", async () => {
    const stage = await openStage();
    const { port } = new URL(stage.server.url);
    const good = {
      host: `127.0.0.1:${port}`,
      authorization: `Bearer ${stage.server.token}`,
      "content-type": "application/json",
    };
    const refused = async (more: Record<string, string>, method?: string) =>
      expect((await send(stage, { ...good, ...more }, method)).status).toBe(403);
    expect((await send(stage, good)).status).toBe(200);
    await refused({ host: `evil.example:${port}` });
    await refused({ host: "127.0.0.1" });
    await refused({ origin: "https://evil.example" });
    await refused({ origin: `http://evil.example:${port}` });
    await refused({ origin: "null" });
    await refused({ "sec-fetch-site": "cross-site" });
    await refused({ origin: "https://evil.example", "access-control-request-method": "POST" }, "OPTIONS");
    await refused({ origin: `http://localhost:${port}` });
    const own = await send(stage, { ...good, origin: `http://127.0.0.1:${port}` });
    expect(own.status).toBe(200);
    expect(Object.keys(own.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test("a page without a token learns nothing, not even by the type of its request", async () => {
    const stage = await openStage();
    const { port } = new URL(stage.server.url);
    const simple = { host: `localhost:${port}`, "content-type": "text/plain" };
    expect((await send(stage, simple)).status).toBe(401);
    expect(stage.server.calls().calls).toBe(0);
  });
});

describe("what an agent's configuration holds", () => {
  test("it carries the address and the token in a header, never in the address", async () => {
    const { server } = await openStage();
    expect(server.url).not.toContain(server.token);
    expect(server.acpServer("front")).toEqual({
      type: "http",
      name: "front",
      url: server.url,
      headers: [{ name: "Authorization", value: `Bearer ${server.token}` }],
    });
  });

  test("calls are counted by tool, and the fifty newest are remembered without what was said", async () => {
    const stage = await openStage();
    const client = await stage.connect("2026-07-28", "counter");
    for (let index = 0; index < 60; index += 1) {
      await client.callTool({ name: "notify", arguments: { message: `secret words ${index}` } });
    }
    await client.callTool({ name: "report_status", arguments: { status: "completed" } });
    const { calls, byTool, recent } = stage.server.calls();
    expect({ calls, byTool }).toEqual({ calls: 61, byTool: { notify: 60, report_status: 1 } });
    expect(recent).toHaveLength(50);
    expect(recent.at(-1)).toMatchObject({ tool: "report_status", client: "counter", ended: "answered" });
    expect(JSON.stringify(recent)).not.toContain("secret words");
  });
});
