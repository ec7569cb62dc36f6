// What a view gets of a session, whenever it comes, however slowly it reads and wherever its connection breaks: in the end the
// state of the engine.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EngineInput } from "../../src/session/engine/engine-messages.js";
import { temporaryFolder } from "../server/temporary-folder.js";
import { verifies } from "../verifies.js";
import { deeds, eventsOf, grew, notice, sessionId, started } from "./agent-deeds.js";
import { shown, Viewer, ViewRig } from "./view-rig.js";

const small = { changes: { itemsMax: 6, weightMax: 1e6 }, transcript: { itemsMax: 4, weightMax: 1e6 } };

/** After each step: how the unsteady one reads. */
const readings = fc.array(
  fc.oneof(fc.constant("not"), fc.constant("all"), fc.constant("leaves"), fc.nat({ max: 900 })),
  { minLength: 1, maxLength: 40 },
);

const ask = (id: string): EngineInput => ({
  type: "event",
  event: {
    type: "ask.raised",
    sessionId,
    ask: {
      ...{ id, sessionId, turnId: null, origin: { kind: "agent" }, deadlineMs: null },
      question: { kind: "confirm", params: { title: `question ${id}` } },
    },
  },
});

describe("a view whose connection breaks again and again", () => {
  test("ends with the state of the engine, nothing lost and nothing doubled", async () => {
    await fc.assert(
      fc.asyncProperty(deeds, readings, async (script, ways) => {
        const rig = new ViewRig(small);
        const unsteady = new Viewer(rig);
        const late = new Viewer(rig);
        for (const [step, event] of script.flatMap(eventsOf).entries()) {
          rig.hear(event);
          const way = ways[step % ways.length];
          if (way === "all") await unsteady.readAll();
          else if (way === "leaves") unsteady.disconnect();
          else if (typeof way === "number") await unsteady.read(way);
        }
        await unsteady.readAll();
        await late.readAll();
        for (const viewer of [unsteady, late]) expect(shown(viewer.mirror.state)).toEqual(shown(rig.state));
      }),
      { numRuns: 200 },
    );
  });
});

describe("a view that comes late", () => {
  test("gets what is being said as far as it has come, and then what is added", async () => {
    const rig = new ViewRig();
    rig.hear(started, grew("a "), grew("b "));
    const late = new Viewer(rig);
    await late.readAll();
    rig.hear(grew("c"));
    await late.readAll();
    const told = late.changes.flatMap((change) => (change.type === "block" ? [change.change] : []));
    expect(told).toMatchObject([
      { type: "opened", block: { text: "a b " } },
      { type: "grew", delta: "c" },
    ]);
  });

  test("gets the end of a long transcript, and is told where the rest is", async () => {
    verifies("daemon.late-view-misses-nothing");
    const rig = new ViewRig();
    for (let number = 0; number < 100; number += 1) rig.hear(notice(`n${number} ${"·".repeat(100)}`));
    const late = new Viewer(rig, 2_000);
    await late.readAll();
    const [known] = late.mirror.state.sessions;
    const tail = known?.journal.blocks.length ?? 0;
    expect([tail > 3, tail < 20]).toEqual([true, true]);
    const { lines, earlier } = await rig.transcript.before(late.earlier ?? 0, 1e6);
    expect([lines.length + tail, earlier]).toEqual([100, null]);
  });

  test("sees the asks that are open, and one that it had seen before is closed as it was settled", async () => {
    const rig = new ViewRig({ changes: { itemsMax: 2, weightMax: 1e6 } });
    rig.take(ask("q1"));
    rig.take(ask("q2"));
    const view = new Viewer(rig);
    await view.readAll();
    view.disconnect();
    rig.take({ type: "intent", by: "ada", intent: { type: "answer", askId: "q1", value: true } });
    rig.hear(notice("one"), notice("two"), notice("three"));
    await view.readAll();
    expect(view.changes.filter(({ type }) => type.startsWith("ask"))).toMatchObject([
      { type: "ask.raised", ask: { id: "q1" } },
      { type: "ask.raised", ask: { id: "q2" } },
      { type: "ask.settled", ask: { id: "q1" }, outcome: { kind: "answered", by: "ada" } },
    ]);
  });
});

