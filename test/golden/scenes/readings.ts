// Scenes for the ear: what a screen reader is given, line by line.
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { DOWN, ENTER } from "../../views/talk-stage.js";
import {
  finished,
  lines,
  notice,
  raised,
  said,
  sessionId,
  started,
  thought,
  toolEnded,
  toolStarted,
} from "../heard.js";
import type { Reading } from "../reading.js";

const DIFF = `--- a/src/parser.ts\n+++ b/src/parser.ts\n@@ -41,3 +41,3 @@\n   const out = [];\n-  return out.join(",");\n+  return out.join(", ");\n }\n`;

const MARKDOWN =
  '# Why\n\nThe separator **lost** its space, see [line 41](https://example.org/parser.ts).\n\n- add it\n  - here\n- run the tests\n\n| test | result |\n|---|---|\n| joins | passed |\n\n```ts\nout.join(", ");\n```';

function ran(id: string, name: string, args: unknown, output: string, isError = false): SessionEvent[] {
  return [toolStarted(id, name, args), toolEnded(id, name, { output, isError })];
}

const approval = (id: string) => {
  const opts = {
    tool: "edit",
    diff: DIFF,
    path: "src/parser.ts",
    rule: "edit in src/**",
    scope: "this project",
    allow_remember: true,
    allow_reason: true,
  };
  return raised({ id, question: { kind: "confirm", params: { title: "edit src/parser.ts", opts } } });
};

export const readings: readonly Reading[] = [
  {
    name: "conversation",
    play(stage) {
      stage.type("fix the failing test", ENTER);
      stage.hear(started, thought("The test wants a space.", "I'll look at the test first."));
      stage.hear(
        ...ran(
          "r",
          "read",
          { path: "test/parser.test.ts" },
          lines(214, (at) => `line ${at}`),
        ),
      );
      stage.hear(
        ...ran(
          "t",
          "bash",
          { command: "npm test" },
          lines(40, (at) => `ok ${at}`),
        ),
      );
      stage.hear(...ran("u", "bash", { command: "npm test" }, "not ok 41", true));
      stage.hear(said(MARKDOWN), finished);
    },
  },
  {
    name: "approval",
    play(stage) {
      stage.hear(started, approval("a"), approval("b"));
      stage.wait(2_000);
      stage.type("4", ENTER);
      stage.wait(2_000);
      stage.type("the test is wrong", ENTER);
    },
  },
  {
    name: "questions",
    play(stage) {
      const options = [
        { label: "npm", value: "npm", description: "lock file found" },
        { label: "pnpm", value: "pnpm" },
      ];
      stage.hear(
        raised({ id: "s", question: { kind: "select", params: { title: "Which package manager?", options } } }),
      );
      stage.wait(2_000);
      stage.type("9", ENTER, "2", ENTER);
      stage.hear(raised({ id: "i", question: { kind: "input", params: { title: "Token", opts: { secret: true } } } }));
      stage.wait(2_000);
      stage.type("hunter2", ENTER);
    },
  },
  {
    name: "form",
    play(stage) {
      const fields = [
        {
          name: "version",
          label: "Version",
          kind: "text" as const,
          required: true,
          pattern: "^v",
          validate: "begin with a v",
        },
        { name: "tell", label: "Tell everyone", kind: "confirm" as const },
      ];
      stage.hear(raised({ id: "f", question: { kind: "form", params: { title: "Make a release", fields } } }));
      stage.wait(1_000);
      stage.type("1.4", ENTER, "v1.4", ENTER, "1", ENTER);
    },
  },
  {
    name: "files-read",
    async play(stage) {
      const params = {
        title: "Which tests?",
        folder: "/srv/parser",
        host: "elsewhere.example",
        opts: { multiple: true },
      };
      stage.hear(raised({ id: "p", question: { kind: "files", params } }));
      stage.wait(2_000);
      await stage.all();
      stage.type("../a.ts", ENTER, ENTER, "test/b.ts", ENTER, "0", ENTER);
    },
  },
  {
    name: "signals",
    play(stage) {
      stage.hear(
        notice("info", "indexed 1,204 files"),
        notice("warn", "context is 92 % full"),
        notice("error", "no answer"),
      );
      stage.hear({ type: "status.changed", sessionId, key: "mode", text: "plan mode" });
      stage.hear(
        { type: "events.missed", sessionId, count: 1 },
        { type: "log.written", sessionId, stream: "stdout", text: "Debugger attached." },
      );
      stage.hear({
        type: "plan.changed",
        sessionId,
        entries: [
          { text: "read the test", status: "completed" },
          { text: "mend it", status: "in_progress" },
        ],
      });
      stage.linkChanged("closed", [
        "agent.py ended with code 1 after 3 m 12 s",
        "KeyError: 'KEY'",
        "/restart to try again, /quit to exit",
      ]);
    },
  },
  {
    name: "commands",
    play(stage) {
      stage.type("/theme", ENTER);
      stage.wait(600);
      stage.type("2", ENTER, "/abotr", ENTER, "/queue", ENTER, "/sessions", ENTER);
      stage.wait(600);
      stage.type(DOWN);
    },
  },
];
