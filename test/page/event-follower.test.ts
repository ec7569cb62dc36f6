// The stream of the page: it knows its place, notices silence, and comes back after a sleep without losing or doubling an event.
import { describe, expect, test } from "vitest";
import { PAGE_STALE_MS } from "../../src/contract/protocol-numbers.js";
import { EventFollower, type StreamState } from "../../src/page/net/event-follower.js";
import { NetStage } from "./net-stage.js";

function follow(stage: NetStage, workMs = 0) {
  const events: string[] = [];
  const states: StreamState["kind"][] = [];
  let lastId: string | null = null;
  const follower = new EventFollower(stage.ports, {
    path: "/overview",
    mayEnd: false,
    lastId: () => lastId,
    onEvent: ({ name, data, id }) => {
      events.push(`${name} ${data}`);
      lastId = id;
      stage.sleep(workMs);
    },
    onDropped: () => undefined,
    onState: ({ kind }) => states.at(-1) !== kind && states.push(kind),
  });
  return { follower, events, states, running: follower.run() };
}

describe("the page's stream", () => {
  test("delivers events and comes back from the last one after the connection ends", async () => {
    const stage = new NetStage();
    const { events, states, follower } = follow(stage);
    const first = await stage.request(0);
    expect(first.headers.get("last-event-id")).toBeNull();
    await first.send("id: 7\ndata: a\n\n");
    await first.end();
    await stage.advance(250);
    const second = await stage.request(1);
    expect(second.headers.get("last-event-id")).toBe("7");
    await second.send("id: 8\ndata: b\n\n");
    expect(events).toEqual(["message a", "message b"]);
    expect(states).toEqual(["connecting", "live", "away", "connecting", "live"]);
    follower.stop();
  });

  test("lets the browser draw between events that are much work", async () => {
    const stage = new NetStage();
    const { events, follower } = follow(stage, 20);
    const first = await stage.request(0);
    await first.send("data: a\n\n");
    await first.send("data: b\n\n");
    expect(events).toEqual(["message a"]);
    await stage.advance(0);
    expect(events).toEqual(["message a", "message b"]);
    follower.stop();
  });

  test("gives up a stream that is silent for too long, and not one that beats", async () => {
    const stage = new NetStage();
    const { states, follower } = follow(stage);
    const first = await stage.request(0);
    await first.send(": beat\n\n");
    await stage.advance(PAGE_STALE_MS - 1_000);
    await first.send(": beat\n\n");
    await stage.advance(PAGE_STALE_MS - 1_000);
    expect(states.at(-1)).toBe("live");
    await stage.advance(2_000);
    expect(first.isAborted).toBe(true);
    expect(states).toContain("away");
    follower.stop();
  });

  test("opens the stream again at once when the page wakes from a sleep in which no timer ran", async () => {
    const stage = new NetStage();
    const { follower } = follow(stage);
    const first = await stage.request(0);
    await first.send("id: 1\ndata: a\n\n");
    stage.sleep(60_000);
    follower.wake();
    await stage.advance(250);
    expect((await stage.request(1)).headers.get("last-event-id")).toBe("1");
    follower.stop();
  });

  test("keeps a stream that was heard a moment before the wake", async () => {
    const stage = new NetStage();
    const { follower } = follow(stage);
    const first = await stage.request(0);
    await first.send(": beat\n\n");
    stage.sleep(5_000);
    follower.wake();
    await stage.advance(1_000);
    expect(first.isAborted).toBe(false);
    expect(stage.requestCount).toBe(1);
    follower.stop();
  });

  test("waits longer after each failure, and not at all when the network is back", async () => {
    const stage = new NetStage();
    const { follower } = follow(stage);
    await stage.request(0);
    for (const pauseMs of [250, 500, 1_000]) {
      await (await stage.request(stage.requestCount - 1)).fail();
      await stage.advance(pauseMs - 1);
      const before = stage.requestCount;
      await stage.advance(1);
      expect(stage.requestCount).toBe(before + 1);
    }
    await (await stage.request(stage.requestCount - 1)).fail();
    const before = stage.requestCount;
    follower.wake();
    await stage.advance(0);
    expect(stage.requestCount).toBe(before + 1);
    follower.stop();
  });

  test("ends for good when the device was revoked, and says why", async () => {
    const stage = new NetStage();
    const { states, running } = follow(stage);
    await (await stage.request(0)).refuse(401, { error: "not paired" });
    await running;
    expect(states.at(-1)).toBe("refused");
    expect(stage.timerCount).toBe(0);
  });

  test.each([404, 410, 429, 500, 502, 503])(
    "tries again after %i, which may be another program's answer",
    async (status) => {
      const stage = new NetStage();
      const { follower } = follow(stage);
      await (await stage.request(0)).refuse(status, {});
      await stage.advance(250);
      expect(stage.requestCount).toBe(2);
      follower.stop();
    },
  );

  test("does not call a page of a proxy a stream", async () => {
    const stage = new NetStage();
    const { follower, states } = follow(stage);
    await (await stage.request(0)).answer("<html>");
    expect(states).toEqual(["connecting", "away"]);
    follower.stop();
  });

  test("notices silence although the clock was set back", async () => {
    const stage = new NetStage();
    const { follower } = follow(stage);
    const first = await stage.request(0);
    await first.send(": beat\n\n");
    stage.sleep(-3_600_000);
    await stage.advance(3_600_000 + 2 * PAGE_STALE_MS);
    expect(first.isAborted).toBe(true);
    follower.stop();
  });

  test("without a place it comes for visits, calls them live, and stays when it is awake and there is one", async () => {
    const stage = new NetStage();
    stage.place = { kind: "visit", pauseMs: 1_500 };
    const { follower, events, states } = follow(stage);
    const first = await stage.request(0);
    await first.send("id: 1\ndata: a\n\n");
    await first.send("id: 2\nda");
    await stage.advance(250);
    expect(first.isAborted).toBe(false);
    await first.send("ta: b\n\n");
    await stage.advance(250);
    expect(first.isAborted).toBe(true);
    await stage.advance(1_500);
    const second = await stage.request(1);
    expect(second.headers.get("last-event-id")).toBe("2");
    stage.place = { kind: "stay", leave: () => undefined };
    await second.send("id: 3\ndata: c\n\n");
    follower.wake();
    await stage.advance(250);
    const third = await stage.request(2);
    await third.send("id: 4\ndata: d\n\n");
    await stage.advance(5_000);
    expect(third.isAborted).toBe(false);
    expect(events).toEqual(["message a", "message b", "message c", "message d"]);
    expect(states).toEqual(["connecting", "live"]);
    follower.stop();
  });

  test("gives its place back when it is released", async () => {
    const stage = new NetStage();
    let left = 0;
    stage.place = { kind: "stay", leave: () => (left += 1) };
    const { follower, states } = follow(stage);
    const first = await stage.request(0);
    await first.send(": beat\n\n");
    stage.place = { kind: "visit", pauseMs: 15_000 };
    follower.release();
    await stage.advance(0);
    expect([first.isAborted, left]).toEqual([true, 1]);
    expect(stage.requestCount).toBe(2);
    expect(states).toEqual(["connecting", "live"]);
    follower.stop();
  });
});
