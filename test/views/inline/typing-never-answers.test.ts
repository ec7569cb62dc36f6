// The promise as a person meets it: text that is typed into the terminal UI, at any pace and at any moment of a question's
// life, answers no question, opens nothing, and arrives in the composer letter by letter.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { verifies } from "../../verifies.js";
import { BACKSPACE, CTRL_X, UP } from "../talk-stage.js";
import { DOWN, ENTER, ESCAPE, Stage } from "./stage.js";

const sessionId = null;
const TAB = "\t";

function raised(id: string, question: Extract<SessionEvent, { type: "ask.raised" }>["ask"]["question"]): SessionEvent {
  const ask = { id, sessionId, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null } as const;
  return { type: "ask.raised", sessionId, ask };
}

const opts = { tool: "bash", command: "rm -rf build", allow_remember: true, allow_reason: true };
const approval = (id: string) => raised(id, { kind: "confirm", params: { title: `run ${id}`, opts } });
const name = raised("name", { kind: "input", params: { title: "Name?", opts: { default: "v1.4" } } });

const answers = (stage: Stage) => stage.sent.filter(({ type }) => type === "ui_response");
const drafted = (stage: Stage) => stage.drafts.at(-1) ?? "";

function opened(): Stage {
  return new Stage(70, 24).ready();
}

describe("typed text", () => {
  test.each(["inline", "full"] as const)("answers nothing and is all there, on the %s screen", (screen) => {
    verifies("asks.typing-never-answers");
    const char = fc.constantFrom(..."yanrdyanrd123 ", ..."thequickbrown");
    const pace = fc.integer({ min: 1, max: 20 }).map((n) => n * 20);
    const stroke = fc.record({
      // A key that repeats is the same letter several times; a paste is one sequence.
      text: fc.oneof(
        { weight: 6, arbitrary: char },
        fc.constantFrom("yyy", "aaa", "ddd"),
        fc.constant("\x1b[200~y\x1b[201~"),
      ),
      afterMs: fc.oneof({ weight: 5, arbitrary: pace }, fc.constantFrom(700, 820, 1_000, 2_000)),
      event: fc.constantFrom("none", "none", "none", "none", "ask", "withdraw"),
    });
    fc.assert(
      fc.property(fc.array(stroke, { minLength: 2, maxLength: 14 }), fc.boolean(), (strokes, isAsked) => {
        const stage = new Stage(70, 24, { screen }).ready();
        let asks = 0;
        if (isAsked) stage.hear(approval(`a${asks++}`));
        stage.wait(1_000);
        let typed = "";
        for (const [index, { text, afterMs, event }] of strokes.entries()) {
          // An answer key by itself in an empty composer, with silence behind it, would be the gesture.
          stage.wait(index === 1 ? Math.min(afterMs, 400) : index === 0 ? 0 : afterMs);
          if (event === "ask") stage.hear(approval(`a${asks++}`));
          if (event === "withdraw" && asks > 0) {
            stage.hear({ type: "ask.withdrawn", sessionId, askId: `a${asks - 1}`, reason: "agent_cancelled" });
          }
          stage.type(text);
          typed += text.startsWith("\x1b") ? "y" : text;
        }
        stage.wait(2_000);
        expect(answers(stage)).toEqual([]);
        expect(drafted(stage)).toBe(typed);
        const viewers = stage.written.split("\x1b[?1049h").length - 1;
        expect(viewers).toBe(screen === "full" ? 1 : 0);
      }),
      { numRuns: 40 },
    );
  });

  test("goes on after the question has appeared, and after a pause", async () => {
    const stage = opened();
    const type = (text: string) => {
      for (const letter of text) {
        stage.type(letter);
        stage.wait(100);
      }
    };
    type("and then bump it to version");
    stage.hear(approval("a"));
    stage.wait(1_600);
    type(" 1.4 as a try");
    stage.wait(3_000);
    expect(answers(stage)).toEqual([]);
    expect(drafted(stage)).toBe("and then bump it to version 1.4 as a try");
    expect(await stage.screen()).toContain("› and then bump it to version 1.4 as a try");
  });

  test("a word with a d in it does not open the viewer", () => {
    const stage = opened();
    stage.hear(approval("a"));
    stage.wait(1_000);
    stage.type("upgrade", "d");
    stage.wait(2_000);
    expect(drafted(stage)).toBe("upgraded");
    expect(stage.written).not.toContain("\x1b[?1049h");
  });
});

