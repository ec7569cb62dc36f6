// The mini dialog as a user meets it: where it stands, what it shows at which size, when it takes keys, and that the
// terminal is taken and given back around it. The terminal is an emulator that the production bytes are written into.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Ask, AskOutcome } from "../../../src/contract/asks.js";
import { ANSWER_HOLD_MS, ENTER_PAUSE_MS } from "../../../src/contract/limits.js";
import { asciiGlyphs, unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { richRows } from "../../../src/terminal/painter/dialogs/rich-rows.js";
import type { Size } from "../../../src/terminal/painter/frame.js";
import { FullScreen } from "../../../src/terminal/painter/full-screen.js";
import { createStyle } from "../../../src/terminal/painter/style/style.js";
import { DialogView } from "../../../src/views/mini/dialog-view.js";
import type { MiniTerminalParts } from "../../../src/views/mini/mini-terminal.js";
import { Emulator } from "../../rigs/emulator.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";
import { verifies } from "../../verifies.js";
import { askOf, nameQuestion, ShownAsks } from "./rig.js";

const GUARD_MS = 800;

interface RigOptions {
  readonly glyphs?: typeof unicodeGlyphs;
  readonly depth?: "none" | "16";
}

class DialogRig {
  readonly clock = new ManualClock();
  readonly bytes: string[] = [];
  readonly asks: ShownAsks;
  readonly emulator: Emulator;
  size: Size;
  private parts: MiniTerminalParts | null = null;
  private full: FullScreen | null = null;
  private shown: Promise<void> = Promise.resolve();

  constructor(columns = 80, rows = 24, { glyphs = unicodeGlyphs, depth = "none" }: RigOptions = {}) {
    this.size = { columns, rows };
    this.emulator = new Emulator({ columns, rows });
    const style = createStyle({ theme: "terminal", depth });
    const parts = {
      clock: this.clock,
      environment: {},
      lookOn: () => ({ style, glyphs }),
      typingGuardMs: GUARD_MS,
      rich: richRows,
      author: "user" as const,
      openTerminal: (terminal: MiniTerminalParts) => this.openTerminal(terminal),
    };
    this.asks = new ShownAsks(this.clock, (ports) => new DialogView(parts, ports));
  }

  get outcomes(): readonly AskOutcome[] {
    return this.asks.outcomes;
  }

  get news(): readonly string[] {
    return this.asks.news;
  }

  private openTerminal(parts: MiniTerminalParts) {
    this.parts = parts;
    const apply = (bytes: string) => {
      this.bytes.push(bytes);
      this.shown = this.shown.then(() => this.emulator.write(bytes));
      return "drained" as const;
    };
    const full = new FullScreen(apply, this.size, parts.view);
    this.full = full;
    full.open();
    const size = () => this.size;
    return {
      get size() {
        return size();
      },
      draw: () => full.draw(),
      close: async () => full.close(),
    };
  }

  /** Asks, and waits until the dialog has the keys. */
  async ask(question: Ask["question"], more: Partial<Ask> = {}): Promise<void> {
    this.asks.ask(askOf(question, "q1", more));
    await this.settled();
    this.clock.advance(GUARD_MS);
  }

  async settled(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  }

  press(...keys: string[]): void {
    for (const key of keys) this.parts?.onKey(key);
  }

  type(text: string): void {
    this.press(...text);
  }

  /** One key by itself, and the silence that makes an answer of it. */
  answer(key: string): void {
    this.press(key);
    this.clock.advance(ANSWER_HOLD_MS);
  }

  resize(columns: number, rows: number): void {
    this.size = { columns, rows };
    this.emulator.resize(columns, rows);
    this.parts?.onResize(this.size);
    this.full?.resize(this.size);
  }

  /** The rows that are not blank, with the cursor drawn in. */
  async screen(): Promise<string> {
    await this.shown;
    const { row, column } = this.emulator.cursor();
    const isShown = this.emulator.modes().isCursorShown;
    const rows = this.emulator.viewport().map((text, index) => {
      if (!isShown || index !== row) return text.trimEnd();
      return `${text.padEnd(column).slice(0, column)}▏${text.slice(column)}`.trimEnd();
    });
    const from = rows.findIndex((text) => text !== "");
    return `\n${rows.slice(from).join("\n").trimEnd()}\n`;
  }
}

const LEFT = "\x1b[D";
const HOME = "\x1b[H";
const END = "\x1b[F";
const DELETE = "\x1b[3~";
const WORD_LEFT = "\x1b[1;5D";

test("text that is typed ahead is kept for a text, and Enter sends nothing that was not seen", async () => {
  const rig = new DialogRig();
  rig.asks.ask(askOf(nameQuestion));
  await rig.settled();
  rig.type("Ada");
  rig.press("\r");
  rig.clock.advance(GUARD_MS);
  expect(await rig.screen()).toMatch(/Ada *▏/);
  expect(rig.outcomes).toEqual([]);
  rig.press("\r");
  await rig.settled();
  expect(rig.outcomes).toMatchObject([{ kind: "answered", value: "Ada" }]);
});

function listOf(opts: { multiple?: boolean }): Ask["question"] {
  const options = ["a", "b", "b2"].map((value) => ({ value, label: value }));
  return { kind: "select", params: { title: "Which?", options, opts } };
}

function formOf(kind: "text" | "confirm"): Ask["question"] {
  return { kind: "form", params: { title: "New", fields: [{ name: "name", label: "name", kind }] } };
}

test.each<[string, Ask["question"], string, RegExp]>([
  ["searches a list", listOf({}), "b2", /\/ b2/],
  ["marks nothing in a list of several", listOf({ multiple: true }), " b", /\/ b *\n.*\[ \] b/],
  ["searches files", { kind: "files", params: { title: "Which?" } }, "src", /src/],
  ["fills the first field of a form", formOf("text"), "Ada", /name *Ada/],
  ["changes no choice of a form", formOf("confirm"), "y", /\[ \] no/],
  ["answers no yes or no", { kind: "confirm", params: { title: "Sure?" } }, "y", /❯ n {2}no/],
])("what is typed ahead %s", async (_, question, typed, screen) => {
  const rig = new DialogRig();
  rig.asks.ask(askOf(question));
  await rig.settled();
  rig.type(typed);
  rig.press("\r");
  rig.clock.advance(GUARD_MS);
  expect((await rig.screen()).replaceAll(/[▏│▌]/g, "")).toMatch(screen);
  expect(rig.outcomes).toEqual([]);
});

describe("where the dialog stands", () => {
  test("in the middle, five rows for a line of text", async () => {
    const rig = new DialogRig();
    await rig.ask({ kind: "input", params: { title: "Enter feature name" } });
    rig.type("checkout-v2");
    expect(await rig.screen()).toBe(`
                  ┌ Enter feature name ──────────────────────┐
                  ▌                                          │
                  ▌ › checkout-v2▏                            │
                  ▌                                          │
                  └ enter send · esc cancel ─────────────────┘
`);
    expect(rig.emulator.viewport().findIndex((row) => row.includes("┌"))).toBe(9);
  });

  test("half as wide as a wide window", async () => {
    const rig = new DialogRig(120, 30);
    await rig.ask(nameQuestion);
    const top = rig.emulator.viewport();
    await rig.screen();
    expect(top).toHaveLength(30);
    const border = rig.emulator.viewport().find((row) => row.includes("┌")) ?? "";
    expect(border.trim()).toHaveLength(60);
    expect(border.indexOf("┌")).toBe(30);
  });

  test("a long question is wrapped and full view stays", async () => {
    const rig = new DialogRig(30, 12);
    await rig.ask({ kind: "input", params: { title: "What should the new service be called in production?" } });
    expect(await rig.screen()).toBe(`
 ┌──────────────────────────┐
 ▌ What should the new      │
 ▌ service be called in     │
 ▌ production?              │
 ▌ › ▏                       │
 └ enter send · esc cancel ─┘
`);
  });

  test("a select with its options", async () => {
    const rig = new DialogRig(60, 10);
    const options = ["npm", "pnpm", "yarn"].map((value) => ({ value, label: value }));
    await rig.ask({ kind: "select", params: { title: "Which package manager?", options, opts: { default: "pnpm" } } });
    expect(await rig.screen()).toBe(`
  ┌ Which package manager? ──────────────────────────────┐
  ▌   npm                                                │
  ▌ ❯ pnpm                                               │
  ▌   yarn                                               │
  └ enter choose · esc cancel · type to filter ──────────┘
`);
    rig.press("\r");
    expect(rig.outcomes).toMatchObject([{ kind: "answered", value: "pnpm" }]);
  });

  test("an approval with its diff begins on no, and can be opened whole", async () => {
    const diff = `--- a/a.ts\n+++ b/a.ts\n@@ -1,9 +1,9 @@\n${Array.from({ length: 8 }, (_, n) => ` line ${n}`).join("\n")}\n-old\n+new\n`;
    const rig = new DialogRig(60, 12);
    await rig.ask({ kind: "confirm", params: { title: "edit a.ts", opts: { tool: "edit", diff, path: "a.ts" } } });
    expect(await rig.screen()).toBe(`
 ┌ edit a.ts  +1 −1 ──────────────────────────────────────┐
 ▌  1 line 0                                              │
 ▌  2 line 1                                              │
 ▌  3 line 2                                              │
 ▌  4 line 3                                              │
 ▌  5 line 4                                              │
 ▌  6 line 5                                              │
 ▌  7 line 6                                              │
 ▌ … 3 more lines · d full view                           │
 ▌   y  allow once                                        │
 ▌ ❯ n  no                                                │
 └ d full view · esc no · up/down, enter ─────────────────┘
`);
    rig.answer("d");
    expect(await rig.screen()).toMatch(/^\nedit a\.ts\n\n {1,2}1 line 0\n/);
    rig.press(END);
    expect(await rig.screen()).toContain("+9 new");
    rig.press("q", "\r");
    expect(rig.outcomes).toEqual([]);
    rig.clock.advance(GUARD_MS);
    rig.answer("n");
    expect(rig.outcomes).toMatchObject([{ kind: "answered", value: false }]);
  });

  test("in a window that is too small for a frame it stands without one", async () => {
    const rig = new DialogRig(20, 4);
    await rig.ask(nameQuestion);
    rig.type("Ada");
    expect(await rig.screen()).toBe("\n▌ Name?\n▌ › Ada▏\n▌ enter send\n");
  });

  test("it follows the window in its place", async () => {
    const rig = new DialogRig(80, 24);
    await rig.ask(nameQuestion);
    rig.type("Ada");
    rig.resize(48, 9);
    expect(await rig.screen()).toBe(`
  ┌ Name? ───────────────────────────────────┐
  ▌                                          │
  ▌ › Ada▏                                    │
  ▌                                          │
  └ enter send · esc cancel ─────────────────┘
`);
  });

  test("without UTF-8 it is drawn in ASCII", async () => {
    const rig = new DialogRig(50, 9, { glyphs: asciiGlyphs });
    await rig.ask(nameQuestion);
    expect(await rig.screen()).toMatch(/\+ Name\? -+\+\n +\| +\|\n +\| > ▏ +\|/);
  });

  test("the question is cyan and the frame yellow, and without colour it has none", async () => {
    const coloured = new DialogRig(50, 9, { depth: "16" });
    await coloured.ask(nameQuestion);
    expect(coloured.bytes.join("")).toMatch(/\x1b\[33m┌\x1b\[39m/);
    expect(coloured.bytes.join("")).toMatch(/\x1b\[36m.*Name\?/);
    const plain = new DialogRig(50, 9);
    await plain.ask(nameQuestion);
    expect(plain.bytes.join("")).not.toMatch(/\x1b\[(?:3\d|4\d)m/);
  });
});

describe("the answer", () => {
  const answered = (...values: unknown[]) => values.map((value) => ({ kind: "answered", value, by: "terminal" }));

  test.each<[string, string[], string]>([
    ["emoji and CJK go by whole characters", ["日", "本", "👩‍💻", LEFT, LEFT, DELETE], "日👩‍💻"],
    ["home and end", ["b", "c", HOME, "a", END, "d"], "abcd"],
    ["words", [..."one two", WORD_LEFT, "x"], "one xtwo"],
    ["a paste is one piece, and its line breaks do not send", ["\x1b[200~a\nb\x1b[201~"], "a b"],
    ["nothing", [], ""],
  ])("%s", async (_, keys, value) => {
    const rig = new DialogRig();
    await rig.ask(nameQuestion);
    rig.press(...keys, "\r");
    expect(rig.outcomes).toEqual(answered(value));
  });

  test("a long one scrolls sideways", async () => {
    const rig = new DialogRig(50, 9);
    await rig.ask(nameQuestion);
    rig.type(`${"x".repeat(60)}END`);
    const screen = await rig.screen();
    expect(screen).toContain("END▏");
    expect(screen.split("\n").every((row) => row.length <= 51)).toBe(true);
  });

  test.each([
    ["Esc", "\x1b"],
    ["Ctrl+C", "\x03"],
  ])("%s cancels", async (_, key) => {
    const rig = new DialogRig();
    await rig.ask(nameQuestion);
    rig.type("half");
    rig.press(key);
    expect(rig.outcomes).toEqual([{ kind: "cancelled", by: "terminal" }]);
  });

  test("a secret is masked", async () => {
    const rig = new DialogRig();
    await rig.ask({ kind: "input", params: { title: "Token?", opts: { secret: true } } });
    rig.type("hunter2");
    expect(await rig.screen()).toContain("› •••••••▏");
    expect(rig.bytes.join("")).not.toContain("hunter2");
    rig.press("\r");
    expect(rig.outcomes).toEqual(answered("hunter2"));
  });
});

describe("the keyboard", () => {
  test("what was typed for the shell answers nothing: keys count only after a quiet moment", async () => {
    const rig = new DialogRig();
    rig.asks.ask(askOf({ kind: "confirm", params: { title: "rm -rf build?" } }));
    await rig.settled();
    rig.press("y", "\r");
    rig.clock.advance(GUARD_MS - 1);
    rig.press("y");
    expect(await rig.screen()).toContain("waiting for you to finish typing");
    rig.clock.advance(GUARD_MS - 1);
    rig.press("y");
    expect(rig.outcomes).toEqual([]);
    rig.clock.advance(GUARD_MS);
    expect(await rig.screen()).toContain("y/n or up/down, enter · esc no");
    rig.press("y", "\r");
    expect(rig.outcomes).toMatchObject([{ kind: "answered", value: true }]);
  });

  test("one answer key in the moment in which the dialog appears was meant for the shell", async () => {
    const rig = new DialogRig();
    rig.asks.ask(askOf({ kind: "confirm", params: { title: "rm -rf build?" } }));
    await rig.settled();
    rig.clock.advance(100);
    rig.press("y");
    rig.clock.advance(2 * ANSWER_HOLD_MS);
    expect(rig.outcomes).toEqual([]);
  });

  const plain = { title: "Deploy?" };
  const tool = { title: "run npm test", opts: { tool: "bash", command: "npm test" } };
  const danger = { title: "Drop the table?", opts: { danger: "deletes every order" } };
  test.each<[string, object, string, boolean | null]>([
    ["y", plain, "y", true],
    ["yes", plain, "Yes", true],
    ["no", plain, "no", false],
    ["a word that begins with y", plain, "you", null],
    ["a sentence with a digit in it", plain, "version 1 now", null],
    ["y to something that is approved", tool, "y", null],
    ["a digit that a letter follows", tool, "1y", null],
    ["y to something dangerous", danger, "y", null],
    ["yes to something dangerous", danger, "yes", null],
    ["yes to something that the agent only calls dangerous", { opts: { danger_level: "danger" } }, "yes", null],
  ])(
    "%s, and Enter: only a whole yes or no decides, and something approved or dangerous not even then",
    async (_, params, letters, value) => {
      verifies("asks.typing-never-answers");
      const rig = new DialogRig();
      await rig.ask({ kind: "confirm", params: { title: "", ...params } });
      rig.type(letters);
      expect(rig.outcomes, "no letter decides").toEqual([]);
      rig.press("\r");
      rig.clock.advance(2_000);
      expect(rig.outcomes).toMatchObject(value === null ? [] : [{ kind: "answered", value }]);
    },
  );

  test("something dangerous takes y by itself, after silence and before it, or a move, a pause and Enter", async () => {
    const rig = new DialogRig();
    await rig.ask({ kind: "confirm", params: danger });
    expect(await rig.screen()).not.toContain("y/n");
    rig.answer("y");
    expect(rig.outcomes).toMatchObject([{ kind: "answered", value: true }]);
    const moved = new DialogRig();
    await moved.ask({ kind: "confirm", params: danger });
    moved.press("\x1b[A", "\r");
    expect(moved.outcomes).toEqual([]);
    moved.clock.advance(ENTER_PAUSE_MS);
    moved.press("\r");
    expect(moved.outcomes).toMatchObject([{ kind: "answered", value: true }]);
  });

  test("typed text decides nothing, whatever its pace", async () => {
    const char = fc.constantFrom(..."12yanrd ", ..."version");
    const stroke = fc.record({ char, afterMs: fc.constantFrom(20, 90, 200, 400) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(stroke, { minLength: 2, maxLength: 12 }),
        fc.constantFrom(plain, tool, danger),
        async (strokes, params) => {
          const rig = new DialogRig();
          await rig.ask({ kind: "confirm", params });
          for (const { char: typed, afterMs } of strokes) {
            rig.press(typed);
            rig.clock.advance(afterMs);
          }
          expect(rig.outcomes).toEqual([]);
          expect(rig.bytes.join("")).not.toContain("q closes");
        },
      ),
      { numRuns: 60 },
    );
  });

  test("several questions come one after the other, each with its own quiet moment, on one taking of the terminal", async () => {
    const rig = new DialogRig();
    for (const id of ["one", "two", "three"]) {
      rig.asks.ask(askOf({ kind: "input", params: { title: `Question ${id}` } }, id));
    }
    await rig.settled();
    for (const id of ["one", "two", "three"]) {
      rig.clock.advance(GUARD_MS);
      expect(await rig.screen()).toContain(`Question ${id}`);
      rig.type(id);
      rig.press("\r", "\r");
      await rig.settled();
    }
    expect(rig.outcomes.map((outcome) => ("value" in outcome ? outcome.value : null))).toEqual(["one", "two", "three"]);
    expect(rig.news).toEqual(["opening", "closed"]);
  });
});

describe("the terminal", () => {
  test("is taken before the first byte and given back after the last", async () => {
    const rig = new DialogRig();
    await rig.emulator.write("$ palaver prompt\r\nhello\r\n");
    await rig.ask(nameQuestion);
    await rig.screen();
    expect(rig.emulator.screen()).toBe("alternate");
    rig.press("\r");
    await rig.settled();
    await rig.screen();
    expect(rig.emulator.screen()).toBe("normal");
    expect(rig.emulator.viewport().slice(0, 3)).toEqual(["$ palaver prompt", "hello", ""]);
    expect(rig.emulator.cursor()).toEqual({ row: 2, column: 0 });
    expect(rig.news).toEqual(["opening", "closed"]);
  });

  test("goes back when the question is withdrawn, or no one answers in time", async () => {
    const rig = new DialogRig();
    await rig.ask(nameQuestion);
    rig.asks.withdraw("q1", "agent_cancelled");
    await rig.settled();
    expect(rig.outcomes).toEqual([{ kind: "withdrawn", reason: "agent_cancelled" }]);
    expect(rig.news).toEqual(["opening", "closed"]);

    const late = new DialogRig();
    await late.ask(nameQuestion, { deadlineMs: 2_000 });
    late.clock.advance(2_000);
    await late.settled();
    expect(late.outcomes).toEqual([{ kind: "expired" }]);
    expect(late.news).toEqual(["opening", "closed"]);
  });

  test("closing twice is harmless and withdraws what is open", async () => {
    const rig = new DialogRig();
    await rig.ask(nameQuestion);
    await rig.asks.close();
    await rig.asks.close();
    expect(rig.outcomes).toEqual([{ kind: "withdrawn", reason: "shutdown" }]);
    expect(rig.news).toEqual(["opening", "closed"]);
  });
});
