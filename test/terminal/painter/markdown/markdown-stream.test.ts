// Markdown as it looks in the terminal, block by block, and when each block becomes final.
import { describe, expect, test } from "vitest";
import { createMarkdownStream, markdownRows } from "../../../../src/terminal/painter/markdown/markdown-stream.js";
import { plainText, rowWidth } from "../../../../src/text/row.js";
import { colourless, harbour, visibleRows } from "../visible.js";

function shown(text: string, widthCells = 60): string[] {
  return visibleRows(markdownRows(text, widthCells, { style: harbour, wrap: "words" }));
}

function plain(text: string, widthCells = 60, wrap: "words" | "terminal" = "words"): string[] {
  return markdownRows(text, widthCells, { style: harbour, wrap }).map(plainText);
}

describe("prose", () => {
  test("is wrapped at words, with one blank row between blocks", () => {
    expect(plain("The quick brown fox jumps\nover the lazy dog.\n\n\n\nThen it rests.", 20)).toEqual([
      "The quick brown fox",
      "jumps over the lazy",
      "dog.",
      "",
      "Then it rests.",
    ]);
  });

  test("left to the terminal is one line per paragraph", () => {
    expect(
      plain("The quick brown fox jumps\nover the lazy dog.\n\n- an item  \n  in two lines", 20, "terminal"),
    ).toEqual(["The quick brown fox jumps over the lazy dog.", "", "- an item", "  in two lines"]);
  });

  test("has emphasis, code, strikethrough and escapes", () => {
    expect(shown("**b** *i* ***bi*** ~~s~~ `c` \\*x\\* a_b_c ~5 &amp; 2 * 3 * 4")).toEqual([
      "<bold>b</> <italic>i</> <bold,italic>bi</> <strike>s</> <info>c</> *x* a_b_c ~5 & 2 * 3 * 4",
    ]);
  });

  test("may have a look of its own under its markup, as thinking has", () => {
    const rows = markdownRows("I **must** look.\n# First", 40, {
      style: harbour,
      wrap: "words",
      base: ["dim", "italic"],
    });
    expect(visibleRows(rows)).toEqual([
      "<dim,italic>I <dim,bold,italic>must<dim,italic> look.</>",
      "",
      "<accent,bold,italic>First</>",
    ]);
  });

  test("keeps the ticks of code where there is no colour", () => {
    expect(markdownRows("run `npm test`", 40, { style: colourless, wrap: "words" })).toEqual(["run `npm test`"]);
  });

  test("breaks where two spaces, a backslash or a tag ask for it", () => {
    expect(plain("a  \nb\\\nc<br>d\ne")).toEqual(["a", "b", "c", "d e"]);
  });

  test("shows HTML as text", () => {
    expect(plain('press <kbd>x</kbd>\n\n<div align="center">\n  <b>hi</b>\n</div>\n\n<!-- a\n\nb -->\nend')).toEqual([
      "press <kbd>x</kbd>",
      "",
      '<div align="center">',
      "  <b>hi</b>",
      "</div>",
      "",
      "<!-- a",
      "",
      "b -->",
      "",
      "end",
    ]);
  });
});

describe("links", () => {
  test("carry their target, and show it when it is not what they say", () => {
    expect(shown("[docs](https://x.y/a) and https://x.y and [x.y](https://x.y/) and <me@x.y>", 120)).toEqual([
      "<link https://x.y/a><info,underline>docs<unlink></> <dim>(https://x.y/a)</> and " +
        "<link https://x.y><info,underline>https://x.y<unlink></> and " +
        "<link https://x.y/><info,underline>x.y<unlink></> and " +
        "<link mailto:me@x.y><info,underline>me@x.y<unlink></>",
    ]);
  });

  test("that pretend to lead elsewhere are found out", () => {
    expect(plain("[https://bank.example](https://evil.example)", 120)).toEqual([
      "https://bank.example (https://evil.example)",
    ]);
  });

  test("with a scheme that could run something are shown but cannot be clicked", () => {
    const rows = markdownRows("[x](javascript:alert) [y](file:///etc/passwd)", 80, { style: harbour, wrap: "words" });
    expect(rows.map(plainText)).toEqual(["x (javascript:alert) y (file:///etc/passwd)"]);
    expect(rows.join("")).not.toContain("\x1b]8;");
  });

  test("by reference work after their definition, which stays visible", () => {
    expect(plain("See [later][a].\n\n[a]: https://x.y/z\n[b]: <https://q.r>\n\nNow [this][a] and [b].")).toEqual([
      "See [later][a].",
      "",
      "[a]: https://x.y/z",
      "[b]: <https://q.r>",
      "",
      "Now this (https://x.y/z) and b (https://q.r).",
    ]);
  });

  test("to images leave a placeholder", () => {
    expect(shown("![a cat](https://x.y/c.png) ![](b.png)")).toEqual([
      "<link https://x.y/c.png><dim>[image: a cat]<unlink></> <dim>[image: b.png]</>",
    ]);
  });
});

