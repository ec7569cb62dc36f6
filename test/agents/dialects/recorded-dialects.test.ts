// Recordings of every dialect, typed after the published schemas to hold what real sessions seldom do: things in the wrong
// order, content of every kind, nulls and fields nobody knows, questions that are taken back, frames from the future. What a
// person sees of each, what is asked, and what is reported stands here whole.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFrameDecoder } from "../../../src/agents/dialects/frames/frame-decoder.js";
import type { JsonObject } from "../../../src/agents/dialects/frames/json-frame.js";
import { blockWords, problemsOf, replayTrace } from "../../rigs/trace-replay/replay-report.js";
import { oddTraces, ownTraces, type RecordedTrace } from "./recorded-traces.js";

function replayed(name: string) {
  const trace = oddTraces.find((candidate) => candidate.name === name);
  if (trace === undefined) throw new Error(`no recording ${name}`);
  return replayTrace(trace.protocol, trace.entries);
}

/** Faults are told among the blocks, where they happened; here they are looked at by themselves. */
function seen(name: string): { blocks: string[]; asks: string[]; faults: string[] } {
  const { blocks, asks, events } = replayed(name);
  const faults = events.flatMap((event) => (event.type === "fault.reported" ? [event.fault.message] : []));
  return {
    blocks: blocks.map(blockWords).filter((words) => !words.startsWith("notice from the agent:")),
    asks: asks.map(({ question }) => `${question.kind} ${question.params.title}`),
    faults,
  };
}

const CUT = "notice the answer was cut off at the model's output limit";

describe("a recording of the Agent Client Protocol", () => {
  test("with content of every kind shows each of it, and a plan is the last one told", () => {
    expect(seen("content-of-every-kind.jsonl")).toEqual({
      blocks: [
        "thinking What is there?",
        "prose Here it is. All of it.",
        "prose Another message.",
        "image ",
        "prose (sound, audio/wav)(attachment file:///b.bin, application/octet-stream)",
        "done Show (sound, audio/wav)\ntext of c\n[The page](https://x.y/z)",
        "image ",
        "done edit",
        "done run building",
        "done Ponder",
        "notice Slow today",
        "notice conversation compacted\nWe looked.",
        "prose And then",
        CUT,
      ],
      asks: [],
      faults: ["unknown tool content: hologram"],
    });
    const { events } = replayed("content-of-every-kind.jsonl");
    const plans = events.flatMap((event) => (event.type === "plan.changed" ? [event.entries.length] : []));
    expect(plans).toEqual([2, 2, 0]);
    expect(events.find(({ type }) => type === "prompt.finished")).toMatchObject({ usage: { input: 5, output: 7 } });
  });

  test("in which nothing comes in its order has each tool call once, and an end for each", () => {
    expect(seen("out-of-order.jsonl")).toEqual({
      blocks: [
        "done run a.ts",
        "done delete",
        "failed run",
        "prose Done.",
        "stopped run",
        "prose One more thing.",
        "done run again",
        "prose I will not.",
        "notice the agent refused to continue; everything since the prompt is left out of the session",
        "notice slow down",
      ],
      asks: ["permission delete old.ts", "permission run a command"],
      faults: ["unknown kind of answer: ask_my_boss"],
    });
    const [permission] = replayed("out-of-order.jsonl").asks;
    expect(permission?.question.params).toMatchObject({
      choices: [{ id: "y" }, { id: "z9" }, { id: "n" }, { id: "nn" }],
    });
  });

  test("with questions of every kind has one answer to each, also to those that no one understands", () => {
    expect(seen("questions-of-every-kind.jsonl")).toMatchObject({
      blocks: [
        "log Loading the model…",
        "notice the step in the browser is complete",
        "prose Thank you.",
        "stopped ls",
        "stopped late",
      ],
      asks: [
        "select quill needs you to sign in",
        "form Who are you?",
        "confirm Sign here",
        "permission use a tool",
        "permission edit a.ts",
      ],
      faults: [
        "a frame must be a JSON object, not a list",
        "an error that belongs to no request: no such notification",
        "an error that belongs to no request: what was that?",
        "unknown request: craft/drain",
        "unknown notification: quill/notify/mood",
        "unknown session update: telepathy",
        "usage_update: used: must be a number, not a string",
      ],
    });
    const { sent, answerCounts } = replayed("questions-of-every-kind.jsonl");
    expect([...answerCounts.values()].every((count) => count === 1)).toBe(true);
    const answer = (id: unknown) => sent.find((frame) => frame["id"] === id && !("method" in frame));
    expect(answer(0)).toMatchObject({ result: { action: "accept", content: { name: "Ada", age: 36 } } });
    expect(answer(14)).toMatchObject({ result: { action: "cancel" } });
  });
});

