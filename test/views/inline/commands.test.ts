// What can be typed after a slash, and what keys do besides writing.
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { TranscriptView } from "../../../src/terminal/painter/blocks/transcript-view.js";
import { plainText } from "../../../src/text/row.js";
import { colourless } from "../../terminal/painter/visible.js";
import { UP } from "../talk-stage.js";
import { CTRL_C, DOWN, ENTER, ESCAPE, Stage } from "./stage.js";

const stageLook = {
  style: colourless,
  glyphs: unicodeGlyphs,
  wrap: "words",
  thinking: "shown",
  outputLinesMax: 5,
} as const;

const sessionId = null;
const started: SessionEvent = { type: "prompt.started", sessionId };

const asked: SessionEvent = {
  type: "ask.raised",
  sessionId,
  ask: {
    ...{ id: "q1", sessionId, turnId: null, origin: { kind: "agent" }, deadlineMs: null },
    question: {
      kind: "permission",
      params: {
        title: "run rm",
        tool: "bash",
        command: "make",
        choices: [
          { id: "y", label: "allow once", choice: "allow_once" },
          { id: "a", label: "always", choice: "allow_always" },
          { id: "n", label: "no", choice: "reject_once" },
        ],
      },
    },
  },
};

function opened(columns?: number, rows?: number): Stage {
  const stage = new Stage(columns, rows);
  stage.ready();
  return stage;
}

async function shown(stage: Stage): Promise<string> {
  stage.wait(100);
  return stage.screen();
}

test.each(["abort", "reset", "save", "stats", "ping", "debug"] as const)("/%s goes to the agent", (command) => {
  const stage = opened();
  stage.type(`/${command}`, ENTER);
  expect(stage.sent).toEqual([{ type: command }]);
});

test("/help names every command, /keys every key", async () => {
  const stage = opened(90, 50);
  stage.type("/help", ENTER);
  expect(await shown(stage)).toContain("/export [md | json | html] [file]  write the transcript to a file");
  stage.type("/keys", ENTER);
  expect(await shown(stage)).toContain("ctrl+o");
});

test("/model offers what the agent offers, and asks it for a list when it has not told", async () => {
  const stage = opened();
  stage.type("/model", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "list_models" });
  const providers = [{ id: "ollama", models: [{ id: "qwen3" }, { id: "llama4" }] }];
  stage.hear({ type: "command.answered", sessionId, command: "models_list", answer: { providers } });
  expect(await shown(stage)).toContain("❯ ollama:qwen3");
  stage.type("llama4", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "set_config", key: "model", value: "ollama:llama4" });
  const options = [
    { value: "s", label: "Sonnet" },
    { value: "o", label: "Opus" },
  ];
  stage.hear({
    type: "settings.changed",
    sessionId,
    settings: [{ key: "model", label: "Model", kind: "model", value: "s", options }],
  });
  expect(await shown(stage)).toContain("agent.py · Sonnet");
  stage.type("/model", ENTER, DOWN, ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "set_config", key: "model", value: "o" });
  stage.type("/model s", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "set_config", key: "model", value: "s" });
});

test("/resume asks for saved sessions and opens the chosen one", async () => {
  const stage = opened();
  stage.type("/resume", ENTER);
  const sessions = [{ id: "s0", path: "/state/s0.jsonl", cwd: "/home/ada" }];
  stage.hear({ type: "command.answered", sessionId, command: "sessions_list", answer: { sessions } });
  expect(await shown(stage)).toContain("❯ s0");
  stage.type(ENTER);
  await expect.poll(() => stage.sent.at(-1)).toEqual({ type: "start_session", session_file: "/state/s0.jsonl" });
});

test("/theme and /settings change what is set, and a list can be left without a choice", async () => {
  const stage = opened();
  stage.type("/theme", ENTER);
  expect(await shown(stage)).toContain("❯ harbour");
  stage.type(ESCAPE);
  expect(await shown(stage)).not.toContain("❯ harbour");
  stage.type("/theme ember", ENTER, "/settings", ENTER, ENTER, "paper", ENTER);
  expect(stage.changed.filter((change) => !change.endsWith("tried"))).toEqual(["theme=ember", "theme=paper"]);
});