describe("a view that reads too slowly", () => {
  test("gets a snapshot instead of every change, and misses nothing that stays", async () => {
    const rig = new ViewRig(small);
    const slow = new Viewer(rig);
    await slow.readAll();
    for (let count = 0; count < 100; count += 1) rig.hear(grew("w "));
    for (let count = 0; count < 20; count += 1) rig.hear(notice(`n${count}`));
    await slow.readAll();
    expect(slow.snapshots).toBe(2);
    expect(shown(slow.mirror.state)).toEqual(shown(rig.state));
  });

  test("gets back the message that it took out of the queue in the meantime, once", async () => {
    const rig = new ViewRig(small);
    const [slow, other] = [new Viewer(rig), new Viewer(rig, 1e6, "you")];
    await Promise.all([slow.readAll(), other.readAll()]);
    rig.take({ type: "intent", by: "me", intent: { type: "submit", text: "first" } });
    rig.take({ type: "intent", by: "me", intent: { type: "submit", text: "second" } });
    rig.take({ type: "intent", by: "me", intent: { type: "queue.take-back" } });
    for (let count = 0; count < 20; count += 1) rig.hear(notice(`n${count}`));
    await Promise.all([slow.readAll(), other.readAll()]);
    slow.disconnect();
    for (let count = 0; count < 20; count += 1) rig.hear(notice(`m${count}`));
    await slow.readAll();
    expect([slow.snapshots, other.snapshots]).toEqual([3, 2]);
    const given = ({ changes }: Viewer) =>
      changes.flatMap((change) => (change.type === "composer" ? [change.text] : []));
    expect([given(slow), given(other)]).toEqual([["second"], []]);
  });

  test("gets it also when its connection breaks in the middle of the history, once", async () => {
    const rig = new ViewRig(small);
    const slow = new Viewer(rig);
    await slow.readAll();
    rig.take({ type: "intent", by: "me", intent: { type: "submit", text: "first" } });
    rig.take({ type: "intent", by: "me", intent: { type: "submit", text: "second" } });
    rig.take({ type: "intent", by: "me", intent: { type: "queue.take-back" } });
    for (let count = 0; count < 20; count += 1) rig.hear(notice(`n${count}`));
    const isInHistory = () => slow.mirror.state.sessions[0]?.journal.blocks.length !== 0;
    while (!isInHistory()) await slow.read();
    slow.disconnect();
    await slow.readAll();
    slow.disconnect();
    await slow.readAll();
    expect(slow.changes.flatMap((change) => (change.type === "composer" ? [change.text] : []))).toEqual(["second"]);
  });

  test("costs no memory: what is kept does not depend on how far it is behind", () => {
    const rig = new ViewRig({ changes: { itemsMax: 100, weightMax: 1e6 } });
    rig.reader(null);
    for (let number = 0; number < 5_000; number += 1) rig.hear(notice(`n${number}`));
    expect(rig.log.hasSince(rig.log.lastSeq - 100)).toBe(true);
    expect(rig.log.hasSince(rig.log.lastSeq - 101)).toBe(false);
  });
});

describe("after the daemon was started again", () => {
  test("a view that stayed goes on, and one that comes has the whole transcript", async () => {
    const folder = temporaryFolder();
    const first = new ViewRig({ folder });
    const stayed = new Viewer(first);
    first.hear(notice("one"), grew("half"));
    await stayed.readAll();
    first.take({ type: "agent", change: "closed", words: [] });
    await first.transcript.flush();
    const second = new ViewRig({ folder, firstSeq: first.log.lastSeq + 1_000 });
    second.hear(notice("two"));
    Object.assign(stayed, { rig: second });
    stayed.disconnect();
    const late = new Viewer(second);
    for (const viewer of [stayed, late]) {
      await viewer.readAll();
      const blocks = viewer.mirror.state.sessions[0]?.journal.blocks ?? [];
      expect(blocks.map((block) => ("text" in block ? block.text : ""))).toEqual(["one", "half", "two"]);
    }
  });
});

test("an id that this session never gave means that nothing is known of it", async () => {
  const rig = new ViewRig();
  rig.hear(notice("n"));
  for (const id of ["9999999999999999", "no number", ""]) {
    expect(await rig.reader(id).next()).toMatch(/^event: snapshot\n[\s\S]*"text":"n"/);
  }
});
