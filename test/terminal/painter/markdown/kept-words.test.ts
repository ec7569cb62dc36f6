// Every word of a well-formed document appears once and in order: documents are built from numbered words, and what comes
// out must count up without a gap. Marked reads the same documents, as a second opinion on their structure.
import fc from "fast-check";
import { marked } from "marked";
import { expect, test } from "vitest";
import { markdownToHtml } from "../../../../src/terminal/painter/export/html-export.js";
import { markdownRows } from "../../../../src/terminal/painter/markdown/markdown-stream.js";
import { plainText } from "../../../../src/text/row.js";
import { harbour } from "../visible.js";

/** A document with ⟨⟩ for each word to come. */
const WORD = "⟨⟩";
const word = fc.constant(WORD);
const words = fc.array(word, { minLength: 1, maxLength: 8 }).map((list) => list.join(" "));
const span = fc.oneof(
  words,
  fc.tuple(fc.constantFrom("*", "**", "_", "~~", "`", "***"), words).map(([mark, text]) => mark + text + mark),
  words.map((text) => `[${text}](https://x.y)`),
  words.map((text) => `(${text}),`),
);
const line = fc.array(span, { minLength: 1, maxLength: 5 }).map((spans) => spans.join(" "));
const paragraph = fc
  .array(line, { minLength: 1, maxLength: 4 })
  .chain((lines) => fc.constantFrom("\n", "  \n").map((end) => lines.join(end)));
const fence = fc.array(words, { minLength: 1, maxLength: 4 }).map((lines) => ["```ts", ...lines, "```"].join("\n"));
const list = fc
  .array(fc.tuple(line, fc.option(line)), { minLength: 1, maxLength: 4 })
  .map((items) => items.map(([text, inner]) => (inner === null ? `- ${text}` : `- ${text}\n  - ${inner}`)).join("\n"));
const numbered = fc
  .array(fc.tuple(paragraph, fence), { minLength: 1, maxLength: 3 })
  .map((items) => items.map(([text, code], i) => `${i + 1}. ${indented(text)}\n\n   ${indented(code)}`).join("\n"));
const table = fc
  .array(fc.tuple(line, words), { minLength: 1, maxLength: 4 })
  .map((rows) => [`| ${WORD} | ${WORD} |`, "|---|--:|", ...rows.map(([a, b]) => `| ${a} | ${b} |`)].join("\n"));
const heading = fc.tuple(fc.integer({ min: 1, max: 6 }), line).map(([level, text]) => `${"#".repeat(level)} ${text}`);
const quote = fc.oneof(paragraph, list).map((text) => text.replaceAll(/^/gm, "> "));
const document = fc
  .array(fc.oneof(paragraph, fence, list, numbered, table, heading, quote), { minLength: 1, maxLength: 7 })
  .map((blocks) => numberWords(blocks.join("\n\n")));

function indented(text: string): string {
  return text.replaceAll("\n", "\n   ");
}

function numberWords(text: string): string {
  let count = 0;
  return text.replaceAll(WORD, () => `w${count++}`);
}

function wordsOf(text: string): string[] {
  return text.match(/w\d+/g) ?? [];
}

test("every word of a document is shown once and in order, on the screen and in the page", () => {
  fc.assert(
    fc.property(
      document,
      fc.integer({ min: 60, max: 200 }),
      fc.constantFrom("words" as const, "terminal" as const),
      (text, width, wrap) => {
        const rows = markdownRows(text, text.includes("|") ? 2000 : width, { style: harbour, wrap });
        const seen = wordsOf(rows.map(plainText).join("\n"));
        expect(seen).toEqual(wordsOf(text));
        expect(wordsOf(markdownToHtml(text))).toEqual(wordsOf(text));
      },
    ),
    { numRuns: 300 },
  );
});

test("what is italic or struck out is what another reader finds", () => {
  fc.assert(
    fc.property(document, (text) => {
      const rows = markdownRows(text, 2000, { style: harbour, wrap: "terminal" }).join("\n");
      const html = marked.parse(text, { async: false });
      for (const [sgr, tag] of [
        ["3", "em"],
        ["9", "del"],
      ] as const) {
        expect(styledWords(rows, sgr), tag).toEqual(taggedWords(html, tag));
        expect(taggedWords(markdownToHtml(text), tag), tag).toEqual(taggedWords(html, tag));
      }
    }),
    { numRuns: 200 },
  );
});

/** Words inside of a style that has this parameter. */
function styledWords(rows: string, param: string): string[] {
  const found: string[] = [];
  let isOn = false;
  for (const [part] of rows.matchAll(/\x1b\[[\d;]*m|w\d+/g)) {
    if (part.startsWith("w")) {
      if (isOn) found.push(part);
      continue;
    }
    const params = part.slice(2, -1).split(";");
    if (params.includes("0") || params.includes(`2${param}`)) isOn = false;
    // Components of colours never stand first.
    if (params[0] === param || (params[0] === "1" && params[1] === param) || (params[0] === "0" && params[1] === param))
      isOn = true;
  }
  return found;
}

function taggedWords(html: string, tag: string): string[] {
  return [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, "gs"))].flatMap((match) => wordsOf(match[1] ?? ""));
}