describe("a recording of Claude Code", () => {
  test("with thinking and tools beside the model shows each block once, and says why an answer is cut", () => {
    expect(seen("thinking-and-tools-beside-the-model.jsonl")).toEqual({
      blocks: [
        "thinking Where to look?",
        "done web_search Zebras https://zebra.example",
        "prose They have stripes",
        CUT,
        "notice conversation compacted: 100 → 10 tokens",
        "notice the conversation could not be compacted: too short",
        "notice the five hour limit is near: 90 % used",
        "notice overloaded, 529: attempt 1 of 10 in 1 s",
        "notice The other model goes on.",
        "notice A word from above",
        "prose Horses",
        "prose do not.",
        "notice Invalid API key",
      ],
      asks: [],
      faults: ["unknown news: something_brand_new", "unknown frame: brand_new_frame"],
    });
  });

  test("with sub-agents side by side keeps the words of each in its own call", () => {
    expect(seen("parallel-subagents.jsonl")).toEqual({
      blocks: [
        "prose I send two.",
        "done Task There is a door.",
        "notice right is done",
        "done Task There is a wall.",
        "image ",
        "done plan",
        "prose Through the door.",
        "notice Claude stopped: it reached its maximum number of turns",
        "stopped Bash",
      ],
      asks: ["permission Bash knock", "permission Bash leave"],
      faults: ["unknown request: hook_callback"],
    });
    const updates = replayed("parallel-subagents.jsonl").events.flatMap((event) =>
      event.type === "tool.updated" ? [`${event.toolCallId}: ${String(event.output)}`] : [],
    );
    expect(updates).toEqual([
      "A: left is a wall",
      "B: right is a door",
      "A: left is a wall\n· Bash knock",
      "B: right is a door\n· Read /door",
    ]);
  });
});

