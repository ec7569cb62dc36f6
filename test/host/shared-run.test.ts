// A session of a terminal that is opened to others: they get all of it, from whatever moment on, and no secret, however it comes.
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { SseDecoder } from "../../src/contract/sse-decoder.js";
import { ChangeReader, sessionSnapshot } from "../../src/host/change-reader.js";
import { type SharedRun, shareRun } from "../../src/host/shared-run.js";
import { activeSession } from "../../src/session/engine/engine-state.js";
import { Mirror } from "../../src/session/engine/mirror.js";
import { SessionEngine } from "../../src/session/engine/source.js";
import type { Timers } from "../../src/system/timers.js";
import { createRedactor } from "../../src/text/redact.js";
import { verifies } from "../verifies.js";
import { deeds, eventsOf, grew, notice, sessionId, started } from "./agent-deeds.js";

/** The clock of a run counts from the start of its process. */
const SHIFT_MS = 1_700_000_000_000;
const SECRET = "hunter2-hunter2-hunter2";

function createEngine(): SessionEngine {
  const clock = { nowMs: () => 1_000_000, after: () => () => undefined };
  return new SessionEngine({ clock, send: () => undefined, respond: () => "delivered" });
}

function shared(engine: SessionEngine): SharedRun {
  const redaction = createRedactor([SECRET]);
  const connection = { source: engine, catchUp: () => undefined };
  return shareRun({ connection, redaction, agent: "claude", folder: "/app", shiftMs: SHIFT_MS });
}

const atOnce: Timers = {
  after(_ms, action) {
    queueMicrotask(action);
    return () => undefined;
  },
};

/** All that a view gets which comes now, as text, and the state it has then. */
async function viewOf(run: SharedRun): Promise<{ sent: string; mirror: Mirror }> {
  const [session] = run.all();
  if (session === undefined) throw new Error("there is no session");
  const reader = new ChangeReader({
    ...{ source: session, snapshot: sessionSnapshot(session, 1e9), lastEventId: null, view: "phone", heartbeatMs: 1 },
    timers: atOnce,
  });
  let sent = "";
  for (let text = await reader.next(); text !== null && !text.startsWith(":"); text = await reader.next()) sent += text;
  const mirror = new Mirror();
  const still = { byMs: 0, nowMs: Number.POSITIVE_INFINITY };
  for (const { name, data, id } of new SseDecoder({ eventCharsMax: 1e9 }).push(new TextEncoder().encode(sent))) {
    const value = JSON.parse(data);
    if (name === "snapshot") mirror.begin(value, still);
    else if (name === "history") mirror.history(value, still);
    else if (name === "caught-up") mirror.caughtUp(Number(id));
    else if (name === "message") mirror.follow(value, Number(id), still);
  }
  return { sent, mirror };
}

const said = ({ state }: Pick<Mirror, "state">) => {
  const { journal, transcript } = activeSession(state);
  return [...journal.blocks, ...transcript.open].map((block) => ("text" in block ? block.text : block.kind));
};

test("a view has what was said before it was opened, and what is said from then on", async () => {
  const engine = createEngine();
  for (const event of [notice("before"), started, grew("half ")]) engine.take({ type: "event", event });
  const run = shared(engine);
  onTestFinished(() => run.close());
  engine.take({ type: "event", event: grew("and whole. ") });
  expect(said((await viewOf(run)).mirror)).toEqual(["before", "half and whole. "]);
});

test("whatever the agent does, and whenever it is opened, a view has what the terminal has", async () => {
  await fc.assert(
    fc.asyncProperty(deeds, fc.nat(60), async (script, at) => {
      const engine = createEngine();
      const events = script.flatMap(eventsOf);
      for (const event of events.slice(0, at)) engine.take({ type: "event", event });
      const run = shared(engine);
      for (const event of events.slice(at)) engine.take({ type: "event", event });
      const { mirror } = await viewOf(run);
      await run.close();
      expect(said(mirror)).toEqual(said(engine));
    }),
    { numRuns: 100 },
  );
});

test("no part of a secret reaches a view, wherever the pieces of it are cut and wherever it stands", async () => {
  verifies("page.shared-run-has-no-secrets");
  for (let cut = 1; cut < SECRET.length; cut += 1) {
    const engine = createEngine();
    engine.take({ type: "event", event: notice(`the key was ${SECRET}`) });
    engine.take({ type: "event", event: started });
    engine.take({ type: "event", event: grew(`the key is ${SECRET.slice(0, cut)}`) });
    const run = shared(engine);
    const early = await viewOf(run);
    engine.take({ type: "event", event: grew(`${SECRET.slice(cut)} indeed so`) });
    const ask = {
      ...{ id: "q1", sessionId, turnId: null, origin: { kind: "agent" as const }, deadlineMs: null },
      question: { kind: "confirm" as const, params: { title: `Use ${SECRET}?` } },
    };
    engine.take({ type: "event", event: { type: "ask.raised", sessionId, ask } });
    const late = await viewOf(run);
    await run.close();
    for (const { sent } of [early, late]) {
      expect(sent).not.toContain(SECRET);
      if (cut >= 8) expect(sent).not.toContain(SECRET.slice(0, cut));
    }
    expect(late.sent).toContain("indeed");
    expect(run.all()[0]?.state.asks.open.length).toBe(1);
  }
});

test("moments are those of the wall clock, whether they lie before or after it was opened", async () => {
  const engine = createEngine();
  const raise = (id: string) => {
    const question = { kind: "confirm" as const, params: { title: "Deploy?" } };
    const ask = { id, sessionId, turnId: null, origin: { kind: "agent" as const }, deadlineMs: 1_060_000, question };
    engine.take({ type: "event", event: { type: "ask.raised", sessionId, ask } });
  };
  engine.take({ type: "event", event: { type: "prompt.started", sessionId } });
  raise("q1");
  const run = shared(engine);
  onTestFinished(() => run.close());
  raise("q2");
  const { state } = (await viewOf(run)).mirror;
  const nowMs = SHIFT_MS + 1_000_000;
  expect(state.asks.open.map(({ askedAtMs }) => askedAtMs)).toEqual([nowMs, nowMs]);
  expect(state.asks.open.map(({ ask }) => ask.deadlineMs)).toEqual([nowMs + 60_000, nowMs + 60_000]);
  expect(activeSession(state).facts.workingSinceMs).toBe(nowMs);
});

test("an answer from elsewhere is delivered, a second one is late, and one that does not fit is refused", async () => {
  const engine = createEngine();
  const run = shared(engine);
  onTestFinished(() => run.close());
  const ask = {
    ...{ id: "q1", sessionId, turnId: null, origin: { kind: "agent" as const }, deadlineMs: null },
    question: { kind: "confirm" as const, params: { title: "Deploy?" } },
  };
  engine.take({ type: "event", event: { type: "ask.raised", sessionId, ask } });
  const [session] = run.all();
  const answer = (value: unknown) => session?.perform({ type: "answer", askId: "q1", value }, "phone");
  expect(await answer("nonsense")).toMatchObject({ result: "refused", refusal: { why: "unfit" } });
  expect(await answer(true)).toEqual({ result: "delivered" });
  expect(await answer(false)).toMatchObject({ result: "refused", refusal: { why: "late" } });
});