describe("headings", () => {
  test("are bold, without their marks", () => {
    expect(shown("# One #\n## Two `x`\n### Three\nText\n\nFour\n===\n\nFive\nsix\n---\n#hash")).toEqual([
      "<accent,bold>One</>",
      "",
      "<accent,bold>Two <info,bold>x</>",
      "",
      "<bold>Three</>",
      "",
      "Text",
      "",
      "<accent,bold>Four</>",
      "",
      "<accent,bold>Five six</>",
      "",
      "#hash",
    ]);
  });

  test("need a short paragraph when they are underlined; below a long one it is a rule", () => {
    const long = "word ".repeat(60).trim();
    expect(plain(`${long}\n---\nx`, 400)).toEqual([long, "", "* * *", "", "x"]);
  });
});

describe("lists", () => {
  test("hang by their markers, nest, count, and keep their blank lines", () => {
    expect(
      plain(
        "- one that is long enough to wrap\n* new list\n\n3. three\n3. four\n   - nested\n\n     paragraph\n10) ten\n\n\n- [x] done and wrapped too\n- [ ] open\n-\n- - deep",
        24,
      ),
    ).toEqual([
      "- one that is long",
      "  enough to wrap",
      "",
      "- new list",
      "",
      "3. three",
      "4. four",
      "   - nested",
      "",
      "     paragraph",
      "",
      "10) ten",
      "",
      "- [x] done and wrapped",
      "      too",
      "- [ ] open",
      "-",
      "- - deep",
    ]);
  });

  test("are not begun by a year or a lone dash inside a paragraph", () => {
    expect(plain("It happened in\n1990. And then\n- x")).toEqual(["It happened in 1990. And then", "", "- x"]);
  });

  test("hold code, which stays at the margin so that it copies clean", () => {
    expect(plain("1. run\n   ```sh\n   npm test \\\n     -- parser\n   ```\n2. done")).toEqual([
      "1. run",
      "npm test \\",
      "  -- parser",
      "2. done",
    ]);
  });

  test("that are too deep for the width give up indentation, and markers go above when they do not fit", () => {
    expect(plain("- a\n  - b\n    - c\n      - d\n        - e f", 10)).toEqual([
      "- a",
      "  - b",
      "   - c",
      "   - d",
      "   - e f",
    ]);
    expect(plain("> 10. > 11. text", 10)).toEqual(["> 10. > 11", ".", "     text"]);
  });
});

describe("quotes", () => {
  test("have one mark per block and are dim", () => {
    expect(shown("> quoted text that is long\nand lazy\n>\n> - item\n>   ```\n>   code\n>   ```\n\nafter", 20)).toEqual(
      ["> <dim>quoted text that</>", "  <dim>is long and lazy</>", "", "> - <dim>item</>", "code", "", "after"],
    );
  });
});

describe("code", () => {
  test("is coloured, and each of its lines is one line however long", () => {
    const long = `const a = "${"x".repeat(100)}";`;
    expect(plain(`\`\`\`ts\n${long}\n\n\tb();\n\`\`\``, 20)).toEqual([long, "", "        b();"]);
    expect(shown("```ts\nlet a = 1; // one\n```")).toEqual(["<accent>let</> a = <info>1</>; <dim>// one</>"]);
  });

  test("ends with its own fence only, or with the text", () => {
    expect(plain("````md\n```\nx\n```\n````\ny")).toEqual(["```", "x", "```", "", "y"]);
    expect(plain("~~~\n```\nx")).toEqual(["```", "x"]);
    expect(plain("    four\n\n      six\n\nprose")).toEqual(["four", "", "  six", "", "prose"]);
  });

  test("shows what stands behind a fence when it is more than a language", () => {
    expect(plain("```ts title=a.ts\nx\n```\n```this is no language\n")).toEqual([
      "ts title=a.ts",
      "x",
      "",
      "this is no language",
    ]);
  });
});

