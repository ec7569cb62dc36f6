// A client that cancels, leaves or waits: its question is closed everywhere, an answer that comes too late is told so, and
// whoever waits hears that nobody forgot them.
import { describe, expect, test } from "vitest";
import { createFakeTimers } from "../../sdk/fake-timers.js";
import { eras, messagesOf, openStage, type Stage } from "./mcp-stage.js";

const untilWithdrawn = (stage: Stage) =>
  expect.poll(() => stage.audits.map(({ outcome }) => outcome), { interval: 10, timeout: 25_000 });

describe.each(eras)("leaving in the era of %s", (era) => {
  test("a call that the client cancels takes its question along, and only that one", async () => {
    const stage = await openStage();
    const client = await stage.connect(era);
    const stop = new AbortController();
    const kept = client.callTool({ name: "ask_input", arguments: { title: "kept" } });
    await stage.waitForAsks(1);
    const cancelled = client.callTool(
      { name: "ask_input", arguments: { title: "cancelled" } },
      { signal: stop.signal },
    );
    const [, ask] = await stage.waitForAsks(2);
    stop.abort(new Error("changed my mind"));
    await expect(cancelled).rejects.toThrow("changed my mind");
    await stage.waitForAsks(1);
    const reason = era === "2025-11-25" ? "agent_cancelled" : "disconnected";
    await untilWithdrawn(stage).toEqual([{ kind: "withdrawn", reason }]);
    expect(stage.board.answer(ask?.id ?? "", { value: "late" }, "somebody")).toEqual({
      kind: "late",
      outcome: { kind: "withdrawn", reason },
    });
    await stage.answerNext("still here");
    expect(await kept).toMatchObject({ structuredContent: { value: "still here" } });
  });

  test("the end of the server withdraws what is open and tells the client", async () => {
    const stage = await openStage();
    const client = await stage.connect(era);
    const answer = client.callTool({ name: "ask_confirm", arguments: { title: "Go?" } });
    await stage.waitForAsks(1);
    await stage.server.close();
    await untilWithdrawn(stage).toEqual([{ kind: "withdrawn", reason: "shutdown" }]);
    expect(await answer).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("shutting down") }],
    });
    await expect(stage.post({ jsonrpc: "2.0", id: 1, method: "tools/list" })).rejects.toThrow();
  });

  test("a client that waits is told by progress that it is not forgotten", async () => {
    const timers = createFakeTimers();
    const stage = await openStage({ timers, limits: { keepAliveMs: 10_000 } });
    const client = await stage.connect(era);
    const heard: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void heard.push(progress);
    const answer = client.callTool({ name: "ask_input", arguments: { title: "Take your time" } }, { onprogress });
    await expect.poll(() => heard, { interval: 2 }).toEqual([0]);
    timers.advance(9_999);
    timers.advance(1);
    timers.advance(10_000);
    await expect.poll(() => heard, { interval: 2 }).toEqual([0, 1, 2]);
    await stage.answerNext("done");
    await answer;
    expect(timers.waiting).toBe(0);
  });
});

describe("a connection that breaks", () => {
  const modernHeaders = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "ask_input" };
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const modern = ({ params, ...rest }: { params: object }) => ({ ...rest, params: { ...params, _meta: envelope } });
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "ask_input", arguments: { title: "?" } },
  };

  test.each(eras)("in the era of %s the head of an answer comes at once and comments follow", async (era) => {
    const stage = await openStage({ limits: { keepAliveMs: 20 } });
    const response = await (era === "2025-11-25" ? stage.post(call) : stage.post(modern(call), modernHeaders));
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(": keepalive\n\n");
    await stage.answerNext("x");
    await reader?.cancel();
  });

  test("a request that is dropped withdraws its question, inside a session and without one", async () => {
    const stage = await openStage();
    const client = await stage.connect("2025-11-25");
    const session = (client.transport as { sessionId?: string } | undefined)?.sessionId ?? "";
    for (const headers of [{}, { "mcp-session-id": session }]) {
      const stop = new AbortController();
      const dropped = fetch(stage.server.url, {
        method: "POST",
        body: JSON.stringify({ ...call, id: "dropped" }),
        signal: stop.signal,
        headers: { authorization: `Bearer ${stage.server.token}`, "content-type": "application/json", ...headers },
      }).then((response) => response.text());
      await stage.waitForAsks(1);
      stop.abort();
      await expect(dropped).rejects.toThrow();
      await stage.waitForAsks(0);
    }
    await untilWithdrawn(stage).toEqual(Array(2).fill({ kind: "withdrawn", reason: "disconnected" }));
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });

  test("a session that ends takes its questions along and is not known any more", async () => {
    const stage = await openStage();
    const client = await stage.connect("2025-11-25");
    const { transport } = client as unknown as { transport: { sessionId: string; terminateSession(): Promise<void> } };
    const { sessionId } = transport;
    void client.callTool({ name: "ask_input", arguments: { title: "?" } }).catch(() => undefined);
    await stage.waitForAsks(1);
    await transport.terminateSession();
    await stage.waitForAsks(0);
    const again = await stage.post({ jsonrpc: "2.0", id: 5, method: "ping" }, { "mcp-session-id": sessionId });
    expect(again.status).toBe(404);
  });

  test("the session that was quiet for longest makes room, but not while it waits for an answer", async () => {
    const stage = await openStage({ limits: { sessionsMax: 2 } });
    const waiting = await stage.connect("2025-11-25", "waiting");
    const answer = waiting.callTool({ name: "ask_input", arguments: { title: "?" } });
    await stage.waitForAsks(1);
    const quiet = await stage.connect("2025-11-25", "quiet");
    await stage.connect("2025-11-25", "new");
    await expect(quiet.listTools()).rejects.toThrow();
    await stage.answerNext("kept");
    expect(await answer).toMatchObject({ structuredContent: { value: "kept" } });
  });

  test("a cancelled call of a session closes its stream and answers nothing", async () => {
    const stage = await openStage();
    const client = await stage.connect("2025-11-25");
    const session = (client.transport as { sessionId?: string } | undefined)?.sessionId ?? "";
    const headers = { "mcp-session-id": session };
    const response = await stage.post({ ...call, id: "mine" }, headers);
    await stage.waitForAsks(1);
    const params = { requestId: "mine" };
    const notice = await stage.post({ jsonrpc: "2.0", method: "notifications/cancelled", params }, headers);
    expect(notice.status).toBe(202);
    expect(await messagesOf(response)).toEqual([]);
    await stage.waitForAsks(0);
  });
});
