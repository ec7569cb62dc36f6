// A transcript leaves the house as Markdown, JSON, HTML or text: complete, without secrets, and unable to do anything.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block, ToolBlock } from "../../../../src/session/transcript/block.js";
import { exportFormats, exportTranscript } from "../../../../src/terminal/painter/export/export-transcript.js";
import { createRedactor } from "../../../../src/text/redact.js";
import { attacks } from "../../../text/attack-corpus.js";

const facts = {
  agent: "gemini",
  model: "pro",
  exportedAt: "2026-11-15T10:00:00.000Z",
  palaver: "0.1.0",
};

const tool: ToolBlock = {
  kind: "tool",
  id: "b3",
  toolCallId: "t1",
  name: "run",
  args: { command: "npm test -- parser" },
  output: "1 failed\n\x1b[31mexpected\x1b[0m\tone",
  phase: "failed",
  startedAtMs: 1_000,
  endedAtMs: 3_300,
};

const edited: Block = {
  kind: "tool",
  id: "b5",
  toolCallId: "c5",
  name: "edit",
  args: "src/parser.ts",
  output: "",
  phase: "done",
  startedAtMs: null,
  endedAtMs: null,
  approval: "allowed once",
  diff: "@@ -1 +1 @@\n-a\n+b",
};

const blocks: readonly Block[] = [
  { kind: "prompt", id: "b1", text: "fix the test\n# please" },
  { kind: "prose", id: "b2", text: "I'll **look**:\n\n```ts\nconst a = 1;" },
  tool,
  { kind: "asked", id: "b4", title: "Run *it*?", outcome: "yes" },
  edited,
  { kind: "notice", id: "b6", level: "warn", text: "context is 92 % full" },
  { kind: "thinking", id: "b7", text: "hmm" },
];

describe("Markdown", () => {
  test("keeps the agent's own, and fences and quotes everything else", () => {
    expect(exportTranscript(blocks, "markdown", facts)).toBe(`# Conversation with gemini

pro · 2026-11-15 10:00 · Palaver 0.1.0

## You

> fix the test
> # please

## Agent

I'll **look**:

\`\`\`ts
const a = 1;
\`\`\`

✕ \`run npm test -- parser (failed, 2.3 s)\`

\`\`\`
1 failed
expected\tone
\`\`\`

**?** Run \\*it\\*?: yes

● \`edit src/parser.ts (allowed once)\`

\`\`\`diff
@@ -1 +1 @@
-a
+b
\`\`\`

> **warning** context is 92 % full

> *thinking*
>
> hmm
`);
  });

  test("an output full of fences stays inside its own", () => {
    const text = exportTranscript([{ ...tool, output: "```\n````\n# free" }], "markdown", facts);
    expect(text).toContain("`````\n```\n````\n# free\n`````");
  });
});

describe("files that a tool changed", () => {
  const changes = [{ path: "a.ts", oldText: "one\n", newText: "two\n" }];

  test("are in every format as a diff", () => {
    const block: Block = { ...tool, output: "", changes };
    expect(exportTranscript([block], "markdown", facts)).toContain(
      "```diff\n--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-one\n+two\n```",
    );
    expect(exportTranscript([block], "html", facts)).toContain('<span class="add">+two</span>');
    expect(exportTranscript([block], "text", facts)).toContain("-one\n+two\n");
  });
});

describe("plain text", () => {
  test("is what the screen shows, without colours", () => {
    expect(exportTranscript(blocks, "text", facts)).toBe(`› fix the test
  # please

I'll **look**:

\`\`\`ts
const a = 1;

✕ run npm test -- parser (failed, 2.3 s)
1 failed
expected\tone

? Run *it*?: yes

● edit src/parser.ts (allowed once)

@@ -1 +1 @@
-a
+b

▲ context is 92 % full

∴ hmm
`);
  });

  test("of nothing is nothing", () => {
    expect(exportTranscript([], "text", facts)).toBe("");
  });
});

describe("JSON", () => {
  test("has every block as it is", () => {
    expect(JSON.parse(exportTranscript(blocks, "json", facts))).toEqual({ transcript: 1, ...facts, blocks });
  });
});