function queueing(...texts: string[]): Stage {
  const stage = opened();
  stage.type("one", ENTER);
  stage.hear(started);
  stage.type(...texts.flatMap((text) => [text, ENTER]));
  return stage;
}

test("queued messages stand above the composer, folded to a few; a key moves the last one back", async () => {
  const stage = queueing("two", "three");
  expect(await shown(stage)).toContain("◌ two\n  ◌ three  ctrl+up edit\n›");
  stage.type("four", ENTER, "five", ENTER);
  expect(await shown(stage)).toContain("◌ two\n  ◌ three\n  … 2 more queued  ctrl+up edit\n›");
  stage.type("\x1b[1;5A");
  expect(await shown(stage)).toContain("◌ four  ctrl+up edit\n› five");
  await stage.resize(40, 10);
  expect(await shown(stage)).toContain("◌ two  2 more · ctrl+up edit\n› five");
});

test("ctrl+p and ctrl+n go through lines and history, alt+n starts a session", async () => {
  const stage = opened();
  stage.type("half", "\x1b\r", "written", "\x10", "!");
  expect(await shown(stage)).toContain("› half!\n  written");
  stage.type("\x10");
  expect(await shown(stage)).toContain("› an older prompt");
  stage.type("\x0e", "?");
  expect(await shown(stage)).toContain("› half!?\n  written");
  stage.type("\x1bn");
  expect(stage.sent.at(-1)).toEqual({ type: "start_session" });
});

test("a prompt that comes back has the cursor at its end, and one of several rows at its start", async () => {
  const stage = opened();
  stage.type("one", "\x1b\r", "two", ENTER);
  stage.hear({ type: "prompt.started", sessionId: null }, { type: "prompt.finished", sessionId: null });
  stage.type("\x1b[A", "x");
  expect(await shown(stage)).toContain("› xone\n  two");
  stage.type("\x03", "\x1b[A", "\x1b[A", "!");
  expect(await shown(stage)).toContain("› an older prompt!");
});

test("a sent paste stays folded on the screen, and is whole in the viewer and for the agent", async () => {
  const stage = opened();
  const lines = Array.from({ length: 500 }, (_, at) => `line ${at + 1}`).join("\n");
  stage.type("explain ", `\x1b[200~${lines}\x1b[201~`, " please", ENTER);
  expect(await shown(stage)).toContain("› explain [paste #1 +500 lines] please\n");
  expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: `explain ${lines} please` });
  stage.type("\x0f");
  expect(await shown(stage)).toContain("line 499");
});

test("a sent paste is folded in the history, too, and is sent whole again; the draft keeps its own", async () => {
  const stage = new Stage(60, 20);
  stage.ready();
  const [first, second] = ["of a log\n".repeat(500), "of a file\n".repeat(100)];
  stage.type("explain ", `\x1b[200~${first}\x1b[201~`, ENTER);
  stage.hear({ type: "prompt.finished", sessionId: null });
  stage.type("and ", `\x1b[200~${second}\x1b[201~`, "this");
  expect(await shown(stage)).toContain("› and [paste #1 +100 lines]this\n");
  stage.type(UP, UP);
  expect(await shown(stage)).toMatch(/› explain \[paste #1 \+500 lines\]\n +agent\.py/);
  stage.type(DOWN, DOWN);
  expect(await shown(stage)).toContain("› and [paste #1 +100 lines]this\n");
  stage.type(UP, UP, ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: `explain ${first}`.trim() });
});

test("a mark of a paste inside a pasted text is only text, so that pastes do not multiply each other", () => {
  const stage = opened();
  const pasted = ["[paste #2 +50 lines]\n".repeat(200), "of a log\n".repeat(50)];
  for (const text of pasted) stage.type(`\x1b[200~${text}\x1b[201~`);
  stage.type(ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: pasted.join("").trim() });
});

test("a long message that was not pasted here is folded like an output", async () => {
  const stage = opened();
  stage.engine.dispatch({ type: "submit", text: Array.from({ length: 30 }, (_, at) => `line ${at + 1}`).join("\n") });
  expect(await shown(stage)).toContain("› line 1\n  line 2\n  line 3\n  line 4\n  line 5\n  … 25 more lines  ctrl+o");
});

