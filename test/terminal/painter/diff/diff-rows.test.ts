// Diffs as people see them: markers, numbers, marked words, colours by the right language, and honest limits.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changesDiff, unifiedDiffOf } from "../../../../src/session/file-diff.js";
import { diffRows } from "../../../../src/terminal/painter/diff/diff-rows.js";
import { createStyle } from "../../../../src/terminal/painter/style/style.js";
import { diffStat } from "../../../../src/text/diff/diff-stat.js";
import { plainText } from "../../../../src/text/row.js";
import { colourless, harbour, visibleRows } from "../visible.js";

const PARSER = `diff --git a/src/parser.ts b/src/parser.ts
index 1111111..2222222 100644
--- a/src/parser.ts
+++ b/src/parser.ts
@@ -41,3 +41,3 @@ export function join(parts: string[]) {
   const out = [];
-  return out.join(",");
+  return out.join(", ");
 }
`;

const plain = (text: string, options: { path?: string; language?: string; rowsMax?: number; truncated?: "yes" } = {}) =>
  diffRows(text, { style: colourless, ...options }).map(plainText);

describe("a diff", () => {
  test("shows markers, numbers and lines", () => {
    expect(plain(PARSER)).toEqual([
      " 41   const out = [];",
      '-42   return out.join(",");',
      '+42   return out.join(", ");',
      " 43 }",
    ]);
  });

  test("is tinted, coloured in its language, and marks the words that changed", () => {
    expect(visibleRows(diffRows(PARSER, { style: harbour }))).toEqual([
      "<dim> 41 </>  <accent>const</> out = [];",
      '<remove>-42   <accent,on-remove>return<remove> out.<user,on-remove>join<remove>(<ok,on-remove>","<remove>);</>',
      '<add>+42   <accent,on-add>return<add> out.<user,on-add>join<add>(",<add,mark> <add>");</>',
      "<dim> 43 </>}",
    ]);
  });

  test("without tints the line itself carries the colour of the change", () => {
    const style = createStyle({ theme: "terminal", depth: "16" });
    expect(diffRows(PARSER, { style })[2]).toBe(
      '\x1b[32m+42   return out.join(",\x1b[7;32m \x1b[39;27m\x1b[32m");\x1b[39m',
    );
  });

  test("marks nothing in lines that have little in common", () => {
    const text = "@@ -1 +1 @@\n-completely different words here\n+export const y = [1, 2];\n";
    expect(visibleRows(diffRows(text, { style: harbour })).join()).not.toContain("mark");
  });
});

describe("the language of a diff", () => {
  const body = "@@ -1 +1 @@\n-def a\n+def b\n";
  const keywordIs = (rows: readonly string[]) => rows.some((row) => row.includes("<accent,"));

  test("is the explicit one, else that of the header, else that of the path", () => {
    const header = (path: string) => `--- a/${path}\n+++ b/${path}\n${body}`;
    const shown = (text: string, options: { path?: string; language?: string }) =>
      keywordIs(visibleRows(diffRows(text, { style: harbour, ...options })));
    expect(shown(header("x.txt"), {})).toBe(false);
    expect(shown(header("x.py"), { path: "x.json" })).toBe(true);
    expect(shown(header("x.json"), { path: "x.py" })).toBe(false);
    expect(shown(header("x.json"), { path: "x.json", language: "python" })).toBe(true);
    expect(shown(body, { path: "x.py" })).toBe(true);
  });
});

describe("diffs that are not quite right", () => {
  test("have no numbers when there is no header", () => {
    expect(plain("-old\n+new\n same\n")).toEqual(["-old", "+new", " same"]);
    expect(plain("@@\n-old\n+new\n")).toEqual(["-old", "+new"]);
  });

  test("are shown although the header counts wrongly", () => {
    expect(plain("@@ -1,1 +1,1 @@\n a\n-b\n+c\n d\n")).toEqual([" 1 a", "-2 b", "+2 c", " 3 d"]);
    expect(plain("@@ -10,20 +10,20 @@\n a\n-b\n")).toEqual([" 10 a", "-11 b"]);
  });

  test("keep a removed line that looks like a header", () => {
    const text = "--- a/x.sql\n+++ b/x.sql\n@@ -1,3 +1,2 @@\n a\n--- a comment\n b\n";
    expect(plain(text)).toEqual([" 1 a", "-2 -- a comment", " 2 b"]);
  });

  test("of several files name each of them", () => {
    const text = `${PARSER}diff --git a/b.txt b/b.txt\nnew file mode 100644\n--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+hi\n\\ No newline at end of file\n`;
    expect(plain(text)).toEqual([
      "src/parser.ts",
      " 41   const out = [];",
      '-42   return out.join(",");',
      '+42   return out.join(", ");',
      " 43 }",
      "b.txt  new file",
      "+1 hi  no newline at the end",
    ]);
  });

  test("say what no line shows: renames, modes, binary files", () => {
    const rename = "diff --git a/a.ts b/b.ts\nsimilarity index 100%\nrename from a.ts\nrename to b.ts\n";
    expect(plain(rename)).toEqual(["b.ts  renamed from a.ts"]);
    const binary = "diff --git a/x.png b/x.png\nindex 1..2\nBinary files a/x.png and b/x.png differ\n";
    expect(plain(binary)).toEqual(["x.png  binary, not shown"]);
    expect(plain("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n")).toEqual(["x  mode 100755"]);
  });

  test("in the format of patches for tools are read, too", () => {
    const text = "*** Begin Patch\n*** Update File: src/a.py\n@@ def f():\n-  return 1\n+  return 2\n*** End Patch\n";
    expect(plain(text)).toEqual(["-  return 1", "+  return 2"]);
  });

  test("keep every line that is no header of a diff: above the first file, between files, and where a header should be", () => {
    const commit = `commit 1234\n\n    Join with a blank\n\n${PARSER}`;
    expect(plain(commit).slice(0, 4)).toEqual(["commit 1234", "", "    Join with a blank", " 41   const out = [];"]);
    const lines = ["one", "*** two", "\\ three", "index four", "new file mode five", "+++ six", "rename from seven"];
    const hidden = `${lines.join("\n")}\ndiff --git a/x b/x\neight\ndiff --git a/y b/y\n*** nine\n@@ -1 +1 @@\n*** ten\n-a\n`;
    const shown = plain(hidden).join("\n");
    for (const word of ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]) {
      expect(shown, word).toContain(word);
    }
  });

  test("name a file that a patch deletes or moves", () => {
    const text =
      "*** Begin Patch\n*** Delete File: a.py\n*** Update File: b.py\n*** Move to: c.py\n@@\n-1\n+2\n*** End Patch\n";
    expect(plain(text)).toEqual(["a.py  deleted", "b.py  moved to c.py", "-1", "+2"]);
  });

  test("leave out what stands for the bytes of a binary file", () => {
    const text =
      "diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 4\nzcmV+b00961\n\nliteral 0\nHcmV?d00001\n\n";
    expect(plain(text)).toEqual(["x  binary, not shown"]);
  });

  test("show where hunks are apart", () => {
    const text = "@@ -1 +1 @@ top\n-a\n+b\n@@ -90,2 +90,2 @@ function far()\n c\n-d\n+e\n";
    expect(plain(text)).toEqual(["- 1 a", "+ 1 b", "⋯ function far()", " 90 c", "-91 d", "+91 e"]);
  });

  test("with Windows line ends look the same", () => {
    expect(plain(PARSER.replaceAll("\n", "\r\n"))).toEqual(plain(PARSER));
  });

  test("are shown as they are when they are no diff, and said to be empty when they are", () => {
    expect(plain("Could not make a preview.\nSorry.\n")).toEqual(["Could not make a preview.", "Sorry."]);
    expect(plain("")).toEqual(["no changes to show"]);
    expect(plain("\n\n")).toEqual(["no changes to show"]);
  });
});

