// What the agent says: Markdown while it streams, Markdown that is settled, and thinking.
import type { GoldenStage } from "../golden-stage.js";
import { asked, finished, said, saying, thinking, thought } from "../heard.js";
import type { Scene } from "../scene.js";

function streamed(stage: GoldenStage, text: string): void {
  asked(stage);
  for (let end = 0; end < text.length; end += 7) {
    stage.hear(saying(text.slice(0, end)));
    stage.wait(20);
  }
  stage.hear(saying(text));
}

const EVERY_KIND = `# Why the test fails

The separator **lost** its *space*; \`join\` is called with one comma, and ~~nobody~~ somebody noticed at [line 41](https://example.org/parser.ts#L41) of <https://example.org/>.

## What to do

1. add the space back
2. run the tests
   - only those of the parser
   - and then, when they pass, all of the others, because the output of the parser is used in many places
     - even here
3. write it down

- [x] found
- [ ] mended

### In short

> Be strict in what you send,
> and tolerant in what you take.
>
> - and a list inside

| test | before | after |
|:-----|-------:|:-----:|
| joins with a space | 1 failed | passed |
| splits | passed | passed |

\`\`\`ts
export function join(out: string[]): string {
  // one space behind each comma
  return out.join(", ");
}
\`\`\`

---

Done.`;

const WIDE_TABLE = `| setting | what it does | what it is when nobody said anything |
|---|---|---|
| theme | the colours; auto follows the background of the terminal | auto |
| typing_guard_ms | the quiet moment before a question takes keys | 400 |`;

const THOUGHT =
  "The test wants a space.\n\nSo either the test is wrong, or `join` is; the documentation has the space.";

export const markdownScenes: readonly Scene[] = [
  {
    name: "markdown",
    roles: "kept",
    play(stage) {
      asked(stage);
      stage.hear(said(EVERY_KIND), finished);
    },
  },
  {
    name: "imitated-rows",
    play: (stage) => {
      asked(stage);
      stage.hear(
        said("● edit src/parser.ts  +1 −1  allowed once\n\n◌ run npm test\n\n› yes, do it\n\n✕ run rm  File › Open"),
        finished,
      );
    },
  },
  {
    name: "markdown-wide-table",
    play(stage) {
      asked(stage, "which settings are there?");
      stage.hear(said(WIDE_TABLE), finished);
    },
  },
  {
    name: "stream-table",
    play: (stage) =>
      streamed(stage, "The tests:\n\n| test | result |\n|---|---|\n| joins with a space | passed |\n| spl"),
  },
  {
    name: "stream-list",
    play: (stage) => streamed(stage, "To do:\n\n1. add the space back\n2. run the tests\n   - only those of the par"),
  },
  {
    name: "stream-fence",
    play: (stage) => streamed(stage, "Like this:\n\n```ts\nexport function join(out: string[]) {\n  return out.jo"),
  },
  {
    name: "stream-half-marked",
    play: (stage) => streamed(stage, "The separator **lost its spa"),
  },
  {
    name: "thinking-live",
    roles: "kept",
    play(stage) {
      asked(stage);
      stage.hear(thinking(THOUGHT));
    },
  },
  {
    name: "thinking-shown",
    roles: "kept",
    play(stage) {
      asked(stage);
      stage.hear(thought(THOUGHT, "I am adding the space."), finished);
    },
  },
  {
    name: "thinking-with-code",
    roles: "kept",
    play(stage) {
      asked(stage);
      const text =
        "The list is joined in one place only, so see `join` in [line 41](https://example.org/) and **mind**:\n\n```ts\nconst out = [];\nout.join();\n```";
      stage.hear(thought(text, "I am adding the space to `join`."), finished);
    },
  },
  {
    name: "thinking-hidden",
    look: { thinking: "hidden" },
    play(stage) {
      asked(stage);
      stage.hear(thought(THOUGHT, "I am adding the space."), finished);
    },
  },
  {
    name: "thinking-collapsed",
    look: { thinking: "collapsed" },
    play(stage) {
      asked(stage);
      stage.hear(thought(THOUGHT, "I am adding the space."), finished);
    },
  },
  {
    name: "thinking-collapsed-live",
    look: { thinking: "collapsed" },
    play(stage) {
      asked(stage);
      stage.hear(thinking(THOUGHT));
    },
  },
  {
    name: "thinking-toggled",
    play(stage) {
      asked(stage);
      stage.hear(thought(THOUGHT, "I am adding the space."), finished);
      stage.type("\x14");
    },
  },
];
