// A question that a program leaves at a daemon: it is there for everybody as long as the program waits, and its outcome comes
// on the request that brought it.
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { SseDecoder } from "../../../src/contract/sse-decoder.js";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import { askRoutes, postedAskRoutes } from "../../../src/server/http/ask-routes.js";
import { createDaemonApp } from "../../../src/server/http/daemon-app.js";
import { requestsTo } from "../../rigs/daemon/app-requests.js";
import { createFakeTimers } from "../../sdk/fake-timers.js";

const HEARTBEAT_MS = 15_000;
const confirm = { question: { kind: "confirm", params: { title: "Deploy?" } } };

function create() {
  let nowMs = 1_000;
  const timers = createFakeTimers();
  const board = new AskRegistry({ nowMs: () => nowMs, timers });
  const posted = postedAskRoutes({ registry: board, timers, heartbeatMs: HEARTBEAT_MS });
  const app = requestsTo(createDaemonApp({ groups: [askRoutes(board), posted], version: "1", onError: () => {} }));
  return {
    board,
    pass(byMs: number) {
      nowMs += byMs;
      timers.advance(byMs);
    },
    takeBack: (id: string) => app.request(`/asks/${id}`, { method: "DELETE" }),
    post: (body: unknown, signal?: AbortSignal) =>
      app.request("/asks", { method: "POST", body: JSON.stringify(body), ...(signal && { signal }) }),
  };
}

/** What the stream says, an event or a comment at a time. */
function heard({ body }: Response) {
  const reader = (body ?? new ReadableStream()).getReader();
  const decoder = new SseDecoder();
  const waiting: unknown[] = [];
  return {
    async next(): Promise<unknown> {
      if (waiting.length > 0) return waiting.shift();
      const { done, value } = (await reader.read()) as { done: boolean; value?: Uint8Array };
      if (done || value === undefined) return "end";
      waiting.push(...decoder.push(value).map(({ name, data }) => [name, JSON.parse(data)]));
      return waiting.length === 0 ? new TextDecoder().decode(value) : waiting.shift();
    },
    hangUp: () => reader.cancel(),
  };
}

describe("a question that is left at the daemon", () => {
  test("is open for everybody, and its answer comes back on the same request", async () => {
    const { board, post } = create();
    const stream = heard(await post({ ...confirm, origin: { kind: "agent", name: "ci" } }));
    const id = board.openAsks()[0]?.id ?? "";
    expect(await stream.next()).toEqual(["asked", { id }]);
    expect(board.openAsks()).toMatchObject([{ ...confirm, origin: { name: "ci" }, sessionId: null, deadlineMs: null }]);
    board.answer(id, { value: true }, "ada");
    expect(await stream.next()).toEqual(["settled", { kind: "answered", value: true, by: "ada" }]);
    expect(await stream.next()).toBe("end");
  });

  test("what was typed into a secret reaches the one who asked", async () => {
    const { board, post } = create();
    const stream = heard(
      await post({ question: { kind: "input", params: { title: "Key?", opts: { secret: true } } } }),
    );
    await stream.next();
    board.answer(board.openAsks()[0]?.id ?? "", { value: "hunter2" }, "ada");
    expect(await stream.next()).toMatchObject(["settled", { value: "hunter2" }]);
  });

  test("a waiting client gets heartbeats, and an ask that is over says so", async () => {
    const { post, pass } = create();
    const stream = heard(await post({ ...confirm, timeout_ms: 20_000 }));
    await stream.next();
    pass(HEARTBEAT_MS);
    expect(await stream.next()).toBe(": waiting\n\n");
    pass(5_000);
    expect(await stream.next()).toEqual(["settled", { kind: "expired" }]);
  });

  test.each(["the stream is not read any more", "the connection is gone"])("%s: it is withdrawn", async (how) => {
    const { board, post } = create();
    const connection = new AbortController();
    const stream = heard(await post(confirm, connection.signal));
    await stream.next();
    expect(board.openAsks()).toHaveLength(1);
    if (how === "the connection is gone") connection.abort();
    else await stream.hangUp();
    await expect.poll(() => board.openAsks()).toEqual([]);
  });

  test.each([
    ["no question", {}],
    ["a question of no kind", { question: { kind: "riddle", params: { title: "?" } } }],
    ["a time that is none", { ...confirm, timeout_ms: -1 }],
  ])("%s is refused, and nothing is asked", async (_, body) => {
    const { board, post } = create();
    expect((await post(body)).status).toBe(400);
    expect(board.openAsks()).toEqual([]);
  });
});

describe("a question with an id of the program's own", () => {
  const id = "p0123456789abcdef";

  test("stays open without a program that returns, which gets the outcome when it is back", async () => {
    const { board, post } = create();
    const stream = heard(await post({ ...confirm, id, returns: true }));
    expect(await stream.next()).toEqual(["asked", { id }]);
    await stream.hangUp();
    expect(board.openAsks()).toHaveLength(1);
    board.answer(id, { value: true }, "ada");
    const back = heard(await post({ ...confirm, id, returns: true }));
    expect(await back.next()).toEqual(["asked", { id }]);
    expect(await back.next()).toEqual(["settled", { kind: "answered", value: true, by: "ada" }]);
  });

  test("is taken back on request, and is withdrawn with a program that does not return", async () => {
    const { board, post, takeBack } = create();
    const stream = heard(await post({ ...confirm, id, returns: true }));
    await stream.next();
    expect((await takeBack(id)).status).toBe(204);
    expect(await stream.next()).toEqual(["settled", { kind: "withdrawn", reason: "agent_cancelled" }]);
    const other = heard(await post({ ...confirm, id: id.replace("p0", "p1") }));
    await other.next();
    await other.hangUp();
    await expect.poll(() => board.openAsks()).toEqual([]);
  });

  test("must be one that no one can guess", async () => {
    const { post } = create();
    expect((await post({ ...confirm, id: "p1" })).status).toBe(400);
  });
});

describe("when the clock of the machine is set back a day", () => {
  function setBack(): void {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 24 * 60 * 60 * 1_000 });
  }

  test("a question expires when its time is over, as if nothing had happened", async () => {
    onTestFinished(() => void vi.useRealTimers());
    const board = new AskRegistry();
    const app = requestsTo(
      createDaemonApp({ groups: [postedAskRoutes({ registry: board })], version: "1", onError: () => {} }),
    );
    const body = JSON.stringify({ ...confirm, timeout_ms: 40 });
    const stream = heard(await app.request("/asks", { method: "POST", body }));
    expect(await stream.next()).toEqual(["asked", { id: expect.any(String) }]);
    setBack();
    expect(await stream.next()).toEqual(["settled", { kind: "expired" }]);
  });

  test("front ends are told the deadline on the wall clock of the moment at which they ask", async () => {
    let [steadyMs, wallMs] = [1_000, 1_000_000];
    const board = new AskRegistry({ nowMs: () => steadyMs, timers: createFakeTimers() });
    const groups = [askRoutes(board, { wallMs: () => wallMs })];
    const app = requestsTo(createDaemonApp({ groups, version: "1", onError: () => {} }));
    const about = { id: "a", sessionId: null, turnId: null, origin: { kind: "agent" } } as const;
    void board.ask({ ...about, question: { kind: "confirm", params: { title: "?" } }, deadlineMs: steadyMs + 500 });
    const leftMs = async () =>
      ((await (await app.request("/asks")).json()) as [{ deadlineMs: number }])[0].deadlineMs - wallMs;
    expect(await leftMs()).toBe(500);
    [steadyMs, wallMs] = [1_100, 5];
    expect(await leftMs()).toBe(400);
  });
});
