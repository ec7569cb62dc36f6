// A recording plays again: in its order, with its times, with the prompts and answers of then.
import { appendFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readRecording } from "../../../src/agents/recordings/recording-reader.js";
import { openReplay, type ReplayOptions } from "../../../src/agents/recordings/replay-link.js";
import type { AskOutcome } from "../../../src/contract/asks.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { HandClock, inputAsk, recordInMemory, said, temporaryFolder } from "./recording-desk.js";

type Deed = (recorded: ReturnType<typeof recordInMemory>) => void;

/** A file with what `deed` records. */
function recordingOf(deed: Deed): string {
  const path = join(temporaryFolder(), "session.jsonl");
  const recorded = recordInMemory();
  deed(recorded);
  recorded.recorder.end();
  writeFileSync(path, recorded.lines.join(""));
  return path;
}

function replay(path: string, options: Partial<ReplayOptions> = {}) {
  const clock = new HandClock();
  const heard: { atMs: number; event: SessionEvent }[] = [];
  const settled: [string, AskOutcome][] = [];
  const link = openReplay(
    path,
    { speed: 1, after: clock.after, ...options },
    {
      nowMs: clock.now,
      onEvent: (event) => heard.push({ atMs: clock.nowMs - 1_000, event }),
      onAskSettled: (askId, outcome) => settled.push([askId, outcome]),
    },
  );
  const types = () => heard.map(({ event }) => event.type);
  return { link, clock, heard, settled, types, end: () => untilPlayed(link.played, clock) };
}

// Reading a file takes real time, waiting between events takes none.
async function untilPlayed(played: Promise<void>, clock: HandClock): Promise<void> {
  let isOver = false;
  void played.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.step();
  }
}

const twoTurns: Deed = ({ recorder, clock }) => {
  recorder.event({ type: "agent.readied", sessionId: null, ui: true, protocolVersion: "1" });
  clock.nowMs += 1_000;
  recorder.command({ type: "prompt", text: "hello" });
  recorder.event({ type: "message.started", sessionId: null, message: { role: "user", content: "hello" } });
  clock.nowMs += 500;
  recorder.event(said("hi"));
  clock.nowMs += 60_000;
  recorder.event({ type: "prompt.finished", sessionId: null });
};

describe("playing", () => {
  test("comes in its order and at its times, the prompt of then in its place and once", async () => {
    const { heard, end } = replay(recordingOf(twoTurns));
    await end();
    expect(heard.map(({ atMs, event }) => [atMs, event.type])).toEqual([
      [0, "agent.readied"],
      [1_000, "message.started"],
      [1_500, "message.finished"],
      [61_500, "prompt.finished"],
      [61_500, "prompt.finished"],
      [61_500, "notice.shown"],
    ]);
    expect(heard[1]?.event).toMatchObject({ message: { role: "user", content: "hello" } });
  });

  test.each([
    [{ speed: 2 }, [0, 500, 750, 30_750]],
    [{ speed: 0 }, [0, 0, 0, 0]],
    [{ speed: 1, gapMsMax: 2_000 }, [0, 1_000, 1_500, 3_500]],
    [{ speed: 1, fromMs: 1_200 }, [0, 0, 300, 60_300]],
  ])("with %j its moments are %j", async (options, moments) => {
    const { heard, end } = replay(recordingOf(twoTurns), options);
    await end();
    expect(heard.slice(0, 4).map(({ atMs }) => atMs)).toEqual(moments);
  });

  test("settles a question as it was settled then, without its old deadline", async () => {
    const path = recordingOf(({ recorder }) => {
      recorder.event(inputAsk("q1", {}));
      recorder.command({ type: "ui_response", id: "q1", result: "v1.4", error: null });
      recorder.event(inputAsk("q2", {}));
      recorder.command({ type: "ui_response", id: "q2", result: null, error: null });
      recorder.event(inputAsk("q3", { secret: true }));
      recorder.command({ type: "ui_response", id: "q3", result: "open sesame", error: null });
    });
    const { heard, settled, end } = replay(path);
    await end();
    expect(heard[0]?.event).toMatchObject({ type: "ask.raised", ask: { id: "q1", deadlineMs: null } });
    expect(settled).toEqual([
      ["q1", { kind: "answered", value: "v1.4", by: "recording" }],
      ["q2", { kind: "cancelled", by: "recording" }],
      ["q3", { kind: "answered", value: null, by: "recording" }],
    ]);
  });

  test("a front end that cannot be told sees the question withdrawn", async () => {
    const path = recordingOf(({ recorder }) => {
      recorder.event(inputAsk("q1", {}));
      recorder.command({ type: "ui_response", id: "q1", result: "v1.4", error: null });
    });
    const heard: SessionEvent[] = [];
    const { after, now } = new HandClock();
    const link = openReplay(path, { speed: 0, after }, { nowMs: now, onEvent: (event) => heard.push(event) });
    await link.played;
    expect(heard.map(({ type }) => type)).toContain("ask.withdrawn");
  });
});

