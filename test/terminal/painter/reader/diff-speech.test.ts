// A diff for the ear.
import { describe, expect, test } from "vitest";
import { spokenDiff, spokenStat } from "../../../../src/terminal/painter/reader/diff-speech.js";

const ONE =
  "--- a/src/parser.ts\n+++ b/src/parser.ts\n@@ -41,3 +41,3 @@\n const out = [];\n-join(',');\n+join(', ');\n }\n";

describe("a diff that is said", () => {
  test("has no signs: every line tells what became of it, and its number", () => {
    expect(spokenStat(ONE)).toBe("plus 1, minus 1");
    expect(spokenDiff(ONE)).toEqual([
      "line 41: const out = [];",
      "removed line 42: join(',');",
      "added line 42: join(', ');",
      "line 43: }",
    ]);
  });

  test("names each of several files, and how much changes in it", () => {
    const other = "--- a/docs/a.md\n+++ b/docs/a.md\n@@ -1 +1,3 @@\n one\n+two\n+\n";
    expect(spokenDiff(ONE + other).filter((line) => line.startsWith("File"))).toEqual([
      "File src/parser.ts, 1 line added, 1 line removed.",
      "File docs/a.md, 2 lines added.",
    ]);
    expect(spokenDiff(other).at(-1)).toBe("added line 3, empty");
  });

  test("says what no line says: a new name, a file that goes, a last line without its end", () => {
    const renamed = "diff --git a/a.ts b/b.ts\nrename from a.ts\nrename to b.ts\n";
    expect(spokenDiff(renamed)).toEqual(["File b.ts, renamed from a.ts."]);
    const unended = "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n";
    expect(spokenDiff(unended)).toContain("added line 1, no newline at the end: b");
  });

  test("has lines without numbers where the diff has none", () => {
    expect(spokenDiff("@@\n-a\n+b\n")).toEqual(["removed line: a", "added line: b"]);
  });

  test("hides nothing from who has to decide, and keeps tabs quiet", () => {
    const [line = ""] = spokenDiff("@@ -1,0 +1 @@\n+\trm \u202e-rf\n", "revealed");
    expect(line).toBe("added line 1:   rm ⟨U+202E⟩-rf");
    expect(spokenDiff("no diff\u202e at all", "revealed")).toEqual(["no diff⟨U+202E⟩ at all"]);
  });
});
