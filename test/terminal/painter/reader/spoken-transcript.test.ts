// A transcript by ear: paragraphs when they are complete, code with its beginning and end, tools and diffs in words.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block, ToolBlock } from "../../../../src/session/transcript/block.js";
import { spokenBlock, wholeSpeech } from "../../../../src/terminal/painter/reader/block-speech.js";
import { spokenDiff, spokenStat } from "../../../../src/terminal/painter/reader/diff-speech.js";
import { SpokenProse, SpokenTranscript } from "../../../../src/terminal/painter/reader/spoken-transcript.js";

const MARKDOWN = [
  "# Two things",
  "",
  "The *separator* lost its space in [the parser](https://example.org/p).",
  "It is back.",
  "",
  "- one",
  "- two `code`",
  "",
  "```ts",
  "const a = 1;",
  "",
  "b();",
  "```",
  "",
  "| name | size |",
  "|---|---|",
  "| parser | 12 |",
  "",
  "> quoted",
].join("\n");

function said(text: string): string[] {
  const prose = new SpokenProse();
  prose.append(text);
  prose.finish();
  return prose.take();
}

describe("prose", () => {
  test("is one utterance a paragraph, without markup for the eye", () => {
    expect(said(MARKDOWN)).toEqual([
      "Two things",
      "The separator lost its space in the parser (https://example.org/p). It is back.",
      "- one",
      "- two `code`",
      "Code, ts.",
      "const a = 1;",
      "",
      "b();",
      "End of code.",
      "name    size",
      "parser  12",
      "> quoted",
    ]);
  });

  test("says the same however it is cut into pieces, and never a part of a paragraph", () => {
    const whole = said(MARKDOWN);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: MARKDOWN.length }), { maxLength: 20 }), (cuts) => {
        const prose = new SpokenProse();
        const heard: string[] = [];
        const places = [...new Set(cuts)].sort((a, b) => a - b);
        [0, ...places].forEach((from, index) => {
          prose.append(MARKDOWN.slice(from, places[index] ?? MARKDOWN.length));
          heard.push(...prose.take());
          expect(whole.slice(0, heard.length)).toEqual(heard);
        });
        prose.finish();
        expect([...heard, ...prose.take()]).toEqual(whole);
      }),
    );
  });

  test("code that never ends is ended when the message is", () => {
    expect(said("```\nx")).toEqual(["Code.", "x", "End of code."]);
  });
});

const tool = (fields: Partial<ToolBlock>): ToolBlock => ({
  kind: "tool",
  id: "b1",
  toolCallId: "t",
  name: "bash",
  args: { command: "npm test" },
  output: "",
  phase: "done",
  startedAtMs: 0,
  endedAtMs: 2_300,
  ...fields,
});
const DIFF = "--- a/p.ts\n+++ b/p.ts\n@@ -41,3 +41,3 @@\n const out = [];\n-return a;\n+return b;\n }\n";

describe("blocks", () => {
  test.each<[Block, string[]]>([
    [{ kind: "prompt", id: "b", text: "one\ntwo" }, ["You: one", "two"]],
    [tool({}), ["Tool bash npm test, done, 2.3 s."]],
    [tool({ output: "a\nb" }), ["Tool bash npm test, done, 2 lines, 2.3 s.", "a", "b"]],
    [
      tool({ output: "a\nb\nc" }),
      ["Tool bash npm test, done, 3 lines, 2.3 s.", "a", "b", "1 more line; /open reads it."],
    ],
    [
      tool({ output: "a\nb\nc\nd", phase: "failed" }),
      ["Tool bash npm test, failed, 4 lines, 2.3 s.", "2 more lines; /open reads them.", "c", "d"],
    ],
    [tool({ name: "read", args: { path: "p.ts" }, output: "a\nb\nc" }), ["Tool read p.ts, done, 3 lines, 2.3 s."]],
    [tool({ phase: "stopped" }), ["Tool bash npm test, stopped, 2.3 s."]],
    [tool({ output: "\x1b[31mred\x1b[0m" }), ["Tool bash npm test, done, 1 line, 2.3 s.", "red"]],
    [
      tool({ name: "edit", args: "p.ts", output: "keep it", phase: "failed", approval: "denied" }),
      ["Tool edit p.ts, denied, 2.3 s.", "keep it"],
    ],
    [{ kind: "notice", id: "b", level: "error", text: "it broke\nhere" }, ["Error: it broke", "here"]],
    [{ kind: "asked", id: "b", title: "Delete?", outcome: "yes" }, ["Answered: Delete? yes."]],
    [{ kind: "log", id: "b", text: "one\ntwo" }, ["Log: one", "Log: two"]],
    [
      { kind: "image", id: "b", mimeType: "image/png", base64: "A".repeat(16_000) },
      ["Picture, image/png, 12 kilobytes."],
    ],
  ])("%j", (block, lines) => {
    if (block.kind === "prose" || block.kind === "thinking") throw new Error("said while they come");
    expect(spokenBlock(block, 2).lines).toEqual(lines);
  });

  test("a diff says of each line what became of it", () => {
    expect(spokenStat(DIFF)).toBe("plus 1, minus 1");
    expect(spokenDiff(DIFF)).toEqual([
      "line 41: const out = [];",
      "removed line 42: return a;",
      "added line 42: return b;",
      "line 43: }",
    ]);
  });

  test("a user who asks hears all of it, also what was only looked at", () => {
    expect(wholeSpeech(tool({ name: "read", args: null, output: "a\nb\nc" }))).toEqual([
      "Tool read, done, 2.3 s.",
      "a",
      "b",
      "c",
    ]);
  });
});

describe("thinking", () => {
  const heard = (thinking: "shown" | "hidden" | "collapsed") => {
    const spoken = new SpokenTranscript({ outputLinesMax: () => 2, thinking: () => thinking });
    const block = { kind: "thinking", id: "b", text: "Which test?\n\nThat one." } as const;
    spoken.follow({ type: "opened", block });
    spoken.follow({ type: "closed", block });
    return { lines: spoken.take(), cut: spoken.lastCut };
  };

  test("is said, left out, or only told of", () => {
    expect(heard("shown").lines).toEqual(["Thinking: Which test?", "That one."]);
    expect(heard("hidden").lines).toEqual([]);
    expect(heard("collapsed").lines).toEqual(["Thinking, 3 lines; /open reads them."]);
    expect(heard("collapsed").cut?.kind).toBe("thinking");
  });
});
