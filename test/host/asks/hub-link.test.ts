// A daemon and people at a hub: questions appear, the first answer that fits is taken, ends are written once, and a daemon that
// comes back finds what was answered while it was away. The hub here is a file; test/hub proves that NATS does the same.
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import type { HostedSessionEntry } from "../../../src/contract/hosted-sessions.js";
import { BEAT_MS } from "../../../src/contract/hub-bodies.js";
import { historyEntryOf } from "../../../src/host/ask-history.js";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import { bytesOf, HubLink, hashOf } from "../../../src/host/asks/hub-link.js";
import { answerHubAsk, hubAsks, hubHistory } from "../../../src/host/asks/hub-view.js";
import { ShownAsks } from "../../../src/host/asks/shown-asks.js";
import { realTimers, type Timers } from "../../../src/system/timers.js";
import { createRedactor } from "../../../src/text/redact.js";
import { FileHub } from "../../rigs/file-hub.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";
import { temporaryFolder } from "../../server/temporary-folder.js";

const address = { machine: "laptop", daemon: "shop" };

function confirm(id: string, title = "Deploy?"): Ask {
  const about = { id, sessionId: null, turnId: null, origin: { kind: "agent" }, deadlineMs: null } as const;
  return { ...about, question: { kind: "confirm", params: { title } } };
}

function create(sessions: readonly HostedSessionEntry[] = [], timers: Timers = realTimers) {
  const hub = new FileHub({ path: join(temporaryFolder(), "hub.jsonl") });
  const problems: string[] = [];
  const join_ = async (beforeStart: (registry: AskRegistry, link: HubLink) => void = () => undefined) => {
    const redactor = createRedactor(["hunter2-hunter2"]);
    const registry: AskRegistry = new AskRegistry({
      onAudit: (record) => {
        link.finished(historyEntryOf(record, { agent: "claude", workFolder: "/shop", nowMs: registry.nowMs }));
      },
    });
    const link = new HubLink({
      ...{ address, asks: registry, project: "/shop", program: "palaver 1", timers },
      sessions: () => sessions,
      earlierRecord: () => null,
      redacted: (value) => redactor.value(value),
      onProblem: (words) => problems.push(words),
    });
    beforeStart(registry, link);
    await link.start(hub);
    onTestFinished(() => link.close());
    return { registry, link };
  };
  const only = async () => {
    const [ask] = await hubAsks(hub);
    if (ask === undefined) throw new Error("nothing is open");
    return ask;
  };
  const answerAs = async (person: string, value: unknown) =>
    answerHubAsk(hub, await only(), { value }, { person, waitMsMax: 10_000 });
  return { hub, problems, joined: join_, only, answerAs };
}

test("a question of a machine is seen at the hub, answered there once, and the record names the person", async () => {
  const { hub, problems, joined, only, answerAs } = create();
  const { registry, link } = await joined();
  const outcome = registry.ask(confirm("q1"));
  await link.sync();
  expect(await only()).toMatchObject({ project: "/shop", ask: { id: "q1" }, onlyThere: null, address });
  const late = await only();
  expect(await answerAs("ada", true)).toEqual({ kind: "taken" });
  expect(await outcome).toEqual({ kind: "answered", value: true, by: "hub:ada" });
  const second = await answerHubAsk(hub, late, { value: false }, { person: "bob", waitMsMax: 10_000 });
  expect(second).toMatchObject({ kind: "late", entry: { outcome: { by: "hub:ada" } } });
  expect(await hubAsks(hub)).toEqual([]);
  expect(await hubHistory(hub, 10)).toMatchObject([
    { machine: "laptop", agent: "claude", delivery: "delivered", from: hostname() },
  ]);
  expect(problems).toEqual([]);
});

