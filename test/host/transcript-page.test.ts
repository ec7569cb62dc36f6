// The transcript of a session, read from its end a part at a time, or forwards from a number; from memory and from disk, also
// where Palaver 0.1 wrote it.
import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { lineOf } from "../../src/host/block-line.js";
import type { KeptTranscript } from "../../src/host/kept-transcript.js";
import { TranscriptFile, type TranscriptPage } from "../../src/host/transcript-file.js";
import type { HistoryItem } from "../../src/session/engine/snapshot.js";
import { temporaryFolder } from "../server/temporary-folder.js";
import { verifies } from "../verifies.js";
import { assistant, deeds, eventsOf, notice, sessionId } from "./agent-deeds.js";
import { ViewRig } from "./view-rig.js";

/** All parts, the oldest first. */
async function partsOf(
  transcript: Pick<KeptTranscript, "before">,
  end: number,
  chars: number,
): Promise<TranscriptPage[]> {
  const pages: TranscriptPage[] = [];
  for (let before: number | null = end; before !== null; before = pages[0]?.earlier ?? null) {
    pages.unshift(await transcript.before(before, chars));
  }
  return pages;
}

const textsIn = (pages: readonly TranscriptPage[]) => pages.flatMap(({ lines }) => lines.map(({ text }) => text));
const blocksIn = (pages: readonly TranscriptPage[]) =>
  textsIn(pages).map((text) => (JSON.parse(text) as HistoryItem).block);

describe("parts of a transcript", () => {
  test("are together what was said, whatever memory has given up", async () => {
    verifies("daemon.late-view-misses-nothing");
    await fc.assert(
      fc.asyncProperty(deeds, fc.nat({ max: 3_000 }), fc.constantFrom(3, 1e6), async (script, chars, itemsMax) => {
        const rig = new ViewRig({ transcript: { itemsMax, weightMax: 1e6 } });
        rig.hear(...script.flatMap(eventsOf));
        rig.take({ type: "agent", change: "closed", words: [] });
        const pages = await partsOf(rig.transcript, rig.log.lastSeq + 1, chars);
        expect(blocksIn(pages)).toEqual(rig.state.sessions.flatMap(({ journal }) => journal.blocks));
      }),
      { numRuns: 60 },
    );
  });
});

describe("a transcript that Palaver 0.1 wrote", () => {
  const tool = { sessionId, toolCallId: "c1", name: "bash" };
  const events: SessionEvent[] = [
    { type: "message.started", sessionId, message: { role: "user", content: "fix it" } },
    { type: "message.finished", sessionId, message: assistant("I look.") },
    { type: "tool.started", ...tool, args: { command: "ls" }, atMs: 1_000 },
    { type: "tool.finished", ...tool, output: "a b", isError: false, atMs: 4_200 },
    notice("done"),
  ];
  const question = { kind: "confirm", params: { title: "Really?" } };
  const ask = { id: "q1", sessionId, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null };
  const settled = { askId: "q1", ask, outcome: { kind: "answered", value: true, by: "ada" } };

  test("becomes the same blocks, and is continued by those of today", async () => {
    const path = join(temporaryFolder(), "transcript.jsonl");
    const old = events.map((event, at) =>
      JSON.stringify({ seq: 10 + at, ...(at === 3 ? {} : { begins: "here" }), event }),
    );
    const lines = [
      JSON.stringify({ session: "h" }),
      ...old,
      JSON.stringify({ seq: 20, settled }),
      '{"seq":21,"event":{"ty',
    ];
    writeFileSync(path, `${lines.join("\n")}\n`);
    const file = new TranscriptFile(path);
    file.write(lineOf({ seq: 30, session: sessionId, block: { kind: "prose", id: "b30", text: "new" } }));
    const blocks = blocksIn([await file.before(100, 1e6)]);
    expect(blocks).toMatchObject([
      { kind: "prompt", text: "fix it" },
      { kind: "prose", text: "I look." },
      { kind: "tool", output: "a b", startedAtMs: 1_000, endedAtMs: 4_200 },
      { kind: "notice", text: "done" },
      { kind: "asked", title: "Really?" },
      { kind: "prose", text: "new" },
    ]);
    expect(blocksIn(await partsOf(file, 100, 1)).map(({ kind }) => kind)).toEqual(blocks.map(({ kind }) => kind));
  });
});

describe("a transcript on disk", () => {
  const write = (file: TranscriptFile, from: number, count: number) => {
    for (let number = from; number < from + count; number += 1) {
      const text = `n${number} ${"·".repeat(200)}`;
      file.write(lineOf({ seq: number * 10, session: null, block: { kind: "notice", id: "n", level: "info", text } }));
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
      for await (const { seq } of file.read(after, 40_000)) seqs.push(seq);
      expect(seqs[0]).toBe(Math.floor(after / 10) * 10 + 10);
      expect(seqs.at(-1)).toBe(40_000);
      expect(seqs).toHaveLength((40_000 - (seqs[0] ?? 0)) / 10 + 1);
    }
  });

  test("gives a piece from the middle of two files, and knows its beginning", async () => {
    const { file } = await longFile();
    const { lines: items, earlier } = await file.before(20_055, 4_000);
    expect(items.at(-1)?.seq).toBe(20_050);
    expect(items[0]?.seq).toBe(earlier);
    expect(items.length).toBeGreaterThan(10);
    expect(items.length).toBeLessThan(30);
    expect(await file.before(25, 4_000)).toMatchObject({
      earlier: null,
      beginning: "kept",
      lines: [{ seq: 10 }, { seq: 20 }],
    });
  });

  test("says when the beginning is lost, and passes over a torn line", async () => {
    const path = join(temporaryFolder(), "transcript.jsonl");
    const file = new TranscriptFile(path);
    write(file, 1, 3);
    await file.flush();
    appendFileSync(path, '{"seq":40,"session":null,"block":{"kind":"noti');
    file.goOn();
    write(file, 5, 1);
    const page = await file.before(1_000, 100_000);
    expect(page.beginning).toBe("lost");
    expect(page.lines.map(({ seq }) => seq)).toEqual([1, 10, 20, 30, 50]);
  });
});
