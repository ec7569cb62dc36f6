// Hosted sessions in the attached view: the same conversation and the same questions as in a terminal of their own, in a
// tab, while the rest of the daemon goes on beside them.
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import type { Block } from "../../../src/session/transcript/block.js";
import { line } from "../../session/attach/daemon-samples.js";
import { verifies } from "../../verifies.js";
import { UP } from "../talk-stage.js";
import { AttachStage, CTRL_O, CTRL_PAGE_DOWN, ENTER, ESCAPE, PAGE_UP, SHIFT_TAB, TAB } from "./attach-stage.js";

const sessionId = null;
const ready: SessionEvent = { type: "agent.readied", sessionId, ui: true, protocolVersion: "1" };
const says = (text: string): SessionEvent => ({
  type: "message.finished",
  sessionId,
  message: { role: "assistant", content: [{ type: "text", text }] },
});
const asks = (id: string, title: string): SessionEvent => ({
  type: "ask.raised",
  sessionId,
  ask: {
    id,
    sessionId,
    turnId: null,
    origin: { kind: "agent" },
    question: { kind: "confirm", params: { title } },
    deadlineMs: null,
  },
});

async function withSession(rows = 14): Promise<AttachStage> {
  const stage = new AttachStage({ columns: 60, rows });
  stage.hosted = [{ id: "s1", name: "claude", state: "running" }];
  await stage.connect(line("BUILD", "watch", "rebuilt"));
  hear(stage, ready);
  await stage.settle();
  return stage;
}

function hear(stage: AttachStage, ...events: SessionEvent[]): void {
  for (const event of events) stage.joined.get("s1")?.hear(event);
}

/** The session's tab stands after the daemon's three. */
async function inFront(stage: AttachStage): Promise<void> {
  await stage.type(TAB, TAB, TAB);
}

