// Text from the user, one line or many: what is seen, what is masked, what is refused, and that pastes stay pastes.
import { describe, expect, test } from "vitest";
import type { DialogParams } from "../../../src/contract/dialogs.js";
import { asciiGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { DialogRig, paste, type RigOptions } from "./dialog-rig.js";

const input = (params: Partial<DialogParams<"input">> = {}, rig: RigOptions = {}) =>
  new DialogRig({ kind: "input", params: { title: "Name of the release", ...params } }, rig);
const editor = (params: Partial<DialogParams<"editor">> = {}, rig: RigOptions = {}) =>
  new DialogRig({ kind: "editor", params: { title: "Release notes", ...params } }, rig);

describe("one line", () => {
  test("looks like this", () => {
    const rig = input({ placeholder: "v1.2", message: "It stands in the changelog and in the tag." });
    expect(rig.screen(80)).toMatchInlineSnapshot(`
      "
      ▌ Name of the release
      ▌ It stands in the changelog and in the tag.
      ▌
      ▌ › ▏v1.2
      ▌ enter send · esc cancel
      "
    `);
    rig.press("v1.4");
    expect(rig.screen(40)).toMatchInlineSnapshot(`
      "
      ▌ Name of the release
      ▌ It stands in the changelog and in the
      ▌ tag.
      ▌
      ▌ › v1.4▏
      ▌ enter send · esc cancel
      "
    `);
  });

  test("gives what was typed, and a cancel gives nothing", () => {
    expect(input().press("v1", "enter")).toEqual({ type: "answered", value: "v1" });
    expect(input().press("enter")).toEqual({ type: "answered", value: "" });
    expect(input().press("v1", "escape")).toEqual({ type: "cancelled" });
    expect(input().press("ctrl+c")).toEqual({ type: "cancelled" });
  });

  test("begins with its default, the cursor behind it", () => {
    const rig = input({ opts: { default: "v1" } });
    expect(rig.rows()[1]).toBe("▌ › v1▏");
    expect(rig.press(".4", "enter")).toEqual({ type: "answered", value: "v1.4" });
  });

  test("sends back a default that no one touched as it came, and shows nothing of it that could do harm", () => {
    const rig = input({ opts: { default: "a\x1b[2Jb" }, placeholder: "\x1b[2J" });
    expect(rig.dialog.frame(60).rows.join("")).not.toContain("\x1b[2J");
    expect(rig.rows()[1]).toBe("▌ › ab▏");
    expect(rig.press("enter")).toEqual({ type: "answered", value: "a\x1b[2Jb" });
    expect(input({ placeholder: "\x1b[2Jv1" }).dialog.frame(60).rows.join("")).not.toContain("\x1b[2J");
  });

  test("takes a paste of several lines as one, and is not sent by it", () => {
    const rig = input();
    expect(rig.press(paste("one\r\ntwo\n"))).toBeNull();
    expect(rig.press("enter")).toEqual({ type: "answered", value: "one two" });
    const hostile = input();
    hostile.press(paste("a\x1b]0;title\x07b"));
    expect(hostile.dialog.frame(60).rows.join("")).not.toContain("\x1b]0;");
  });

  test("says what is wrong under the field, stays open, and forgets it once it is right", () => {
    const rig = input({ opts: { pattern: "^v", validate: "begin with a v" } });
    expect(rig.press("1", "enter")).toBeNull();
    expect(rig.screen(40)).toMatchInlineSnapshot(`
      "
      ▌ Name of the release
      ▌ › 1▏
      ▌ ✕ begin with a v
      ▌ enter send · esc cancel
      "
    `);
    rig.press("home", "v");
    expect(rig.rows().join("\n")).not.toContain("✕");
    expect(rig.press("enter")).toEqual({ type: "answered", value: "v1" });
  });

  test("masks a secret, in ASCII too, and does not give its length away", () => {
    const rig = input({ opts: { secret: true, min_length: 3 }, placeholder: "sk-…" });
    expect(rig.rows()[1]).toBe("▌ › ▏sk-…");
    rig.press("hunter2", "left", "home", "!");
    expect(rig.rows()[1]).toBe("▌ › ••••••••▏");
    expect(rig.rows(12)[3]).toBe("▌ › ••••••▏");
    expect(rig.press("enter")).toEqual({ type: "answered", value: "hunter2!" });
    const plain = input({ opts: { secret: true } }, { glyphs: asciiGlyphs });
    plain.press("abc");
    expect(plain.rows()[1]).toBe("| > ***▏");
  });

  test("fits into five rows of forty columns with its problem", () => {
    const rig = input({ title: "The name under which this release is announced", opts: { required: true } });
    rig.press("enter");
    expect(rig.screen(40, 5)).toMatchInlineSnapshot(`
      "
      ▌ The name under which this release is
      ▌ announced
      ▌ › ▏
      ▌ ✕ required
      ▌ enter send · esc cancel
      "
    `);
  });
});

describe("many lines", () => {
  test("look like this", () => {
    const rig = editor({ prefill: "A first line\nand a second" });
    rig.press("shift+enter", "and a third");
    expect(rig.screen(80)).toMatchInlineSnapshot(`
      "
      ▌ Release notes
      ▌ › A first line
      ▌   and a second
      ▌   and a third▏
      ▌ enter send · esc cancel · shift+enter new line · ctrl+g editor
      "
    `);
    expect(rig.screen(40)).toMatchInlineSnapshot(`
      "
      ▌ Release notes
      ▌ › A first line
      ▌   and a second
      ▌   and a third▏
      ▌ enter send · esc cancel
      "
    `);
  });

  test("are sent by ctrl+s as by enter, when they keep the rules", () => {
    const filled = editor({ prefill: "A line", opts: { required: true } });
    expect(filled.press("ctrl+s")).toEqual({ type: "answered", value: "A line" });
    const empty = editor({ opts: { required: true } });
    expect(empty.press("ctrl+s")).toBeNull();
    expect(empty.screen(80)).toContain("required");
  });

  test("are shown around the cursor, and say where that is", () => {
    const prefill = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join("\n");
    const rig = editor({ prefill });
    rig.press("up", "up", "up", "up", "up", "up", "up", "up", "up", "up", "up", "up");
    expect(rig.screen(80, 8)).toMatchInlineSnapshot(`
      "
      ▌ Release notes  line 28 of 40
      ▌   line 23
      ▌   line 24
      ▌   line 25
      ▌   line 26
      ▌   line 27
      ▌   line 28▏
      ▌ enter send · esc cancel · shift+enter new line · ctrl+g editor
      "
    `);
    expect(rig.screen(40, 5)).toMatchInlineSnapshot(`
      "
      ▌ Release notes  line 28 of 40
      ▌   line 26
      ▌   line 27
      ▌   line 28▏
      ▌ enter send · esc cancel
      "
    `);
  });

  test("take the rows they are given, up to half of a large window", () => {
    const prefill = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join("\n");
    expect(editor({ prefill }).rows(80, 30)).toHaveLength(30);
  });

  test("keep blanks at their ends, and come back untouched when no one touched them", () => {
    expect(editor({ prefill: "\tmake all\n" }).press("enter")).toEqual({ type: "answered", value: "\tmake all\n" });
    expect(editor({ prefill: "  a\n" }).press("b", "enter")).toEqual({ type: "answered", value: "  a\nb" });
    expect(editor({ prefill: "a" }).press("escape")).toEqual({ type: "cancelled" });
  });

  test("take a paste as it is, and are not sent by it", () => {
    const rig = editor();
    expect(rig.press(paste("one\ntwo\n"))).toBeNull();
    expect(rig.press("enter")).toEqual({ type: "answered", value: "one\ntwo\n" });
  });

  test("take a new line after a backslash, for terminals that cannot tell shift+enter", () => {
    expect(editor().press("a\\", "enter", "b", "enter")).toEqual({ type: "answered", value: "a\nb" });
  });

  test("go to an editor of the user's own and come back", () => {
    const rig = editor({ prefill: "a" });
    expect(rig.press("ctrl+g")).toEqual({ type: "external-editor", text: "a" });
    rig.dialog.replaceText?.("b\nc");
    expect(rig.press("enter")).toEqual({ type: "answered", value: "b\nc" });
    expect(editor({}, { parts: { fulfils: [] } }).press("ctrl+g")).toBeNull();
  });

  test("say what is wrong and stay open", () => {
    const rig = editor({ opts: { required: true } });
    expect(rig.press("enter")).toBeNull();
    expect(rig.rows().join("\n")).toContain("✕ required");
    expect(rig.press("x", "enter")).toEqual({ type: "answered", value: "x" });
  });
});
