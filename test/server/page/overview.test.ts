// The overview: what waits for an answer over all sessions, as a stream that says whether it continues.
import { describe, expect, test } from "vitest";
import {
  OVERVIEW_ASKS_MAX,
  type OverviewSnapshot,
  overviewChangeSchema,
  overviewHelloSchema,
  overviewSnapshotSchema,
} from "../../../src/contract/page.js";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import { Overview } from "../../../src/host/overview.js";
import { openStage, type Stage, slow } from "../../host/session-stage.js";
import { Browser, type EventStream } from "../../rigs/daemon/browser.js";
import { verifies } from "../../verifies.js";

async function pairedWith(stage: Stage): Promise<Browser> {
  const browser = new Browser(stage.url);
  const { code } = (await stage.ask("POST", "/pair/codes")).body as { code: string };
  await browser.json("POST", "/pair", { code, name: "phone" });
  return browser;
}

const snapshotOf = async (stream: EventStream): Promise<OverviewSnapshot> =>
  overviewSnapshotSchema.parse((await stream.event("snapshot")).data);

const confirm = (id: string) => ({
  ...{ id, sessionId: null, turnId: null, origin: { kind: "agent" as const }, deadlineMs: null },
  question: { kind: "confirm" as const, params: { title: `question ${id}` } },
});

describe("the overview", () => {
  test("begins with the clock, then has every open ask with its session, and every session", async () => {
    const stage = await openStage();
    const id = await stage.start();
    await stage.send(id, { type: "submit", text: "ask" });
    void stage.board.ask(confirm("p1"));
    await expect.poll(() => stage.board.openAsks().length, slow).toBe(2);
    const browser = await pairedWith(stage);
    const stream = await browser.stream("/overview");
    const { asks, sessions, asks_more } = await snapshotOf(stream);
    const hello = overviewHelloSchema.parse((await stream.event("hello")).data);
    expect(stream.events.map(({ name }) => name).slice(0, 2)).toEqual(["hello", "snapshot"]);
    expect(asks.map(({ session, ask }) => [session?.id ?? null, ask.question.params.title]).sort()).toEqual(
      [
        [id, "Which one?"],
        [null, "question p1"],
      ].sort(),
    );
    expect(asks.every(({ asked_at_ms }) => asked_at_ms <= hello.at_ms)).toBe(true);
    expect(asks_more).toBe(0);
    expect(sessions).toMatchObject([{ id, agent: "scripted" }]);
  });

  test("says that an ask was raised, by whom it was settled, and that the agent has the answer", async () => {
    verifies("page.delivered-is-delivered");
    const stage = await openStage();
    const id = await stage.start();
    const stream = await (await pairedWith(stage)).stream("/overview");
    await snapshotOf(stream);
    await stage.send(id, { type: "submit", text: "confirm" });
    const raised = await stream.change("ask.raised");
    const { ask, session } = (raised as unknown as { ask: { ask: { id: string }; session: { id: string } } }).ask;
    expect(session.id).toBe(id);
    await stage.send(id, { type: "answer", askId: ask.id, value: true }, "desk");
    const finished = await stream.change("ask.finished");
    expect(finished).toMatchObject({ id: ask.id, outcome: { kind: "answered", by: "desk" }, delivery: "delivered" });
    const order = stream.changes().filter(({ type }) => type.startsWith("ask."));
    expect(order.map(({ type }) => type)).toEqual(["ask.raised", "ask.settled", "ask.finished"]);
    for (const change of stream.changes()) overviewChangeSchema.parse(change);
    const late = await snapshotOf(await (await pairedWith(stage)).stream("/overview"));
    expect(late.settled).toMatchObject([{ id: ask.id, delivery: "delivered" }]);
  });

  test("shows a session's state and last line as they change, and that it is gone", async () => {
    const stage = await openStage();
    const stream = await (await pairedWith(stage)).stream("/overview");
    await snapshotOf(stream);
    const id = await stage.start();
    await stage.send(id, { type: "submit", text: "say the tests pass" });
    await expect
      .poll(() => stream.changes().findLast(({ type }) => type === "session"), slow)
      .toMatchObject({ session: { id, state: "idle", last_line: "the tests pass" } });
    await stage.ask("DELETE", `/sessions/${id}`);
    await stage.ask("DELETE", `/sessions/${id}`);
    expect(await stream.change("session.gone")).toMatchObject({ id });
  });

  test("continues after the last event a client has, and says so", async () => {
    verifies("page.continues-or-says-gap");
    const stage = await openStage();
    const browser = await pairedWith(stage);
    const first = await browser.stream("/overview");
    await snapshotOf(first);
    void stage.board.ask(confirm("p1"));
    await first.change("ask.raised");
    const { lastId } = first;
    first.close();
    void stage.board.ask(confirm("p2"));
    const second = await browser.stream("/overview", lastId);
    await second.event("continuation");
    expect(await second.change("ask.raised")).toMatchObject({ ask: { ask: { id: "p2" } } });
    expect(second.changes().length).toBe(1);
    expect(second.named("snapshot")).toEqual([]);
  });

  test.each(["1", "99999999999999999", "x", "-1", "17~"])(
    "answers an unknown place %s with a snapshot",
    async (place) => {
      const stage = await openStage();
      const stream = await (await pairedWith(stage)).stream("/overview", place);
      await snapshotOf(stream);
      expect(stream.named("continuation")).toEqual([]);
    },
  );
});

describe("a snapshot", () => {
  test("has the oldest asks, and counts the rest", () => {
    const open = Array.from({ length: OVERVIEW_ASKS_MAX + 1_000 }, (_, number) => ({
      ...{ ask: confirm(`p${number}`), askedAtMs: number, shownAtMs: null },
    })).reverse();
    const asks = { ownAsks: () => open, onChanges: () => undefined };
    const snapshot = new Overview({ asks, sessions: null }).snapshot();
    expect([snapshot.asks.length, snapshot.asks_more]).toEqual([OVERVIEW_ASKS_MAX, 1_000]);
    expect(snapshot.asks.at(0)?.asked_at_ms).toBe(0);
    expect(snapshot.asks.at(-1)?.asked_at_ms).toBe(OVERVIEW_ASKS_MAX - 1);
  });

  test("stays small enough to be read, however long its asks are", () => {
    const prefill = "x".repeat(1024 * 1024);
    const question = { kind: "editor" as const, params: { title: "Text", prefill } };
    const open = Array.from({ length: 50 }, (_, number) => ({
      ...{ ask: { ...confirm(`p${number}`), question }, askedAtMs: number, shownAtMs: null },
    }));
    const asks = { ownAsks: () => open, onChanges: () => undefined };
    const snapshot = new Overview({ asks, sessions: null }).snapshot();
    expect([snapshot.asks.length, snapshot.asks_more]).toEqual([7, 43]);
  });

  test("repeats no long answer", async () => {
    const registry = new AskRegistry();
    const overview = new Overview({ asks: registry, sessions: null });
    const question = { kind: "editor" as const, params: { title: "Text", prefill: "" } };
    void registry.ask({ ...confirm("long"), question });
    void registry.ask({ ...confirm("short"), question });
    registry.answer("long", { value: "x".repeat(10_000) }, "me");
    registry.answer("short", { value: "yes" }, "me");
    expect(overview.snapshot().settled.map(({ outcome }) => outcome)).toEqual([
      { kind: "answered", value: null, by: "me" },
      { kind: "answered", value: "yes", by: "me" },
    ]);
  });
});
