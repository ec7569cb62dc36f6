// The reader as somebody hears it: a whole conversation as plain text, the keyboard, and every command by ear.
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { asks, finished, says, sessionId, started, tool } from "./reader-events.js";
import { BACKSPACE, CTRL_C, DOWN, ENTER, ESCAPE, ReaderStage, UP } from "./reader-stage.js";

const DIFF = "--- a/src/parser.ts\n+++ b/src/parser.ts\n@@ -41,2 +41,2 @@\n const out = [];\n-return a;\n+return b;\n";

describe("a conversation", () => {
  test("is plain text, one utterance a line", async () => {
    const stage = new ReaderStage().ready();
    stage.type("fix the failing test", ENTER);
    stage.hear(started, {
      type: "message.updated",
      sessionId,
      message: { role: "assistant", content: [{ type: "thinking", thinking: "Which test?\n" }] },
    });
    stage.hear({
      type: "message.finished",
      sessionId,
      message: {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Which test?\n" },
          { type: "text", text: "I'll **look** at the test first.\n\n```ts\nreturn out;\n```\n\nThen I mend it." },
        ],
      },
    });
    stage.hear(...tool("read", "x\n".repeat(214)), ...tool("bash", "one\ntwo\nthree\nfour", true));
    stage.hear(
      asks("a", {
        kind: "confirm",
        params: { title: "edit src/parser.ts", opts: { tool: "edit", allow_reason: true, diff: DIFF } },
      }),
    );
    stage.wait(2_000);
    stage.type("1", ENTER);
    stage.hear({ type: "notice.shown", sessionId, level: "warn", message: "context is 92 % full" });
    stage.hear({ type: "log.written", sessionId, text: "listening", stream: "stdout" }, finished);
    expect(await stage.all()).toEqual([
      "Starting agent.py.",
      "Ready. Type a message and press Enter; /help lists the commands.",
      "You: fix the failing test",
      "Thinking: Which test?",
      "Agent: I'll look at the test first.",
      "Code, ts.",
      "return out;",
      "End of code.",
      "Then I mend it.",
      "Tool read test/parser.test.ts, done, 214 lines.",
      "Tool bash test/parser.test.ts, failed, 4 lines.",
      "2 more lines; /open reads them.",
      "three",
      "four",
      "Question: edit src/parser.ts, plus 1, minus 1.",
      "line 41: const out = [];",
      "removed line 42: return a;",
      "added line 42: return b;",
      "1 allow once. 3 no. 4 no, with a reason.",
      "Type a number and press Enter.",
      "Escape cancels a question; an empty line repeats it.",
      "Answer: 1",
      "Answered: edit src/parser.ts: yes.",
      "Warning: context is 92 % full",
      "Log: listening",
      "Done.",
    ]);
  });

  test("a sentence is never said in part, and nothing is said twice", async () => {
    const stage = new ReaderStage().ready();
    stage.hear(started, says("message.updated", "First paragraph, al"));
    expect((await stage.all()).at(-1)).toMatch(/^Ready/);
    stage.hear(says("message.updated", "First paragraph, all of it.\n\nThe sec"));
    expect((await stage.all()).at(-1)).toBe("Agent: First paragraph, all of it.");
    stage.hear(says("message.finished", "First paragraph, all of it.\n\nThe second."), ...tool("read", "x"));
    stage.hear(says("message.finished", "And then this."), finished);
    expect((await stage.all()).slice(-4)).toEqual([
      "The second.",
      "Tool read test/parser.test.ts, done, 1 line.",
      "Agent: And then this.",
      "Done.",
    ]);
  });

  test("quitting in the middle of a sentence speaks the part that had come", async () => {
    const stage = new ReaderStage().ready();
    stage.hear(started, {
      type: "message.updated",
      sessionId,
      message: { role: "assistant", content: [{ type: "text", text: "Done. And the rest of" }] },
    });
    stage.wait(100);
    stage.renderer.close();
    expect(await stage.all()).toContain("Agent: Done. And the rest of");
  });

  test("an agent that changes its mind is said to have corrected itself", async () => {
    const stage = new ReaderStage().ready();
    stage.hear(started, says("message.updated", "It is five.\n\nOr"));
    stage.hear(says("message.finished", "It is six."), finished);
    expect((await stage.all()).slice(-3)).toEqual(["Agent: It is five.", "Agent, corrected: It is six.", "Done."]);
  });

  test("what the agent says while one types waits until the line is sent, or empty again", async () => {
    const stage = new ReaderStage().ready();
    stage.type("and th");
    stage.hear(says("message.finished", "Meanwhile."));
    expect((await stage.all()).at(-1)).toBe("You: and th");
    stage.type("en", ENTER);
    expect((await stage.all()).slice(-2)).toEqual(["You: and then", "Agent: Meanwhile."]);
    stage.type("x");
    stage.hear({ type: "notice.shown", sessionId, level: "info", message: "news" });
    expect((await stage.all()).at(-1)).toBe("You: x");
    stage.type(BACKSPACE);
    expect((await stage.all()).at(-1)).toBe("Notice: news");
  });

  test("a flood does not wait for ever: it is said, and then what was typed, again", async () => {
    const stage = new ReaderStage().ready();
    stage.type("half a line");
    stage.hear({ type: "log.written", sessionId, text: "x\n".repeat(2_001), stream: "stdout" });
    expect((await stage.all()).slice(-2)).toEqual(["Log: x", "You: half a line"]);
    stage.type("!", ENTER);
    expect(stage.sent).toEqual([{ type: "prompt", text: "half a line!" }]);
  });

  test("a slow terminal gets everything later, and the last words in any case", async () => {
    const stage = new ReaderStage().ready();
    stage.speed = "full";
    stage.hear({ type: "notice.shown", sessionId, level: "info", message: "one" });
    stage.hear({ type: "notice.shown", sessionId, level: "info", message: "two" });
    expect((await stage.all()).at(-1)).toBe("Notice: one");
    stage.speed = "drained";
    stage.renderer.drained();
    expect((await stage.all()).at(-1)).toBe("Notice: two");
    stage.speed = "full";
    stage.hear({ type: "log.written", sessionId, text: "x\n".repeat(1_000), stream: "stdout" });
    stage.renderer.close();
    expect((await stage.all()).filter((line) => line === "Log: x")).toHaveLength(1_000);
  });

  test("a tool that takes long is said to be at work, once", async () => {
    const stage = new ReaderStage().ready();
    stage.hear({ type: "tool.started", sessionId, toolCallId: "t", name: "bash", args: { command: "npm test" } });
    stage.wait(20_000);
    expect((await stage.all()).filter((line) => line.includes("still running"))).toEqual([
      "Tool bash npm test, still running.",
    ]);
  });

  test("what is sent to a busy agent is queued, and said when its turn comes", async () => {
    const stage = new ReaderStage().ready();
    stage.type("one", ENTER);
    stage.hear(started);
    stage.type("two", ENTER);
    expect((await stage.all()).at(-1)).toBe("Notice: the agent is busy; 1 queued.");
    stage.hear(finished);
    expect((await stage.all()).at(-1)).toBe("You: two");
    expect(stage.sent).toHaveLength(2);
  });
});

