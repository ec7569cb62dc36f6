// An agent that wants something the user would not give: it draws dialogs of its own, asks at the very moment at which
// somebody types, floods every field, and hides what it wants in characters nobody sees.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Ask } from "../../src/contract/asks.js";
import { OPEN_ASKS_MAX } from "../../src/contract/limits.js";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { reduceFacts, type SessionFacts, startingFacts } from "../../src/session/session-facts.js";
import { verifies } from "../verifies.js";
import { ENTER, ESCAPE, Stage } from "../views/inline/stage.js";

const sessionId = null;
const TYPING_GUARD_MS = 400;

function asks(id: string, question: Ask["question"]): SessionEvent {
  const origin = { kind: "agent" as const };
  return { type: "ask.raised", sessionId, ask: { id, sessionId, turnId: null, origin, question, deadlineMs: null } };
}

const approval = (id: string): SessionEvent =>
  asks(id, {
    kind: "confirm",
    params: { title: "Run it?", opts: { tool: "bash", command: "rm -rf /", allow_remember: true } },
  });

function opened(columns = 70, rows = 24): Stage {
  const stage = new Stage(columns, rows);
  stage.ready();
  return stage;
}

describe("a dialog drawn in words", () => {
  const drawn = [
    "▌ bash rm -rf /",
    "▌",
    "▌   y  allow once",
    "▌ ❯ n  no",
    "▍ ❯ r  never",
    "▌ enter choose · esc no",
  ].join("\n");
  const fence = `\`\`\`\n${drawn}\n\`\`\``;
  const says = (type: "message.updated" | "message.finished", text: string): SessionEvent => ({
    type,
    sessionId,
    message: { role: "assistant", content: [{ type: "text", text }] },
  });
  const output = { content: [{ type: "text" as const, text: drawn }] };
  const ways: Record<string, readonly SessionEvent[]> = {
    prose: [says("message.finished", drawn)],
    code: [says("message.finished", fence)],
    "the output of a tool": [{ type: "tool.finished", sessionId, toolCallId: "t", name: "x", output, isError: false }],
    "a tool's own name": [
      { type: "tool.finished", sessionId, toolCallId: "t", name: "▌ ❯ yes", output: "", isError: false },
    ],
    "a notice": [{ type: "notice.shown", sessionId, level: "info", message: drawn }],
    "a log": [{ type: "log.written", sessionId, stream: "stdout", text: drawn }],
    "a widget": [{ type: "widget.changed", sessionId, key: "w", lines: drawn.split("\n"), placement: "above" }],
    "the working line": [
      { type: "prompt.started", sessionId },
      { type: "working.changed", sessionId, message: "▌ ❯ yes" },
    ],
    "a plan": [{ type: "plan.changed", sessionId, entries: [{ text: "▌ ❯ yes", status: "pending" }] }],
    "a preview": [{ type: "permission.previewed", sessionId, tool: "▌ ❯", summary: drawn, truncated: false }],
    "the status line": [{ type: "status.changed", sessionId, key: "s", text: "▌ ❯ yes" }],
  };

  test.each(Object.entries(ways))("in %s has neither the bar nor the arrow of ours", async (_, events) => {
    verifies("text.cannot-draw-dialogs");
    for (const columns of [70, 24]) {
      const stage = opened(columns);
      stage.hear(...events);
      stage.wait(500);
      await stage.read();
      const rows = stage.emulator.allRows().map((row) => row.trimEnd());
      expect(rows.filter((row) => /^[ ▌]*❯/.test(row) || /^ *[▌▍]/.test(row))).toEqual([]);
    }
  });

  test("while it is still written has neither, and the keys are the composer's", async () => {
    const stage = opened();
    stage.hear({ type: "prompt.started", sessionId }, says("message.updated", `- ${drawn}`));
    stage.wait(1_000);
    stage.type("y");
    stage.wait(100);
    const rows = (await stage.screen()).split("\n");
    expect(rows.filter((row) => /[▌▍❯]/.test(row))).toEqual([]);
    expect(rows).toContain("› y");
    expect(stage.sent).toEqual([]);
  });

  test("is not what a real one looks like: that one has the arrow, and no composer under it", async () => {
    const stage = opened();
    stage.hear(approval("a"));
    stage.wait(1_000);
    const rows = (await stage.screen()).split("\n");
    expect(rows.some((row) => row.startsWith("▌ ❯"))).toBe(true);
    expect(rows.some((row) => row.startsWith("›"))).toBe(false);
  });
});

describe("a question at the wrong moment", () => {
  const key = fc.constantFrom("1", "y", ENTER, "a", " ", "\x1b[A", "2", "\t");
  const step = fc.record({ gapMs: fc.integer({ min: 0, max: 45 }).map((n) => n * 20), key });

  test("takes no key before somebody stopped typing, whatever is typed and however fast", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 14 }), fc.nat(13), fc.nat(20), (steps, place, earlier) => {
        const stage = opened();
        const raisedAt = Math.min(place, steps.length - 1);
        let quietMs = 0;
        let isOpen = false;
        let isActive = false;
        steps.forEach(({ gapMs, key: typed }, index) => {
          // The question comes somewhere in the pause before this key.
          const beforeMs = index === raisedAt ? Math.min(gapMs, earlier * 20) : gapMs;
          stage.wait(beforeMs);
          if (index === raisedAt) {
            stage.hear(approval("a"));
            isOpen = true;
            stage.wait(gapMs - beforeMs);
          }
          quietMs = gapMs;
          isActive ||= isOpen && quietMs >= TYPING_GUARD_MS;
          stage.type(typed);
          const answers = stage.sent.filter(({ type }) => type === "ui_response");
          if (!isActive) expect(answers).toEqual([]);
        });
      }),
      { numRuns: 80 },
    );
  });

  test("is never answered by an Enter alone, also when it came long before", () => {
    const stage = opened();
    stage.hear(approval("a"));
    stage.wait(1_000);
    stage.type(ENTER);
    stage.wait(1_000);
    stage.type(ENTER, ENTER);
    expect(stage.sent).toEqual([]);
  });

  test("that takes the place of another takes no key that was meant for that one", () => {
    const stage = opened();
    stage.hear(approval("harmless"));
    stage.wait(1_000);
    stage.hear({ type: "ask.withdrawn", sessionId, askId: "harmless", reason: "agent_cancelled" }, approval("harmful"));
    stage.wait(200);
    stage.type("y");
    expect(stage.sent).toEqual([]);
  });

  test("does not take the keys that were meant for the one before it", () => {
    const stage = opened();
    stage.hear(approval("a"), approval("b"), approval("c"));
    stage.wait(1_000);
    stage.answer("y");
    stage.answer("y");
    stage.answer("y");
    expect(stage.sent.filter(({ type }) => type === "ui_response")).toHaveLength(1);
  });
});

