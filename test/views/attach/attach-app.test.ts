// The attached view as a person sees it: golden frames at three sizes, keys and what they send, and what must never happen.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HeadlessTui } from "../../../src/server/handlers/headless-tui.js";
import { buildState, entry, line } from "../../session/attach/daemon-samples.js";
import { harbour, visible } from "../../terminal/painter/visible.js";
import {
  AttachStage,
  BACKSPACE,
  CTRL_C,
  CTRL_O,
  CTRL_PAGE_DOWN,
  DOWN,
  END,
  ENTER,
  ESCAPE,
  LEFT,
  PAGE_UP,
  RIGHT,
  SHIFT_TAB,
  TAB,
  UP,
  WHEEL_UP,
} from "./attach-stage.js";

const ERROR = { type: 2 };
const WARNING = { type: 3 };

const morning = () => [
  line("BUILD", "watch", "rebuilt 3 files in 0.2 s", { timestamp: "12:04:31" }),
  line("BUILD", "esbuild", "2 warnings", { timestamp: "12:04:32", handler_color: "#e3b341", ...WARNING }),
  line("TESTS", "tests", "1 failed, 212 passed", { timestamp: "12:04:33", ...ERROR }),
  line("SERVER", "server", "serving at http://127.0.0.1:4100", { timestamp: "12:04:33" }),
  line("SERVER", "server", "reloaded", { timestamp: "12:04:34" }),
];