test("ctrl+v pastes an image for an agent that takes images, and says why not otherwise", async () => {
  const stage = new Stage(60, 20);
  const CTRL_V = "\x16";
  const pasted = async () => {
    stage.type(CTRL_V);
    await new Promise((read) => setImmediate(read));
    return shown(stage);
  };
  stage.hear({ type: "agent.readied", sessionId, ui: true, protocolVersion: "1" });
  expect(await pasted()).toContain("agent.py takes no images");
  stage.hear({ type: "agent.readied", sessionId, ui: true, protocolVersion: "1", images: true });
  expect(await pasted()).toContain("the clipboard has no image");
  stage.clipboard = { data: "iVBORw==", mime_type: "image/png" };
  stage.type("compare ");
  await pasted();
  stage.type("with the design");
  expect(await pasted()).toContain("› compare [image #1] with the design[image #2]");
  stage.type(ENTER, "no image", ENTER);
  const images = [stage.clipboard, stage.clipboard];
  expect(stage.sent).toEqual([{ type: "prompt", text: "compare [image #1] with the design[image #2]", images }]);
  stage.hear({ type: "prompt.finished", sessionId });
  expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: "no image" });
});

test("where the terminal reflows, a paragraph is one line of it, and rows follow the width of the window", async () => {
  const stage = opened(40, 20);
  stage.look.wrap = "auto";
  stage.renderer.restyle();
  const words = Array.from({ length: 20 }, (_, at) => `word${at}`).join(" ");
  stage.hear({
    type: "message.finished",
    sessionId,
    message: { role: "assistant", content: [{ type: "text", text: words }] },
  });
  expect(await shown(stage)).toContain(words.slice(0, 40));
  await stage.resize(80, 20);
  expect(await shown(stage)).toContain(words.slice(0, 80));
});

describe("ctrl+c", () => {
  test("clears what is written, also when it was pressed before: nothing is lost by a second press", async () => {
    const stage = opened();
    stage.type("abc def", CTRL_C);
    expect(await shown(stage)).toContain("press ctrl+c again to quit");
    stage.type("new words", CTRL_C);
    expect(stage.left).toBe("no");
    stage.type(CTRL_C);
    expect(stage.left).toBe("left");
  });

  test("stops the agent after it has cleared the composer, and then leaves", () => {
    const stage = opened();
    stage.type("hello", ENTER, "more", CTRL_C);
    expect(stage.sent.at(-1)).toMatchObject({ type: "prompt" });
    stage.type(CTRL_C);
    expect(stage.sent.at(-1)).toMatchObject({ type: "abort" });
    expect(stage.left).toBe("no");
    stage.type(CTRL_C);
    expect(stage.left).toBe("left");
  });
});

test("/theme shows each theme while the selection moves, says which are dark, and esc brings the old one back", async () => {
  const stage = opened();
  stage.type("/theme", ENTER);
  expect(await shown(stage)).toMatch(/❯ harbour +dark, now\n▌ {3}ember +dark\n▌ {3}paper +light/);
  stage.type(DOWN, DOWN);
  expect(stage.changed).toEqual(["theme=ember, tried", "theme=paper, tried"]);
  stage.type(ESCAPE);
  expect(stage.changed.at(-1)).toBe("theme=harbour, tried");
  stage.type("/theme", ENTER, DOWN, ENTER);
  expect(stage.changed.at(-1)).toBe("theme=ember");
});

test("/help lists what this agent has, and its own commands", async () => {
  const stage = opened(90, 50);
  stage.hear(
    { type: "command.answered", sessionId, command: "initialized", answer: { commands: ["prompt", "abort", "reset"] } },
    { type: "commands.changed", sessionId, commands: [{ name: "compact", summary: "summarise", hint: "[focus]" }] },
  );
  stage.type("/help", ENTER);
  const screen = await shown(stage);
  expect(screen).toMatch(/\/reset +clear the conversation/);
  expect(screen).not.toMatch(/\/(?:save|debug|stats|new|mode) /);
  expect(screen).toContain("commands of agent.py:\n  /compact [focus]  summarise");
});