describe("a hosted session", () => {
  test("has a tab with its transcript and a composer, and what is typed there goes to the agent", async () => {
    const stage = await withSession();
    hear(stage, says("Good morning."));
    await inFront(stage);
    const screen = await stage.screen();
    expect(screen).toMatch(/^ BUILD {2}SERVER {2}TESTS {2}claude .*tab:next$/m);
    expect(screen).toContain("Good morning.");
    await stage.type("fix it", ENTER);
    expect(stage.joined.get("s1")?.sent).toContainEqual({ type: "prompt", text: "fix it" });
    expect(await stage.screen()).toContain("› fix it");
  });

  test("works and asks while another tab is in front, and its tab says so", async () => {
    const stage = await withSession();
    hear(stage, { type: "prompt.started", sessionId });
    await stage.wait(100);
    expect((await stage.rows())[0]).toContain(" claude ● ");
    hear(stage, asks("a", "Delete it?"));
    await stage.wait(1_000);
    expect((await stage.rows())[0]).toContain(" claude ● ?1 ");
    expect(await stage.screen()).not.toContain("Delete it?");
  });

  test("a question takes no keys before it was in front, and then only after a quiet moment", async () => {
    const stage = await withSession();
    hear(stage, asks("a", "Delete it?"));
    await stage.wait(1_000);
    await stage.type("y", ENTER, ESCAPE);
    expect(stage.joined.get("s1")?.sent).toEqual([]);
    await inFront(stage);
    await stage.wait(1_000);
    expect(await stage.screen()).toContain("▌ Delete it?");
    await stage.type(ESCAPE);
    expect(stage.joined.get("s1")?.sent).toEqual([{ type: "ui_response", id: "a", result: false, error: null }]);
  });

  test("typed text is the composer's, with its digits, and answers nothing", async () => {
    const stage = await withSession();
    await inFront(stage);
    hear(stage, asks("a", "Delete it?"));
    await stage.wait(1_000);
    for (const text of ["version", " 1", " now 1"]) {
      for (const letter of text) {
        await stage.type(letter);
        await stage.wait(100);
      }
      await stage.wait(1_500);
    }
    expect(stage.joined.get("s1")?.sent).toEqual([]);
    expect(await stage.screen()).toContain("› version 1 now 1");
    expect(await stage.screen()).toContain("▌ Delete it?");
  });

  test.each([
    ["a digit", ["1"]],
    ["an arrow and Enter", [UP, ENTER]],
  ])("with a draft keeps its keys from a question of the daemon: %s", async (_what, keys) => {
    const stage = await withSession();
    await inFront(stage);
    await stage.type("and then");
    const origin = { kind: "mcp", name: "editor" } as const;
    const question = { kind: "confirm", params: { title: "Deploy now?" } } as const;
    stage.openAsks = [{ id: "q1", sessionId, turnId: null, origin, question, deadlineMs: null }];
    await stage.news({ type: "asks" });
    await stage.wait(2_000);
    expect(await stage.screen()).toContain("▌ Deploy now?");
    for (const key of keys) {
      await stage.type(key);
      await stage.wait(1_000);
    }
    expect(stage.answers).toEqual([]);
  });

  test("a key that led to this tab leaves no question here with the keys at once", async () => {
    const stage = await withSession();
    hear(stage, asks("a", "Delete it?"));
    await stage.wait(2_000);
    await inFront(stage);
    await stage.type("y");
    await stage.wait(1_000);
    expect(stage.joined.get("s1")?.sent).toEqual([]);
  });

  test("somebody else's answer closes the question here", async () => {
    const stage = await withSession();
    hear(stage, asks("a", "Delete it?"));
    await inFront(stage);
    await stage.wait(1_000);
    stage.joined.get("s1")?.settled("a", { kind: "answered", value: true, by: "phone" });
    await stage.wait(100);
    expect(await stage.screen()).not.toContain("▌ Delete it?");
    expect(stage.joined.get("s1")?.sent).toEqual([]);
  });

  test("tab leads on only while nothing is written; ctrl+page down always does", async () => {
    const stage = await withSession();
    await inFront(stage);
    await stage.type("half", TAB);
    expect(await stage.screen()).toContain("› half");
    await stage.type(CTRL_PAGE_DOWN);
    expect(await stage.screen()).toContain("Keys");
    await stage.type(SHIFT_TAB);
    expect(await stage.screen()).toContain("› half");
  });

  test("a long transcript scrolls, and stays in its place below the tabs", async () => {
    const stage = await withSession();
    hear(stage, says(Array.from({ length: 40 }, (_, at) => `- line ${at + 1}`).join("\n")));
    await inFront(stage);
    expect(await stage.screen()).toContain("line 40");
    await stage.type(PAGE_UP);
    const rows = await stage.rows();
    expect(rows[0]).toContain("BUILD");
    expect(rows.join("\n")).toMatch(/lines below · end: follow/);
    expect(rows).toHaveLength(14);
  });

  test("the whole transcript can be read on the whole screen, and no tab comes between", async () => {
    const stage = await withSession();
    hear(stage, says("Good morning."));
    await inFront(stage);
    await stage.type("\x0f", CTRL_PAGE_DOWN);
    expect((await stage.rows())[0]).not.toContain("BUILD");
    await stage.type("q");
    const screen = await stage.screen();
    expect(screen).toMatch(/^ BUILD {2}SERVER/);
    expect(screen).toContain("Good morning.");
  });

  test("leaving stops nothing but the listening", async () => {
    const stage = await withSession();
    await inFront(stage);
    stage.app.close();
    const session = stage.joined.get("s1");
    expect(session?.stopped).toBe("stopped");
    expect(session?.sent).toEqual([]);
  });

  test("one that is gone from the daemon's list has no tab any more", async () => {
    const stage = await withSession();
    await inFront(stage);
    stage.hosted = [];
    await stage.news({ type: "refresh" });
    const rows = await stage.rows();
    expect(rows[0]).not.toContain("claude");
    expect(rows.at(-1)).toContain("1/3");
  });

  test("one that has ended before is not joined, one that ends meanwhile stays to be read", async () => {
    const stage = new AttachStage({ columns: 60, rows: 14 });
    stage.hosted = [
      { id: "s1", name: "claude", state: "running" },
      { id: "old", name: "long ago", state: "ended" },
    ];
    await stage.connect();
    hear(stage, ready, says("All done."));
    stage.hosted = stage.hosted.map((session) => ({ ...session, state: "ended" }));
    await stage.news({ type: "refresh" });
    await inFront(stage);
    expect(await stage.screen()).toContain("All done.");
    expect((await stage.rows())[0]).not.toContain("long ago");
    expect([...stage.joined.keys()]).toEqual(["s1"]);
  });
});