describe("limits", () => {
  const long = unifiedDiffOf("", Array.from({ length: 1500 }, (_, i) => `line ${i}\n`).join(""), "a.txt");

  test("say how many lines are missing", () => {
    const rows = plain(long, { rowsMax: 3 });
    expect(rows).toEqual(["+   1 line 0", "+   2 line 1", "… 1,498 more lines"]);
    expect(plain(long)).toHaveLength(1500);
  });

  test("say when the diff had been cut before it came", () => {
    expect(plain(PARSER, { truncated: "yes" }).at(-1)).toBe("… the rest was not sent");
  });
});

describe("what a diff adds up to", () => {
  test("counts lines", () => {
    expect(diffStat(PARSER)).toBe("+1 −1");
    expect(diffStat("nothing")).toBe("+0 −0");
  });
});

describe("a diff that we make", () => {
  test("has headers, context and the missing newline", () => {
    expect(unifiedDiffOf("a\nb\nc\n", "a\nB\nc", "x/y.txt")).toBe(
      "--- a/x/y.txt\n+++ b/x/y.txt\n@@ -1,3 +1,3 @@\n a\n-b\n-c\n+B\n+c\n\\ No newline at end of file\n",
    );
    expect(changesDiff([{ path: "x", oldText: "same", newText: "same" }])).toBe("");
  });

  test("of pieces inside a line does not speak of the end of the file", () => {
    const piece = { path: "x", oldText: 'join(",")', newText: 'join(", ")' };
    expect(changesDiff([piece])).toBe('--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-join(",")\n+join(", ")\n');
    expect(changesDiff([{ path: "x", oldText: "a\n", newText: "a" }])).toContain("No newline at end of file");
  });

  test("of a new file says so in its header", () => {
    expect(unifiedDiffOf(undefined, "a\n", "x")).toContain("--- /dev/null\n+++ b/x\n");
  });

  test("says what changed, for any two texts", () => {
    const line = fc.constantFrom("a", "b", "", "-- x", "++ y", "@@ z", "diff --git q", "\\ n", " s");
    const file = fc.array(line, { maxLength: 12 }).map((lines) => lines.map((text) => `${text}\n`).join(""));
    fc.assert(
      fc.property(file, file, (before, after) => {
        fc.pre(before !== after);
        const rows = plain(unifiedDiffOf(before, after, "f"));
        const side = (marks: string) =>
          rows.filter((row) => marks.includes(row.charAt(0))).map((row) => row.slice(1).replace(/^ *\d+ ?/, ""));
        const kept = (text: string) => text.split("\n").slice(0, -1);
        // What is shown of each side is a part of that side, in order.
        expect(isWithin(side(" -"), kept(before))).toBe(true);
        expect(isWithin(side(" +"), kept(after))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("any text", () => {
  test("is shown as a diff without foreign escape sequences", () => {
    const piece = fc.constantFrom(
      "+",
      "-",
      " ",
      "@@ -1,2 +1,2 @@",
      "\n",
      "diff --git ",
      "--- ",
      "+++ ",
      "\x1b[2J",
      "\x1b]0;t\x07",
      "\x9b1m",
      "\u202e",
      "x",
      "\r",
      "rename from ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (parts) => {
        for (const row of diffRows(parts.join(""), { style: harbour, path: "a.ts" })) {
          expect(row.replaceAll(/\x1b\[[\d;]*m/g, "")).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e]/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const line of part) {
    at = whole.indexOf(line, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