describe("a recording of another dialect", () => {
  test("of pi, with retries and room that is made, is one turn until pi has settled", () => {
    expect(seen("retry-and-room.jsonl")).toEqual({
      blocks: [
        "prompt sum it up",
        "thinking Hm.",
        "notice 529 overloaded: attempt 1 of 3 in 2 s",
        "done edit",
        "notice terminated: attempt 1 of 3 in 1 s",
        "notice conversation compacted: 100 → 9 tokens",
        "prose In short: two",
        CUT,
        "notice a note of an extension",
        "notice we came from there",
        "notice an extension failed (/x.ts, tool_call): boom",
        "notice 401 no key",
      ],
      asks: [],
      faults: ["unknown frame: brand_new"],
    });
  });

  test("of pi, with every dialog, has an answer to each that waits for one", () => {
    expect(seen("every-dialog.jsonl")).toEqual({
      blocks: ["notice Going.", "notice pi: parse: Failed to parse command"],
      asks: ["select Where?", "confirm Sure?", "input Name", "editor Notes"],
      faults: ["unknown extension request: hologram", "select: options: is missing; it must be a list"],
    });
    const answers = replayed("every-dialog.jsonl").sent.filter(({ type }) => type === "extension_ui_response");
    expect(answers).toMatchObject([
      { id: "d1", value: "there" },
      { id: "d2", confirmed: true },
      { id: "d3", value: "v2" },
      { id: "d4", cancelled: true },
      { id: "d5", cancelled: true },
      { id: "d6", cancelled: true },
    ]);
  });

  test("of codelia tells 1 and “1” apart, and shows its last words once", () => {
    expect(seen("previews-and-picks.jsonl")).toEqual({
      blocks: [
        "thinking Which one?",
        "prose This one.",
        "notice p did not answer: attempt 2 of 5 in 1 s",
        "done edit edited",
        "notice conversation compacted",
        "notice 2 events of the agent are missing here",
        "prose Done.",
        "notice 401 no key",
      ],
      asks: ["confirm Edit?", "select Which?", "input Secret", "editor Long"],
      faults: [
        "unknown request: ui.hologram.request",
        "unknown event: brand_new",
        "unknown notice: odd.notice",
        "an error that belongs to no request: odd",
      ],
    });
    const { sent } = replayed("previews-and-picks.jsonl");
    expect(sent.find(({ id, method }) => id === 1 && method === undefined)).toMatchObject({
      result: { ok: true, remember: true },
    });
    expect(sent.find(({ id, method }) => id === "1" && method === undefined)).toMatchObject({
      result: { ids: ["x", "y"] },
    });
  });

  test("of our own wire counts what is missing and goes on after what it cannot read", () => {
    expect(seen("dialogs-and-sessions.jsonl")).toEqual({
      blocks: [
        "prose One two.",
        "notice 2 events of the agent are missing here",
        "done bash a.ts",
        "notice warned",
        "log plain words",
        "notice no such command",
      ],
      asks: ["select Which?", "confirm Sure?"],
      faults: [
        "unknown frame: hologram",
        "unknown event: brand_new",
        'a frame without "type", which must be a string',
        "a frame must be a JSON object, not a list",
      ],
    });
  });

  test("of bare rpc gives each question its answer, in whatever order they come", () => {
    expect(seen("every-question.jsonl")).toEqual({
      blocks: ["notice hello", "log plain words"],
      asks: ["select Which?", "confirm Sure?", "input Name", "editor Notes", "form New", "confirm Still?"],
      faults: [
        "unknown notice: hologram",
        "unknown question: hologram",
        "select: params.options: is missing; it must be a list",
        "neither a question nor a notice",
      ],
    });
    expect(replayed("every-question.jsonl").sent).toMatchObject([
      { id: "1", result: true },
      { id: 1, result: "a" },
      { id: "i", result: "Ada" },
      { id: "e", result: null },
      { id: "f", result: { n: "x" } },
      { id: "h", error: "unknown method: hologram" },
      { id: "b", error: expect.stringContaining("options") },
    ]);
  });
});

describe("every recording", () => {
  test.each([...oddTraces])("$name leaves no question, no block and no turn open", ({ protocol, entries }) => {
    expect(problemsOf(replayTrace(protocol, entries))).toEqual([]);
  });

  test("has the same frames however its bytes are cut, with carriage returns and a mark at its beginning", () => {
    const encoder = new TextEncoder();
    const framesOf = ({ entries }: RecordedTrace) =>
      entries.flatMap(({ from, frame }) => (from === "agent" && frame !== null ? [frame] : []));
    const anyTrace = fc.constantFrom(...oddTraces, ...ownTraces);
    fc.assert(
      fc.property(
        anyTrace,
        fc.constantFrom("\n", "\r\n"),
        fc.array(fc.nat(997), { minLength: 1 }),
        (trace, end, cuts) => {
          const frames = framesOf(trace);
          const bytes = encoder.encode(`\uFEFF${frames.map((frame) => JSON.stringify(frame)).join(end)}`);
          const decoder = createFrameDecoder<JsonObject>((frame) => ({ kind: "frame", frame }));
          const read: unknown[] = [];
          const take = (items: ReturnType<typeof decoder.push>) => read.push(...items);
          for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
            const next = at + 1 + (cuts[piece % cuts.length] ?? 0);
            take(decoder.push(bytes.subarray(at, next)));
            at = next;
          }
          take(decoder.end());
          expect(read).toEqual(frames.map((frame) => ({ kind: "frame", frame })));
        },
      ),
      { numRuns: 60 },
    );
  });
});
