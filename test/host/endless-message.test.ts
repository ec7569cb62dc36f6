// An agent that does not stop talking: what it says stands in blocks of a bounded size, each of which can be sent and kept, and
// memory does not grow with it.
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { Viewer, ViewRig } from "./view-rig.js";

const MIB = 1024 * 1024;
const sessionId = null;
const grew = (delta: string, index = 0): SessionEvent => ({
  type: "message.grew",
  sessionId,
  index,
  kind: "text",
  delta,
});
const whole = (text: string): SessionEvent => ({
  type: "message.finished",
  sessionId,
  message: { role: "assistant", content: [{ type: "text", text }] },
});

/** What is kept of it in memory, in characters. */
const bounds = { itemsMax: 1_000, weightMax: 4 * MIB };

const blocksOf = (rig: ViewRig) =>
  rig.state.sessions.flatMap(({ transcript, journal }) => [...journal.blocks, ...transcript.open]);
const textsOf = (rig: ViewRig) => blocksOf(rig).map((block) => ("text" in block ? block.text : ""));

describe("a message without an end", () => {
  test("that comes in pieces stands in several blocks, and none of it is lost", () => {
    const rig = new ViewRig({ changes: bounds, transcript: bounds });
    const piece = "x".repeat(64 * 1024);
    for (let count = 0; count < 100; count += 1) rig.hear(grew(piece));
    const texts = textsOf(rig);
    expect(texts).toHaveLength(7);
    expect(texts.join("")).toBe(piece.repeat(100));
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(MIB + piece.length);
  });

  test("that is told again as a whole at its end adds nothing", () => {
    const rig = new ViewRig();
    const text = "0123456789".repeat(300_000);
    for (let at = 0; at < text.length; at += 50_000) rig.hear(grew(text.slice(at, at + 50_000)));
    rig.hear(whole(text));
    expect(textsOf(rig).join("")).toBe(text);
  });

  test("that comes whole stands in several blocks too", () => {
    const rig = new ViewRig();
    const text = "0123456789".repeat(500_000);
    rig.hear(whole(text));
    expect(textsOf(rig).map(({ length }) => length)).toEqual([MIB, MIB, MIB, MIB, 5_000_000 - 4 * MIB]);
    expect(textsOf(rig).join("")).toBe(text);
  });

  test("of a tool keeps its beginning and its end, and says how much is left out", () => {
    const rig = new ViewRig();
    const tool = { sessionId, toolCallId: "c1", name: "bash" };
    rig.hear({ type: "tool.finished", ...tool, output: `BEGIN${"x".repeat(9 * MIB)}END`, isError: false });
    const [block] = blocksOf(rig);
    const output = block?.kind === "tool" ? block.output : "";
    expect(output.length).toBeLessThan(4 * MIB + 100);
    expect(output.replace(/x{1000,}/g, "x")).toBe("BEGINx\n[… 5,242,888 characters left out …]\nxEND");
  });

  test("reaches a view that joins, a bounded part of it at first", async () => {
    const rig = new ViewRig({ changes: bounds, transcript: bounds });
    for (let count = 0; count < 160; count += 1) rig.hear(grew("\u0001".repeat(64 * 1024)));
    const late = new Viewer(rig, 1_024);
    await late.readAll();
    const [session] = late.mirror.state.sessions;
    expect(session?.journal.blocks.length).toBe(1);
    expect(late.earlier).not.toBeNull();
  });
});