describe("a question about files", () => {
  const files = raised("f", { kind: "files", params: { title: "Which?", opts: { default: "a.ts" } } });

  test("is answered by no text, and by an Enter only after a search or a move", () => {
    const key = fc.constantFrom(..."12yn. a", "\x1b[200~b\x1b[201~", BACKSPACE, "\x1b[D", "\x1b[H");
    const stroke = fc.record({ key, afterMs: fc.constantFrom(20, 100, 700, 820, 2_000) });
    fc.assert(
      fc.property(fc.array(stroke, { maxLength: 10 }), fc.nat({ max: 2_000 }), (strokes, enterAfterMs) => {
        const stage = opened();
        stage.hear(files);
        stage.wait(enterAfterMs);
        stage.type(ENTER);
        expect(answers(stage)).toEqual([]);
        for (const { key: pressed, afterMs } of strokes) {
          stage.wait(afterMs);
          stage.type(pressed);
        }
        stage.wait(2_000);
        expect(answers(stage)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test("takes a search and Enter", () => {
    const stage = opened();
    stage.hear(raised("f", { kind: "files", params: { title: "Which?" } }));
    stage.wait(3_000);
    stage.type("src/a.ts", ENTER);
    expect(answers(stage)).toMatchObject([{ id: "f", result: ["src/a.ts"] }]);
  });
});

describe("an answer", () => {
  test("is one key with silence around it, and is marked while it is held", async () => {
    const stage = opened();
    stage.hear(approval("a"));
    stage.wait(1_000);
    stage.type("y");
    expect(await stage.screen()).toMatch(/❯ y {2}allow once[\s\S]*any other key takes it back/);
    stage.wait(980);
    expect(answers(stage)).toEqual([]);
    stage.wait(40);
    expect(answers(stage)).toMatchObject([{ id: "a", result: { ok: true } }]);
  });

  test("is not the rest of a report that the terminal sent in pieces", () => {
    for (const cut of ["\x1b[<0;", "\x1b[?62;", "\x1b[M", "\x1b]11;rgb:"]) {
      const stage = opened();
      stage.hear(approval("a"));
      stage.wait(1_000);
      stage.renderer.key(cut);
      stage.wait(2_000);
      stage.answer("y");
      expect(answers(stage)).toEqual([]);
    }
  });

  test("that another key follows is in the composer with it, and Enter does not send it", () => {
    const stage = opened();
    stage.hear(approval("a"));
    stage.wait(1_000);
    stage.type("y", ENTER);
    stage.wait(2_000);
    expect(stage.sent).toEqual([]);
    stage.type(".");
    expect(drafted(stage)).toBe("y.");
  });

  test("beside a draft takes the focus key first, and the draft stays", async () => {
    verifies("asks.enter-after-a-move");
    for (const choose of [(stage: Stage) => stage.choose(UP, UP), (stage: Stage) => stage.answer("y")]) {
      const stage = opened();
      stage.type("and then 1");
      stage.hear(approval("a"));
      stage.wait(3_000);
      expect(await stage.screen()).toContain("ctrl+x to answer · esc no, twice stop");
      stage.type(CTRL_X);
      stage.wait(300);
      expect(await stage.screen()).toContain("ctrl+o full view · esc no, twice stop · up/down, enter");
      choose(stage);
      expect(answers(stage)).toMatchObject([{ id: "a", result: { ok: true } }]);
      stage.wait(100);
      expect(await stage.screen()).toContain("› and then 1");
    }
  });

  test.each<[string, string, string[]]>([
    ["Up in a draft", "and then", [UP]],
    ["Down in the list of files", "look at @", [DOWN]],
    ["Up in the list of files", "look at @", [UP]],
    ["Tab, which completes", "look at @pack", [TAB]],
    ["Up, which brings the last prompt back", "", [UP]],
  ])("is not %s with Enter at once, nor with Enter after a pause in a draft", (_, draft, moves) => {
    for (const pauseMs of draft === "" ? [0, 280] : [0, 1_000]) {
      const stage = opened();
      stage.type(draft);
      stage.hear(approval("a"));
      stage.wait(1_000);
      stage.type(...moves);
      stage.wait(pauseMs);
      stage.type(ENTER);
      stage.wait(2_000);
      expect(answers(stage)).toEqual([]);
    }
  });

  test("by Enter waits for a pause after the move, says so, and keeps the selection", async () => {
    const stage = opened();
    stage.hear(approval("a"));
    stage.wait(1_000);
    stage.type(UP, UP, ENTER);
    expect(answers(stage)).toEqual([]);
    expect(await stage.screen()).toMatch(/❯ y {2}allow once[\s\S]*press enter again/);
    stage.wait(300);
    stage.type(ENTER);
    expect(answers(stage)).toMatchObject([{ id: "a", result: { ok: true } }]);
  });

  test("is not a key that was pressed before the process stalled, and what came meanwhile stays in its order", () => {
    const stage = opened();
    stage.hear(approval("a"));
    stage.wait(1_000);
    stage.type("y");
    stage.clock.jump(1_000);
    stage.type("es, the files");
    stage.wait(2_000);
    expect(answers(stage)).toEqual([]);
    expect(drafted(stage)).toBe("yes, the files");
  });

  test("is not a key that was pressed while the process stalled, however quiet it was before", () => {
    const stage = opened();
    stage.hear(approval("a"));
    stage.wait(1_000);
    stage.clock.jump(1_000);
    stage.type("y");
    stage.wait(2_000);
    expect(answers(stage)).toEqual([]);
    expect(drafted(stage)).toBe("y");
  });

  test("is not a key whose follower was pressed in time and is read after the timer", () => {
    const stage = opened();
    const looks: (() => void)[] = [];
    const afterInput = (look: () => void) => {
      looks.push(look);
      return () => looks.splice(looks.indexOf(look), 1);
    };
    Object.assign(stage.clock, { afterInput });
    stage.hear(approval("a"));
    stage.wait(1_000);
    for (const look of looks.splice(0)) look();
    stage.type("y");
    stage.wait(700);
    stage.type("e");
    for (const look of looks.splice(0)) look();
    expect(answers(stage)).toEqual([]);
    expect(drafted(stage)).toBe("ye");
  });

  test("names arrows and Enter only when they count", async () => {
    const stage = opened();
    stage.hear(approval("a"));
    stage.wait(400);
    expect(await stage.screen()).toMatch(/ready in a moment · esc no, twice stop$/m);
    stage.type("y");
    stage.wait(2_000);
    expect(answers(stage)).toEqual([]);
    stage.type(BACKSPACE);
    stage.wait(1_000);
    expect(await stage.screen()).toMatch(/d full view · esc no, twice stop · up\/down, enter$/m);
    const list = opened();
    const options = ["npm", "pnpm"].map((label) => ({ label, value: label }));
    list.hear(raised("s", { kind: "select", params: { title: "Which?", options } }));
    list.wait(400);
    expect(await list.screen()).toContain("▌ ready in a moment");
    list.type(DOWN);
    expect(await list.screen()).toContain("▌ ready in a moment");
    list.wait(1_000);
    expect(await list.screen()).toContain("▌ up/down, enter · esc cancel");
  });

  test("is not an Enter that was meant for the draft: it sends the draft", () => {
    const stage = opened();
    stage.type("and then 1");
    stage.hear(approval("a"));
    stage.wait(3_000);
    stage.type(ENTER);
    expect(stage.sent).toEqual([{ type: "prompt", text: "and then 1" }]);
  });

  test("to what is written into waits for the focus key beside a draft, and takes letters without one", async () => {
    const stage = opened();
    stage.type("x");
    stage.hear(name);
    stage.wait(1_000);
    expect(await stage.screen()).toContain("ctrl+x to answer");
    stage.type(".1");
    expect(drafted(stage)).toBe("x.1");
    stage.wait(1_000);
    stage.type(CTRL_X, ".2", ENTER);
    expect(answers(stage)).toMatchObject([{ id: "name", result: "v1.4.2" }]);
    const empty = opened();
    empty.hear(name);
    empty.wait(1_000);
    empty.type(BACKSPACE, "5", ENTER);
    expect(answers(empty)).toMatchObject([{ result: "v1.5" }]);
  });

  test.each([
    ["without a default", "Delete the database", {}, "No"],
    ["for several answers", "Delete the database", { multiple: true }, []],
    ["with an allowing default", "Yes, run it", { default: "Yes, run it" }, "No"],
    ["with an allowing default for several answers", "Yes", { multiple: true, default: ["Yes"] }, ["Yes"]],
  ])("in a list %s is not Enter alone", (_, first, more, chosen) => {
    const options = [first, "No"].map((label) => ({ label, value: label }));
    const stage = opened();
    stage.hear(raised("s", { kind: "select", params: { title: "Run it?", options, opts: more } }));
    stage.wait(1_000);
    stage.type(ENTER);
    expect(answers(stage)).toEqual([]);
    stage.wait(300);
    stage.choose(DOWN);
    expect(answers(stage)).toMatchObject([{ result: chosen }]);
  });

  test.each<[string, Parameters<typeof raised>[1], string[], unknown]>([
    [
      "a list",
      {
        kind: "select",
        params: {
          title: "Sure?",
          options: ["Do it", "Ja"].map((label) => ({ label, value: label })),
          opts: { default: "Ja" },
        },
      },
      [DOWN, UP],
      "Ja",
    ],
    ["a text", { kind: "input", params: { title: "Sure?", opts: { default: "yes" } } }, ["\x1b[C"], "yes"],
    ["an editor", { kind: "editor", params: { title: "Sure?", prefill: "yes" } }, ["\x1b[C"], "yes"],
    [
      "a form",
      { kind: "form", params: { title: "F", fields: [{ name: "ok", label: "Ok", kind: "confirm", default: true }] } },
      [TAB],
      { ok: true },
    ],
  ])("is not Enter alone where an agent filled in %s: it takes a move first", async (_, question, moves, result) => {
    verifies("asks.yes-is-never-a-default");
    const stage = opened();
    stage.hear(raised("s", question));
    stage.wait(1_000);
    stage.type(ENTER);
    stage.wait(1_000);
    stage.type(question.kind === "form" ? "\x13" : ENTER);
    expect(answers(stage)).toEqual([]);
    expect(await stage.screen()).toMatch(/press .* first, then enter/);
    stage.wait(1_000);
    stage.choose(...moves);
    expect(answers(stage)).toMatchObject([{ result }]);
  });

  test("is not given by Esc while a key is held: it only takes the key back", () => {
    const stage = opened();
    stage.hear(approval("a"));
    stage.wait(1_000);
    stage.type("y", ESCAPE);
    stage.wait(1_000);
    expect(answers(stage)).toEqual([]);
    expect(drafted(stage)).toBe("y");
  });
});

describe("an ask that shows more than before", () => {
  test.each(["inline", "full"] as const)(
    "because the window has grown is new again, on the %s screen",
    async (screen) => {
      const stage = new Stage(100, 3, { screen }).ready();
      stage.hear(approval("a"));
      stage.wait(3_000);
      await stage.resize(100, 30);
      stage.wait(400);
      expect(await stage.screen()).toContain("rm -rf build");
      stage.type("y");
      stage.wait(2_000);
      expect(answers(stage)).toEqual([]);
      stage.type(BACKSPACE);
      stage.wait(2_000);
      stage.type("y");
      stage.wait(2_000);
      expect(answers(stage)).toHaveLength(1);
    },
  );
});
