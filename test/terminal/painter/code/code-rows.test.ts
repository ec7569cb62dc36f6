// Code keeps every character, gets the colours of its language, and loses them where they would cost too much.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { highlightedRows, paintRuns } from "../../../../src/terminal/painter/code/code-rows.js";
import type { Style } from "../../../../src/terminal/painter/style/style.js";
import { highlightRuns } from "../../../../src/text/code/highlight.js";
import { type Language, languageOfFence, languageOfName, languageOfPath } from "../../../../src/text/code/languages.js";
import { plainText } from "../../../../src/text/row.js";
import { safeLine } from "../../../../src/text/safe.js";
import { colourless, harbour, visibleRows } from "../visible.js";

function highlightLines(code: string, language: Language | undefined, style: Style): string[] {
  const safe = code
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .map(safeLine);
  return code === "" ? [] : highlightRuns(safe, language).map((runs) => paintRuns(runs, style));
}

describe("highlighted code", () => {
  test("has the colours of its language, also across lines", () => {
    const code = "const a = `x \u0024{1}\ny`; // note\n/* one\n two */ return 5";
    expect(visibleRows(highlightLines(code, "typescript", harbour))).toEqual([
      "<accent>const</> a = <ok>`x </>\u0024{<info>1</>}",
      "<ok>y`</>; <dim>// note</>",
      "<dim>/* one</>",
      "<dim> two */</> <accent>return</> <info>5</>",
    ]);
  });

  test("is left alone in an unknown language, and without colour", () => {
    expect(highlightLines("if x then", undefined, harbour)).toEqual(["if x then"]);
    expect(highlightedRows("javascript", colourless).take("if (x) return 1;")).toBe("if (x) return 1;");
  });

  test("keeps empty lines, and a newline at the end adds none", () => {
    expect(highlightLines("\na\r\n\nb\n", "bash", harbour).map(plainText)).toEqual(["", "a", "", "b"]);
    expect(highlightLines("", "bash", harbour)).toEqual([]);
  });

  test("very long lines and very large texts go without colours", () => {
    const long = `const a = "${"x".repeat(3000)}";`;
    expect(highlightLines(long, "typescript", harbour)).toEqual([long]);
    const large = Array.from({ length: 20_000 }, () => "const a = 1;");
    expect(highlightLines(large.join("\n"), "typescript", harbour)).toEqual(large);
  });

  test("hides no escape sequence between its colours", () => {
    const rows = highlightLines('const a = "\x1b]0;title\x07\x1b[2J\u202e";\n\x9b31m', "javascript", harbour);
    expect(rows.map(plainText)).toEqual(['const a = "";', ""]);
    for (const row of rows) expect(row.replaceAll(/\x1b\[[\d;]*m/g, "")).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
  });

  test("puts no colour between a letter and its accent, at any length of a growing line", () => {
    const accented = "# cafe\u0301 👨‍👩‍👧 कि";
    const highlighter = highlightedRows("bash", harbour);
    for (let indent = 0; indent < 40; indent++) {
      const line = " ".repeat(indent) + accented;
      for (const row of [highlighter.peek(line), ...highlightLines(`${line}\necho "a"\u0301`, "bash", harbour)]) {
        expect(row).not.toMatch(/\x1b\[[\d;]*m(?:\u0301|\u200d|\ufe0f|\u093f)|\u200d\x1b/);
      }
    }
  });

  test("says the same as the code in every language, whatever the code", () => {
    const languages: Language[] = [
      "typescript",
      "python",
      "xml",
      "markdown",
      "css",
      "bash",
      "php",
      "yaml",
      "cpp",
      "ruby",
    ];
    const pieces = fc.constantFrom(
      ..."{}()<>\"'`/*#$\\-:;=\n ".split(""),
      "<script>",
      "/*",
      "*/",
      "<?php",
      "def ",
      "x",
      "<<EOF",
      "'''",
    );
    fc.assert(
      fc.property(fc.constantFrom(...languages), fc.array(pieces, { maxLength: 60 }), (language, parts) => {
        const code = parts.join("");
        const lines = code.split("\n");
        if (lines.at(-1) === "") lines.pop();
        expect(highlightLines(code, language, harbour).map(plainText)).toEqual(lines);
        const highlighter = highlightedRows(language, harbour);
        expect(lines.map((line) => plainText(highlighter.take(line)))).toEqual(lines.map(safeLine));
      }),
      { numRuns: 300 },
    );
  });
});

describe("code that arrives line by line", () => {
  function lineByLine(code: string, language: Language): string[] {
    const highlighter = highlightedRows(language, harbour);
    return visibleRows(code.split("\n").map((line) => highlighter.take(line)));
  }

  test.each<[Language, string]>([
    ["typescript", "/* a\n * b\n */\nconst x = `p\nq \u0024{y}\nr`;\nlet z = 1;"],
    ["python", 'def f():\n    """doc\n    more\n    """\n    return "x"'],
    ["css", "@media x {\n  .a {\n    color: red;\n  }\n  .b { margin: 0 }\n}\n.c { top: 1px }"],
    ["bash", "cat <<EOF\nif then $x\nEOF\nif true; then echo 1; fi"],
    ["xml", "<!-- a\nb -->\n<p class='x'\n   id='y'>t</p>"],
    ["json", '{\n  "a": [1, true],\n  "b": null\n}'],
    ["rust", 'fn main() {\n    /* x\n    y */\n    println!("a {}", 1);\n}'],
  ])("looks as if %s had been highlighted at once", (language, code) => {
    expect(lineByLine(code, language)).toEqual(visibleRows(highlightLines(code, language, harbour)));
  });

  test("does not remember the lines of a long comment", () => {
    const highlighter = highlightedRows("typescript", harbour);
    highlighter.take("/* begins");
    for (let i = 0; i < 500; i++) highlighter.take(` * line ${i} of a comment without an end`);
    expect(visibleRows([highlighter.take(" ends */ const a = 1;")])).toEqual([
      "<dim> ends */</> <accent>const</> a = <info>1</>;",
    ]);
  });

  test("shows a growing line without changing what comes after", () => {
    const highlighter = highlightedRows("typescript", harbour);
    expect(visibleRows([highlighter.peek("const answer = 42; /* a comment without end")])).toEqual([
      "<accent>const</> answer = <info>42</>; <dim>/* a comment </>without end",
    ]);
    expect(visibleRows([highlighter.take("const answer = 42;")])).toEqual(["<accent>const</> answer = <info>42</>;"]);
    expect(visibleRows([highlighter.take("let b;")])).toEqual(["<accent>let</> b;"]);
  });
});

describe("the language of code", () => {
  test("is found by names people use", () => {
    expect(["ts", "TSX", "py", "sh", "c++", "toml", "Dockerfile", "zsh"].map(languageOfName)).toEqual([
      "typescript",
      "typescript",
      "python",
      "bash",
      "cpp",
      "ini",
      "dockerfile",
      "bash",
    ]);
    expect(["", "brainfuck", "constructor", "__proto__"].map(languageOfName)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("is the first word behind a fence", () => {
    expect(['ts title="a.ts"', "{.python}", "rust,ignore", "  diff ", "", "?"].map(languageOfFence)).toEqual([
      "typescript",
      "python",
      "rust",
      "diff",
      undefined,
      undefined,
    ]);
  });

  test("is told by the ending of a file, or by its name", () => {
    expect(
      ["src/a.test.ts", "C:\\x\\b.PY", "Makefile", "Dockerfile.dev", ".gitignore", "a/b", "x.unknown"].map(
        languageOfPath,
      ),
    ).toEqual(["typescript", "python", "makefile", "dockerfile", undefined, undefined, undefined]);
  });
});
