// A form: every kind of field, what is wrong under its field, and full view in ten rows of forty columns.
import { describe, expect, test } from "vitest";
import type { FormField } from "../../../src/contract/dialogs.js";
import { asciiGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { DialogRig, paste, type RigOptions } from "./dialog-rig.js";

const channels = [
  { label: "stable", value: "s", description: "for everybody" },
  { label: "beta", value: "b" },
  { label: "nightly", value: "n" },
];
const fields: FormField[] = [
  { name: "name", label: "Name", kind: "text", required: true, description: "as it stands in the changelog" },
  { name: "key", label: "API key", kind: "secret" },
  { name: "copies", label: "Copies", kind: "number", min: 1, max: 9, default: 2 },
  { name: "channel", label: "Channel", kind: "select", options: channels },
  { name: "tags", label: "Tags", kind: "multi_select", options: channels, max: 2 },
  { name: "notify", label: "Notify", kind: "confirm" },
];

const form = (offered: FormField[] = fields, rig: RigOptions = {}) =>
  new DialogRig({ kind: "form", params: { title: "New release", message: "Not public yet.", fields: offered } }, rig);

describe("a form", () => {
  test("looks like this", () => {
    const rig = form();
    expect(rig.screen(80)).toMatchInlineSnapshot(`
      "
      ▌ New release
      ▌ Not public yet.
      ▌
      ▌ ❯ Name *   ▏
      ▌            as it stands in the changelog
      ▌   API key
      ▌   Copies   2
      ▌   Channel  nothing chosen
      ▌   Tags     nothing chosen
      ▌   Notify   [ ] no
      ▌ ctrl+s send · esc cancel · tab next
      "
    `);
    rig.press("v1.4", "tab", "s3cret", "tab", "tab", "right");
    expect(rig.screen(40)).toMatchInlineSnapshot(`
      "
      ▌ New release
      ▌ Not public yet.
      ▌
      ▌   Name *   v1.4
      ▌   API key  ••••••
      ▌   Copies   2
      ▌ ❯ Channel  ❯ ▏stable   for everybody
      ▌              beta
      ▌              nightly
      ▌   Tags     nothing chosen
      ▌   Notify   [ ] no
      ▌ ctrl+s send · esc cancel · tab next
      "
    `);
    rig.press("tab", " ", "down");
    expect(rig.screen(80)).toMatchInlineSnapshot(`
      "
      ▌ New release
      ▌ Not public yet.
      ▌
      ▌   Name *   v1.4
      ▌   API key  ••••••
      ▌   Copies   2
      ▌   Channel  stable
      ▌ ❯ Tags       [x] stable   for everybody
      ▌            ❯ [▏ ] beta
      ▌              [ ] nightly
      ▌   Notify   [ ] no
      ▌ ctrl+s send · esc cancel · tab next · space select
      "
    `);
  });

  test("gives its answers by name, and leaves out what was left empty", () => {
    const rig = form();
    const filled = ["v1", "tab", "tab", "tab", "right", "right", "tab", " ", "down", "down", " ", "tab", " "];
    expect(rig.press(...filled, "enter")).toEqual({
      type: "answered",
      value: { name: "v1", copies: 2, channel: "b", tags: ["s", "n"], notify: true },
    });
    expect(form().press("v1", "ctrl+s")).toEqual({
      type: "answered",
      value: { name: "v1", copies: 2, notify: false },
    });
  });

  test("is cancelled by Esc and Ctrl+C from any field", () => {
    expect(form().press("v1", "tab", "escape")).toEqual({ type: "cancelled" });
    expect(form().press("ctrl+c")).toEqual({ type: "cancelled" });
  });

  test("says under each field what is wrong, goes to the first, and sends nothing", () => {
    const rig = form();
    rig.press("tab", "tab", "0");
    expect(rig.press("ctrl+s")).toBeNull();
    expect(rig.screen(80)).toMatchInlineSnapshot(`
      "
      ▌ New release
      ▌ Not public yet.
      ▌ ❯ Name *   ▏
      ▌            ✕ required
      ▌            as it stands in the changelog
      ▌   API key
      ▌   Copies   20
      ▌            ✕ at most 9
      ▌   Channel  nothing chosen
      ▌   Tags     nothing chosen
      ▌   Notify   [ ] no
      ▌ ctrl+s send · esc cancel · tab next
      "
    `);
    rig.press("v1", "tab", "tab", "backspace", "backspace", "3");
    expect(rig.rows().join("\n")).not.toContain("✕");
    expect(rig.press("ctrl+s")).toMatchObject({ type: "answered", value: { name: "v1", copies: 3 } });
  });

  test("continues with Enter, with tab and with arrows, and around at its ends", () => {
    const rig = form();
    const focus = () => rig.rows(80, 16).find((row) => row.includes("❯"));
    rig.press("a", "enter");
    expect(focus()).toContain("API key");
    rig.press("down");
    expect(focus()).toContain("Copies");
    rig.press("up", "shift+tab", "shift+tab");
    expect(focus()).toContain("Notify");
    rig.press("tab");
    expect(focus()).toContain("Name");
  });

  test("is not sent by a newline in a paste", () => {
    const rig = form([{ name: "a", label: "A", kind: "text" }]);
    expect(rig.press(paste("one\ntwo\n"))).toBeNull();
    expect(rig.press("enter")).toEqual({ type: "answered", value: { a: "one two" } });
  });

  test("chooses by arrows, by letter, and nothing again where nothing is needed", () => {
    const one = (required: boolean) => form([{ name: "c", label: "C", kind: "select", options: channels, required }]);
    expect(one(false).press("n", "enter")).toEqual({ type: "answered", value: { c: "n" } });
    expect(one(false).press("right", "left", "enter")).toEqual({ type: "answered", value: {} });
    expect(one(true).press("enter")).toBeNull();
    expect(one(true).press("left", "left", "enter")).toEqual({ type: "answered", value: { c: "b" } });
  });

  test("counts what is ticked", () => {
    const rig = form([{ name: "t", label: "T", kind: "multi_select", options: channels, required: true, max: 2 }]);
    expect(rig.press("enter")).toBeNull();
    expect(rig.rows().join("\n")).toContain("✕ required");
    expect(rig.press(" ", "down", " ", "down", " ", "enter")).toBeNull();
    expect(rig.rows().join("\n")).toContain("✕ choose at most 2");
    expect(rig.press(" ", "enter")).toEqual({ type: "answered", value: { t: ["s", "b"] } });
  });

  test("fits into six rows of forty columns around its focus, also with long labels", () => {
    const rig = form();
    expect(rig.screen(40, 6)).toMatchInlineSnapshot(`
      "
      ▌ New release
      ▌ Not public yet.
      ▌ ❯ Name *   ▏
      ▌            as it stands in the
      ▌   … 5 more
      ▌ ctrl+s send · esc cancel · tab next
      "
    `);
    rig.press("tab", "tab", "tab", "right");
    expect(rig.screen(40, 6)).toMatchInlineSnapshot(`
      "
      ▌ New release
      ▌ Not public yet.
      ▌ ❯ Channel  ❯ ▏stable   for everybody
      ▌              beta
      ▌   … 5 more
      ▌ ctrl+s send · esc cancel · tab next
      "
    `);
    const long = form([
      { name: "a", label: "The name under which it is announced", kind: "text", required: true },
      { name: "b", label: "The e-mail address of who answers for it", kind: "text", default: "me@example.org" },
    ]);
    long.press("v1", "tab");
    expect(long.screen(40, 8)).toMatchInlineSnapshot(`
      "
      ▌ New release
      ▌ Not public yet.
      ▌   The name under which it is
      ▌   announced *
      ▌     v1
      ▌ ❯ The e-mail address of who answers
      ▌   for it
      ▌     me@example.org▏
      "
    `);
    expect(long.screen(40, 5)).toMatchInlineSnapshot(`
      "
      ▌ New release
      ▌ Not public yet.
      ▌   for it
      ▌     me@example.org▏
      ▌   … 1 more
      "
    `);
  });

  test("needs nothing beyond ASCII", () => {
    const rig = form(fields, { glyphs: asciiGlyphs });
    rig.press("tab", "secret", "ctrl+s");
    expect(
      rig.dialog
        .frame(39, 10)
        .rows.join("\n")
        .replace(/\x1b\[[\d;]*m/g, ""),
    ).toMatch(/^[\x0a\x20-\x7e]+$/);
  });

  test("without fields is answered at once", () => {
    expect(form([]).press("enter")).toEqual({ type: "answered", value: {} });
  });
});