describe("the keyboard", () => {
  test("letters are echoed, and the last one can be taken back, also at the edge of the window", async () => {
    const stage = new ReaderStage({ columns: 10 }).ready();
    stage.type("abc", BACKSPACE, "d");
    expect(stage.written).toMatch(/You: abc\x08 \x08d$/);
    stage.type("efghijk", BACKSPACE, BACKSPACE, BACKSPACE, BACKSPACE, BACKSPACE, BACKSPACE, "!", ENTER);
    expect(stage.sent).toEqual([{ type: "prompt", text: "abde!" }]);
    expect((await stage.all()).at(-1)).toBe("You: abde!");
  });

  test("wide letters and emoji are taken back whole", () => {
    const stage = new ReaderStage().ready();
    stage.type("日", "👩‍👩‍👧", BACKSPACE);
    expect(stage.written.endsWith("\b\b  \b\b")).toBe(true);
    stage.type(BACKSPACE, "x", ENTER);
    expect(stage.sent).toEqual([{ type: "prompt", text: "x" }]);
  });

  test("Up says what was sent before on a line of its own, and Down comes back", async () => {
    const stage = new ReaderStage().ready();
    stage.type("new", ENTER);
    stage.hear(finished);
    stage.type("half", UP, UP, UP);
    expect((await stage.all()).slice(-5)).toEqual([
      "You: half",
      "You: new",
      "You: an older prompt",
      "Notice: nothing older.",
      "You: an older prompt",
    ]);
    stage.type(DOWN, DOWN, "!", ENTER);
    expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: "half!" });
  });

  test("a paste is taken whole: its line breaks send nothing", () => {
    const stage = new ReaderStage().ready();
    stage.type("\x1b[200~one\r\ntwo\x1b[201~");
    expect(stage.sent).toEqual([]);
    stage.type(ENTER);
    expect(stage.sent).toEqual([{ type: "prompt", text: "one\ntwo" }]);
  });

  test("a large paste is told by its size", async () => {
    const stage = new ReaderStage().ready();
    stage.type(`\x1b[200~${"word ".repeat(200)}\x1b[201~`);
    expect((await stage.all()).at(-1)).toBe(
      "You: (1000 characters: word word word word word word word word  and more)",
    );
    stage.type(ENTER);
    expect(stage.sent).toEqual([{ type: "prompt", text: "word ".repeat(200) }]);
  });

  test("Ctrl+C clears, stops, and twice leaves; Esc stops; Ctrl+D leaves an empty line", async () => {
    const stage = new ReaderStage().ready();
    stage.type("draft", CTRL_C);
    expect((await stage.all()).slice(-2)).toEqual([
      "Notice: the line is empty.",
      "Notice: press control c again to quit.",
    ]);
    stage.wait(3_000);
    stage.type("go", ENTER);
    stage.hear(started);
    stage.type(ESCAPE);
    expect(stage.sent.at(-1)).toEqual({ type: "abort" });
    stage.type("x", "\x04");
    expect(stage.left).toBe("no");
    stage.type(BACKSPACE, CTRL_C, CTRL_C);
    expect(stage.left).toBe("left");
    const other = new ReaderStage().ready();
    other.type("\x04");
    expect(other.left).toBe("left");
  });

  test("Tab completes a command, or says which there are", async () => {
    const stage = new ReaderStage().ready();
    stage.type("/se", "\t");
    expect((await stage.all()).slice(-2)).toEqual(["3 commands: /search, /sessions, /settings.", "You: /se"]);
    stage.type("ss", "\t");
    expect((await stage.all()).at(-1)).toBe("You: /sessions");
  });

  test("an editor that fails leaves the line as it was", async () => {
    const stage = new ReaderStage().ready();
    stage.editorTrouble = "vi ended with code 1";
    stage.type("text", "\x07");
    await new Promise((edited) => setImmediate(edited));
    expect((await stage.all()).slice(-2)).toEqual(["Warning: vi ended with code 1", "You: text"]);
    stage.type(ENTER);
    expect(stage.sent).toEqual([{ type: "prompt", text: "text" }]);
  });

  test("the editor opens with the line, and what it wrote is the line", async () => {
    const stage = new ReaderStage().ready();
    stage.type("text", "\x07");
    await new Promise((written) => setImmediate(written));
    await Promise.resolve();
    stage.type(ENTER);
    expect(stage.sent).toEqual([{ type: "prompt", text: "text edited" }]);
  });
});

