// An agent that does not stop talking: what a daemon keeps of one message has a maximum, and stays readable.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { BoundedText, boundedMessage } from "../../src/host/bounded-text.js";
import { lineOf } from "../../src/host/kept-item.js";
import { OpenMessage } from "../../src/host/open-message.js";
import { TranscriptFile } from "../../src/host/transcript-file.js";
import { temporaryFolder } from "../server/temporary-folder.js";
import { HistoryRig } from "./history-rig.js";

const MIB = 1024 * 1024;
const grew = (
  delta: string,
  index = 0,
  sessionId: string | null = null,
): Extract<SessionEvent, { type: "message.grew" }> => ({
  type: "message.grew",
  sessionId,
  index,
  kind: "text",
  delta,
});

describe("a text that grows", () => {
  test("is kept as it is up to its maximum", () => {
    const text = new BoundedText();
    for (const piece of ["one ", "two ", "", "three"]) text.push(piece, MIB);
    expect(text.text()).toBe("one two three");
  });

  test("keeps its beginning and its end beyond that, and says how much is left out between them", () => {
    const text = new BoundedText();
    const piece = "x".repeat(63);
    text.push("BEGIN", MIB);
    for (let count = 0; count < 200_000; count += 1) text.push(piece, 4 * MIB);
    text.push("END", 4 * MIB);
    const whole = text.text();
    const [, omitted = ""] = /\n\n\[… ([\d,]+) characters left out …\]\n\n/.exec(whole) ?? [];
    expect(whole.startsWith("BEGINxxx") && whole.endsWith("xxxEND")).toBe(true);
    expect(text.chars).toBeLessThanOrEqual(2 * MIB);
    expect(text.chars).toBeGreaterThan(1.9 * MIB);
    expect(text.chars + Number(omitted.replaceAll(",", ""))).toBe(200_000 * 63 + 8);
  });

  test("without room left keeps nothing more and counts it", () => {
    const text = new BoundedText();
    text.push("abc", 0);
    expect(text.text()).toBe("\n\n[… 3 characters left out …]\n\n");
  });
});

describe("a message without an end", () => {
  test("of 200 MB in one block is kept as two, and its line in the transcript can be read", async () => {
    const message = new OpenMessage(null, { role: "assistant", content: [] });
    const piece = "\u0001".repeat(64 * 1024);
    for (let count = 0; count < 3_200; count += 1) message.grow(grew(piece));
    expect(message.chars).toBeLessThanOrEqual(2 * MIB);
    const file = new TranscriptFile(join(temporaryFolder(), "t.jsonl"));
    file.begin("s");
    file.write({ kind: "event", event: message.written() }, 1, "here");
    const items = [];
    for await (const item of file.read(0, 10)) items.push(item === "beginning" ? item : item.seq);
    expect(items).toEqual(["beginning", 1]);
  });

  test("in very many blocks is bounded as a whole", () => {
    const message = new OpenMessage(null, { role: "assistant", content: [] });
    const piece = "y".repeat(64 * 1024);
    for (let index = 0; index < 4_096; index += 1) message.grow(grew(piece, index));
    expect(message.chars).toBeLessThanOrEqual(4 * MIB);
    expect(lineOf({ kind: "event", event: message.soFar() }, 1, "here").length).toBeLessThan(5 * MIB);
  });

  test("that comes whole is bounded too, and a shorter one is the very same", () => {
    const short = { role: "assistant" as const, content: [{ type: "text", text: "hello" }] };
    expect(boundedMessage(short)).toBe(short);
    const long = boundedMessage({ role: "assistant", content: [{ type: "text", text: "z".repeat(9 * MIB) }] });
    expect(JSON.stringify(long).length).toBeLessThan(3 * MIB);
  });

  test("in many sessions at once: the oldest are written down and closed", () => {
    const rig = new HistoryRig({});
    const piece = "w".repeat(MIB);
    for (let session = 0; session < 40; session += 1) rig.append(grew(piece, 0, `s${session}`));
    const sizes = rig.written.map(({ item }) => JSON.stringify(item).length);
    expect(sizes).toHaveLength(40 - 16);
    expect(rig.history.changedSince(0)).toHaveLength(16);
  });

  test("is written once, however many pieces it came in", () => {
    const rig = new HistoryRig({});
    for (let count = 0; count < 20_000; count += 1) rig.append(grew("v".repeat(512)));
    rig.append({ type: "prompt.finished", sessionId: null } as SessionEvent);
    const chars = rig.written.reduce((sum, { item }) => sum + JSON.stringify(item).length, 0);
    expect(chars).toBeLessThan(2 * MIB + 1_000);
  });
});
