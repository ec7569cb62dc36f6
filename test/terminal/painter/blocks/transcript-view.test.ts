// The transcript as it is seen: what is settled, in order and once, and what is still alive below it.
import { describe, expect, test } from "vitest";
import type { Block, BlockChange, ToolBlock } from "../../../../src/session/transcript/block.js";
import { asciiGlyphs, unicodeGlyphs } from "../../../../src/terminal/painter/blocks/glyphs.js";
import { TranscriptView } from "../../../../src/terminal/painter/blocks/transcript-view.js";
import { plainText } from "../../../../src/text/row.js";
import { colourless } from "../visible.js";

const moment = { nowMs: 12_000, tick: 2 };

function viewOf(glyphs = unicodeGlyphs): TranscriptView {
  return new TranscriptView({ style: colourless, glyphs, wrap: "words", thinking: "shown", outputLinesMax: 3 });
}

const opened = (block: Block): BlockChange => ({ type: "opened", block });
const closed = (block: Block): BlockChange => ({ type: "closed", block });
const grew = (id: string, delta: string): BlockChange => ({ type: "grew", id, delta });
const prose = (id: string, text: string): Block => ({ kind: "prose", id, text });
const tool = (id: string, more: Partial<ToolBlock> = {}): ToolBlock => ({
  kind: "tool",
  id,
  toolCallId: id,
  name: "bash",
  args: { command: "npm test" },
  output: "",
  phase: "running",
  startedAtMs: 0,
  endedAtMs: null,
  ...more,
});

function follow(view: TranscriptView, ...changes: BlockChange[]): { settled: string[]; live: string[] } {
  for (const change of changes) view.follow(change);
  return { settled: view.takeSettled(40).map(plainText), live: view.liveRows(40, moment).map(plainText) };
}

const whole = (block: Block): BlockChange[] => [opened(block), closed(block)];