describe("how it looks", () => {
  test("at 100 columns and 30 rows", async () => {
    const stage = await new AttachStage({ columns: 100, rows: 30 }).connect(...morning());
    const rows = await stage.rows();
    expect(rows.slice(0, 4)).toEqual([
      ` BUILD  SERVER 2  TESTS 1✕${" ".repeat(66)}?:help`,
      " 12:04:31 watch    rebuilt 3 files in 0.2 s",
      " 12:04:32 esbuild  ▲ 2 warnings",
      "",
    ]);
    expect(rows.slice(-2)).toEqual([
      "❯ Mode  [ development ]   Browser  [ off ]   Restart ⏎ r",
      " 1/3  ↑↓ logs · ←→ fields · tab next · ctrl+c quit (it keeps running)",
    ]);
    expect(rows).toHaveLength(30);
  });

  test("at 80 columns and 24 rows, with a value on its way and a reason why the last one was refused", async () => {
    const stage = await new AttachStage({ columns: 80, rows: 24 }).connect(...morning());
    await stage.type(ENTER, "2", ENTER);
    expect((await stage.rows()).slice(-2)).toEqual([
      "❯ Mode  [ development2 ◌ ]   Browser  [ off ]   Restart ⏎ r",
      " 1/3  ↑↓ logs · ←→ fields · tab next · ctrl+c quit (it keeps running)",
    ]);
    stage.log(line("BUILD", "Mode", "error: Mode is one of development, production, not development2", ERROR));
    const rows = await stage.rows();
    expect(rows.slice(1, 4)).toEqual([
      " 12:04:31 watch    rebuilt 3 files in 0.2 s",
      " 12:04:32 esbuild  ▲ 2 warnings",
      " 12:04:31 Mode     ✕ error: Mode is one of development, production, not developm",
    ]);
    expect(rows.slice(-4)).toEqual([
      "",
      " ✕ Mode is one of development, production, not development2",
      "❯ Mode  [ development ]   Browser  [ off ]   Restart ⏎ r",
      " 1/3  ↑↓ logs · ←→ fields · tab next · ctrl+c quit (it keeps running)",
    ]);
  });

  test("at 40 columns and 10 rows the right-hand details go first", async () => {
    const stage = await new AttachStage({ columns: 40, rows: 10 }).connect(...morning());
    await stage.type(RIGHT, RIGHT);
    expect(await stage.rows()).toEqual([
      " BUILD  SERVER 2  TESTS 1✕      ?:help",
      " watch    rebuilt 3 files in 0.2 s",
      " esbuild  ▲ 2 warnings",
      "",
      "",
      "",
      "",
      "  Mode  [ development ]",
      "  Browser  [ off ] ❯ Restart ⏎ r",
      " 3/3  ↑↓ logs · ←→ fields · tab next",
    ]);
  });

  test("the line that is typed in stands in the place of the fields, with the cursor in it", async () => {
    const stage = await new AttachStage({ columns: 40, rows: 10 }).connect();
    await stage.type(ENTER);
    expect((await stage.rows()).slice(-2)).toEqual(["❯ Mode  [ development ]", " enter send · esc cancel"]);
    expect(stage.emulator.cursor()).toEqual({ row: 8, column: 21 });
    expect(stage.emulator.modes().isCursorShown).toBe(true);
  });

  test("the help lists keys, shortcuts and actions, and can be scrolled in a small window", async () => {
    const stage = await new AttachStage({ columns: 80, rows: 30 }).connect();
    await stage.type("?");
    const shown = await stage.screen();
    for (const words of [
      "ctrl+c           quit; the daemon keeps running",
      "   p  production, Mode in BUILD",
      "   r  restart, Restart in BUILD",
      "   Test           Run the tests in TESTS",
      "   Browser VALUE  Browser in BUILD",
    ]) {
      expect(shown).toContain(words);
    }
    await stage.resize(40, 10);
    await stage.type(DOWN, DOWN);
    const small = await stage.rows();
    expect(small.at(-1)).toMatch(/^ … \d+ lines below · esc back/);
    await stage.type(ESCAPE);
    expect((await stage.rows()).at(-1)).toContain("1/3");
  });

  test("in colour, roles say who speaks and what is meant; without, signs and weight do", async () => {
    const coloured = await new AttachStage({ columns: 60, rows: 8, style: harbour }).connect(...morning());
    coloured.clock.advance(20);
    const bytes = visible(coloured.bytesWaiting);
    expect(bytes).toContain("<accent>watch");
    expect(bytes).toContain("<warn>esbuild");
    expect(bytes).toContain("<danger> TESTS 1✕");
    const plain = await new AttachStage({ columns: 60, rows: 8 }).connect(...morning());
    plain.clock.advance(20);
    expect(plain.bytesWaiting).not.toMatch(/\x1b\[[\d;]*3[0-9][;m]/);
    expect(await plain.screen()).toContain("▲ 2 warnings");
  });

  test("without UTF-8 every sign has a twin", async () => {
    const stage = await new AttachStage({ columns: 80, rows: 12, glyphs: "ascii" }).connect(...morning());
    await stage.news({ type: "disconnected", retryInMs: 2_000 });
    expect(await stage.screen()).toMatch(/^[\x20-\x7e\n]*$/);
    expect((await stage.rows()).at(-1)).toContain("! lost the daemon; reconnecting in 2.0 s");
  });

  test("double-width text keeps its columns", async () => {
    const wide = [entry("構築", "模式", 1, { value: "開発" })];
    const stage = new AttachStage({ columns: 40, rows: 6 });
    stage.states = wide;
    await stage.connect(line("構築", "監視", "再構築しました", { handler_color: "" }));
    expect((await stage.rows()).map((row) => row.trimEnd())).toEqual([
      " 構築                           ?:help",
      " 監視     再構築しました",
      "",
      "",
      "❯ 模式  [ 開発 ]",
      " 1/1  ↑↓ logs · ←→ fields · tab next",
    ]);
  });
});

describe("the log", () => {
  const many = () => Array.from({ length: 40 }, (_, at) => line("BUILD", "npm", `line ${at + 1}`, { streaming: true }));

  test("follows its end until somebody scrolls, then stays while lines come below", async () => {
    const stage = await new AttachStage({ columns: 60, rows: 10 }).connect(...many());
    expect(await stage.screen()).toContain("line 40");
    await stage.type(UP, UP);
    expect((await stage.rows())[1]).toContain("line 32");
    stage.log(line("BUILD", "npm", "line 41", { streaming: true }));
    const rows = await stage.rows();
    expect(rows[1]).toContain("line 32");
    expect(rows.at(-1)).toBe(" … 3 lines below · end: follow · / search · tab next");
    await stage.type(END);
    expect(await stage.screen()).toContain("line 41");
  });

  test("the place stays when old lines are given up above it", async () => {
    const stage = await new AttachStage({ columns: 60, rows: 10 }).connect();
    for (let at = 1; at <= 500; at += 1) stage.log(line("BUILD", "npm", `line ${at}`, { streaming: true }));
    await stage.type(PAGE_UP, PAGE_UP);
    const [, before] = await stage.rows();
    for (let at = 501; at <= 520; at += 1) stage.log(line("BUILD", "npm", `line ${at}`, { streaming: true }));
    expect((await stage.rows())[1]).toBe(before);
  });

  test("the wheel scrolls it", async () => {
    const stage = await new AttachStage({ columns: 60, rows: 10 }).connect(...many());
    await stage.type(WHEEL_UP);
    expect((await stage.rows()).at(-1)).toContain("3 lines below");
  });

  test("the log fills the window: the newest line of each handler, then older ones", async () => {
    const stage = await new AttachStage({ columns: 60, rows: 6 }).connect(
      line("BUILD", "tests", "212 passed"),
      line("BUILD", "watch", "first"),
      line("BUILD", "watch", "second"),
      line("BUILD", "watch", "third"),
    );
    const shown = async () => (await stage.rows()).slice(1, 4).map((row) => row.slice(19).trimEnd());
    expect(await shown()).toEqual(["212 passed", "second", "third"]);
    expect((await stage.rows()).at(-1)).toContain("↑↓ logs (1 more)");
    await stage.type(CTRL_O);
    expect(await shown()).toEqual(["first", "second", "third"]);
  });

  test("older lines of a handler are shown on the way up, and left out again at the end", async () => {
    const stage = await new AttachStage({ columns: 60, rows: 5 }).connect(
      line("BUILD", "tests", "212 passed"),
      line("BUILD", "watch", "first"),
      line("BUILD", "watch", "second"),
    );
    const shown = async () => (await stage.rows()).slice(1, 3).map((row) => row.slice(19).trimEnd());
    expect(await shown()).toEqual(["212 passed", "second"]);
    await stage.type(UP);
    expect(await shown()).toEqual(["212 passed", "first"]);
    await stage.type(DOWN);
    expect(await shown()).toEqual(["212 passed", "second"]);
  });

  test("a search shows what it found, continues with n and N, and ends with esc", async () => {
    const stage = await new AttachStage({ columns: 60, rows: 10 }).connect(...many());
    await stage.type("/", "line 1");
    expect((await stage.rows()).at(-1)).toBe(" find line 1");
    await stage.type(ENTER);
    const found = async () => (await stage.rows()).find((row) => /line 1\d?$/.test(row))?.trim();
    expect(await found()).toContain("line 1");
    expect((await stage.rows()).at(-1)).toMatch(/lines below · n next · N back · esc done$/);
    await stage.type("n", "n");
    expect(await stage.screen()).toContain("line 11");
    await stage.type("N", "N", ESCAPE, END);
    expect((await stage.rows()).at(-1)).toContain("1/3");
    expect(stage.actions).toEqual([]);
    await stage.type("/", "nowhere", ENTER);
    expect((await stage.rows()).at(-1)).toBe(' no "nowhere" · esc done');
  });

  test("a progress has a spinner while it goes on, and nothing moves after it", async () => {
    const stage = await new AttachStage({ columns: 60, rows: 8 }).connect(
      line("BUILD", "watch", "building", { is_progress: true }),
    );
    const sign = async () => (await stage.rows())[1]?.slice(19, 20);
    const first = await sign();
    await stage.wait(100);
    expect(await sign()).not.toBe(first);
    stage.log(line("BUILD", "watch", "built", { is_complete: true }));
    expect((await stage.rows())[1]).not.toContain(first);
    expect((await stage.rows())[2]).toContain(" built");
    await stage.wait(2_000);
    expect(stage.bytesWaiting).toBe("");
  });

  test("what a build prints cannot move the cursor or set the title", async () => {
    const hostile = "\x1b]0;owned\x07\x1b[2Jbad\x1b[10;10Hworse\x1b]52;c;eA==\x07";
    const stage = new AttachStage({ columns: 60, rows: 8 });
    stage.states = [
      entry(hostile, hostile, 1, { label: hostile, value: hostile, shortcuts: [{ [hostile]: hostile }] }),
    ];
    await stage.connect(line(hostile, hostile, hostile, { timestamp: hostile, handler_color: hostile, ...ERROR }));
    await stage.type("?", ESCAPE, ENTER);
    expect(await stage.screen()).toContain("badworse");
    expect(stage.emulator.titles).toEqual([]);
    expect(stage.emulator.clipboardWrites).toEqual([]);
  });
});

describe("fields", () => {
  test("moves by whole characters, and esc leaves the value as it was", async () => {
    const stage = new AttachStage({ columns: 60, rows: 8 });
    stage.states = [entry("BUILD", "Flag", 1, { value: "a日n\u0303" })];
    await stage.connect();
    await stage.type(ENTER, BACKSPACE, BACKSPACE, "z");
    expect((await stage.rows()).at(-2)).toBe("❯ Flag  [ az ]");
    await stage.type(ESCAPE);
    expect((await stage.rows()).at(-2)).toContain("Flag  [ a日");
    expect(stage.actions).toEqual(["cancel Flag"]);
  });

  test("a value longer than its room scrolls sideways under the cursor", async () => {
    const stage = new AttachStage({ columns: 40, rows: 8 });
    const value = `begin ${"x".repeat(80)} end`;
    stage.states = [entry("BUILD", "Path", 1, { value })];
    await stage.connect();
    await stage.type(ENTER);
    expect((await stage.rows()).at(-2)).toMatch(/^❯ Path {2}\[ x+ end \]$/);
    await stage.type("\x1b[H");
    expect((await stage.rows()).at(-2)).toMatch(/^❯ Path {2}\[ begin x+ \]$/);
  });

  test("enter runs an action, and what is refused says why", async () => {
    const stage = await new AttachStage({ columns: 60, rows: 10 }).connect();
    await stage.type(LEFT, ENTER);
    expect(stage.actions).toEqual(["Restart"]);
    expect((await stage.rows()).at(-2)).toContain("❯ Restart ◌ r");
    await stage.changeState(buildState);
    expect((await stage.rows()).at(-2)).toContain("❯ Restart ⏎ r");
    stage.refusal = "no actions are accepted now";
    await stage.type(ENTER);
    expect((await stage.rows()).at(-3)).toBe(" ✕ no actions are accepted now");
    await stage.type(RIGHT);
    expect(await stage.screen()).not.toContain("nobody takes");
  });

  test("something to look at can be read whole", async () => {
    const stage = new AttachStage({ columns: 60, rows: 10 });
    stage.states = [entry("INFO", "Licence", 0, { value: "one\ntwo\nthree" })];
    await stage.connect();
    await stage.type(ENTER);
    expect((await stage.rows()).slice(1, 5)).toEqual([" Licence", " one", " two", " three"]);
    await stage.type(ESCAPE);
    expect((await stage.rows()).slice(1, 5)).toEqual(["", "", "", ""]);
  });

  test("an empty state keeps what is shown", async () => {
    const stage = await new AttachStage({ columns: 60, rows: 10 }).connect(...morning());
    const before = await stage.screen();
    await stage.changeState([]);
    expect(await stage.screen()).toBe(before);
    await stage.changeState(null);
    expect(await stage.screen()).toBe(before);
  });

  test("a daemon that speaks otherwise says what to do", async () => {
    const stage = new AttachStage({ columns: 70, rows: 10 });
    stage.stateError = "it is not a daemon of this version; run palaver stop, then start it again";
    await stage.connect();
    expect((await stage.screen()).replace(/\s+/g, " ")).toContain("palaver stop, then start it again");
  });

  test("a wizard of the real surface asks one thing after another", async () => {
    const { tui, answers } = wizard();
    const stage = new AttachStage({ columns: 60, rows: 10 });
    stage.states = tui.getHandlerStates();
    await stage.connect();
    stage.onAction = async (key, value) => {
      tui.dispatchAction(key, value);
      await new Promise((resolve) => setImmediate(resolve));
      await stage.changeState(tui.getHandlerStates());
    };
    await stage.type(ENTER);
    await expect.poll(async () => (await stage.rows()).at(-2)).toBe("❯ Your name  [  ]");
    await stage.type("Ada", ENTER);
    await expect.poll(async () => (await stage.rows()).at(-2)).toBe("❯ Your town  [  ]");
    await stage.type("London", ENTER);
    await expect.poll(async () => (await stage.rows()).at(-2)).toBe("❯ Set up  [ Ada of London ]");
    expect(answers).toEqual(["Ada", "London"]);
  });
});

describe("the connection", () => {
  test("a loss and every attempt show in the footer, and coming back asks for the state again", async () => {
    const stage = await new AttachStage({ columns: 80, rows: 10 }).connect(...morning());
    await stage.news({ type: "disconnected", retryInMs: 500 });
    expect((await stage.rows()).at(-1)).toMatch(/^ ▲ lost the daemon; reconnecting in 0.5 s · 1\/3/);
    stage.states = buildState.map((one) => (one.handler_name === "Mode" ? { ...one, value: "production" } : one));
    await stage.news({ type: "connected" });
    const rows = await stage.rows();
    expect(rows.at(-1)).toMatch(/^ 1\/3/);
    expect(rows.at(-2)).toContain("Mode  [ production ]");
  });

  test("ctrl+c leaves, and while something is typed it only stops that", async () => {
    const stage = await new AttachStage().connect();
    await stage.type(ENTER, CTRL_C);
    expect(stage.left).toBe("no");
    await stage.type(CTRL_C);
    expect(stage.left).toBe("left");
    expect(stage.actions).toEqual(["cancel Mode"]);
  });

  test("an idle view writes nothing, and a busy terminal gets one frame when it can take it", async () => {
    const stage = await new AttachStage().connect(...morning());
    await stage.rows();
    await stage.wait(60_000);
    await stage.changeState([...buildState]);
    expect(stage.bytesWaiting).toBe("");
    stage.speed = "full";
    stage.log(line("BUILD", "npm", "the first", { streaming: true }));
    await stage.wait(20);
    const written = stage.bytesWaiting;
    for (let at = 0; at < 100; at += 1) stage.log(line("BUILD", "npm", `line ${at}`, { streaming: true }));
    await stage.wait(1_000);
    expect(stage.bytesWaiting).toBe(written);
    stage.speed = "drained";
    stage.screenOf.drained();
    expect(await stage.screen()).toContain("line 99");
  });
});

test("whatever is typed in whatever window, every frame fits and the view goes on", async () => {
  const keys = [TAB, SHIFT_TAB, UP, DOWN, LEFT, RIGHT, ENTER, ESCAPE, PAGE_UP, END, WHEEL_UP, CTRL_O, BACKSPACE].concat(
    [..."/?:nNrpx "],
    ["\x1b[200~pasted\ntext\x1b[201~", CTRL_PAGE_DOWN, "\x1b3"],
  );
  const size = fc.record({ columns: fc.integer({ min: 1, max: 90 }), rows: fc.integer({ min: 1, max: 30 }) });
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...keys) },
    { weight: 1, arbitrary: size },
    { weight: 1, arbitrary: fc.constantFrom("line" as const, "state" as const) },
  );
  await fc.assert(
    fc.asyncProperty(size, fc.array(step, { maxLength: 30 }), async (first, steps) => {
      const stage = await new AttachStage(first).connect(...morning());
      for (const one of steps) {
        if (typeof one === "object") await stage.resize(one.columns, one.rows);
        else if (one === "line") stage.log(line("BUILD", "npm", "日本語 ".repeat(20), { streaming: true }));
        else if (one === "state") await stage.changeState(buildState.slice(2));
        else await stage.type(one);
        const { columns, rows } = stage.screenOf.size;
        const frame = stage.app.frame({ columns, rows });
        expect(frame.rows.length).toBeLessThanOrEqual(rows);
        if (frame.cursor !== null) expect(frame.cursor.row).toBeLessThan(rows);
      }
      expect(stage.left).toBe("no");
    }),
    { numRuns: 60 },
  );
});

/** Asks for a name and a town, and is called "Set up" before and after. */
function wizard(): { tui: HeadlessTui; answers: string[] } {
  const tui = new HeadlessTui();
  const answers: string[] = [];
  let questions: string[] = [];
  tui.addHandler(
    {
      name: () => "Wizard",
      label: () => questions[0] ?? "Set up",
      value: () => (questions.length === 0 ? answers.join(" of ") : ""),
      waitingForUser: () => questions.length > 0,
      change(value: string) {
        if (questions.length === 0) questions = ["Your name", "Your town"];
        else {
          answers.push(value);
          questions = questions.slice(1);
        }
      },
    },
    "",
    tui.newTabSection("SETUP", "Setting up"),
  );
  return { tui, answers };
}