describe("HTML", () => {
  test("shows Markdown as Markdown, and a diff in its colours", () => {
    const html = exportTranscript(
      [
        {
          kind: "prose",
          id: "b1",
          text: "# A\n\n- [x] one\n- `two`\n\n[site](https://example.org/?a=1&b=2)\n\n|h|\n|-|\n|c|",
        },
        edited,
      ],
      "html",
      facts,
    );
    expect(html).toContain("<h2>A</h2>");
    expect(html).toContain("<code>two</code>");
    expect(html).toContain("☑");
    expect(html).toContain('<a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer nofollow">site</a>');
    expect(html).toContain("<table><thead><tr><th>h</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>");
    expect(html).toContain('<span class="add">+b</span>');
  });

  test("is light and dark, and loads nothing", () => {
    const html = exportTranscript(blocks, "html", facts);
    expect(html).toContain("prefers-color-scheme: dark");
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<(?:script|link|iframe|object)|url\(|@import|https?:\/\//);
  });

  test("a picture is shown when it is pixels, and never when it could act", () => {
    const picture = (mimeType: string, base64: string) =>
      exportTranscript([{ kind: "image", id: "b1", mimeType, base64 }], "html", facts);
    expect(picture("image/png", "iVBORw0KGgo=")).toContain('<img src="data:image/png;base64,iVBORw0KGgo=" alt="">');
    expect(picture("image/svg+xml", "PHN2Zz4=")).not.toContain("<img");
    expect(picture("image/png", '"onerror=alert(1)')).not.toContain("<img");
    expect(picture('image/png"><script>', "iVBORw0KGgo=")).not.toContain("<img");
  });

  test("text that nests without end is shown as text", () => {
    const html = exportTranscript([{ kind: "prose", id: "b1", text: `${"> ".repeat(20_000)}deep` }], "html", facts);
    expect(html).toContain("deep");
  });
});

const HTML_ATTACKS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "</pre></section><script>alert(1)</script>",
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt:alert(1))",
  "[a](java\tscript:alert(1))",
  "[a](&#106;avascript:alert(1))",
  "[a](data:text/html;base64,PHNjcmlwdD4=)",
  '[a](https://x" onclick="alert(1))',
  "<javascript:alert(1)>",
  "![x](javascript:alert(1))",
  '![x" onerror="alert(1)](https://e)',
  '<https://e/" onclick="x>',
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "```html\n</code></pre><script>alert(1)</script>\n```",
  '```"><script>\nx\n```',
  "<!-- --><style>*{}</style><base href=//e><meta http-equiv=refresh content=0>",
  "<a href='vbscript:x'>y</a>",
  "[x]: javascript:alert(1)\n\n[x]",
  "|a|\n|-|\n|<script>|",
  "- <iframe src=//e>",
  "\u202e<script\u0000>",
  "</title><script>alert(1)</script>",
  "</style><script>alert(1)</script>",
];

/** Tags that the exporter writes, with the attributes they may have. Everything else is somebody else's. */
const OURS = [
  /^<!doctype html>$/,
  /^<html lang="en">$/,
  /^<meta (?:charset="utf-8"|name="(?:referrer|viewport)" content="[\w=, .-]*")>$/,
  /^<meta http-equiv="Content-Security-Policy" content="[\w '-:;]*">$/,
  /^<\/?(?:html|head|title|style|body|main|section|h[1-6]|p|pre|code|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|strong|em|del|span|a)>$/,
  /^<(?:br|hr)>$/,
  /^<ol start="-?\d+">$/,
  /^<section class="\w+ \w+">$/,
  /^<(?:p|span) class="\w+">$/,
  /^<a href="(?:https?:\/\/|mailto:)[^"<>\s]*" rel="noopener noreferrer nofollow">$/,
  /^<img src="data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+" alt="">$/,
];

function foreignTags(html: string): string[] {
  const tags = [...html.matchAll(/<[^>]*(?:>|$)/g)].map(([tag]) => tag);
  return tags.filter((tag) => !OURS.some((pattern) => pattern.test(tag)));
}

describe("nothing active gets into the HTML", () => {
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...HTML_ATTACKS, ...attacks.map(({ text }) => text)), fc.string()), {
      maxLength: 5,
    })
    .map((parts) => parts.join(" "));
  const anyBlock: fc.Arbitrary<Block> = fc.oneof(
    fc.record({ kind: fc.constantFrom("prompt", "prose", "thinking", "log"), id: hostile, text: hostile }),
    fc.record({ kind: fc.constant("asked"), id: hostile, title: hostile, outcome: hostile }),
    fc.record({ kind: fc.constant("image"), id: hostile, mimeType: hostile, base64: hostile }),
    fc.record({ name: hostile, output: hostile, args: hostile }).map((fields) => ({ ...tool, ...fields })),
    hostile.map((diff) => ({ ...edited, args: diff, diff })),
  ) as fc.Arbitrary<Block>;

  test("whatever the blocks hold, every tag is one that we wrote", () => {
    fc.assert(
      fc.property(fc.array(anyBlock, { maxLength: 6 }), hostile, (some, agent) => {
        expect(foreignTags(exportTranscript(some, "html", { ...facts, agent, model: agent }))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test.each(HTML_ATTACKS)("%j", (attack) => {
    for (const kind of ["prose", "prompt", "log"] as const) {
      expect(foreignTags(exportTranscript([{ kind, id: "b1", text: attack }], "html", facts))).toEqual([]);
    }
  });

  test("the scanner would see one", () => {
    expect(foreignTags("<p>a</p><script>")).toEqual(["<script>"]);
    expect(foreignTags('<a href="javascript:x" rel="noopener noreferrer nofollow">')).toHaveLength(1);
    expect(foreignTags("<p onclick=x>")).toHaveLength(1);
  });
});

describe("every format", () => {
  test("is free of secrets, declared and known", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const leaky: readonly Block[] = [
      { kind: "prose", id: "b1", text: `use ${secret}` },
      { ...tool, args: { command: `curl -u ada:"open sesame"`, env: { API_TOKEN: "x1" } }, output: `TOKEN=${secret}` },
    ];
    for (const format of exportFormats) {
      const text = exportTranscript(leaky, format, facts, createRedactor(["open sesame"]));
      expect(text).not.toMatch(/a1B2|sesame/);
      expect(text).toContain("••••••");
    }
  });

  test("prints without touching the terminal that it is printed on", () => {
    for (const format of exportFormats) {
      for (const { name, text } of attacks) {
        const file = exportTranscript([{ kind: "prose", id: "b1", text }], format, facts);
        expect(file, `${name} as ${format}`).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      }
    }
  });
});
