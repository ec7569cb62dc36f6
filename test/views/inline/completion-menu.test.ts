// The completion menu belongs to the text on the line: whatever edits that text, the menu follows or closes, and Enter runs
// only what is on the line or the completion that is drawn as selected.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { slashCommands } from "../../../src/session/slash-command.js";
import { hostTui } from "../../../src/terminal/component-host.js";
import { unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { plainText } from "../../../src/text/row.js";
import type { AppLook } from "../../../src/views/inline/app-look.js";
import { Composer } from "../../../src/views/inline/composer.js";
import { colourless } from "../../terminal/painter/visible.js";
import { Stage } from "./stage.js";

const CTRL_U = "\x15";
const CTRL_A = "\x01";
const CTRL_K = "\x0b";
const CTRL_W = "\x17";
const CTRL_Y = "\x19";
const UNDO = "\x1f";
const ALT_BACKSPACE = "\x1b\x7f";
const BACKSPACE = "\x7f";
const LEFT = "\x1b[D";
const UP = "\x1b[A";
const DOWN = "\x1b[B";
const ENTER = "\r";
const pasted = (text: string) => `\x1b[200~${text}\x1b[201~`;

const look: AppLook = {
  style: colourless,
  glyphs: unicodeGlyphs,
  wrap: "words",
  thinking: "shown",
  motion: "full",
  outputLinesMax: 5,
};

function composer(folder = "/nowhere") {
  const submitted: string[] = [];
  const history = { load: () => ["/quit", "an older prompt"], append: () => undefined };
  const made: Composer = new Composer({
    tui: hostTui({ size: () => ({ columns: 80, rows: 24 }), onRenderWanted: () => made.refresh() }),
    look,
    folder,
    history,
    files: async () => ["src/parser.ts", "README.md"],
    nowMs: () => 0,
    quietMs: 800,
    onSubmit: ({ text }) => submitted.push(text),
    onTaken: () => undefined,
  });
  return { composer: made, submitted };
}

/** Completions of commands are there after the jobs that wait; those of files have a delay of their own. */
const settled = () => new Promise<void>((done) => setImmediate(done));

/** What the menu shows: the names in it, and the one that is selected. */
function menuOf(shown: Composer): { names: string[]; selected: string | null } {
  const rows = shown.frame(80, "hidden").rows.slice(1).map(plainText);
  if (!shown.isCompleting) return { names: [], selected: null };
  const names = rows.flatMap((row) => /^ {2}(?:❯| ) ([^\s(]+)/.exec(row)?.[1] ?? []);
  return { names, selected: rows.flatMap((row) => /^ {2}❯ (\S+)/.exec(row)?.[1] ?? [])[0] ?? null };
}

/** The menu of a composer into which the text was just typed. */
async function freshMenu(text: string): Promise<string[]> {
  const { composer: fresh } = composer();
  for (const key of text) fresh.key(key);
  await settled();
  return menuOf(fresh).names;
}

describe("a menu that its text has left", () => {
  test.each([
    ["/com, ctrl+u", ["/", "c", "o", "m", CTRL_U], ""],
    ["/q, ctrl+a ctrl+k", ["/", "q", CTRL_A, CTRL_K], ""],
    ["/q, ctrl+a", ["/", "q", CTRL_A], "/q"],
    ["/q, a paste over it", ["/", "q", CTRL_U, pasted("words")], "words"],
  ])("%s: the menu closes and Enter runs nothing else", async (_, keys, text) => {
    const { composer: written, submitted } = composer();
    for (const key of keys) {
      written.key(key);
      await settled();
      written.frame(80, "hidden");
    }
    expect(written.isCompleting).toBe(false);
    written.key(ENTER);
    expect(submitted).toEqual(text === "" ? [] : [text]);
  });

  test.each([
    ["ctrl+w", CTRL_W],
    ["alt+backspace", ALT_BACKSPACE],
  ])("/res, %s: the menu is the one for what is left", async (_, kill) => {
    const { composer: written } = composer();
    for (const key of ["/", "r", "e", "s", kill]) {
      written.key(key);
      await settled();
      written.frame(80, "hidden");
    }
    expect(written.text).toBe("/");
    expect(menuOf(written).names).toEqual(slashCommands.slice(0, 10).map(({ name }) => name));
  });

  test("Enter right after an edit, before the menu can follow, sends the line as it stands", async () => {
    const { composer: written, submitted } = composer();
    for (const key of ["/", "q", "u", "e"]) written.key(key);
    await settled();
    written.frame(80, "hidden");
    written.key("x");
    written.key(ENTER);
    expect(submitted).toEqual(["/quex"]);
  });

  test.each(["//ree", "/re/s"])("%s is no command, and is not completed into one", async (text) => {
    const { composer: written, submitted } = composer();
    for (const key of text) written.key(key);
    await settled();
    written.frame(80, "hidden");
    written.key(ENTER);
    expect(submitted).toEqual([text]);
  });

  test("a menu that was not drawn yet is not used", async () => {
    const { composer: written, submitted } = composer();
    written.key("/");
    written.key("q");
    await settled();
    written.key(ENTER);
    expect(submitted).toEqual(["/q"]);
  });

  test("/q, ctrl+u: nothing is offered on the screen, and Enter runs nothing", async () => {
    const stage = new Stage(60, 20).ready();
    stage.type("/q");
    await expect
      .poll(() => {
        stage.wait(40);
        return stage.screen();
      })
      .toContain("❯ queue");
    stage.type(CTRL_U);
    expect(await stage.screen()).not.toContain("queue");
    stage.type(ENTER);
    expect(stage.sent).toEqual([]);
    expect(await stage.screen()).not.toContain("queue");
  });
});

test("whatever the edits, the menu is the one for the text, and Enter sends the line or the completion that is drawn", async () => {
  const typed = fc.constantFrom(..."//qrescmpaunt ");
  const edit = fc.constantFrom(CTRL_U, CTRL_K, CTRL_W, CTRL_A, CTRL_Y, UNDO, ALT_BACKSPACE, BACKSPACE, LEFT, UP, DOWN);
  const key = fc.oneof({ weight: 3, arbitrary: typed }, { weight: 2, arbitrary: edit }, fc.constant(pasted("/re")));
  // The app draws after every key, and once more when completions have come.
  const step = fc.record({ key, pause: fc.constantFrom("none", "computed", "drawn") });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { composer: written, submitted } = composer();
      let drawn = menuOf(written);
      let drawnText = "";
      for (const { key: sequence, pause } of steps) {
        written.key(sequence);
        drawn = menuOf(written);
        drawnText = written.text;
        if (pause === "none") continue;
        await settled();
        if (pause === "computed") continue;
        drawn = menuOf(written);
        const isAtEnd = written.frame(80, "hidden").cursor?.column === drawnText.length + 2;
        // A moved selection may have scrolled the menu.
        const isUnmoved = drawn.names.length > 0 && drawn.selected === drawn.names[0];
        if (isUnmoved && isAtEnd) expect(drawn.names).toEqual(await freshMenu(drawnText));
      }
      const { text } = written;
      const chosen = text === drawnText ? drawn.selected : null;
      written.key(ENTER);
      for (const sent of submitted) {
        const isCompletion = chosen !== null && sent.includes(`/${chosen}`);
        if (!isCompletion) expect(sent).toBe(text.trim());
      }
    }),
    { numRuns: 300 },
  );
});

test("an open list is a draft, also in an empty composer", async () => {
  const { composer: written } = composer(import.meta.dirname);
  expect(written.hasDraft).toBe(false);
  written.key("\t");
  while (!written.isCompleting) await settled();
  expect(written.text).toBe("");
  expect(written.hasDraft).toBe(true);
});

describe("names that only have the typed letters somewhere", () => {
  test.each(["/rm", "/lgn", "/qi"])("%s runs nothing", async (typed) => {
    const { composer: written, submitted } = composer();
    for (const key of typed) written.key(key);
    await settled();
    expect(menuOf(written).names).toEqual([]);
    written.key(ENTER);
    expect(submitted).toEqual([typed]);
  });

  test("an agent's command that has the name of one of ours is not offered: it could not be reached", async () => {
    const { composer: written } = composer();
    written.offer([{ name: "clear", summary: "the agent's" }]);
    for (const key of "/clear") written.key(key);
    await settled();
    expect(menuOf(written).names).toEqual(["clear"]);
  });
});