test("paths in the workspace are shown without it, in tools and not in commands", async () => {
  const view = new TranscriptView({ ...stageLook, folder: "/home/ada/parser" });
  const tool = (id: string, name: string, args: unknown) => ({
    kind: "tool" as const,
    ...{ id, toolCallId: id, name, args, output: "", phase: "done" as const, startedAtMs: null, endedAtMs: null },
  });
  const blocks = [
    tool("1", "edit", { file_path: "/home/ada/parser/src/a.ts" }),
    tool("2", "bash", { command: "cat /home/ada/parser/src/a.ts" }),
    tool("3", "read", { path: "/home/ada/parsers/b.ts" }),
  ];
  for (const block of blocks) {
    view.follow({ type: "opened", block });
    view.follow({ type: "closed", block });
  }
  expect(view.takeSettled(80).map(plainText)).toEqual([
    "● edit src/a.ts",
    "● bash cat /home/ada/parser/src/a.ts",
    "● read /home/ada/parsers/b.ts",
  ]);
});

test("editing = vi has a normal mode after esc, marked before the text; esc still stops the turn", async () => {
  const stage = opened();
  stage.look.editing = "vi";
  stage.type("one two three", ESCAPE);
  expect(await shown(stage)).toContain("❯ one two three");
  stage.type("b", "d", "w", "0", "x", "A", "!");
  expect(await shown(stage)).toContain("› ne two !");
  stage.type(ESCAPE, "u", "u", "u");
  expect(await shown(stage)).toContain("❯ one two three");
  stage.type(ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: "one two three" });
  stage.hear(started);
  stage.type("next", ESCAPE);
  expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: "one two three" });
  expect(await shown(stage)).toContain("❯ next");
  stage.type(ESCAPE);
  expect(stage.sent.at(-1)).toEqual({ type: "abort" });
});

test("editing = vi: esc after a word and letters of the normal mode answer no approval", async () => {
  const stage = opened();
  stage.look.editing = "vi";
  const answers = () => stage.sent.filter(({ type }) => type === "ui_response");
  stage.type("x", ESCAPE, "d", "d");
  stage.hear(started, asked);
  stage.wait(5_000);
  stage.type("a");
  stage.wait(5_000);
  expect(answers()).toEqual([]);
  stage.type("y", "e", "s");
  stage.wait(5_000);
  expect(answers()).toEqual([]);
  expect(await shown(stage)).toContain("› yes");
  stage.type(ESCAPE);
  stage.wait(5_000);
  expect(answers()).toEqual([]);
  stage.type(ESCAPE);
  stage.wait(5_000);
  expect(answers()).toHaveLength(1);
});

test("/queue edits or removes any of them", async () => {
  const stage = queueing("two", "three", "four");
  stage.type("/queue", ENTER);
  expect(await shown(stage)).toContain("❯ 1  two");
  stage.type(DOWN, ENTER);
  expect(await shown(stage)).toContain("◌ four  ctrl+up edit\n› three");
  stage.type("\x03", "/queue remove 1", ENTER);
  expect(await shown(stage)).not.toContain("◌ two");
  stage.type("/queue edit 7", ENTER);
  expect(await shown(stage)).toContain("there is no queued message 7");
  stage.type("/queue clear", ENTER);
  expect(await shown(stage)).toContain("the queue is empty");
  stage.type("/queue", ENTER);
  expect(await shown(stage)).toContain("nothing is queued");
});

test("stopping the turn gives the queue back, before what is typed, and sends none of it", async () => {
  const stage = queueing("two", "three");
  stage.type("half a th", ESCAPE);
  stage.wait(100);
  stage.hear({ type: "prompt.finished", sessionId });
  expect(await shown(stage)).toContain("› two\n\n  three\n\n  half a th");
  expect(stage.sent.filter(({ type }) => type === "prompt")).toHaveLength(1);
});

test("/notifications tells again what the agent reported", async () => {
  const stage = opened();
  stage.hear({ type: "notice.shown", sessionId, level: "warn", message: "the disk is nearly full" });
  stage.wait(61_000);
  stage.type("/notifications", ENTER);
  expect(await shown(stage)).toContain("1 m 01 s ago  warn  the disk is nearly full");
});