describe("a session that is joined at its end", () => {
  const numbered = (from: number, count: number) =>
    Array.from(
      { length: count },
      (_, at): Block => ({ kind: "prose", id: `p${from + at}`, text: `line ${from + at}` }),
    );

  /** Twenty lines in each piece; the stream begins with line 101. */
  async function atTheEnd(): Promise<{ stage: AttachStage; asked: number[] }> {
    const stage = await withSession();
    const asked: number[] = [];
    let before = 101;
    stage.earlier = () => {
      if (before === 1) return Promise.resolve(null);
      asked.push(before);
      const from = before - 20;
      before = from;
      return Promise.resolve(numbered(from, 20));
    };
    for (let number = 101; number <= 120; number += 1) hear(stage, says(`line ${number}`));
    stage.joined.get("s1")?.caughtUp();
    return { stage, asked };
  }

  async function waitFor(stage: AttachStage, asked: readonly number[], count: number): Promise<void> {
    for (let turn = 0; turn < 50 && asked.length < count; turn += 1) await stage.wait(40);
  }

  test("shows the end at once, and gets what was before it while somebody looks, from the newest to the oldest", async () => {
    verifies("daemon.late-view-misses-nothing");
    const { stage, asked } = await atTheEnd();
    await stage.wait(1_000);
    expect(asked).toEqual([]);
    await inFront(stage);
    expect(await stage.screen()).toContain("line 120");
    await waitFor(stage, asked, 5);
    await stage.wait(200);
    expect(asked).toEqual([101, 81, 61, 41, 21]);
    expect(await stage.screen()).toContain("line 120");
    await stage.type("\x1b[1;5H");
    const rows = await stage.rows();
    expect(rows.slice(1, 4)).toEqual(["line 1", "", "line 2"]);
  });

  test("a view scrolled to the top keeps its place while more comes in above", async () => {
    const { stage, asked } = await atTheEnd();
    await inFront(stage);
    await stage.type("\x1b[1;5H");
    const before = (await stage.rows()).slice(1, 10);
    const top = Number(/^line (\d+)$/.exec(before[0] ?? "")?.[1]);
    expect(top).toBeGreaterThan(21);
    await waitFor(stage, asked, 5);
    expect((await stage.rows()).slice(1, 10)).toEqual(before);
    await stage.type(PAGE_UP);
    expect((await stage.rows()).slice(1, 10)).toContain(`line ${top - 4}`);
  });

  test("the viewer and the journal have it all", async () => {
    const { stage, asked } = await atTheEnd();
    await inFront(stage);
    await waitFor(stage, asked, 5);
    await stage.wait(200);
    await stage.type(CTRL_O, "g");
    expect((await stage.rows()).slice(0, 3)).toEqual(["line 1", "", "line 2"]);
  });

  test("says of every tool how long it took, and not how long it took to tell", async () => {
    const tool = (id: string, startedAtMs: number, tookMs: number): Block => ({
      ...{ kind: "tool", id, toolCallId: id, name: "bash", args: { command: id }, output: "", phase: "done" },
      ...{ startedAtMs, endedAtMs: startedAtMs + tookMs },
    });
    const stage = await withSession();
    const parts = [[tool("first", 1_700_000_000_000, 3_100), tool("second", -9_000, 4_200)]];
    stage.earlier = () => Promise.resolve(parts.shift() ?? null);
    stage.joined.get("s1")?.caughtUp();
    await inFront(stage);
    await stage.wait(1_000);
    const screen = await stage.screen();
    expect(screen).toMatch(/bash first .*3\.1 s/);
    expect(screen).toMatch(/bash second .*4\.2 s/);
  });

  test("a piece that cannot be had is asked for again", async () => {
    const { stage, asked } = await atTheEnd();
    const works = stage.earlier;
    stage.earlier = () => Promise.reject(new Error("the daemon is not reachable"));
    await inFront(stage);
    await stage.wait(400);
    stage.earlier = works;
    await stage.wait(2_000);
    await waitFor(stage, asked, 5);
    expect(asked).toEqual([101, 81, 61, 41, 21]);
  });
});

test("who answered elsewhere is named, and no one who was there before", async () => {
  const stage = await withSession();
  const session = stage.joined.get("s1");
  hear(stage, asks("old", "Long ago?"));
  session?.settled("old", { kind: "answered", value: true, by: "bob at pts/1" });
  session?.caughtUp();
  hear(stage, asks("a", "Delete it?"), asks("b", "Really?"), asks("c", "Mine?"));
  await inFront(stage);
  session?.settled("a", { kind: "answered", value: true, by: "ada at pts/3" });
  session?.settled("b", { kind: "cancelled", by: "bob at pts/1" });
  session?.settled("c", { kind: "answered", value: true, by: "terminal" });
  await stage.wait(100);
  const screen = await stage.screen();
  expect(screen).toContain("answered by ada at pts/3");
  expect(screen).toContain("cancelled by bob at pts/1");
  expect(screen).not.toMatch(/answered by (?:bob|terminal)/);
});
