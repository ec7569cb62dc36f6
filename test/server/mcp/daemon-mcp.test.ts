// MCP as a part of a daemon: its state, its actions and its log as tools, and the same as plain JSON-RPC.
import { describe, expect, test } from "vitest";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import { createDaemonApp } from "../../../src/server/http/daemon-app.js";
import { startHttpServer } from "../../../src/server/http/http-server.js";
import { loopbackHosts } from "../../../src/server/http/request-guard.js";
import { LogHub } from "../../../src/server/logs/log-hub.js";
import { daemonMcp } from "../../../src/server/mcp/mcp-routes.js";
import { atEnd, connect, eras, messagesOf } from "./mcp-stage.js";

const entry = {
  tab_title: "BUILD",
  handler_name: "WASM",
  handler_color: "#00ADD8",
  handler_type: 1,
  label: "Size",
  value: "M",
  shortcut: "WASM",
  shortcuts: [{ L: "Large" }],
};

async function openDaemon() {
  const acted: [string, string][] = [];
  const hub = new LogHub();
  const board = new AskRegistry();
  const act = async (key: string, value: string) => {
    if (key !== "WASM")
      return key === "bad" ? { kind: "refused" as const, reason: "not now" } : { kind: "unknown" as const };
    acted.push([key, value]);
    return { kind: "taken" as const };
  };
  const mcp = daemonMcp({
    version: "1",
    registry: board,
    hub,
    state: { readState: () => [entry], act, cancel: () => false, showTab: () => false },
  });
  const faults: unknown[] = [];
  const app = createDaemonApp({ groups: [mcp.routes], version: "1", onError: (error) => faults.push(error) });
  const server = await startHttpServer({ app, host: "127.0.0.1", port: 0, token: "t0ken", hosts: loopbackHosts });
  const { port } = server;
  atEnd(async () => {
    await mcp.close();
    await server.close();
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  const post = (body: unknown) =>
    fetch(url, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { authorization: "Bearer t0ken", "content-type": "application/json" },
    });
  return { url, token: "t0ken", board, hub, acted, post };
}

describe.each(eras)("a daemon in the era of %s", (era) => {
  test("its state, actions and log are tools", async () => {
    const daemon = await openDaemon();
    const client = await connect(daemon, era);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["state", "action", "logs", "notify", "ask_form"]));
    expect(await client.callTool({ name: "state", arguments: {} })).toMatchObject({
      structuredContent: { entries: [entry] },
    });
    expect(await client.callTool({ name: "action", arguments: { key: "WASM", value: 3 } })).toMatchObject({
      structuredContent: { applied: "WASM" },
    });
    expect(daemon.acted).toEqual([["WASM", "3"]]);
    expect(await client.callTool({ name: "action", arguments: { key: "nope" } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('"nope"') }],
    });
    expect(await client.callTool({ name: "action", arguments: { key: "bad" } })).toMatchObject({
      isError: true,
      content: [{ text: "not now" }],
    });
  });

  test("what agents say becomes lines of its log, which can be read by count and by handler", async () => {
    const daemon = await openDaemon();
    const client = await connect(daemon, era, "builder");
    await client.callTool({ name: "notify", arguments: { message: "halfway", level: "warn" } });
    await client.callTool({ name: "report_status", arguments: { status: "completed", message: "green" } });
    for (let index = 1; index <= 150; index += 1) {
      daemon.hub.publish({ content: `msg ${index}`, kind: "info", tabTitle: "T", handlerName: "loop" });
    }
    const read = async (args: Record<string, unknown>) => {
      const { structuredContent } = await client.callTool({ name: "logs", arguments: args });
      return (structuredContent as { entries: { content: string }[] }).entries.map(({ content }) => content);
    };
    expect(await read({ handler: "builder" })).toEqual(["halfway", "completed: green"]);
    expect(await read({ lines: 2 })).toEqual(["msg 149", "msg 150"]);
    expect(await read({})).toHaveLength(50);
    expect((await read({ lines: 100 }))[0]).toBe("msg 51");
  });

  test("a question goes to the board, where any front end answers it", async () => {
    const daemon = await openDaemon();
    const client = await connect(daemon, era);
    const answer = client.callTool({ name: "ask_confirm", arguments: { title: "Deploy?" } });
    await expect.poll(() => daemon.board.openAsks().length, { interval: 2 }).toBe(1);
    daemon.board.answer(daemon.board.openAsks()[0]?.id ?? "", { value: true }, "another terminal");
    expect(await answer).toMatchObject({ structuredContent: { value: true } });
  });
});

describe("plain JSON-RPC", () => {
  test("state is a list and an action says OK, with the id as it came", async () => {
    const { post, acted } = await openDaemon();
    for (const id of ["1", 1, 0]) {
      expect(await messagesOf(await post({ jsonrpc: "2.0", id, method: "palaver/state" }))).toEqual([
        { jsonrpc: "2.0", id, result: [entry] },
      ]);
    }
    const params = { key: "WASM", value: "L" };
    expect(await messagesOf(await post({ jsonrpc: "2.0", id: 2, method: "palaver/action", params }))).toEqual([
      { jsonrpc: "2.0", id: 2, result: "OK" },
    ]);
    expect(acted).toEqual([["WASM", "L"]]);
  });

  test("a batch is answered together, and notifications are obeyed and not answered", async () => {
    const { post, acted } = await openDaemon();
    const act = (value: string) => ({ jsonrpc: "2.0", method: "palaver/action", params: { key: "WASM", value } });
    const batch = [act("silent"), { ...act("loud"), id: 1 }, { jsonrpc: "2.0", id: "s", method: "palaver/state" }];
    expect(await messagesOf(await post(batch))).toEqual([
      [
        { jsonrpc: "2.0", id: 1, result: "OK" },
        { jsonrpc: "2.0", id: "s", result: [entry] },
      ],
    ]);
    const alone = await post(act("alone"));
    expect([alone.status, await alone.text()]).toEqual([202, ""]);
    expect(acted.map(([, value]) => value)).toEqual(["silent", "loud", "alone"]);
  });

  test("an unknown action, wrong parameters and an unknown method are errors that say so", async () => {
    const { post } = await openDaemon();
    const errorOf = async (method: string, params: unknown) => {
      const [answer] = await messagesOf(await post({ jsonrpc: "2.0", id: 1, method, params }));
      return (answer as { error: unknown }).error;
    };
    expect(await errorOf("palaver/action", { key: "nope" })).toEqual({
      code: -32000,
      message: 'there is no action "nope"',
    });
    expect(await errorOf("palaver/action", { value: 1 })).toMatchObject({ code: -32602 });
    expect(await errorOf("palaver/action", "WASM")).toMatchObject({ code: -32602 });
    expect(await errorOf("palaver/nothing", {})).toMatchObject({ code: -32601 });
  });
});