describe("somebody who types", () => {
  test("is told that no one is there, and does not wait for ever", async () => {
    const { link, heard, end, types } = replay(recordingOf(twoTurns), { speed: 0 });
    await end();
    const before = heard.length;
    expect(link.send({ type: "prompt", text: "are you there?" })).toBe("delivered");
    await Promise.resolve();
    expect(types().slice(before)).toEqual(["command.failed", "prompt.finished"]);
  });

  test("stops it with an abort, and leaves with a stop", async () => {
    const { link, clock, types } = replay(recordingOf(twoTurns));
    while (types().length === 0) await new Promise((resolve) => setImmediate(resolve));
    link.send({ type: "abort" });
    await link.played;
    expect(types()).toEqual(["agent.readied", "prompt.finished", "notice.shown"]);
    expect(clock.step()).toBe(false);
    expect(await link.stop()).toMatchObject({ code: 0, error: null });
    expect(link.send({ type: "ping" })).toBe("lost");
  });
});

describe("a damaged file", () => {
  test("with a torn last line plays up to it", async () => {
    const path = recordingOf(twoTurns);
    truncateSync(path, statSync(path).size - 9);
    const { types, end } = replay(path, { speed: 0 });
    await end();
    expect(types()).toEqual([
      "agent.readied",
      "message.started",
      "message.finished",
      "prompt.finished",
      "notice.shown",
    ]);
  });

  test("with nonsense in the middle says so and continues", async () => {
    const path = recordingOf(twoTurns);
    appendFileSync(path, 'nonsense\n{"t":1,"dir":"in","event":{"type":"from.the.future"}}\n{"t":2,"dir":"sideways"}\n');
    appendFileSync(path, `${JSON.stringify({ t: 3, dir: "in", event: said("still here") })}\n`);
    const { types, end } = replay(path, { speed: 0 });
    await end();
    expect(types().filter((type) => type === "fault.reported")).toHaveLength(3);
    expect(types().filter((type) => type === "message.finished")).toHaveLength(2);
  });

  test.each([
    ["", /is empty/],
    ["hello\n", /is not a Palaver recording/],
    ['{"type":"ready"}\n', /is not a Palaver recording/],
    ['{"t":0,"dir":"meta","kind":"recording","version":99,"palaver":"9.0.0"}\n', /newer Palaver \(9\.0\.0\)/],
  ])("that is no recording is told by name: %j", async (text, words) => {
    const path = join(temporaryFolder(), "no.jsonl");
    writeFileSync(path, text);
    const { link } = replay(path);
    const exit = await link.exited;
    expect(exit.error).toMatch(words);
    expect(exit.error).toContain(path);
  });

  test("a file that is not there is told, too", async () => {
    await expect(readRecording(join(temporaryFolder(), "none.jsonl")).next()).rejects.toThrow(/ENOENT/);
  });
});
