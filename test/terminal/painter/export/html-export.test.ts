// The page has the structure that the screen shows: both come from one reading of the text.
import fc from "fast-check";
import { expect, test } from "vitest";
import { markdownToHtml } from "../../../../src/terminal/painter/export/html-export.js";
import { markdownRows } from "../../../../src/terminal/painter/markdown/markdown-stream.js";
import { plainText } from "../../../../src/text/row.js";
import { harbour } from "../visible.js";

interface Shape {
  readonly source: (word: string) => string;
  readonly html: (word: string) => string;
  /** The row as it stands there, or a part of its bytes. */
  readonly row: (word: string) => string | { readonly bytes: string };
}

const headingRow = (word: string) => ({ bytes: harbour.paint(["accent", "bold"], word).split(word)[0] + word });
const link = (word: string) => `https://x.y/${word}`;
const shapes: Readonly<Record<string, Shape>> = {
  heading: {
    source: (word) => `## ${word} ##`,
    html: (word) => `<h3>${word}</h3>`,
    row: headingRow,
  },
  underlined: {
    source: (word) => `${word}\n===`,
    html: (word) => `<h2>${word}</h2>`,
    row: headingRow,
  },
  item: { source: (word) => `- ${word}`, html: (word) => `<li><p>${word}</p>`, row: (word) => `- ${word}` },
  inner: {
    source: (word) => `* outer\n  1. ${word}`,
    html: (word) => `<ol><li><p>${word}</p>\n</li></ol>`,
    row: (word) => `  1. ${word}`,
  },
  task: { source: (word) => `+ [x] ${word}`, html: (word) => `<p>☑ ${word}</p>`, row: (word) => `- [x] ${word}` },
  number: {
    source: (word) => `7) ${word}`,
    html: (word) => `<ol start="7"><li><p>${word}</p>`,
    row: (word) => `7) ${word}`,
  },
  quote: {
    source: (word) => `> ${word}`,
    html: (word) => `<blockquote><p>${word}</p>\n</blockquote>`,
    row: (word) => `> ${word}`,
  },
  code: {
    source: (word) => `~~~\n# ${word}\n~~~`,
    html: (word) => `<pre># ${word}</pre>`,
    row: (word) => `# ${word}`,
  },
  indented: { source: (word) => `    - ${word}`, html: (word) => `<pre>- ${word}</pre>`, row: (word) => `- ${word}` },
  table: {
    source: (word) => `|a|b|\n|-|-|\n|1|${word}|`,
    html: (word) => `<tr><td>1</td><td>${word}</td></tr></tbody></table>`,
    row: (word) => `1  ${word}`,
  },
  link: {
    source: (word) => `[${word}](${link(word)})`,
    html: (word) => `<p><a href="${link(word)}" rel="noopener noreferrer nofollow">${word}</a></p>`,
    row: (word) => ({ bytes: `\x1b]8;;${link(word)}\x1b\\` }),
  },
  reference: {
    source: (word) => `[a${word}]: ${link(word)}\n\nsee [a${word}]`,
    html: (word) => `<p>see <a href="${link(word)}"`,
    row: (word) => `see a${word} (${link(word)})`,
  },
  tag: { source: (word) => `<b>${word}`, html: (word) => `&lt;b&gt;${word}`, row: (word) => `<b>${word}` },
  break: { source: (word) => `x<br>${word}`, html: (word) => `<p>x<br>${word}</p>`, row: (word) => word },
  about: { source: (word) => `~5 ${word} ~6`, html: (word) => `<p>~5 ${word} ~6</p>`, row: (word) => `~5 ${word} ~6` },
};

test("headings, lists, tables, code, quotes and links are the same in the page as on the screen", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...Object.keys(shapes)), { minLength: 1, maxLength: 8 }), (kinds) => {
      // A paragraph between two blocks ends lists and indented code.
      const blocks = kinds.map((kind, index) => `${shapes[kind]?.source(`w${index}`)}\n\nand`);
      const text = blocks.join("\n\n");
      const rows = markdownRows(text, 80, { style: harbour, wrap: "words" });
      const html = markdownToHtml(text);
      kinds.forEach((kind, index) => {
        const { html: tags, row } = shapes[kind] as Shape;
        const wanted = row(`w${index}`);
        expect(html, kind).toContain(tags(`w${index}`));
        if (typeof wanted === "string") expect(rows.map(plainText), kind).toContain(wanted);
        else expect(rows.join("\n"), kind).toContain(wanted.bytes);
      });
    }),
    { numRuns: 100 },
  );
});

test("a character reference cannot bring a control sequence into the page", () => {
  expect(markdownToHtml("a &#27;[31m b &#x9b;2J")).not.toMatch(/[\x1b\x9b]/);
});

test("marks nest a hundred deep, and deeper ones are text", () => {
  const text = `${"> ".repeat(5_000)}deep`;
  expect(markdownToHtml(text).match(/<blockquote>/g)).toHaveLength(100);
  expect(markdownToHtml(text)).toContain("&gt; &gt; deep");
  expect(plainText(markdownRows(text, 40, { style: harbour, wrap: "words" }).at(-1) ?? "")).toMatch(/ deep$/);
});