test("a question of a session names its agent", async () => {
  const session: HostedSessionEntry = {
    ...({ id: "s1", name: "fix the build", agent: "claude", protocol: "acp", cwd: "/shop", state: "working" } as const),
    ...{ created_at_ms: 1, active_at_ms: 1, front_ends: [], open_asks: 1, exit_code: null },
  };
  const { joined, only } = create([session]);
  const { registry, link } = await joined();
  void registry.ask({ ...confirm("q1"), sessionId: "s1" });
  await link.sync();
  expect((await only()).ask.origin).toEqual({ kind: "agent", name: "claude" });
});

test("the record says which members were shown a question, where, and when, each view once", async () => {
  const { hub, joined, only } = create();
  const { registry, link } = await joined();
  void registry.ask(confirm("q1"));
  await link.sync();
  const ask = await only();
  const atMs = Date.parse("2026-01-31T09:30:00Z");
  const at = new Date(atMs).toISOString();
  const view = (person: string, as: "attach" | "page", wallMs: number) =>
    new ShownAsks({ hub, person, view: as, wallMs: () => wallMs });
  const attached = view("ada", "attach", atMs);
  attached.shown(ask);
  attached.again();
  view("ada", "attach", atMs + 5_000).shown(ask);
  view("bob", "page", Date.parse("2999-01-01T00:00:00Z")).shown(ask);
  hub.tellShown({ kind: "shown", ...address, ask: "q1", person: "eve" }, bytesOf("no JSON of ours"));
  hub.tellShown(
    { kind: "shown", ...address, ask: "q9", person: "eve" },
    bytesOf({ version: 1, view: "page", from: "", at }),
  );
  registry.answer("q1", { value: true }, "inline");
  await link.sync();
  const [entry] = await hubHistory(hub, 10);
  expect(entry?.shownAt).not.toBeNull();
  expect(entry?.shown).toMatchObject([
    { person: "ada", view: "attach", from: hostname(), at },
    { person: "bob", view: "page" },
  ]);
  // A clock that is far ahead is not believed.
  expect(Date.parse(entry?.shown[1]?.at ?? "")).toBeLessThanOrEqual(Date.now());
});

test("a daemon that was away when a question was shown hears of it with the answer", async () => {
  const { hub, joined, only } = create();
  const before = await joined();
  void before.registry.ask(confirm("q1"), { asker: "returns" });
  await before.link.sync();
  const { hash } = await only();
  const at = "2026-01-31T09:30:00.000Z";
  // The daemon is gone: nothing of it runs when the answer comes.
  const given = { version: 1, nonce: "1", question: hash, shown: { view: "page", at }, answer: { value: true } };
  hub.log.put({ kind: "answer", ...address, ask: "q1", person: "ada" }, bytesOf(given));
  await joined((registry) => void registry.ask(confirm("q1"), { asker: "returns" }));
  await expect
    .poll(() => hubHistory(hub, 10))
    .toMatchObject([{ shownAt: at, shown: [{ person: "ada", view: "page", at }] }]);
});

test("the record of a question that outlived its daemon says when it was asked first, who saw it then, and that the asker got the answer", async () => {
  const { hub, joined, only } = create();
  const before = await joined();
  void before.registry.ask(confirm("q1"), { asker: "reconnects" });
  await before.link.sync();
  const asked = await only();
  new ShownAsks({ hub, person: "bob", view: "attach", wallMs: Date.now }).shown(asked);
  await expect.poll(() => Buffer.from(hub.log.all("open")[0]?.body ?? []).toString()).toContain("bob");
  const given = { version: 1, nonce: "1", question: asked.hash, answer: { value: true } };
  hub.log.put({ kind: "answer", ...address, ask: "q1", person: "ada" }, bytesOf(given));
  const after = await joined((registry) => registry.restore([{ ask: confirm("q1"), asker: "reconnects" }]));
  await expect.poll(() => after.registry.openAsks()).toEqual([]);
  expect(await hubHistory(hub, 10)).toEqual([]);
  const outcome = after.registry.ask(confirm("q1"), { asker: "reconnects" });
  expect(await outcome).toEqual({ kind: "answered", value: true, by: "hub:ada" });
  await expect
    .poll(() => hubHistory(hub, 10))
    .toMatchObject([{ askedAt: asked.askedAt, delivery: "delivered", shown: [{ person: "bob", view: "attach" }] }]);
});

