// What is reported besides the talk itself: notices, faults, the end of the agent, plans, status fields and widgets.
import { asked, finished, lines, notice, said, saying, sessionId, toolStarted } from "../heard.js";
import type { Scene } from "../scene.js";

const PLAN = [
  { text: "read the test", status: "completed" },
  { text: "fix the separator", status: "in_progress" },
  { text: "run the tests of the parser, and then all of the others", status: "pending" },
] as const;

const widget = (key: string, content: string[] | null, placement: "above" | "below") =>
  ({ type: "widget.changed", sessionId, key, lines: content, placement }) as const;

const fields = [
  { type: "status.changed", sessionId, key: "mode", text: "plan mode" },
  { type: "status.changed", sessionId, key: "tests", text: "212 passed" },
  { type: "status.changed", sessionId, key: "gone", text: "nobody sees this" },
  { type: "status.changed", sessionId, key: "gone", text: null },
] as const;

export const signalScenes: readonly Scene[] = [
  {
    name: "notices",
    roles: "kept",
    play(stage) {
      stage
        .ready()
        .hear(
          notice("info", "indexed 1,204 files"),
          notice("warn", "context is 92 % full; /compact makes room, and a new session makes more of it"),
          notice("error", "the model did not answer"),
          notice("success", "all 212 tests pass"),
        );
    },
  },
  {
    name: "notices-ascii",
    glyphs: "ascii",
    play(stage) {
      stage
        .ready()
        .hear(
          notice("info", "indexed"),
          notice("warn", "full"),
          notice("error", "no answer"),
          notice("success", "done"),
        );
    },
  },
  {
    name: "notice-with-stack",
    play(stage) {
      stage
        .ready()
        .hear(
          notice("error", `TypeError: out is undefined\n${lines(40, (at) => `    at join${at} (parser.ts:${at})`)}`),
        );
    },
  },
  {
    name: "log-lines",
    roles: "kept",
    play(stage) {
      stage
        .ready()
        .hear(
          { type: "log.written", sessionId, stream: "stdout", text: "Debugger attached." },
          { type: "log.written", sessionId, stream: "stdout", text: "(node:41) a warning that is no JSON" },
          said("Hello."),
        );
    },
  },
  {
    name: "fault",
    play(stage) {
      const message = "a line that is not JSON: Unexpected token in the middle of it";
      stage.ready().hear({
        type: "fault.reported",
        sessionId,
        fault: { name: "malformed", message, excerpt: '{"type": "ev' },
      });
    },
  },
  {
    name: "events-missed",
    play(stage) {
      stage
        .ready()
        .hear({ type: "events.missed", sessionId, count: 3 }, { type: "events.missed", sessionId, count: 1 });
    },
  },
  {
    name: "command-failed",
    play(stage) {
      stage.ready().hear({ type: "command.failed", sessionId, message: "there is no session to save" });
    },
  },
  {
    name: "agent-crashed",
    roles: "kept",
    play(stage) {
      asked(stage);
      stage.hear(said("I'll look at the test first."));
      const stderr = [
        "Traceback (most recent call last):",
        '  File "agent.py", line 41, in main',
        "    key = os.environ['KEY']",
        '  File "os.py", line 9',
        "KeyError: 'KEY'",
      ];
      stage.linkChanged("closed", [
        "claude ended with code 1 after 3 m 12 s",
        ...stderr,
        "/restart to try again, /quit to exit",
      ]);
    },
  },
  {
    name: "agent-restarted",
    play(stage) {
      asked(stage);
      stage.linkChanged("closed", ["claude ended with code 1 after 3 m 12 s", "/restart to try again, /quit to exit"]);
      stage.type("and once more", "\r");
      stage.linkChanged("opened", []);
      stage.wait(400);
    },
  },
  {
    name: "agent-gone",
    play(stage) {
      asked(stage);
      stage.linkChanged("closed", [
        "claude could not be started: there is no program claude",
        "/restart to try again, /quit to exit",
      ]);
      stage.type("and once more", "\r");
    },
  },
  {
    name: "plan",
    roles: "kept",
    play(stage) {
      asked(stage);
      stage.hear({ type: "plan.changed", sessionId, entries: [...PLAN] });
      stage.later(4_000);
    },
  },
  {
    name: "plan-while-writing",
    play(stage) {
      asked(stage);
      stage.hear({ type: "plan.changed", sessionId, entries: [...PLAN] });
      stage.hear(saying("The separator lost its space; I am adding it back and running the tests of the parser"));
      stage.later(4_000);
    },
  },
  {
    name: "plan-long-ascii",
    glyphs: "ascii",
    play(stage) {
      asked(stage);
      const more = Array.from({ length: 8 }, (_, at) => ({ text: `step ${at + 4}`, status: "pending" as const }));
      stage.hear({ type: "plan.changed", sessionId, entries: [...PLAN, ...more] });
      stage.later(4_000);
    },
  },
  {
    name: "status-fields",
    play: (stage) => stage.ready().hear(...fields),
  },
  {
    name: "widgets",
    play: (stage) =>
      stage
        .ready()
        .hear(
          widget("todo", ["TODO", "  1 fix the separator", "  2 run the tests"], "above"),
          widget("ci", ["CI: green"], "below"),
        ),
  },
  {
    name: "widgets-while-working",
    play(stage) {
      asked(stage);
      stage.hear(widget("todo", ["TODO", "  1 fix the separator"], "above"), widget("ci", ["CI: green"], "below"));
      stage.hear({ type: "plan.changed", sessionId, entries: [...PLAN] });
      stage.later(4_000);
    },
  },
  {
    name: "widgets-removed",
    play(stage) {
      stage.ready().hear(widget("todo", ["TODO"], "above"), widget("ci", ["CI: green"], "below"));
      stage.wait(100);
      stage.hear(widget("todo", null, "above"), widget("ci", null, "below"));
    },
  },
  {
    name: "stopped",
    play(stage) {
      asked(stage);
      stage.hear(said("I'll run the tests first."), toolStarted("t1", "bash", { command: "npm test" }));
      stage.wait(2_000);
      stage.type("\x1b", "\x1b");
      stage.hear(finished);
    },
  },
  {
    name: "aborted",
    play(stage) {
      asked(stage);
      stage.wait(2_000);
      stage.type("\x03");
      stage.hear(finished);
      stage.later(3_000);
      stage.type("\x03");
    },
  },
];