describe("commands", () => {
  test("/help has all of them, and what is not known is told", async () => {
    const stage = new ReaderStage().ready();
    stage.type("/help", ENTER);
    const lines = await stage.all();
    expect(lines.find((line) => line.includes("/export"))).toBeDefined();
    expect(lines.at(-1)).toBe("/edit  write the message in your editor");
    stage.type("/serach", ENTER);
    expect((await stage.all()).at(-1)).toBe("Notice: there is no command /serach; did you mean /search?");
  });

  test("a list has numbers; a part of the words narrows it; an empty line chooses nothing", async () => {
    const stage = new ReaderStage().ready();
    stage.type("/theme", ENTER);
    expect((await stage.all()).slice(-5)).toEqual([
      "List: theme: the colours",
      "1 harbour, dark, now",
      "2 ember, dark",
      "3 paper, light",
      "Type a number and press Enter; an empty line chooses nothing.",
    ]);
    stage.type("2", ENTER);
    expect((await stage.all()).slice(-2)).toEqual(["Choice: 2", "Notice: theme is ember."]);
    stage.type("/theme", ENTER, ENTER);
    expect((await stage.all()).at(-1)).toBe("Notice: nothing was chosen.");
    stage.type("/theme", ENTER, "emb", ENTER);
    expect((await stage.all()).at(-1)).toBe("Notice: theme is ember.");
  });

  test("/open reads a long output page by page", async () => {
    const stage = new ReaderStage().ready();
    stage.type("/open", ENTER);
    expect((await stage.all()).at(-1)).toBe("Notice: nothing was cut short.");
    stage.hear(...tool("bash", Array.from({ length: 60 }, (_, index) => `row ${index}`).join("\n")));
    expect((await stage.all()).at(-1)).toBe("58 more lines; /open reads them.");
    stage.type("/open", ENTER);
    expect((await stage.all()).slice(-2)).toEqual(["row 38", "21 more lines; /open continues."]);
    stage.type("/open", ENTER);
    expect((await stage.all()).slice(-2)).toEqual(["row 59", "End."]);
  });

  test("/search finds, /copy copies, /export writes, ! runs", async () => {
    const stage = new ReaderStage().ready();
    stage.hear(says("message.finished", "The separator lost its space."));
    stage.type("/search separator", ENTER);
    expect((await stage.all()).slice(-2)).toEqual(["Found: 1 line with separator.", "The separator lost its space."]);
    stage.type("/copy", ENTER);
    expect(await stage.all()).toContain("Notice: copied the last reply.");
    expect(stage.emulator.clipboardWrites).toEqual([
      `c;${Buffer.from("The separator lost its space.").toString("base64")}`,
    ]);
    stage.type("/export html out.html", ENTER);
    await new Promise((written) => setImmediate(written));
    expect((await stage.all()).at(-1)).toBe("Notice: written as html to out.html");
  });

  test("/copy without a clipboard says so, and nothing else", async () => {
    const stage = new ReaderStage({ clipboard: "none" }).ready();
    stage.hear(says("message.finished", "The separator lost its space."));
    stage.type("/copy", ENTER);
    expect((await stage.all()).at(-1)).toBe("Notice: this terminal has no clipboard; /export writes a file.");
  });

  test("another session is announced, and keeps its own half-written line", async () => {
    const stage = new ReaderStage().ready();
    const at = (id: string): SessionEvent => ({ type: "session.started", sessionId: id, cwd: `/${id}` });
    stage.hear(at("one"), at("two"));
    stage.type("/switch two", ENTER);
    expect((await stage.all()).at(-1)).toBe("Session 2: two.");
    stage.hear({ type: "notice.shown", sessionId: "one", level: "info", message: "elsewhere" });
    expect((await stage.all()).join()).not.toContain("elsewhere");
    stage.type("half", "\x1b[1;3A");
    expect((await stage.all()).slice(-3)).toEqual(["You: half", "Session 1: one.", "Notice: elsewhere"]);
    stage.type("\x1b[1;3B", "!", ENTER);
    expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: "half!", session_id: "two" });
  });

  test("/status says what others see around the transcript, and a plan is told as it goes", async () => {
    const stage = new ReaderStage().ready();
    stage.hear(started, { type: "status.changed", sessionId, key: "branch", text: "main" });
    stage.hear({
      type: "plan.changed",
      sessionId,
      entries: [
        { text: "read", status: "completed" },
        { text: "mend", status: "in_progress" },
      ],
    });
    expect((await stage.all()).at(-1)).toBe("Plan: 1 of 2 done; now: mend.");
    stage.wait(2_000);
    stage.type("/status", ENTER);
    expect((await stage.all()).slice(-4)).toEqual([
      "Status: agent.py, working for 2.0 s.",
      "branch: main",
      "Plan, completed: read",
      "Plan, in progress: mend",
    ]);
  });
});