test("a question walks over the open ones twice: when it comes, and when it goes", async () => {
  const listed: number[] = [];
  for (const others of [0, 100]) {
    const { joined } = create();
    const { registry, link } = await joined();
    for (let other = 0; other < others; other += 1) void registry.ask(confirm(`other${other}`));
    await link.sync();
    let calls = 0;
    const list = registry.openAsks.bind(registry);
    registry.openAsks = () => {
      calls += 1;
      return list();
    };
    void registry.ask(confirm("q1"));
    registry.answer("q1", { value: true }, "inline");
    listed.push(calls);
  }
  expect(listed).toEqual([2, 2]);
});

test("records of questions that the hub never had do not keep those that it has from their ends", async () => {
  const { hub, joined } = create();
  const entry = { ...(await endedEntry()), askId: "" };
  const { registry, link } = await joined((_, starting) => {
    for (let at = 0; at < 10_000; at += 1) starting.finished({ ...entry, askId: `before${at}` });
  });
  void registry.ask(confirm("q1"));
  await link.sync();
  registry.answer("q1", { value: true }, "inline");
  await link.sync();
  expect(await hubHistory(hub, 10)).toMatchObject([{ askId: "q1", outcome: { by: "inline" } }]);
  expect(await hubAsks(hub)).toEqual([]);
});

/** The record of some question. */
async function endedEntry() {
  const { hub, joined } = create();
  const { registry, link } = await joined();
  void registry.ask(confirm("q1"));
  await link.sync();
  registry.answer("q1", { value: true }, "inline");
  await link.sync();
  const [entry] = await hubHistory(hub, 1);
  if (entry === undefined) throw new Error("there is no record");
  return entry;
}

test("what is answered on the machine itself ends the question at the hub", async () => {
  const { hub, joined, only } = create();
  const { registry, link } = await joined();
  void registry.ask(confirm("q1"));
  await link.sync();
  const ask = await only();
  registry.answer("q1", { value: false }, "inline");
  await link.sync();
  expect(await answerHubAsk(hub, ask, { value: true }, { person: "ada", waitMsMax: 10_000 })).toMatchObject({
    kind: "late",
    entry: { outcome: { kind: "answered", value: false, by: "inline" } },
  });
});

test("an answer that does not fit, or is about other bytes, is passed over for the next one", async () => {
  const { hub, joined, only } = create();
  const { registry, link } = await joined();
  const outcome = registry.ask(confirm("q1"));
  await link.sync();
  const { hash } = await only();
  const say = (person: string, body: unknown) =>
    hub.put({ kind: "answer", ...address, ask: "q1", person }, bytesOf(body));
  await say("eve", "no JSON of ours");
  await say("mallory", { version: 1, nonce: "1", question: hashOf(bytesOf("another")), answer: { value: true } });
  await say("bob", { version: 1, nonce: "2", question: hash, answer: { value: 7 } });
  await say("ada", { version: 1, nonce: "3", question: hash, answer: { value: true } });
  expect(await outcome).toEqual({ kind: "answered", value: true, by: "hub:ada" });
});

test("a daemon that was killed finds the answer that was given meanwhile, and ends what it does not ask any more", async () => {
  const { hub, joined, only } = create();
  const before = await joined();
  void before.registry.ask(confirm("q1"), { asker: "returns" });
  void before.registry.ask(confirm("q2", "Gone?"));
  await before.link.sync();
  const [ask] = await hubAsks(hub);
  if (ask === undefined) throw new Error("nothing is open");
  // The daemon is gone: nothing of it runs when the answer comes.
  const subject = { kind: "answer", ...ask.address, person: "ada" } as const;
  hub.log.put(subject, bytesOf({ version: 1, nonce: "1", question: ask.hash, answer: { value: true } }));
  const after = await joined();
  const outcome = after.registry.ask(confirm("q1"), { asker: "returns" });
  expect(await outcome).toEqual({ kind: "answered", value: true, by: "hub:ada" });
  await expect.poll(() => hubAsks(hub)).toEqual([]);
  await expect(only()).rejects.toThrow();
});

