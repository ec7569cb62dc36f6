// What a front end gets of a session, whenever it comes, however slowly it reads and wherever its connection breaks: in the end
// the same as one who was there all the time.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assistant, deeds, grew, itemsOf, notice, sessionId, started } from "./agent-deeds.js";
import { HistoryRig, Viewer } from "./history-rig.js";

const small = { steps: { itemsMax: 6, weightMax: 1e6 }, transcript: { itemsMax: 4, weightMax: 1e6 } };

/** After each step: how the unsteady one reads. */
const readings = fc.array(
  fc.oneof(fc.constant("not"), fc.constant("all"), fc.constant("leaves"), fc.nat({ max: 900 })),
  { minLength: 1, maxLength: 40 },
);

/** Without the word that a view which fell behind gets. */
const isSaid = (block: object) => !("text" in block && String(block.text).startsWith("this view was too slow"));

describe("a front end whose connection breaks again and again", () => {
  test("ends with what a steady one has, nothing lost and nothing doubled", async () => {
    await fc.assert(
      fc.asyncProperty(deeds, readings, async (script, ways) => {
        const rig = new HistoryRig(small);
        const [steady, unsteady] = [new Viewer(rig), new Viewer(rig)];
        const items = script.flatMap(itemsOf);
        await steady.readAll();
        for (const [step, item] of items.entries()) {
          rig.append(item);
          await steady.readAll();
          const way = ways[step % ways.length];
          if (way === "all") await unsteady.readAll();
          else if (way === "leaves") unsteady.disconnect();
          else if (typeof way === "number") await unsteady.read(way);
        }
        await unsteady.readAll();
        const late = new Viewer(rig);
        await late.readAll();
        for (const viewer of [unsteady, late]) {
          expect(viewer.shown().filter(isSaid)).toEqual(steady.shown());
          expect([...viewer.openAsks]).toEqual([...steady.openAsks]);
          expect(Object.fromEntries(viewer.status)).toEqual(Object.fromEntries(steady.status));
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("a front end that comes late", () => {
  test("gets a finished message once and whole, without its pieces", async () => {
    const rig = new HistoryRig({});
    for (const event of [started, grew("a "), grew("b"), notice("n")]) rig.append(event);
    rig.append({ type: "message.finished", sessionId, message: assistant("a b") });
    const late = new Viewer(rig);
    await late.readAll();
    expect(late.events.filter(({ type }) => type === "message.grew")).toEqual([]);
    expect(late.shown()).toMatchObject([{ text: "a b" }, { text: "n" }]);
  });

  test("gets the open message so far, and then its pieces", async () => {
    const rig = new HistoryRig({});
    for (const event of [started, grew("a "), grew("b ")]) rig.append(event);
    const late = new Viewer(rig);
    await late.readAll();
    rig.append(grew("c"));
    await late.readAll();
    expect(late.events.map(({ type }) => type)).toEqual(["message.updated", "message.grew"]);
    expect(late.shown()).toMatchObject([{ text: "a b c" }]);
  });

  test("is told when the beginning is not kept any more", async () => {
    const rig = new HistoryRig({ transcript: { itemsMax: 2, weightMax: 1e6 } });
    for (let number = 0; number < 10; number += 1) rig.append(notice(`n${number}`));
    rig.lostItems = 5;
    const late = new Viewer(rig);
    await late.readAll();
    expect(late.shown()).toMatchObject([
      { text: "the beginning of this session is not kept any more" },
      ...[5, 6, 7, 8, 9].map((number) => ({ text: `n${number}` })),
    ]);
  });
});

describe("a front end that reads too slowly", () => {
  test("gets the rest condensed with a visible word, and misses nothing that stays", async () => {
    const rig = new HistoryRig(small);
    const slow = new Viewer(rig);
    await slow.readAll();
    rig.append(started);
    await slow.readAll();
    for (let count = 0; count < 100; count += 1) rig.append(grew("w "));
    rig.append({ type: "message.finished", sessionId, message: assistant("w ".repeat(100)) });
    await slow.readAll();
    expect(slow.shown()).toMatchObject([
      { kind: "prose", text: "w ".repeat(100) },
      { kind: "notice", text: "this view was too slow: the last 101 steps came as one" },
    ]);
  });

  test("costs no memory: what is kept does not depend on how far it is behind", () => {
    const rig = new HistoryRig({
      steps: { itemsMax: 100, weightMax: 1e6 },
      transcript: { itemsMax: 50, weightMax: 1e6 },
    });
    rig.reader(null);
    for (let number = 0; number < 5_000; number += 1) rig.append(notice(`n${number}`));
    expect(rig.history.transcriptSince(0)).toHaveLength(50);
    expect(rig.history.hasStepsSince(rig.history.endSeq - 101)).toBe(true);
    expect(rig.history.hasStepsSince(rig.history.endSeq - 102)).toBe(false);
    expect(rig.history.givenUp).toBe(rig.history.endSeq - 51);
  });
});

test("an id that this session never gave means that nothing is known of it", async () => {
  const rig = new HistoryRig({});
  rig.append(notice("n"));
  for (const id of ["9999999999999999", "no number", ""]) {
    expect(await rig.reader(id).next()).toContain('"message":"n"');
  }
});
