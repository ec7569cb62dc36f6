// Arbitrary Markdown for properties: well-formed blocks, pieces of syntax thrown together, and cuts into tokens.
import fc from "fast-check";

const word = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^[a-zA-Z0-9]{1,9}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "終端機",
      "naïve",
      "🚀",
      "👨‍👩‍👧",
      "é",
      "한국어",
      "ab\u0301c",
      "a_b",
      "2*3",
      "~5",
      "&amp;",
      "x[0]",
    ),
  },
);
export const words = fc.array(word, { minLength: 1, maxLength: 24 }).map((list) => list.join(" "));

const marked = fc
  .tuple(fc.constantFrom("*", "**", "_", "~~", "`", "``", "***"), words)
  .map(([mark, text]) => `${mark}${text}${mark}`);
const link = fc.tuple(words, words).map(([text, path]) => `[${text}](https://x.y/${path.replaceAll(" ", "-")})`);
const inline = fc
  .array(fc.oneof({ weight: 4, arbitrary: words }, { weight: 2, arbitrary: marked }, { weight: 1, arbitrary: link }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(" "));
const prose = fc
  .array(inline, { minLength: 1, maxLength: 4 })
  .chain((lines) => fc.constantFrom("\n", "  \n", "\\\n").map((end) => lines.join(end)));

const heading = fc.tuple(fc.integer({ min: 1, max: 7 }), inline).map(([level, text]) => `${"#".repeat(level)} ${text}`);
const setext = fc.tuple(inline, fc.constantFrom("===", "---", "-", "=")).map(([text, line]) => `${text}\n${line}`);
const codeLine = fc.constantFrom(
  "const a = 1;",
  "  /* open",
  "close */ x",
  "`tick`",
  "",
  "\tif (x) {",
  "# not a heading",
  "~~~",
  "``",
);
const fence = fc
  .tuple(
    fc.constantFrom("```", "~~~", "````"),
    fc.constantFrom("", "ts", "python", "nope", "ts a=b"),
    fc.array(codeLine, { maxLength: 6 }),
    fc.boolean(),
  )
  .map(([mark, info, lines, isClosed]) => [`${mark}${info}`, ...lines, ...(isClosed ? [mark] : [])].join("\n"));
const row = fc.array(inline, { minLength: 1, maxLength: 4 }).map((cells) => `| ${cells.join(" | ")} |`);
const table = fc
  .tuple(row, fc.constantFrom("|---|---|", "|:--|--:|", "| --- |", "--- | ---", "|-"), fc.array(row, { maxLength: 4 }))
  .map(([header, line, rows]) => [header, line, ...rows].join("\n"));
const item = fc
  .tuple(
    fc.constantFrom("- ", "* ", "1. ", "2) ", "10. ", "- [x] ", "-   ", "-"),
    inline,
    fc.constantFrom("", "  ", "   ", "    "),
  )
  .map(([mark, text, indent]) => `${indent}${mark}${text}`);
const list = fc
  .array(item, { minLength: 1, maxLength: 5 })
  .chain((items) => fc.constantFrom("\n", "\n\n").map((between) => items.join(between)));
const quote = fc.oneof(prose, list, fence).map((text) => text.replaceAll(/^/gm, "> "));
const nested = fc.oneof(fence, table, prose).map((text) => `- head\n\n${text.replaceAll(/^/gm, "  ")}`);
const oddity = fc.constantFrom(
  "---",
  "***",
  "[a]: https://x.y",
  "see [a] and [b][a]",
  "<div>\nhi\n</div>",
  "<!-- a\n\nb -->",
  "<br> x",
  "    indented\n\n    code",
  "\tindented",
  "|",
  "|-|",
  "a | b",
  "**open _and `never",
  "[never closed](http://x",
  "<never closed",
  "\\",
  "&#27;[31m",
  "> ",
  "-",
  "```",
);

/** Documents as people and models write them. */
export const document = fc
  .array(fc.oneof(prose, heading, setext, fence, table, list, quote, nested, oddity), { minLength: 1, maxLength: 6 })
  .chain((blocks) => fc.constantFrom("\n\n", "\n", "\n\n\n", "\r\n\r\n").map((between) => blocks.join(between)));

/** Syntax thrown together without any sense. */
export const confetti = fc
  .array(
    fc.constantFrom(
      ..."*_`~[]()<>|-+#>=!\\&:. \n\t\r0123456789abc".split(""),
      "\n\n",
      "  \n",
      "```",
      "***",
      "- ",
      "1. ",
      "](",
      "|--|",
      "word ",
      "終",
      "🚀",
      "\u200b",
      "\u0301",
      "\x1b",
      "\x1b]0;t\x07",
      "\x9b",
    ),
    { maxLength: 120 },
  )
  .map((parts) => parts.join(""));

export const anyMarkdown = fc.oneof(document, confetti);

/** A text cut into tokens of a few characters. Cuts fall anywhere, also inside of surrogate pairs. */
export function cutInto(text: string, sizes: readonly number[]): string[] {
  const tokens: string[] = [];
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    tokens.push(text.slice(at, at + size));
    at += size;
  }
  return tokens;
}