test("secrets leave the machine neither in a question nor in its record, and are not asked for at the hub", async () => {
  const { hub, joined, only } = create();
  const { registry, link } = await joined();
  const secret = { kind: "input", params: { title: "Key?", opts: { secret: true } } } as const;
  void registry.ask({ ...confirm("q1"), question: secret });
  await link.sync();
  const asked = await only();
  expect(asked.onlyThere).toBe("secret");
  await hub.put(
    { kind: "answer", ...asked.address, person: "ada" },
    bytesOf({ version: 1, nonce: "1", question: asked.hash, answer: { value: "x" } }),
  );
  await link.sync();
  expect(registry.openAsks()).toHaveLength(1);
  registry.withdraw({ type: "withdraw", askId: "q1", reason: "turn_ended", atMs: 0 });
  void registry.ask(confirm("q2", "Log in with hunter2-hunter2?"));
  await link.sync();
  expect(JSON.stringify(await only())).not.toContain("hunter2");
});

test("an answer to an earlier question under the same id answers no other, and the hub does not show one for the other", async () => {
  const { hub, problems, joined, answerAs } = create();
  const before = await joined();
  void before.registry.ask(confirm("q1", "Delete tmp?"));
  await before.link.sync();
  expect(await answerAs("ada", true)).toEqual({ kind: "taken" });
  const after = await joined();
  void after.registry.ask(confirm("q1", "Delete the database?"));
  await after.link.sync();
  expect(after.registry.openAsks()).toHaveLength(1);
  expect(await hubAsks(hub)).toEqual([]);
  expect(problems).toEqual(["the hub: another question has the id q1 there; this one is answered here only"]);
});

test("a question that is too large to be shown elsewhere takes no answer from there", async () => {
  const { hub, joined, only } = create();
  const { registry, link } = await joined();
  const opts = { tool: "edit", diff: "+x\n".repeat(5_700_000) };
  void registry.ask({ ...confirm("q1"), question: { kind: "confirm", params: { title: "edit", opts } } });
  await link.sync();
  const asked = await only();
  expect(asked.onlyThere).toBe("too_large");
  const answer = { version: 1, nonce: "1", question: asked.hash, answer: { value: true } };
  await hub.put({ kind: "answer", ...asked.address, person: "eve" }, bytesOf(answer));
  await link.sync();
  expect(registry.openAsks()).toHaveLength(1);
});

test("a question whose write hangs keeps no other one waiting", async () => {
  const { hub, joined } = create();
  const { put } = hub;
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  hub.put = async (subject, body) => {
    if (subject.ask === "q1") await held;
    return put.call(hub, subject, body);
  };
  const { registry, link } = await joined();
  void registry.ask(confirm("q1"));
  const outcome = registry.ask(confirm("q2"));
  const ids = async () => (await hubAsks(hub)).map(({ ask }) => ask.id);
  await expect.poll(ids).toEqual(["q2"]);
  registry.answer("q2", { value: true }, "inline");
  await outcome;
  await expect.poll(ids).toEqual([]);
  release();
  await link.sync();
  expect(await ids()).toEqual(["q1"]);
});

test("a daemon that may not write at the hub has not joined it", async () => {
  const { hub, joined } = create();
  hub.set = () => Promise.reject(new Error("laptop may not write here"));
  await expect(joined()).rejects.toThrow("may not write");
});

