// What a finished tool leaves in the scrollback: a head, what it changed as a diff, and the beginning of its output.
import { describe, expect, test } from "vitest";
import type { ToolBlock } from "../../../../src/session/transcript/block.js";
import { blockRows } from "../../../../src/terminal/painter/blocks/block-rows.js";
import { unicodeGlyphs } from "../../../../src/terminal/painter/blocks/glyphs.js";
import { toolRows } from "../../../../src/terminal/painter/blocks/tool-rows.js";
import { documentOf } from "../../../../src/terminal/painter/viewer/transcript-document.js";
import { plainText } from "../../../../src/text/row.js";
import { colourless } from "../visible.js";

const options = { style: colourless, glyphs: unicodeGlyphs, outputLinesMax: 3 };
const diff = '--- a/a.ts\n+++ b/a.ts\n@@ -41,3 +41,3 @@\n const out = [];\n-join(",");\n+join(", ");\n }\n';
const tool = (more: Partial<ToolBlock>): ToolBlock => ({
  kind: "tool",
  id: "b1",
  toolCallId: "c1",
  name: "edit",
  args: { path: "a.ts" },
  output: "",
  phase: "done",
  startedAtMs: 0,
  endedAtMs: 200,
  ...more,
});
const rows = (more: Partial<ToolBlock>, outputLinesMax = 3) =>
  toolRows(tool(more), { ...options, outputLinesMax }).map(plainText);

const changes = [{ path: "a.ts", oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\n" }];

describe("an error", () => {
  const stack = ["TypeError: out is undefined", ...Array.from({ length: 40 }, (_, at) => `at step ${at + 1}`)].join(
    "\n",
  );
  const notice = (level: "error" | "info") => ({ kind: "notice", id: "b2", level, text: stack }) as const;

  test("is one line that says what happened, the beginning of its details, and where the rest is", () => {
    expect(blockRows(notice("error"), options).map(plainText)).toEqual([
      "✕ TypeError: out is undefined",
      "  at step 1",
      "  at step 2",
      "  at step 3",
      "  … 37 more lines  ctrl+o",
    ]);
    const opened = documentOf({ blocks: [notice("error")], units: 0, dropped: 0 }, 80, options);
    expect(opened.lines.map(plainText)).toContain("  at step 40");
  });

  test("is cut, a notice is not", () => {
    expect(blockRows(notice("info"), options)).toHaveLength(41);
  });
});

test("a call that showed a plan is one row with its title, and counts no lines of what the model was told", () => {
  const plan = { name: "plan", args: { title: "step 2 of 6: diff" }, output: "5 of 6 steps left." };
  expect(rows({ ...plan, endedAtMs: 0 })).toEqual(["● plan step 2 of 6: diff"]);
  expect(rows({ ...plan, phase: "failed", endedAtMs: 0 })).toEqual([
    "✕ plan step 2 of 6: diff  1 line",
    "5 of 6 steps left.",
  ]);
});

describe("a tool that changed files", () => {
  test("shows the change with line numbers, and what else it said", () => {
    expect(rows({ changes, output: "saved" })).toEqual([
      "● edit a.ts  +1 −1  0.2 s",
      " 1 one",
      "-2 two",
      "+2 2",
      " 3 three",
      "saved",
    ]);
  });

  test("names the files when there are several, and a new one as new", () => {
    const several = [...changes, { path: "b.ts", oldText: null, newText: "hello\n" }];
    expect(rows({ changes: several })).toEqual([
      "● edit a.ts  +2 −1  0.2 s",
      "a.ts",
      " 1 one",
      "-2 two",
      "+2 2",
      " 3 three",
      "b.ts",
      "+1 hello",
    ]);
  });

  test("folds a huge change, and shows all of it where nothing is folded", () => {
    const newText = Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join("");
    const huge = { changes: [{ path: "a.ts", oldText: null, newText }] };
    expect(rows(huge)).toHaveLength(14);
    expect(rows(huge).at(-1)).toBe("… 488 more lines  ctrl+o");
    expect(rows(huge, Number.MAX_SAFE_INTEGER)).toHaveLength(501);
  });

  test("says what went wrong instead when it failed", () => {
    expect(rows({ changes, phase: "failed", output: "no such file" })).toEqual([
      "✕ edit a.ts  1 line  0.2 s",
      "no such file",
    ]);
  });

  test("shows no change where nothing changed", () => {
    expect(rows({ changes: [{ path: "a.ts", oldText: "a", newText: "a" }] })).toEqual(["● edit a.ts  0.2 s"]);
  });
});

describe("an output that is a diff", () => {
  test("is drawn as one", () => {
    expect(rows({ output: diff })).toEqual([
      "● edit a.ts  +1 −1  0.2 s",
      " 41 const out = [];",
      '-42 join(",");',
      '+42 join(", ");',
      " 43 }",
    ]);
  });

  test("is shown below how it was allowed", () => {
    const made = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
    expect(rows({ diff: made, approval: "allowed once" })).toEqual([
      "● edit a.ts  +1 −1  allowed once  0.2 s",
      " 1 one",
      "-2 two",
      "+2 2",
      " 3 three",
    ]);
  });

  test("is not shown of a call that was denied; the reason is", () => {
    const denied = { approval: "denied", phase: "failed", output: "keep it", startedAtMs: null } as const;
    expect(rows(denied)).toEqual(["✕ edit a.ts  denied", "keep it"]);
  });

  test.each([
    ["--- FAIL: TestJoin (0.00s)", "    want a"],
    ["Applied the patch:", "@@ -1 +1 @@"],
    ["--- ", "+++"],
  ])("is not one that only looks like it: %j", (...lines) => {
    expect(rows({ name: "bash", args: null, output: lines.join("\n") }).slice(1)).toEqual(lines);
  });
});
