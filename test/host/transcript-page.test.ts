// A transcript read from its end, a piece at a time: each piece is understood alone, and together they are what somebody sees who
// was there from the beginning; from memory and from disk.
import { appendFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TranscriptItem } from "../../src/contract/hosted-sessions.js";
import { objectOf } from "../../src/host/kept-item.js";
import { TranscriptFile } from "../../src/host/transcript-file.js";
import { pageBefore, type TranscriptPage, type TranscriptSource } from "../../src/host/transcript-page.js";
import type { Block } from "../../src/session/transcript/block.js";
import { emptyTranscript, reduceTranscript, type TranscriptInput } from "../../src/session/transcript/transcript.js";
import { temporaryFolder } from "../server/temporary-folder.js";
import { deeds, itemsOf, notice } from "./agent-deeds.js";
import { HistoryRig } from "./history-rig.js";

const nothingOnDisk: TranscriptSource["file"] = { before: () => Promise.reject(new Error("all of it is in memory")) };

/** What a front end makes of items that it hears one after the other. */
function blocksOf(items: readonly TranscriptItem[]): object[] {
  let transcript = emptyTranscript;
  const blocks = new Map<string, Block>();
  const end: TranscriptInput = { type: "prompt.finished", sessionId: null };
  for (const input of [...items.map(inputOf), end]) {
    const { state, changes } = reduceTranscript(transcript, input, 0);
    transcript = state;
    for (const change of changes) if (change.type !== "grew") blocks.set(change.block.id, change.block);
  }
  return [...blocks.values()].map(({ id: _, ...block }) => block);
}

function inputOf(item: TranscriptItem): TranscriptInput {
  if ("event" in item) return item.event as TranscriptInput;
  const { ask, outcome } = item.settled as {
    ask: { question: { params: { title: string } } };
    outcome: { kind: string };
  };
  return { type: "ask.settled", title: ask.question.params.title, outcome: outcome.kind };
}

const itemsIn = ({ items }: TranscriptPage) => items.map((item) => JSON.parse(objectOf(item)) as TranscriptItem);

/** All pieces, the oldest first. */
async function pagesOf(source: TranscriptSource, charsMin: number): Promise<TranscriptPage[]> {
  const pages: TranscriptPage[] = [];
  for (let before: number | null = source.history.endSeq; before !== null; before = pages[0]?.earlier ?? null) {
    pages.unshift(await pageBefore(before, charsMin, source));
  }
  return pages;
}

const heavy = { transcript: { itemsMax: 3, weightMax: 1e6 } };

