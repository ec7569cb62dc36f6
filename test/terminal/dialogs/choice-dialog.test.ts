// Choosing from a list, one or several: what is seen at 80 and 40 columns, and what the keys give.
import { describe, expect, test } from "vitest";
import { asciiGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { ALL_KEYS, type DialogKeys } from "../../../src/terminal/painter/dialogs/dialog-keys.js";
import { DialogRig, paste, type RigOptions } from "./dialog-rig.js";

const managers = [
  { label: "npm", value: "npm", description: "lock file found" },
  { label: "pnpm", value: "pnpm", description: "fastest here" },
  { label: "yarn", value: "yarn" },
];
const many = Array.from({ length: 30 }, (_, index) => ({
  label: `check ${index + 1}`,
  value: `c${index + 1}`,
  description: "runs for about a minute on this machine",
}));

const select = (
  options: { label: string; value: string; description?: string }[],
  opts: Record<string, unknown> = {},
  rig: RigOptions = {},
) => new DialogRig({ kind: "select", params: { title: "Which of these?", options, opts } }, rig);

describe("a list with one answer", () => {
  test("looks like this", () => {
    const rig = select(managers, { default: "pnpm" }, { aside: "from tool setup" });
    expect(rig.screen(80)).toMatchInlineSnapshot(`
      "
      ▌ Which of these?  from tool setup
      ▌   npm   lock file found
      ▌ ❯ pnpm  fastest here
      ▌   yarn
      ▌ enter choose · esc cancel · type to filter
      "
    `);
    expect(rig.screen(30)).toMatchInlineSnapshot(`
      "
      ▌ Which of these?
      ▌   npm   lock file found
      ▌ ❯ pnpm  fastest here
      ▌   yarn
      ▌ enter choose · esc cancel
      "
    `);
  });

  test("gives the value of what the cursor is on, and null comes from a cancel", () => {
    expect(select(managers).press("down", "enter")).toEqual({ type: "answered", value: "pnpm" });
    expect(select(managers).press("up", "enter")).toEqual({ type: "answered", value: "yarn" });
    expect(select(managers).press("ya", "enter")).toEqual({ type: "answered", value: "yarn" });
    expect(select(managers).press("escape")).toEqual({ type: "cancelled" });
    expect(select(managers).press("ctrl+c")).toEqual({ type: "cancelled" });
    expect(select(managers).press("zzz", "enter")).toBeNull();
  });

  test("narrows by letters that are not next to each other, the best match first", () => {
    const rig = select(managers);
    rig.press("np");
    expect(rig.screen(40)).toMatchInlineSnapshot(`
      "
      ▌ Which of these?
      ▌ / np
      ▌ ❯ npm   lock file found
      ▌   pnpm  fastest here
      ▌ enter choose · esc cancel
      "
    `);
    rig.press("backspace", "backspace", "pm");
    expect(rig.press("enter")).toEqual({ type: "answered", value: "npm" });
  });

  test("ctrl+u clears what was typed", () => {
    const rig = select(managers);
    rig.press("zzz", "ctrl+u");
    expect(rig.rows().join("\n")).not.toContain("zzz");
    expect(rig.press("down", "enter")).toEqual({ type: "answered", value: "pnpm" });
  });

  test("keeps an option that leads on below what matches", () => {
    const own = { label: "in my own words…", value: "" };
    const rig = select([...managers, own]);
    rig.press("yar");
    expect(rig.screen(40)).toMatchInlineSnapshot(`
      "
      ▌ Which of these?
      ▌ / yar
      ▌ ❯ yarn
      ▌   in my own words…
      ▌ enter choose · esc cancel
      "
    `);
    expect(select([...managers, own]).press("mauve", "down", "enter")).toEqual({ type: "answered", value: "" });
  });

  test("takes words that match nothing for no answer, though an option stays", () => {
    const risky = { label: "Yes, delete all…", value: "yes" };
    const options = [{ label: "No", value: "no" }, risky, ...many];
    const rig = select(options);
    expect(rig.press("go on", "enter")).toBeNull();
    expect(rig.screen(40)).toMatchInlineSnapshot(`
      "
      ▌ Which of these?
      ▌ / go on
      ▌   Yes, delete all…
      ▌ enter choose · esc cancel
      "
    `);
    expect(rig.press("ctrl+u", "down", "enter")).toEqual({ type: "answered", value: "yes" });
    expect(select(options, { multiple: true, default: ["yes"] }).press("go on", "enter")).toBeNull();
  });

  test("takes a key that changes no filter for none of its own", () => {
    const { dialog } = select(managers);
    expect(["\x15", "\x7f", "n"].map((key) => dialog.use(key))).toEqual(["other", "other", "text"]);
  });

  test("says that a move comes first while it does", () => {
    const keys: DialogKeys = { ...ALL_KEYS, engaged: "none" };
    expect(
      select(managers, {}, { parts: { keys: () => keys } })
        .rows()
        .at(-1),
    ).toBe("▌ up/down, enter · esc cancel · type to filter");
  });

  test("is not answered by a newline in a paste, nor by a key that goes up", () => {
    const rig = select(managers);
    expect(rig.press(paste("yarn\n"))).toBeNull();
    expect(rig.press("enter released")).toBeNull();
    expect(rig.press("enter")).toEqual({ type: "answered", value: "yarn" });
  });

  test("pages through a long list and says how many more there are", () => {
    const rig = select(many);
    rig.press("pageDown");
    expect(rig.screen(80)).toMatchInlineSnapshot(`
      "
      ▌ Which of these?
      ▌   check 2   runs for about a minute on this machine
      ▌   check 3   runs for about a minute on this machine
      ▌   check 4   runs for about a minute on this machine
      ▌   check 5   runs for about a minute on this machine
      ▌   check 6   runs for about a minute on this machine
      ▌   check 7   runs for about a minute on this machine
      ▌   check 8   runs for about a minute on this machine
      ▌ ❯ check 9   runs for about a minute on this machine
      ▌   check 10  runs for about a minute on this machine
      ▌   … 21 more
      ▌ enter choose · esc cancel · type to filter
      "
    `);
    expect(rig.screen(40, 6)).toMatchInlineSnapshot(`
      "
      ▌ Which of these?
      ▌ ❯ check 9   runs for about a minute
      ▌     on this machine
      ▌   check 10  runs for about a minute…
      ▌   … 28 more
      ▌ enter choose · esc cancel
      "
    `);
    expect(rig.press("end", "enter")).toEqual({ type: "answered", value: "c30" });
    expect(rig.press("home", "pageUp", "enter")).toEqual({ type: "answered", value: "c1" });
  });

  test("opens a message that is too long for it", () => {
    const message = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\n");
    const rig = new DialogRig({ kind: "select", params: { title: "Which?", message, options: managers } });
    expect(rig.screen(40, 8)).toMatchInlineSnapshot(`
      "
      ▌ Which?
      ▌ line 1
      ▌ line 2
      ▌ … 18 more lines · ctrl+o full view
      ▌ ❯ npm   lock file found
      ▌   pnpm  fastest here
      ▌   yarn
      ▌ enter choose · esc cancel
      "
    `);
    expect(rig.press("ctrl+o")).toEqual({ type: "whole" });
    expect(rig.dialog.whole?.()).toEqual({ title: "Which?", source: `Which?\n\n${message}`, kind: "text" });
  });
});

describe("a list with several answers", () => {
  test("ticks with a blank, shows how many, and gives them in the order of the list", () => {
    const rig = select(many, { multiple: true, max: 3, default: ["c3"] });
    rig.press("down", " ", "up", "up", " ");
    expect(rig.screen(80, 8)).toMatchInlineSnapshot(`
      "
      ▌ Which of these?  3 chosen  at most 3
      ▌   [ ] check 1   runs for about a minute on this machine
      ▌ ❯ [x] check 2   runs for about a minute on this machine
      ▌   [x] check 3   runs for about a minute on this machine
      ▌   [x] check 4   runs for about a minute on this machine
      ▌   [ ] check 5   runs for about a minute on this machine
      ▌   … 25 more
      ▌ space select · enter send · esc cancel · type to filter
      "
    `);
    expect(rig.screen(40, 6)).toMatchInlineSnapshot(`
      "
      ▌ Which of these?  3 chosen  at most 3
      ▌ ❯ [x] check 2   runs for about a
      ▌         minute on this machine
      ▌   [x] check 3   runs for about a min…
      ▌   … 28 more
      ▌ space select · enter send
      "
    `);
    expect(rig.press("enter")).toEqual({ type: "answered", value: ["c2", "c3", "c4"] });
  });

  test("sends nothing while the filter matches nothing", () => {
    const rig = select(many, { multiple: true, default: ["c3"] });
    expect(rig.press("w", "o", "r", "k", "enter")).toBeNull();
    expect(rig.press("backspace", "backspace", "backspace", "backspace", "enter")).toEqual({
      type: "answered",
      value: ["c3"],
    });
  });

  test("stays open until as many are chosen as have to be", () => {
    const rig = select(managers, { multiple: true, min: 1, max: 1 });
    expect(rig.press("enter")).toBeNull();
    expect(rig.rows().at(-2)).toBe("▌ ✕ choose at least 1");
    rig.press(" ");
    expect(rig.rows().join("\n")).not.toContain("✕");
    expect(rig.press("down", " ", "enter")).toBeNull();
    expect(rig.rows().at(-2)).toBe("▌ ✕ choose at most 1");
    expect(rig.press(" ", "enter")).toEqual({ type: "answered", value: ["npm"] });
  });

  test("needs nothing beyond ASCII", () => {
    const rig = select(many, { multiple: true, min: 1 }, { glyphs: asciiGlyphs });
    rig.press("enter");
    expect(rig.rows(40).join("\n")).toMatch(/^[\x0a\x20-\x7e]+$/);
  });
});
