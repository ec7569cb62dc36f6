// Asks on disk: a registry that is dropped without a word, as by a kill, and the next one on the same file.
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Ask, AuditRecord } from "../../../src/contract/asks.js";
import { AskJournal } from "../../../src/host/asks/ask-journal.js";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import { createFakeTimers } from "../../sdk/fake-timers.js";
import { temporaryFolder } from "../../server/temporary-folder.js";

const DAY_MS = 24 * 60 * 60 * 1_000;

function ask(id: string, more: Partial<Ask> = {}): Ask {
  const question = { kind: "confirm", params: { title: "Deploy?" } } as const;
  return { id, sessionId: null, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null, ...more };
}

function create() {
  const path = join(temporaryFolder(), "asks.jsonl");
  let wallMs = 1_000_000;
  /** A daemon whose own clock begins at `startMs`. */
  const daemon = (startMs: number) => {
    const bootMs = wallMs - startMs;
    const timers = createFakeTimers();
    const nowMs = () => wallMs - bootMs;
    const problems: string[] = [];
    const journal = new AskJournal({ path, nowMs, wallMs: () => wallMs, onProblem: (words) => problems.push(words) });
    const { open, lost } = journal.open();
    const records: string[] = [];
    const onAudit = ({ askId, delivery }: AuditRecord) => records.push(`${askId} ${delivery?.result ?? "none"}`);
    const registry = new AskRegistry({ nowMs, timers, journal, onAudit });
    registry.restore(open);
    const pass = (ms: number) => {
      wallMs += ms;
      timers.advance(ms);
    };
    return { registry, journal, lost, pass, problems, records, ids: () => registry.openAsks().map(({ id }) => id) };
  };
  return { daemon, sleep: (ms: number) => (wallMs += ms) };
}

test("an ask whose asker comes back is open again under its id, and the answer reaches the asker", async () => {
  const { daemon } = create();
  void daemon(0).registry.ask(ask("p1"), { asker: "reconnects" });
  const next = daemon(500_000);
  expect(next.ids()).toEqual(["p1"]);
  const outcome = next.registry.ask(ask("p1"), { asker: "reconnects" });
  expect(next.registry.answer("p1", { value: true }, "ada").kind).toBe("accepted");
  expect(await outcome).toEqual({ kind: "answered", value: true, by: "ada" });
});

test("an answer that was given while the asker was away waits for it, also in the next daemon", async () => {
  const { daemon } = create();
  const first = daemon(0);
  const wait = first.registry.ask(ask("p1"), { asker: "returns" });
  first.registry.askerLeft("p1", wait);
  expect(first.ids()).toEqual(["p1"]);
  first.registry.answer("p1", { value: false }, "ada");
  const next = daemon(0);
  expect(next.ids()).toEqual([]);
  expect(await next.registry.ask(ask("p1"), { asker: "returns" })).toEqual({
    kind: "answered",
    value: false,
    by: "ada",
  });
});

test("the record of an answer waits for an asker that is on its way back; one that does not come, or is gone, has not got it", () => {
  const { daemon } = create();
  const first = daemon(0);
  for (const id of ["p1", "p2", "p3"]) void first.registry.ask(ask(id), { asker: "reconnects" });
  void first.registry.ask(ask("p4"), { asker: "returns" });
  const next = daemon(0);
  for (const id of ["p1", "p2", "p4"]) next.registry.answer(id, { value: true }, "ada");
  expect(next.records).toEqual(["p4 lost"]);
  void next.registry.ask(ask("p1"), { asker: "reconnects" });
  expect(next.records).toEqual(["p4 lost", "p1 delivered"]);
  next.pass(10_001);
  expect(next.records).toEqual(["p4 lost", "p1 delivered", "p2 lost"]);
  next.registry.answer("p3", { value: true }, "ada");
  next.registry.shutDown();
  expect(next.records.at(-1)).toBe("p3 lost");
});

test("an asker that only reconnects is waited for a minute, one that returns for a week", async () => {
  const { daemon } = create();
  const first = daemon(0);
  void first.registry.ask(ask("p1"), { asker: "reconnects" });
  void first.registry.ask(ask("p2"), { asker: "returns" });
  const next = daemon(0);
  next.pass(61_000);
  expect(next.ids()).toEqual(["p2"]);
  next.pass(7 * DAY_MS);
  expect(next.ids()).toEqual([]);
  const again = daemon(0);
  expect(again.journal.outcomeOf("p2")).toEqual({ kind: "withdrawn", reason: "disconnected" });
});

test("a deadline holds over a restart, whatever clock the next daemon begins with", () => {
  const { daemon, sleep } = create();
  void daemon(0).registry.ask(ask("p1", { deadlineMs: 30_000 }), { asker: "reconnects" });
  sleep(20_000);
  const next = daemon(7_000_000);
  next.pass(9_000);
  expect(next.ids()).toEqual(["p1"]);
  next.pass(2_000);
  expect(next.ids()).toEqual([]);
});

test("an ask whose asker died with the daemon is over, and its record says whether it was answered", () => {
  const { daemon } = create();
  const { journal } = daemon(0);
  journal.raised(ask("q1", { sessionId: "s1" }), "ends", "claude");
  journal.raised(ask("q2", { sessionId: "s1" }), "ends", "claude");
  journal.settled(ask("q2"), { kind: "answered", value: true, by: "ada" });
  const { lost } = daemon(0);
  expect(lost).toMatchObject([
    {
      agent: "claude",
      record: { askId: "q1", outcome: { kind: "withdrawn", reason: "disconnected" }, delivery: null },
    },
    { agent: "claude", record: { askId: "q2", outcome: { by: "ada" }, delivery: { result: "lost" } } },
  ]);
  expect(daemon(0).lost).toEqual([]);
});

test("a secret is in memory only: after a kill its question is asked again under the same id", async () => {
  const { daemon } = create();
  const question = { kind: "input", params: { title: "Key?", opts: { secret: true } } } as const;
  const first = daemon(0);
  const wait = first.registry.ask(ask("p1", { question }), { asker: "returns" });
  first.registry.askerLeft("p1", wait);
  first.registry.answer("p1", { value: "hunter2" }, "ada");
  const back = await first.registry.ask(ask("p1", { question }), { asker: "returns" });
  expect(back).toMatchObject({ kind: "answered", value: "hunter2" });
  const next = daemon(0);
  void next.registry.ask(ask("p1", { question }), { asker: "returns" });
  expect(next.ids()).toEqual(["p1"]);
});

test("an asker that takes over is the only one that gets the outcome", async () => {
  const { registry } = create().daemon(0);
  const first = registry.ask(ask("p1"), { asker: "returns" });
  const second = registry.ask(ask("p1"), { asker: "returns" });
  expect(await first).toEqual({ kind: "withdrawn", reason: "disconnected" });
  registry.askerLeft("p1", first);
  registry.answer("p1", { value: true }, "ada");
  expect(await second).toMatchObject({ kind: "answered" });
});

test("a journal that cannot be written is told of, and the ask is answered all the same", async () => {
  const problems: string[] = [];
  const journal = new AskJournal({
    path: "/proc/nowhere/asks.jsonl",
    nowMs: () => 0,
    onProblem: (words) => problems.push(words),
  });
  expect(journal.open()).toEqual({ open: [], lost: [] });
  const registry = new AskRegistry({ journal });
  const outcome = registry.ask(ask("p1"));
  registry.answer("p1", { value: true }, "ada");
  expect(await outcome).toMatchObject({ kind: "answered" });
  expect(problems).toHaveLength(1);
});