describe("pieces of a transcript", () => {
  test("each understood alone, are together what was said", async () => {
    await fc.assert(
      fc.asyncProperty(deeds, fc.nat({ max: 3_000 }), async (script, charsMin) => {
        const rig = new HistoryRig({});
        for (const item of script.flatMap(itemsOf)) rig.append(item);
        rig.history.settle();
        const pages = await pagesOf({ history: rig.history, file: nothingOnDisk }, charsMin);
        const apart = pages.flatMap((page) => blocksOf(itemsIn(page)));
        expect(apart).toEqual(blocksOf(pages.flatMap(itemsIn)));
        expect(pages.flatMap(({ items }) => items.map(({ seq }) => seq))).toEqual(rig.written.map(({ seq }) => seq));
      }),
      { numRuns: 200 },
    );
  });

  test("are the same from disk, whatever memory has given up", async () => {
    await fc.assert(
      fc.asyncProperty(deeds, fc.nat({ max: 2_000 }), async (script, charsMin) => {
        const file = new TranscriptFile(join(temporaryFolder(), "transcript.jsonl"));
        const [rig, small] = [new HistoryRig({}), new HistoryRig(heavy, 1_000, file)];
        file.begin("a session");
        for (const item of script.flatMap(itemsOf)) for (const one of [rig, small]) one.append(item);
        for (const { history } of [rig, small]) history.settle();
        const told = async (source: TranscriptSource) => (await pagesOf(source, charsMin)).flatMap(itemsIn);
        const whole = await told({ history: rig.history, file: nothingOnDisk });
        expect(await told({ history: small.history, file })).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });
});

describe("a transcript on disk", () => {
  const write = (file: TranscriptFile, from: number, count: number) => {
    for (let number = from; number < from + count; number += 1) {
      file.write({ kind: "event", event: notice(`n${number} ${"·".repeat(200)}`) }, number * 10, "here");
    }
  };

  /** Half of it in the file that was rotated away. */
  async function longFile(): Promise<{ file: TranscriptFile; path: string }> {
    const path = join(temporaryFolder(), "transcript.jsonl");
    const before = new TranscriptFile(path);
    before.begin("a session");
    write(before, 1, 2_000);
    await before.flush();
    renameSync(path, `${path}.1`);
    const file = new TranscriptFile(path);
    write(file, 2_001, 2_000);
    return { file, path };
  }

  test("is read from any number on without what is before it", async () => {
    const { file } = await longFile();
    for (const after of [1, 10, 19_995, 20_000, 20_001, 39_990]) {
      const seqs: number[] = [];
      for await (const item of file.read(after, 40_000)) if (item !== "beginning") seqs.push(item.seq);
      expect(seqs[0]).toBe(Math.floor(after / 10) * 10 + 10);
      expect(seqs.at(-1)).toBe(40_000);
      expect(seqs).toHaveLength((40_000 - (seqs[0] ?? 0)) / 10 + 1);
    }
  });

  test("gives a piece from the middle of two files, and knows its beginning", async () => {
    const { file } = await longFile();
    const { items, earlier } = await file.before(20_055, 4_000);
    expect(items.at(-1)?.seq).toBe(20_050);
    expect(items[0]?.seq).toBe(earlier);
    expect(items.length).toBeGreaterThan(10);
    expect(items.length).toBeLessThan(30);
    expect(await file.before(25, 4_000)).toMatchObject({
      earlier: null,
      beginning: "kept",
      items: [{ seq: 10 }, { seq: 20 }],
    });
  });

  test("says when the beginning is lost, and passes over a torn line", async () => {
    const path = join(temporaryFolder(), "transcript.jsonl");
    const file = new TranscriptFile(path);
    write(file, 1, 3);
    await file.flush();
    appendFileSync(path, '{"seq":40,"begins":"here","event":{"type":"notice.sh');
    file.goOn();
    write(file, 5, 1);
    const page = await file.before(1_000, 100_000);
    expect(page.beginning).toBe("lost");
    expect(page.items.map(({ seq }) => seq)).toEqual([10, 20, 30, 50]);
  });

  test("without marks, as older ones are, is given whole rather than not at all", async () => {
    const file = new TranscriptFile(join(temporaryFolder(), "transcript.jsonl"));
    file.begin("a session");
    for (let number = 1; number <= 50; number += 1) {
      file.write({ kind: "event", event: notice(`n${number}`) }, number, "before");
    }
    const page = await file.before(51, 500);
    expect(page.items).toHaveLength(50);
    expect(page.earlier).toBeNull();
  });
});

test("what stands is told to whoever begins in the middle, what is over is not", () => {
  const { history } = new HistoryRig({});
  const event = (type: "prompt.started" | "prompt.finished" | "session.activated", sessionId: string) =>
    history.append({ kind: "event", event: { type, sessionId } });
  history.append({ kind: "event", event: { type: "agent.readied", sessionId: "a", ui: true, protocolVersion: "1" } });
  history.append({ kind: "event", event: { type: "session.started", sessionId: "a" } });
  history.append({ kind: "event", event: { type: "session.started", sessionId: "b" } });
  history.append({ kind: "event", event: { type: "session.closed", sessionId: "b", reason: "done" } });
  event("prompt.started", "a");
  event("prompt.finished", "a");
  event("prompt.started", "a");
  const middle = history.endSeq;
  event("session.activated", "a");
  const told = () =>
    history.standingBefore(middle).map((item) => (item.kind === "event" ? item.event.type : item.kind));
  expect(told()).toEqual(["agent.readied", "session.started", "prompt.started"]);
  history.settle();
  expect(told()).toEqual(["agent.readied", "session.started"]);
});