test("after a reconnect to a hub that was restored from a backup, open questions are there again, and old ones are ended", async () => {
  const { hub, joined } = create();
  const { onAnswer } = hub;
  let reconnect: () => void = () => undefined;
  hub.onAnswer = (of, listener) => {
    reconnect = () => listener("reconnected");
    return onAnswer.call(hub, of, listener);
  };
  const { registry, link } = await joined();
  void registry.ask(confirm("fresh"));
  await link.sync();
  // The backup is older than this question, and has one that is over since.
  await hub.set({ kind: "open", ...address, ask: "fresh" }, null);
  await hub.put({ kind: "question", ...address, ask: "old" }, bytesOf("a question"));
  await hub.set({ kind: "open", ...address, ask: "old" }, bytesOf({ version: 1 }));
  reconnect();
  const open = () => hub.log.all("open").map(({ subject }) => subject.ask);
  await expect.poll(open).toEqual(["fresh"]);
  expect(hub.log.all("end").map(({ subject }) => subject.ask)).toEqual(["old"]);
});

test("a hub that comes back empty, and is set up only later, gets the open questions at the next heartbeat", async () => {
  const clock = new ManualClock();
  const { hub, problems, joined } = create([], clock);
  const { onAnswer, watch } = hub;
  let reconnect: () => void = () => undefined;
  hub.onAnswer = (of, listener) => {
    reconnect = () => listener("reconnected");
    return onAnswer.call(hub, of, listener);
  };
  const { registry, link } = await joined();
  void registry.ask(confirm("q1"));
  await link.sync();
  hub.log.set({ kind: "open", ...address, ask: "q1" }, null);
  hub.watch = () => Promise.reject(new Error("there is no stream"));
  reconnect();
  await expect.poll(() => problems).toEqual(["the hub: there is no stream"]);
  clock.advance(BEAT_MS);
  await expect.poll(() => problems).toHaveLength(2);
  hub.watch = watch;
  const open = () => hub.log.all("open").map(({ subject }) => subject.ask);
  expect(open()).toEqual([]);
  clock.advance(BEAT_MS);
  await expect.poll(open).toEqual(["q1"]);
  let reads = 0;
  hub.watch = (...given) => {
    reads += 1;
    return watch.apply(hub, given);
  };
  clock.advance(BEAT_MS);
  for (let turn = 0; turn < 10; turn += 1) await link.sync();
  expect(reads).toBe(0);
});

test("a question that the hub shows although the write had no reply is not open there any more when it is over", async () => {
  const { hub, problems, joined } = create();
  const { set } = hub;
  let fails = 1;
  hub.set = async (subject, body) => {
    await set.call(hub, subject, body);
    if (subject.kind === "open" && fails-- > 0) throw new Error("no reply");
  };
  const { registry, link } = await joined();
  void registry.ask(confirm("q1"));
  await link.sync();
  expect(problems).toEqual(["the hub: no reply"]);
  registry.answer("q1", { value: true }, "inline");
  await link.sync();
  expect(await hubAsks(hub)).toEqual([]);
  expect(await hubHistory(hub, 10)).toMatchObject([{ askId: "q1", outcome: { by: "inline" } }]);
});

test("a question whose opening failed is opened at the next change", async () => {
  const { hub, joined, only } = create();
  const { set } = hub;
  let fails = 1;
  hub.set = async (subject, body) => {
    if (subject.kind === "open" && fails-- > 0) throw new Error("no reply");
    await set.call(hub, subject, body);
  };
  const { registry, link } = await joined();
  const outcome = registry.ask(confirm("q1"));
  await link.sync();
  expect(await hubAsks(hub)).toEqual([]);
  await link.sync();
  const { hash } = await only();
  const given = { version: 1, nonce: "1", question: hash, answer: { value: true } };
  await hub.put({ kind: "answer", ...address, ask: "q1", person: "ada" }, bytesOf(given));
  expect(await outcome).toEqual({ kind: "answered", value: true, by: "hub:ada" });
});