describe("the transcript", () => {
  test("looks like this when it is settled", () => {
    const { settled } = follow(
      viewOf(),
      ...whole({ kind: "prompt", id: "1", text: "fix the test\nplease" }),
      ...whole(prose("2", "I'll look at the **test** first.")),
      ...whole(tool("3", { phase: "done", endedAtMs: 2_300, output: "a\nb\nc\nd\ne" })),
      ...whole(
        tool("4", { phase: "failed", endedAtMs: 100, args: { path: "x.ts" }, name: "read", output: "no such file" }),
      ),
      ...whole(tool("4b", { phase: "done", endedAtMs: 100, args: { path: "x.ts" }, name: "read", output: "1\n2\n3" })),
      ...whole(
        tool("4c", { phase: "done", endedAtMs: 100, args: { path: "y.ts" }, name: "read_file", output: "1\n2" }),
      ),
      ...whole({ kind: "asked", id: "5", title: "Which one?", outcome: "pnpm" }),
      ...whole({ kind: "notice", id: "6", level: "warn", text: "context is 92 % full" }),
    );
    expect(settled).toEqual([
      "› fix the test",
      "  please",
      "",
      "I'll look at the test first.",
      "",
      "● bash npm test  5 lines  2.3 s",
      "a",
      "b",
      "c",
      "… 2 more lines  ctrl+o",
      "",
      "✕ read x.ts  1 line  0.1 s",
      "no such file",
      "",
      "● read x.ts  3 lines  0.1 s",
      "● read_file y.ts  2 lines  0.1 s",
      "",
      "? Which one?  pnpm",
      "",
      "▲ context is 92 % full",
    ]);
  });

  test("settles the beginning of prose while its end is alive, and says nothing twice", () => {
    const view = viewOf();
    const first = follow(view, opened(prose("1", "One.\n\nTw")));
    expect(first).toEqual({ settled: ["One."], live: ["", "Tw"] });
    const second = follow(view, grew("1", "o."), closed(prose("1", "One.\n\nTwo.")));
    expect(second).toEqual({ settled: ["", "Two."], live: [] });
  });

  test("keeps the order: a block waits for those before it", () => {
    const view = viewOf();
    const before = follow(
      view,
      opened(tool("1")),
      ...whole(tool("2", { phase: "done", endedAtMs: 50, output: "out" })),
    );
    expect(before.settled).toEqual([]);
    expect(before.live[0]).toBe("  ⠹ bash npm test  12 s");
    const after = follow(view, closed(tool("1", { phase: "done", endedAtMs: 60 })));
    expect(after.settled).toEqual(["● bash npm test  0.1 s", "● bash npm test  1 line  0.1 s", "out"]);
    expect(after.live).toEqual([]);
  });

  test("shows the end of a running tool's output and how much there is", () => {
    const view = viewOf();
    const { live } = follow(view, opened(tool("1")), grew("1", "one\ntwo\nthree\nfour\n"));
    expect(live).toEqual(["  ⠹ bash npm test  12 s · 4 lines", "    two", "    three", "    four"]);
  });

  test("shows diffs as diffs, with what changed counted", () => {
    const diff = "--- a/x.ts\n+++ b/x.ts\n@@ -41,2 +41,2 @@\n const out = [];\n-return 1;\n+return 2;\n";
    const { settled } = follow(viewOf(), ...whole(tool("1", { phase: "done", diff, approval: "allowed always" })));
    expect(settled[0]).toBe("● bash npm test  +1 −1  allowed always");
    expect(settled.join("\n")).toContain("-42 return 1;");
  });

  test("leaves the call that a dialog is about to the dialog", () => {
    const view = viewOf();
    follow(view, opened(tool("1", { phase: "waiting", startedAtMs: null })));
    const { toolCallId: asked } = tool("1");
    expect(view.liveRows(80, { nowMs: 0, tick: 0 }, { asked })).toEqual([]);
    expect(view.liveRows(80, { nowMs: 0, tick: 0 }).map(plainText)).toEqual(["  ◌ bash npm test"]);
  });

  test("cannot be made to move the cursor or to imitate another block by what it says", () => {
    const hostile = "a\x1b[2J\x1b]0;title\x07b";
    const view = viewOf();
    for (const block of [
      { kind: "prompt", id: "1", text: hostile },
      prose("2", hostile),
      tool("3", { phase: "done", name: hostile, args: { command: hostile }, output: hostile }),
      { kind: "asked", id: "4", title: hostile, outcome: hostile },
      { kind: "notice", id: "5", level: "info", text: hostile },
      { kind: "log", id: "6", text: hostile },
    ] as Block[]) {
      for (const change of whole(block)) view.follow(change);
    }
    expect(
      view
        .takeSettled(40)
        .join("\n")
        .replaceAll(/\x1b\[[\d;]*m/g, ""),
    ).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
  });

  test("has twins of its signs for terminals without UTF-8", () => {
    const { settled, live } = follow(
      viewOf(asciiGlyphs),
      ...whole({ kind: "prompt", id: "1", text: "hi" }),
      opened(tool("2")),
    );
    expect(settled).toEqual(["> hi"]);
    expect([...settled, ...live].join("")).toMatch(/^[\x20-\x7e]*$/);
  });
});

test("a tool that waits for a yes does not hold back what it would change", () => {
  const view = viewOf();
  const waiting = tool("t", { phase: "waiting", startedAtMs: null });
  const notice: Block = { kind: "notice", id: "n", level: "info", text: "this would change" };
  const shown = follow(view, opened(waiting), ...whole(notice));
  expect(shown.settled).toEqual(["ℹ this would change"]);
  expect(shown.live.join("\n")).toContain("◌ bash npm test");
  const done = tool("t", { phase: "done", endedAtMs: 100 });
  expect(follow(view, { type: "replaced", block: done }, closed(done)).settled).toEqual(["", "● bash npm test  0.1 s"]);
});

test("a notice is wrapped at words under itself; a path that is longer than a row is left whole", () => {
  const path = `/tmp/${"a-long-name/".repeat(4)}talk.md`;
  const text = `the transcript that you wished for is written to ${path} and can be opened there`;
  const notice: Block = { kind: "notice", id: "n", level: "info", text };
  expect(follow(viewOf(), ...whole(notice)).settled).toEqual([
    "ℹ the transcript that you wished for is",
    "  written to",
    `  ${path}`,
    "  and can be opened there",
  ]);
  const laidOut: Block = {
    kind: "notice",
    id: "m",
    level: "info",
    text: "/help   what can be typed here, with words\nx",
  };
  expect(follow(viewOf(), ...whole(laidOut)).settled).toEqual([
    "ℹ /help   what can be typed here, with",
    "          words",
    "  x",
  ]);
});
