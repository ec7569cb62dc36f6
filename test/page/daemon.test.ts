// The page and its daemon: it finds out who it is, and gives nothing up that may come back.
import { describe, expect, test } from "vitest";
import type { OverviewAsk } from "../../src/contract/page.js";
import { PAGE_PROTOCOL } from "../../src/contract/protocol-numbers.js";
import { Daemon } from "../../src/page/state/daemon.js";
import { NetStage } from "./net-stage.js";

const FACTS = {
  device: { id: "d1", name: "phone", scope: "full" },
  daemon: { project: "/home/ada/app", version: "0.2.0" },
  push: null,
};

function staged() {
  const stage = new NetStage();
  const daemon = new Daemon(stage.ports, () => "key");
  return { stage, daemon, kind: () => daemon.identity.value.kind };
}

describe("a device", () => {
  test.each([403, 429, 500, 502, 503])("is not called unpaired because of %i, and asks again", async (status) => {
    const { stage, daemon, kind } = staged();
    void daemon.identify();
    await (await stage.request(0)).refuse(status, { error: "busy" });
    expect(daemon.identity.value).toEqual({ kind: "offline", words: "busy" });
    await stage.advance(2_000);
    await (await stage.request(1)).fail();
    await stage.advance(2_000);
    await (await stage.request(2)).answer(FACTS);
    expect(kind()).toBe("known");
    expect((await stage.request(3)).path).toBe("/overview");
  });

  test("that gets the page of a proxy is not known", async () => {
    const { stage, daemon, kind } = staged();
    void daemon.identify();
    await (await stage.request(0)).answer("<html>");
    expect(kind()).toBe("offline");
  });

  test("that was refused is known again when the right daemon is back", async () => {
    const { stage, daemon, kind } = staged();
    void daemon.identify();
    await (await stage.request(0)).answer(FACTS);
    await (await stage.request(1)).refuse(401, { error: "the token is missing or wrong" });
    expect(kind()).toBe("unpaired");
    daemon.wake();
    await (await stage.request(2)).refuse(401, {});
    expect(daemon.identity.value).toEqual({ kind: "unpaired", words: "This device was revoked." });
    daemon.wake();
    await (await stage.request(3)).answer(FACTS);
    expect(kind()).toBe("known");
    expect((await stage.request(4)).path).toBe("/overview");
  });
});

test("a daemon of another version is named, and its events are not read", async () => {
  const { stage, daemon } = staged();
  void daemon.identify();
  await (await stage.request(0)).answer(FACTS);
  const first = await stage.request(1);
  await first.send(`event: hello\ndata: ${JSON.stringify({ at_ms: 1, protocol: PAGE_PROTOCOL + 1, epoch: "e" })}\n\n`);
  expect(daemon.stream.value).toMatchObject({ kind: "refused", words: expect.stringContaining("another version") });
  expect(first.isAborted).toBe(true);
});

test("when few of the shown questions are left, those behind them are asked for", async () => {
  const { stage, daemon } = staged();
  void daemon.identify();
  await (await stage.request(0)).answer(FACTS);
  const event = (id: number, name: string, data: unknown) =>
    `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const asks = Array.from({ length: 10 }, (_, at) => ({ ask: { id: `q${at}` }, session: null, asked_at_ms: at }));
  const first = await stage.request(1);
  await first.send(event(1, "snapshot", { asks, asks_more: 8_000, sessions: [], settled: [] }));
  const outcome = { kind: "expired" };
  const settled = event(2, "message", [{ type: "ask.finished", id: "q0", outcome, delivery: null }]);
  await first.send(settled + event(3, "message", [{ type: "session.gone", id: "s1" }]));
  await stage.advance(0);
  const second = await stage.request(2);
  expect(second.headers.get("last-event-id")).toBeNull();
  await second.send(event(4, "snapshot", { asks, asks_more: 0, sessions: [], settled: [] }));
  expect(daemon.overview.value.asks.length).toBe(10);
});

test("a question that belongs to no session is said to be shown, once", async () => {
  const { stage, daemon } = staged();
  const asked = { ask: { id: "a/b" }, session: null } as OverviewAsk;
  daemon.sawAsk(asked);
  daemon.sawAsk(asked);
  expect((await stage.request(0)).path).toBe("/asks/a%2Fb/shown");
  expect(stage.requestCount).toBe(1);
});

describe("a session", () => {
  const path = "/sessions/s1/changes?tail=200000";

  test("that was not there is asked for again when the page wakes or it is opened again", async () => {
    const { stage, daemon } = staged();
    const session = daemon.session("s1");
    session.open();
    await (await stage.request(0)).refuse(404, { error: "there is no such session" });
    expect(session.stream.value).toMatchObject({ kind: "refused", words: "there is no such session" });
    daemon.wake();
    await (await stage.request(1)).refuse(404, { error: "there is no such session" });
    session.close();
    daemon.session("s1").open();
    expect((await stage.request(2)).path).toBe(path);
  });

  test("has a connection only while it is in view and the page in sight", async () => {
    const { stage, daemon } = staged();
    const session = daemon.session("s1");
    session.open();
    const first = await stage.request(0);
    await first.send(": beat\n\n");
    daemon.rest();
    expect(first.isAborted).toBe(true);
    daemon.wake();
    const second = await stage.request(1);
    expect(second.path).toBe(path);
    session.close();
    expect(second.isAborted).toBe(true);
    daemon.wake();
    await stage.advance(60_000);
    expect(stage.requestCount).toBe(2);
  });
});