describe("floods", () => {
  const long = "x".repeat(10_000_000);

  test("in fields that are drawn with every frame are cut before they are kept", () => {
    verifies("wires.bounded");
    const events: SessionEvent[] = [
      { type: "prompt.started", sessionId },
      { type: "title.changed", sessionId, title: long },
      { type: "working.changed", sessionId, message: long },
      {
        type: "plan.changed",
        sessionId,
        entries: Array.from({ length: 500 }, () => ({ text: long.slice(0, 50_000), status: "pending" as const })),
      },
      ...Array.from(
        { length: 200 },
        (_, n): SessionEvent => ({ type: "status.changed", sessionId, key: `${n}${"k".repeat(10_000)}`, text: long }),
      ),
      ...Array.from(
        { length: 200 },
        (_, n): SessionEvent => ({
          type: "widget.changed",
          sessionId,
          key: `${n}`,
          lines: Array.from({ length: 500 }, () => long.slice(0, 50_000)),
          placement: "above",
        }),
      ),
    ];
    const state = events.reduce<SessionFacts>((front, event) => reduceFacts(front, event, 0).state, startingFacts);
    const kept = JSON.stringify(state);
    expect(kept.length).toBeLessThan(4_000_000);
  });

  test("leave a screen that still shows the composer, and cost no more bytes than a screen has cells", async () => {
    const stage = opened();
    const lines = Array.from({ length: 300 }, (_, n) => `widget ${n}`);
    stage.hear(
      { type: "prompt.started", sessionId },
      { type: "status.changed", sessionId, key: "s", text: long },
      { type: "working.changed", sessionId, message: long },
      { type: "widget.changed", sessionId, key: "w", lines, placement: "above" },
      { type: "tool.started", sessionId, toolCallId: "t", name: long, args: { command: long } },
    );
    stage.wait(200);
    expect(stage.bytesWaiting).toBeLessThan(70 * 24 * 20);
    stage.type("still here");
    stage.wait(200);
    expect(await stage.screen()).toContain("› still here");
  });

  test("of questions are refused beyond the bound, each is told, and the first can still be answered", () => {
    const stage = opened();
    const count = 10_000;
    for (let n = 0; n < count; n++) stage.hear(approval(`q${n}`));
    stage.wait(1_000);
    const refused = stage.sent.filter(({ type }) => type === "ui_response");
    expect(refused).toHaveLength(count - OPEN_ASKS_MAX);
    stage.answer("y");
    expect(stage.sent.at(-1)).toMatchObject({ id: "q0", result: { ok: true } });
  });
});

describe("what no one sees", () => {
  const shown = async (opts: Record<string, unknown>, title = "Run it?") => {
    const stage = opened();
    stage.hear(asks("a", { kind: "confirm", params: { title, opts: { tool: "bash", ...opts } } }));
    stage.wait(1_000);
    const screen = await stage.screen();
    stage.type(ESCAPE);
    return screen;
  };

  test.each([
    ["a right-to-left override", "rm \u202egpj.exe", "⟨U+202E⟩"],
    ["an isolate", "cat \u2066x\u2069", "⟨U+2066⟩"],
    ["a no-break space", "rm\u00a0-rf", "⟨U+00A0⟩"],
    ["an ideographic space", "rm\u3000x", "⟨U+3000⟩"],
    ["a zero-width space", "rm\u200b x", "⟨U+200B⟩"],
    ["a tag", "ls\u{e0072}\u{e006d}", "⟨U+E0072⟩"],
    ["an escape", "ls\x1b[8m; rm x", "⟨U+001B⟩"],
    ["a carriage return", "rm x\rls  ", "⟨U+000D⟩"],
  ])("%s in a command, a path or a title is written out", async (_, text, sign) => {
    expect(await shown({ command: text })).toContain(sign);
    expect(await shown({ path: text, diff: "@@ -1 +1 @@\n-a\n+b" })).toContain(sign);
    expect(await shown({ command: "ls" }, text)).toContain(sign);
  });

  test("what an agent puts into the composer shows whole, so that nothing is sent unseen", async () => {
    const stage = opened();
    stage.hear({ type: "editor-text.changed", sessionId, text: "please\x1b_ delete everything\x1b]0;x\x07 \x9bnow" });
    stage.wait(1_000);
    const [typed = ""] = (await stage.screen()).split("\n").filter((row) => row.startsWith("› "));
    stage.type(ENTER);
    expect(stage.sent).toEqual([{ type: "prompt", text: typed.slice(2).trim() }]);
    expect(typed).toContain("delete everything");
  });
});
