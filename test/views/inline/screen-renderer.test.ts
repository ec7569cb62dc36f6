// The terminal UI as a person meets it: streaming, asking, typing, stopping, on an emulator with a clock of its own.
import { describe, expect, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { verifies } from "../../verifies.js";
import { BACKSPACE } from "../talk-stage.js";
import { CTRL_C, DOWN, ENTER, ESCAPE, Stage } from "./stage.js";

const sessionId = null;
const says = (type: "message.updated" | "message.finished", text: string): SessionEvent => ({
  type,
  sessionId,
  message: { role: "assistant", content: [{ type: "text", text }] },
});
const started: SessionEvent = { type: "prompt.started", sessionId };
const finished: SessionEvent = { type: "prompt.finished", sessionId };

function asks(id: string, question: Ask["question"]): SessionEvent {
  return {
    type: "ask.raised",
    sessionId,
    ask: { id, sessionId, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null },
  };
}

const confirm = (id: string, opts: Record<string, unknown> = {}): SessionEvent =>
  asks(id, { kind: "confirm", params: { title: `Delete ${id}?`, opts } });
const select = asks("s", {
  kind: "select",
  params: {
    title: "Which one?",
    options: [
      { label: "npm", value: "npm" },
      { label: "pnpm", value: "pnpm", description: "fast" },
    ],
  },
});

function opened(columns?: number, rows?: number): Stage {
  const stage = new Stage(columns, rows);
  stage.ready();
  return stage;
}

describe("a conversation", () => {
  test("looks like this", async () => {
    const stage = opened();
    stage.type("fix the test", ENTER);
    expect(stage.sent).toEqual([{ type: "prompt", text: "fix the test" }]);
    stage.hear(started, says("message.updated", "I'll look at it.\n\nThe separator lost"));
    stage.wait(2_000);
    expect(await stage.screen()).toBe(
      [
        "› fix the test",
        "",
        "I'll look at it.",
        "",
        "The separator lost",
        "",
        "  ⠋ working  2 s · esc stop",
        "",
        "›",
        "  agent.py · / · fix the test",
      ].join("\n"),
    );
    stage.hear(says("message.finished", "I'll look at it.\n\nThe separator lost its space."), finished);
    stage.wait(100);
    expect(await stage.screen()).toBe(
      [
        "› fix the test",
        "",
        "I'll look at it.",
        "",
        "The separator lost its space.",
        "",
        "› message, / for commands, @ for files",
        "  agent.py · / · fix the test",
      ].join("\n"),
    );
  });

  test("quitting in the middle of an answer keeps the partial answer, and what was below it", async () => {
    const stage = opened();
    stage.type("fix the test", ENTER);
    stage.hear(started, says("message.updated", "I'll look at it.\n\nThe separator lost"), confirm("a.ts"));
    stage.wait(2_000);
    stage.answer("y");
    stage.hear({ type: "tool.started", sessionId, name: "bash", toolCallId: "t", args: "npm test" });
    stage.wait(100);
    stage.renderer.close();
    const kept = ["› fix the test", "", "I'll look at it.", "", "The separator lost", ""];
    expect(await stage.screen()).toBe(
      [...kept, "? Delete a.ts?  yes", "", "✕ bash npm test  stopped  0.1 s"].join("\n"),
    );
  });

  test("an idle screen writes nothing", async () => {
    const stage = opened();
    stage.wait(100);
    await stage.read();
    stage.wait(60_000);
    expect(stage.bytesWaiting).toBe(0);
  });

  test("what is sent while the agent works waits for its turn, and shows", async () => {
    const stage = opened();
    stage.type("one", ENTER);
    stage.hear(started);
    stage.type("two", ENTER);
    stage.wait(100);
    expect(await stage.screen()).toContain("agent.py · / · 1 queued");
    stage.hear(finished);
    expect(stage.sent).toEqual([
      { type: "prompt", text: "one" },
      { type: "prompt", text: "two" },
    ]);
  });

  test("esc stops the turn; ctrl+c clears, then stops, and twice in a row leaves", () => {
    const stage = opened();
    stage.type("one", ENTER);
    stage.hear(started);
    stage.type(ESCAPE);
    expect(stage.sent.at(-1)).toEqual({ type: "abort" });
    stage.type("half a thou", CTRL_C);
    expect(stage.left).toBe("no");
    stage.wait(3_000);
    stage.type(CTRL_C);
    expect(stage.sent.filter(({ type }) => type === "abort")).toHaveLength(2);
    stage.type(CTRL_C);
    expect(stage.left).toBe("left");
  });

  test("a turn that the user stopped says so, once however often the key is pressed, and each turn again", async () => {
    const stage = opened();
    stage.type("one", ENTER);
    stage.hear(started, says("message.updated", "Half an"));
    stage.type(ESCAPE, ESCAPE);
    stage.hear(says("message.finished", "Half an ans"), finished);
    stage.wait(1_000);
    const words = async () => (await stage.screen()).split("\n").filter((row) => row.includes("ℹ stopped"));
    expect(await words()).toEqual(["ℹ stopped"]);
    expect(await stage.screen()).toMatch(/Half an ans\n\nℹ stopped/);
    stage.type("two", ENTER);
    stage.hear(started);
    stage.type("/abort", ENTER);
    stage.hear(finished);
    stage.wait(100);
    expect(await words()).toHaveLength(2);
    // Nothing runs: there is nothing to stop.
    stage.type("/abort", ENTER);
    stage.wait(100);
    expect(await words()).toHaveLength(2);
  });

  test("an agent that does not stop is named after a while, with the way to end it", async () => {
    const stage = opened();
    stage.type("one", ENTER);
    stage.hear(started);
    stage.type(ESCAPE);
    stage.wait(100);
    expect(await stage.screen()).toMatch(/stopping {2}0 s\n/);
    stage.wait(10_000);
    expect(await stage.screen()).toMatch(/it does not stop; \/restart ends it {2}10 s\n/);
    stage.hear(finished);
    stage.wait(100);
    expect(await stage.screen()).not.toContain("does not stop");
  });

  test("what was sent before comes back with the arrow up, also from another run", async () => {
    const stage = opened();
    stage.type("first", ENTER);
    stage.hear(started, finished);
    stage.type("\x1b[A", "\x1b[A");
    stage.wait(100);
    expect(await stage.screen()).toContain("› an older prompt");
    expect(stage.remembered).toEqual(["first"]);
  });

  test("/copy puts the source of the last message on the clipboard", async () => {
    const stage = opened();
    stage.type("/copy", ENTER);
    expect(await stage.screen()).toContain("there is nothing to copy yet");
    stage.hear(says("message.finished", "**bold** words"));
    stage.type("/copy", ENTER);
    stage.wait(100);
    expect(await stage.screen()).toContain("copied the last reply");
    expect(stage.emulator.clipboardWrites).toEqual([`c;${Buffer.from("**bold** words").toString("base64")}`]);
  });

  test("/copy code finds the last code block, also in an earlier reply", async () => {
    const stage = opened();
    stage.hear(says("message.finished", "```ts\nfirst()\n```"), says("message.finished", "no code here"));
    stage.type("/copy code", ENTER);
    stage.wait(100);
    expect(await stage.screen()).toContain("copied the last code block");
    expect(stage.emulator.clipboardWrites).toEqual([`c;${Buffer.from("first()").toString("base64")}`]);
  });

  test("an unknown command is told, with the nearest", async () => {
    const stage = opened();
    stage.type("/abotr", ENTER);
    stage.wait(100);
    expect(await stage.screen()).toContain("there is no command /abotr; did you mean /abort?");
    expect(stage.sent).toEqual([]);
  });
});

test("a question names the tool that asks it, unless its title does", async () => {
  const from = (title: string): SessionEvent => {
    const event = asks(title, { kind: "confirm", params: { title } });
    if (event.type !== "ask.raised") throw new Error("not an ask");
    return { ...event, ask: { ...event.ask, origin: { kind: "tool", name: "Bash" } } };
  };
  for (const [title, head] of [
    ["Bash npm test", "▌ Bash npm test\n"],
    ["Which one?", "▌ Which one?  from Bash\n"],
  ] as const) {
    const stage = opened();
    stage.hear(from(title));
    stage.wait(2_000);
    expect(await stage.screen()).toContain(head);
  }
});

describe("a question", () => {
  test("is drawn, takes the keys, and its answer goes to the agent and stays in the transcript", async () => {
    const stage = opened();
    stage.hear(select);
    stage.wait(1_000);
    expect(await stage.screen()).toBe(
      [
        "",
        "▌ Which one?",
        "▌ ❯ npm",
        "▌   pnpm  fast",
        "▌ up/down, enter · esc cancel · type to filter",
        "  agent.py · /",
      ].join("\n"),
    );
    stage.choose(DOWN);
    expect(stage.sent).toEqual([{ type: "ui_response", id: "s", result: "pnpm", error: null }]);
    stage.wait(100);
    expect(await stage.screen()).toBe(
      ["? Which one?  pnpm", "", "› message, / for commands, @ for files", "  agent.py · /"].join("\n"),
    );
  });

  test("never takes a key that was meant for the composer: typing does not approve", async () => {
    const stage = opened();
    for (const letter of "and a then y") {
      stage.type(letter);
      stage.wait(100);
      if (letter === "d") stage.hear(confirm("a"));
    }
    stage.type("y", ENTER);
    expect(stage.sent).toEqual([{ type: "prompt", text: "and a then yy" }]);
    expect(await stage.screen()).toContain("▌ Delete a?  ready in a moment");
    stage.wait(1_000);
    expect(await stage.screen()).toContain("▌ ❯ n  no");
  });

  test("takes no key while somebody drags the window's edge, and takes them when it rests", async () => {
    const stage = opened();
    await stage.resize(79, 24);
    stage.hear(confirm("a"));
    stage.wait(280);
    stage.type("y");
    expect(stage.sent).toEqual([]);
    expect(await stage.screen()).toContain("▌ Delete a?  waiting for you to finish typing");
    stage.type(BACKSPACE);
    stage.wait(2_000);
    await stage.resize(78, 24);
    stage.answer("y");
    expect(stage.sent).toEqual([{ type: "ui_response", id: "a", result: true, error: null }]);
  });

  test("takes keys when the window rests, though nothing is drawn then", async () => {
    const stage = opened();
    stage.hear(confirm("a"));
    await stage.resize(79, 24);
    stage.wait(2_000);
    stage.answer("y");
    expect(stage.sent).toEqual([{ type: "ui_response", id: "a", result: true, error: null }]);
  });

  test("takes keys soon after the screen was drawn again by hand", () => {
    const stage = opened();
    stage.type("\x0c");
    stage.hear(confirm("a"));
    stage.wait(2_000);
    stage.answer("y");
    expect(stage.sent).toEqual([{ type: "ui_response", id: "a", result: true, error: null }]);
  });

  test("has no default that allows: enter alone answers nothing and says how to answer", async () => {
    for (const opts of [{}, { tool: "bash", allow_remember: true, allow_reason: true }]) {
      const stage = opened();
      stage.hear(confirm("a", opts));
      stage.wait(1_000);
      stage.type(ENTER);
      expect(stage.sent).toEqual([]);
      expect(await stage.screen()).toContain("press up or down first, then enter");
    }
  });

  test("may be answered always, or no with a reason", () => {
    const opts = { tool: "bash", rule: "npm *", allow_remember: true, allow_reason: true };
    const stage = opened();
    stage.hear(confirm("a", opts));
    stage.wait(2_000);
    stage.answer("a");
    stage.hear(confirm("b", opts));
    stage.wait(2_000);
    stage.answer("r");
    stage.type("too risky", ENTER);
    expect(stage.sent).toEqual([
      { type: "ui_response", id: "a", result: { ok: true, remember: true }, error: null },
      { type: "ui_response", id: "b", result: { ok: false, reason: "too risky" }, error: null },
    ]);
  });

  test("says no to Esc, and a second Esc within two seconds stops the agent, also when the next question is open", () => {
    const opts = { tool: "bash", command: "ls" };
    for (const [pauseMs, isStopped] of [
      [1_000, true],
      [3_000, false],
    ] as const) {
      const stage = opened();
      stage.hear({ type: "prompt.started", sessionId }, confirm("a", opts), confirm("b", opts));
      stage.wait(2_000);
      stage.type(ESCAPE);
      stage.wait(pauseMs);
      stage.type(ESCAPE);
      const refused = ["a", "b"].map((id) => ({ type: "ui_response", id, result: false, error: null }));
      expect(stage.sent).toEqual([...refused, ...(isStopped ? [{ type: "abort" }] : [])]);
    }
  });

  test("stops the agent with a second Esc when no other question follows", () => {
    const stage = opened();
    stage.hear({ type: "prompt.started", sessionId }, confirm("a", { tool: "bash", command: "ls" }));
    stage.wait(2_000);
    stage.type(ESCAPE, ESCAPE);
    expect(stage.sent.map(({ type }) => type)).toEqual(["ui_response", "abort"]);
  });

  test("is opened whole with d, and comes back unanswered", async () => {
    const stage = opened();
    const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old words\n+new words\n";
    stage.hear(confirm("x", { tool: "edit", tool_call_id: "c1", path: "a.ts", diff }));
    stage.wait(1_000);
    stage.answer("d");
    expect(await stage.screen()).toMatch(/^-1 old words\n\+1 new words/m);
    stage.type("q");
    stage.wait(100);
    expect(await stage.screen()).toContain("Delete x?");
    expect(stage.sent).toEqual([]);
  });

  test("is cancelled by esc and by ctrl+c, as a value", () => {
    for (const key of [ESCAPE, CTRL_C]) {
      const stage = opened();
      stage.hear(select);
      stage.wait(1_000);
      stage.type(key);
      expect(stage.sent).toEqual([{ type: "ui_response", id: "s", result: null, error: null }]);
      expect(stage.left).toBe("no");
    }
  });

  test("takes text of one line and of many, and hides a secret", async () => {
    const stage = opened();
    stage.hear(asks("t", { kind: "input", params: { title: "Token?", opts: { secret: true } } }));
    stage.wait(1_000);
    stage.type("hunter2");
    stage.wait(100);
    const asked = await stage.screen();
    expect(asked).toContain("▌ › •••••••");
    stage.type(ENTER);
    stage.hear(asks("e", { kind: "editor", params: { title: "Story?", prefill: "Once" } }));
    stage.wait(1_000);
    stage.type(" upon", "\x1b[13;2u", "a time", ENTER);
    stage.wait(100);
    expect(stage.sent).toEqual([
      { type: "ui_response", id: "t", result: "hunter2", error: null },
      { type: "ui_response", id: "e", result: "Once upon\na time", error: null },
    ]);
    expect((await stage.screen()) + stage.emulator.scrollback().join("\n")).not.toContain("hunter2");
    expect(await stage.screen()).toContain("? Token?  answered");
  });

  test("waits behind another, which says how many wait", async () => {
    const stage = opened();
    stage.hear(confirm("a"), confirm("b"), confirm("c"));
    stage.wait(1_000);
    expect(await stage.screen()).toContain("▌ Delete a?  1 of 3");
    stage.answer("y");
    stage.wait(1_000);
    expect(await stage.screen()).toContain("▌ Delete b?  1 of 2");
  });

  test("closes by itself when it is withdrawn, when the turn ends, and when the agent is gone", async () => {
    verifies("asks.withdrawn-with-their-turn");
    const ends: ((stage: Stage) => void)[] = [
      (stage) => stage.hear({ type: "ask.withdrawn", sessionId, askId: "a", reason: "agent_cancelled" }),
      (stage) => stage.hear(finished),
      (stage) => stage.linkChanged("closed", ["it ended with code 1"]),
    ];
    for (const end of ends) {
      const stage = opened();
      stage.hear(confirm("a"));
      stage.wait(1_000);
      end(stage);
      stage.wait(100);
      const screen = await stage.screen();
      expect(screen).toContain("? Delete a?  withdrawn");
      expect(screen).toContain("› message");
      expect(stage.sent).toEqual([]);
    }
  });

  test("expires at its deadline, and the agent is told", async () => {
    verifies("asks.expire-at-their-deadline");
    const stage = opened();
    const raised = confirm("a");
    if (raised.type === "ask.raised") raised.ask.deadlineMs = stage.clock.nowMs() + 1_000;
    stage.hear(raised);
    stage.wait(1_100);
    expect(stage.sent).toEqual([{ type: "ui_response", id: "a", result: null, error: "timeout" }]);
    expect(await stage.screen()).toContain("? Delete a?  no answer in time");
  });
});

describe("the viewer", () => {
  test("shows everything whole, is searched, and leaves the screen as it was; what came meanwhile follows", async () => {
    const stage = opened(60, 12);
    stage.hear({
      type: "tool.finished",
      sessionId,
      toolCallId: "c",
      name: "bash",
      isError: false,
      output: Array.from({ length: 50 }, (_, line) => `output ${line}`).join("\n"),
    });
    stage.wait(100);
    const before = await stage.screen();
    expect(before).toContain("… 45 more lines  ctrl+o");
    stage.type("\x0f");
    expect((await stage.screen()).split("\n").at(-2)).toBe("output 49");
    stage.hear({ type: "notice.shown", sessionId, level: "info", message: "news" });
    stage.wait(100);
    stage.type("/", "output 7", ENTER);
    expect(await stage.screen()).toContain("output 7");
    stage.type("q");
    stage.wait(100);
    const after = await stage.screen();
    expect(after).toContain("… 45 more lines  ctrl+o\n\nℹ news");
    expect(stage.emulator.lines().filter((line) => line.includes("output 0"))).toHaveLength(1);
  });
});

describe("small screens", () => {
  test.each([
    [40, 10],
    [20, 6],
    [10, 3],
  ])("at %i×%i a question and its answer are still there", async (columns, rows) => {
    const stage = opened(columns, rows);
    stage.hear(select);
    stage.wait(1_000);
    const screen = await stage.screen();
    expect(screen.split("\n").length).toBeLessThanOrEqual(rows);
    stage.choose(DOWN);
    expect(stage.sent).toEqual([{ type: "ui_response", id: "s", result: "pnpm", error: null }]);
  });

  test("everything survives resizing in the middle of it", async () => {
    const stage = opened(60, 12);
    stage.type("go", ENTER);
    stage.hear(started);
    let text = "";
    for (let line = 0; line < 40; line += 1) {
      text += `Paragraph ${line} of the answer.\n\n`;
      stage.hear(says("message.updated", text));
      if (line === 20) stage.hear(confirm("a"));
      stage.wait(40);
      await stage.resize(30 + ((line * 17) % 50), 8 + ((line * 5) % 12));
    }
    stage.hear(says("message.finished", text), finished);
    stage.wait(100);
    stage.wait(320);
    await stage.read();
    const seen = stage.emulator.lines().join("\n").replaceAll(/\s+/g, " ");
    for (let line = 0; line < 40; line += 1) expect(seen.split(`Paragraph ${line} of the answer.`)).toHaveLength(2);
    expect(seen.match(/waiting for you|❯/g)).toBeNull();
  });
});