describe("tables", () => {
  const table =
    "| Name | Size | Kind |\n|:-----|-----:|:----:|\n| parser.ts | 12 k | `code` |\n| n | 1,204 k | a\\|b |";

  test("are aligned columns with a bold header", () => {
    expect(shown(table)).toEqual([
      "<bold>Name</>          <bold>Size</>  <bold>Kind</>",
      "parser.ts     12 k  <info>code</>",
      "n          1,204 k  a|b",
    ]);
  });

  test("wrap their cells when they are too wide", () => {
    expect(plain("| Key | What it does |\n|---|---|\n| enter | sends what was typed |\n| esc | stops |", 24)).toEqual([
      "Key    What it does",
      "enter  sends what was",
      "       typed",
      "esc    stops",
    ]);
  });

  test("become records when columns would be too narrow", () => {
    expect(plain(`${table}\n`, 16)).toEqual([
      "Name: parser.ts",
      "Size: 12 k",
      "Kind: code",
      "",
      "Name: n",
      "Size: 1,204 k",
      "Kind: a|b",
    ]);
  });

  test("may follow a paragraph directly, and end at a line without a pipe", () => {
    expect(plain("Here:\n| a | b |\n|---|---|\n| 1 | 2 | 3 |\n| 4 |\nafter")).toEqual([
      "Here:",
      "",
      "a  b",
      "1  2 | 3",
      "4",
      "",
      "after",
    ]);
  });

  test("that are no tables stay text", () => {
    expect(plain("| a | b |\n| c | d |")).toEqual(["| a | b | | c | d |"]);
    expect(plain("| a | b |\n|---|")).toEqual(["| a | b | |---|"]);
    expect(plain("| a | b |")).toEqual(["| a | b |"]);
  });
});

describe("a stream", () => {
  const start = () => createMarkdownStream({ style: harbour, wrap: "words" });

  test("settles a paragraph with the blank line behind it, and shows it before", () => {
    const stream = start();
    stream.append("Hello wor");
    expect(stream.takeSettled(40)).toEqual([]);
    expect(stream.liveRows(40)).toEqual(["Hello wor"]);
    stream.append("ld.\n");
    expect(stream.takeSettled(40)).toEqual([]);
    stream.append("\n");
    expect(stream.takeSettled(40)).toEqual(["Hello world."]);
    expect(stream.liveRows(40)).toEqual([]);
  });

  test("settles the rows of a long paragraph as they become full", () => {
    const stream = start();
    const settled: string[] = [];
    let liveRowsMax = 0;
    for (let i = 0; i < 10_000; i++) {
      stream.append(`word${i} `);
      settled.push(...stream.takeSettled(80));
      liveRowsMax = Math.max(liveRowsMax, stream.liveRows(80).length);
    }
    expect(liveRowsMax).toBeLessThan(6);
    expect(settled.length).toBeGreaterThan(1000);
  });

  test("gives up on markup that nothing closes", () => {
    const stream = start();
    stream.append(`**${"never closed ".repeat(200)}`);
    expect(plainText(stream.takeSettled(40)[0] ?? "")).toBe("**never closed never closed never closed");
  });

  test("settles code line by line", () => {
    const stream = start();
    stream.append("```ts\nlet a;\nlet b");
    expect(stream.takeSettled(40).map(plainText)).toEqual(["let a;"]);
    expect(stream.liveRows(40).map(plainText)).toEqual(["let b"]);
    stream.append(";\n``");
    expect(stream.takeSettled(40).map(plainText)).toEqual(["let b;"]);
    expect(stream.liveRows(40)).toEqual([]);
    stream.append("`\n");
    stream.append("after");
    expect(stream.liveRows(40)).toEqual(["", "after"]);
  });

  test("holds a table until it ends, and a list item by item", () => {
    const stream = start();
    stream.append("| a | b |\n|---|---|\n| 1 | 2 |\n| 3");
    expect(stream.takeSettled(40)).toEqual([]);
    expect(stream.liveRows(40).map(plainText)).toEqual(["a  b", "1  2", "3"]);
    stream.append(" | wider |\n\n- one\n- tw");
    expect(stream.takeSettled(40).map(plainText)).toEqual(["a  b", "1  2", "3  wider", "", "- one"]);
    expect(stream.liveRows(40)).toEqual(["- tw"]);
  });

  test("lets the rows of an endless table go with the widths that it has", () => {
    const stream = start();
    stream.append("| a | b |\n|---|---|\n");
    for (let i = 0; i < 1000; i++) stream.append(`| row ${i} | ${i % 7} |\n`);
    const rows = stream.takeSettled(40);
    expect(rows).toHaveLength(1001);
    expect(rows.at(-1)).toBe("row 999  5");
  });

  test("shows bold text as bold before it is closed", () => {
    const stream = start();
    stream.append("a **bold te");
    expect(visibleRows(stream.liveRows(40))).toEqual(["a <bold>bold te</>"]);
    stream.append("*");
    stream.append("* `co");
    expect(visibleRows(stream.liveRows(40))).toEqual(["a <bold>bold te</> <info>co</>"]);
  });

  test("shows nothing while only marks have come", () => {
    const stream = start();
    for (const token of ["-", "-", "-"]) {
      stream.append(token);
      expect(stream.liveRows(40)).toEqual([]);
    }
    stream.append("\n```");
    expect(stream.liveRows(40)).toEqual([]);
    expect(stream.takeSettled(40).map(plainText)).toEqual(["* * *"]);
  });

  test("wraps what is left to a new width, and leaves what was settled", () => {
    const stream = start();
    stream.append("aaaa bbbb cccc dddd ".repeat(20));
    const before = stream.takeSettled(20);
    expect(new Set(before)).toEqual(new Set(["aaaa bbbb cccc dddd"]));
    stream.append("eeee ffff\n\n");
    expect(stream.takeSettled(10)).toEqual(["aaaa bbbb", "cccc dddd", "eeee ffff"]);
  });

  test("gives the same rows again while nothing changes", () => {
    const stream = start();
    stream.append("Hello");
    expect(stream.liveRows(40)).toBe(stream.liveRows(40));
  });

  test("understands every kind of line end, also cut in half", () => {
    const stream = start();
    for (const token of ["a\r", "\n\r", "\nb\r\r", "c\n", "\nd"]) stream.append(token);
    stream.finish();
    expect(stream.takeSettled(40)).toEqual(["a", "", "b", "", "c", "", "d"]);
  });

  test("ends whatever was open: a fence, a table, a list, markup", () => {
    expect(plain("```ts\nlet a")).toEqual(["let a"]);
    expect(plain("|a|b|\n|-|-|\n|1")).toEqual(["a  b", "1"]);
    expect(plain("- a\n- ")).toEqual(["- a", "-"]);
    expect(plain("**a `b [c](d")).toEqual(["**a `b [c](d"]);
    expect(plain("")).toEqual([]);
    expect(plain("\n\n")).toEqual([]);
  });
});