test("/search opens the transcript at the first match, /export writes it", async () => {
  const stage = opened(60, 12);
  for (let at = 1; at <= 40; at += 1)
    stage.hear({ type: "log.written", sessionId, stream: "stdout", text: `line ${at}` });
  stage.type("/search line 17", ENTER);
  const screen = await shown(stage);
  expect(screen).toContain("line 17");
  expect(screen).toContain("n next");
  stage.type("q", "/export html notes.html", ENTER);
  await new Promise((written) => setImmediate(written));
  expect(await shown(stage)).toContain("written as html to notes.html");
});

test("/export refuses a format that it does not know", async () => {
  const stage = opened(90);
  stage.type("/export pdf", ENTER);
  await new Promise((written) => setImmediate(written));
  expect(await shown(stage)).toContain("/export writes md, json or html; for a file of this name: /export md pdf");
});

test("/help keeps what an agent says of its commands to a row", async () => {
  const stage = opened(90, 50);
  const summary = `Build apps on the API. TRIGGER: read this first, ${"and so on ".repeat(30)}\nmore`;
  stage.hear({ type: "commands.changed", sessionId, commands: [{ name: "skill", summary }] });
  stage.type("/help", ENTER);
  expect(await shown(stage)).toMatch(/\/skill {2}Build apps on the API\. TRIGGER: read this first, and so on…\n/);
});

test("the agent's own commands are completed and go to it as they are", async () => {
  const stage = opened();
  stage.hear({ type: "commands.changed", sessionId, commands: [{ name: "compact", summary: "make room" }] });
  stage.type("/compact now", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: "/compact now" });
});

test("ctrl+r searches what was sent before, ctrl+g opens the editor", async () => {
  const stage = opened();
  stage.type("\x12");
  expect(await shown(stage)).toContain("❯ an older prompt");
  stage.type(ENTER);
  expect(await shown(stage)).toContain("› an older prompt");
  stage.type("\x07");
  await Promise.resolve();
  expect(await shown(stage)).toContain("› an older prompt edited");
});

test.each(["!rm -rf build", "/quit now"])('the message of palaver run NAME "%s" is a prompt', (message) => {
  const stage = new Stage().ready();
  stage.renderer.app.start({ warnings: [], firstPrompt: message });
  expect(stage.sent).toMatchObject([{ type: "prompt", text: message }]);
});

test("what is written is kept as a draft until it is sent", () => {
  const stage = opened();
  stage.type("half", ENTER);
  expect(stage.drafts.slice(0, 4)).toEqual(["h", "ha", "hal", "half"]);
  expect(stage.drafts.at(-1)).toBe("");
});

test("the plan stands above the composer while there is something to do", async () => {
  const stage = opened();
  const entries = [
    { text: "read the test", status: "completed" as const },
    { text: "fix the separator", status: "in_progress" as const },
    { text: "run the tests", status: "pending" as const },
  ];
  stage.hear({ type: "plan.changed", sessionId, entries });
  expect(await shown(stage)).toMatch(/● read the test\n {2}. fix the separator\n {2}◌ run the tests/);
  stage.hear({ type: "plan.changed", sessionId, entries: entries.map((entry) => ({ ...entry, status: "completed" })) });
  expect(await shown(stage)).not.toContain("read the test");
});

test("the window that is not looked at is told when it is looked at again", () => {
  const stage = opened();
  stage.type("\x1b[O");
  expect(stage.situations.at(-1)?.focus).toBe("elsewhere");
  stage.type("\x1b[I");
  expect(stage.situations.at(-1)?.focus).toBe("here");
});

test("letters that come together are drawn together", async () => {
  const stage = opened();
  stage.renderer.key("a", "more");
  expect(await stage.screen()).not.toContain("› a");
  stage.renderer.key("b", "last");
  expect(await stage.screen()).toContain("› ab");
});

test("a long message breaks between words, like the agent's prose", async () => {
  const stage = opened();
  const words =
    "please have a look at the parser and tell me whether the handling of tokens is correct, especially expiration";
  stage.type(words, ENTER);
  const screen = await shown(stage);
  expect(screen).toContain(
    "› please have a look at the parser and tell me whether the\n  handling of tokens is correct,",
  );
});
