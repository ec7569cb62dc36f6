// Questions by ear: announced when nobody types, answered only by whoever can have heard them, never by accident.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { verifies } from "../../verifies.js";
import { announced, asks, confirm, input, responses, sessionId } from "./reader-events.js";
import { BACKSPACE, CTRL_C, ENTER, ESCAPE, ReaderStage } from "./reader-stage.js";

describe("questions", () => {
  test("are announced when the line is empty and a quiet moment has passed", async () => {
    const stage = new ReaderStage().ready();
    stage.type("1");
    stage.hear(confirm("a"));
    stage.wait(5_000);
    expect((await stage.all()).join()).not.toContain("Question");
    stage.type(ENTER);
    expect(stage.sent).toEqual([{ type: "prompt", text: "1" }]);
    stage.wait(780);
    expect((await stage.all()).join()).not.toContain("Question");
    stage.wait(40);
    expect((await stage.all()).join()).toContain("Question: Delete a?");
    expect(responses(stage)).toEqual([]);
  });

  test("a question that is called like its tool names it once", async () => {
    const raised = asks("p", {
      kind: "permission",
      params: { title: "Bash", tool: "Bash", choices: [], command: "ls" },
    });
    if (raised.type !== "ask.raised") throw new Error("no ask");
    const ask = { ...raised.ask, origin: { kind: "tool", name: "Bash" } } as const;
    expect((await announced({ ...raised, ask }).all()).join("\n")).toContain("Question: Bash.");
  });

  test("a line that was begun before anybody can have heard of the question is a message", async () => {
    const stage = new ReaderStage().ready();
    stage.hear(confirm("a"));
    stage.wait(40);
    expect((await stage.all()).join()).toContain("Question: Delete a?");
    stage.type("1");
    stage.wait(1_000);
    stage.type(ENTER);
    expect(stage.sent).toEqual([{ type: "prompt", text: "1" }]);
    stage.wait(1_000);
    stage.type("1", ENTER);
    expect(responses(stage)).toEqual([{ type: "ui_response", id: "a", result: true, error: null }]);
  });

  test("a paste answers none, with its brackets or without them", async () => {
    for (const keys of [["\x1b[200~1\x1b[201~", ENTER], ["\x1b[200~1\n\x1b[201~"], ["1", ENTER]]) {
      const stage = new ReaderStage().ready();
      stage.hear(confirm("a"));
      stage.wait(2_000);
      stage.paste(...keys);
      stage.wait(1_000);
      expect(responses(stage)).toEqual([]);
      expect(stage.sent).toEqual([]);
    }
  });

  test("a line that vanished without a key is gone on with as a message", () => {
    verifies("composer.draft-is-the-users");
    const stage = new ReaderStage().ready();
    stage.hear({ type: "session.started", sessionId: "s1" });
    stage.type("fix section ");
    stage.hear(confirm("a"));
    stage.hear({ type: "editor-text.changed", sessionId: "s1", text: "" });
    stage.hear({ type: "session.started", sessionId: "s2" }, { type: "session.activated", sessionId: "s2" });
    stage.wait(3_000);
    stage.type("1", ENTER);
    expect(responses(stage)).toEqual([]);
  });

  test("what an agent suggests is announced, is never a command, and gives way to a question and to typing", async () => {
    verifies("composer.suggestion-is-no-command");
    const suggested = (text: string) => ({ type: "editor-text.changed", sessionId, text }) as const;
    const stage = new ReaderStage().ready();
    stage.wait(1_000);
    stage.hear(suggested("!true"));
    stage.type(ENTER);
    stage.wait(100);
    stage.type("mine", ENTER);
    expect(stage.sent).toEqual([{ type: "prompt", text: "mine" }]);
    stage.hear({ type: "prompt.finished", sessionId });
    stage.wait(1_000);
    expect((await stage.all()).slice(-2)).toEqual([expect.stringContaining("the agent suggests"), "You: !true"]);
    stage.hear(confirm("a"));
    stage.wait(3_000);
    expect((await stage.all()).join()).toContain("Question: Delete a?");
    stage.type("2", ENTER);
    expect(responses(stage)).toMatchObject([{ result: false }]);
    stage.wait(1_000);
    stage.type(ENTER);
    expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: "!true" });
    expect(stage.remembered).toEqual(["mine"]);
  });

  test("typed text at any moment answers nothing without Enter, and a line begun before is a message", () => {
    verifies("asks.typing-never-answers");
    const char = fc.constantFrom(..."123yanrd version");
    const stroke = fc.record({ char, afterMs: fc.constantFrom(20, 100, 400, 900, 2_000) });
    fc.assert(
      fc.property(fc.array(stroke, { minLength: 1, maxLength: 12 }), fc.nat(12), (strokes, askedAt) => {
        const stage = new ReaderStage().ready();
        let typed = "";
        for (const [index, { char: letter, afterMs }] of strokes.entries()) {
          stage.type(letter);
          typed += letter;
          if (index === Math.min(askedAt, strokes.length - 1)) stage.hear(confirm("a"));
          stage.wait(afterMs);
        }
        expect(stage.sent).toEqual([]);
        stage.type(ENTER);
        expect(stage.sent).toEqual(typed.trim() === "" ? [] : [{ type: "prompt", text: typed }]);
      }),
      { numRuns: 40 },
    );
  });

  test("Enter alone never approves: it says the question again", async () => {
    const stage = announced(confirm("a"));
    stage.type(ENTER, ENTER, ENTER);
    expect(stage.sent).toEqual([]);
    expect((await stage.all()).filter((line) => line.startsWith("Question: Delete a?"))).toHaveLength(4);
  });

  test("a wrong number is told, and words are taken as well as numbers", async () => {
    const stage = announced(confirm("a"));
    stage.type("7", ENTER);
    expect((await stage.all()).at(-1)).toBe("Type 1 or 2.");
    stage.type("no", ENTER);
    expect(responses(stage)).toEqual([{ type: "ui_response", id: "a", result: false, error: null }]);
  });

  test("no word approves what has an effect, only a number does", async () => {
    verifies("asks.typing-never-answers");
    const opts = { tool: "bash", command: "rm -rf build" };
    const stage = announced(asks("a", { kind: "confirm", params: { title: "Run it?", opts } }));
    for (const word of ["y", "yes", "a", "allow once"]) {
      stage.type(word, ENTER);
      expect((await stage.all()).at(-1)).toBe("Type 1, 3 or 4.");
    }
    expect(responses(stage)).toEqual([]);
    stage.type("1", ENTER);
    expect(responses(stage)).toEqual([{ type: "ui_response", id: "a", result: true, error: null }]);
  });

  test("Esc and Ctrl+C cancel; the first one clears what was typed", () => {
    for (const key of [ESCAPE, CTRL_C]) {
      const stage = announced(confirm("a"));
      stage.type("1", key);
      expect(stage.sent).toEqual([]);
      stage.type(key);
      expect(stage.sent).toEqual([{ type: "ui_response", id: "a", result: false, error: null }]);
      expect(stage.left).toBe("no");
    }
  });

  test("come one after the other, with how many wait", async () => {
    const stage = announced(confirm("a"), confirm("b"), confirm("c"));
    stage.type("1", ENTER);
    stage.wait(2_000);
    stage.type("2", ENTER);
    stage.wait(2_000);
    stage.type("1", ENTER);
    const opened = (await stage.all()).filter((line) => line.startsWith("Question"));
    expect(opened.map((line) => line.split("?")[0])).toEqual([
      "Question: Delete a",
      "Question 1 of 2: Delete b",
      "Question: Delete c",
    ]);
    expect(responses(stage).map((response) => ("result" in response ? response.result : null))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("an answer to a question that is gone goes nowhere, least of all to the agent", async () => {
    const stage = announced(confirm("a"));
    stage.type("1");
    stage.hear({ type: "ask.withdrawn", sessionId, askId: "a", reason: "agent_cancelled" });
    stage.wait(1_000);
    stage.type(ENTER);
    expect(stage.sent.filter(({ type }) => type === "prompt")).toEqual([]);
    expect((await stage.all()).slice(-3)).toEqual([
      "Answer: 1",
      "Answered: Delete a? withdrawn.",
      "Notice: that question has ended; what you typed was not sent.",
    ]);
  });

  test("a secret is masked, and neither remembered nor kept as a draft", async () => {
    const stage = announced(input({ secret: true }));
    stage.type("hunter2", BACKSPACE, "3", ENTER);
    expect(responses(stage)).toEqual([{ type: "ui_response", id: "i", result: "hunter3", error: null }]);
    expect((await stage.all()).join("\n")).toContain("Answer: *******");
    expect(stage.written).not.toContain("hunter");
    expect(stage.remembered).toEqual([]);
    expect(stage.drafts.join()).not.toContain("hunter");
  });

  test("a text may begin with a slash; where one chooses from a list a slash is a command", async () => {
    const text = announced(input());
    text.type("/etc", ENTER);
    expect(responses(text)).toEqual([{ type: "ui_response", id: "i", result: "/etc", error: null }]);
    const list = announced(confirm("a"));
    list.type("/status", ENTER);
    expect((await list.all()).at(-1)).toBe("Status: agent.py, idle, 1 question open.");
    list.type("1", ENTER);
    expect(responses(list)).toHaveLength(1);
  });

  test("a no with a reason, and an editor of several lines", () => {
    const stage = announced(
      asks("a", { kind: "confirm", params: { title: "Push?", opts: { allow_reason: true } } }),
      asks("e", { kind: "editor", params: { title: "Your story?" } }),
    );
    stage.type("3", ENTER, "not on Friday", ENTER);
    stage.wait(2_000);
    stage.type("once", ENTER, ENTER, "upon", ENTER, ".", ENTER);
    expect(responses(stage).map((response) => ("result" in response ? response.result : null))).toEqual([
      { ok: false, reason: "not on Friday" },
      "once\n\nupon",
    ]);
  });

  test("ring a bell where one is requested", () => {
    const stage = new ReaderStage({ bell: "on" }).ready();
    stage.hear(confirm("a"));
    stage.wait(1_000);
    expect(stage.written.split("\x07")).toHaveLength(2);
  });
});