describe("hostile text", () => {
  test("becomes rows with nothing but our own sequences", () => {
    const attack = [
      "\x1b]0;title\x07plain \x1b[2J\x1b[10;10H **\x1b[31mred\x1b[0m**",
      "`\x1b]52;c;aGk=\x07` [\x1b]8;;http://evil\x07x](http://a\x1b[2Jb)",
      "&#27;[2J &#x9b;2J &#x202e;txt",
      "| \x1b[2J | b |\n|---|---|\n| \x1bP1$r\x1b\\ | \x9d0;t\x9c |",
      "```ts\x1b[2J\nlet a = '\x1b[6n';\n```",
      "<b \x1b[?1049h>",
      "- \x1bc item",
      "[a\x1b]: http://x",
    ].join("\n\n");
    const rows = markdownRows(attack, 40, { style: harbour, wrap: "words" });
    for (const row of rows) {
      expect(row.replaceAll(/\x1b\[[\d;]*m|\x1b\]8;;[\x21-\x7e]*\x1b\\/g, "")).not.toMatch(
        /[\x00-\x1f\x7f-\x9f\u202e]/,
      );
    }
    expect(rows.map(plainText).join("\n")).not.toContain("title");
  });
});

describe("forty columns", () => {
  test("still look good", () => {
    const text =
      '## What I found\nThe separator in `src/parser.ts` lost its space, so **two tests** fail.\n\n1. Add it back.\n2. Run `npm test -- parser` and look at the [report](https://ci.example/run/12).\n\n| File | Lines | Change |\n|---|--:|---|\n| src/parser.ts | 42 | one space |\n| CHANGELOG.md | 3 | an entry for the next release |\n\n```ts\nreturn out.join(", ");\n```\n> Nothing else uses it.';
    const rows = markdownRows(text, 40, { style: harbour, wrap: "words" });
    expect(rows.map(plainText)).toEqual([
      "What I found",
      "",
      "The separator in src/parser.ts lost its",
      "space, so two tests fail.",
      "",
      "1. Add it back.",
      "2. Run npm test -- parser and look at",
      "   the report",
      "   (https://ci.example/run/12).",
      "",
      "File           Lines  Change",
      "src/parser.ts     42  one space",
      "CHANGELOG.md       3  an entry for the",
      "                      next release",
      "",
      'return out.join(", ");',
      "",
      "> Nothing else uses it.",
    ]);
    expect(Math.max(...rows.map(rowWidth))).toBeLessThanOrEqual(40);
  });
});
