// Inputs that no field of an approval is made for are shown all the same, and it is said who performs what is approved.
import { describe, expect, test } from "vitest";
import type { PermissionParams } from "../../../src/contract/asks.js";
import type { DialogParams } from "../../../src/contract/dialogs.js";
import { unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { wholeRows } from "../../../src/terminal/painter/dialogs/approval-body.js";
import { richRows } from "../../../src/terminal/painter/dialogs/rich-rows.js";
import { verifies } from "../../verifies.js";
import { colourless } from "../painter/visible.js";
import { DialogRig } from "./dialog-rig.js";

const confirm = (params: DialogParams<"confirm">) => new DialogRig({ kind: "confirm", params });

const permission = (params: Partial<PermissionParams>, folder = "") => {
  const choices: PermissionParams["choices"] = [
    { id: "once", label: "allow once", choice: "allow_once" },
    { id: "no", label: "no", choice: "reject_once" },
  ];
  const asked = { title: "Bash ls -la", tool: "Bash", choices, ...params };
  return new DialogRig({ kind: "permission", params: asked }, { parts: { folder } });
};

describe("paths of an approval", () => {
  const head = (params: Partial<PermissionParams>) =>
    permission(params, "/home/ada/project")
      .screen(80)
      .split(/(?:▌\n)?▌ {3}y /)[0]
      ?.trim();
  const changes = (path: string) => [{ path, oldText: "one\n", newText: "two\n" }];

  test("inside of the folder are shown without it, and once", () => {
    const path = "/home/ada/project/src/a.ts";
    expect(head({ title: `Edit ${path}`, path, changes: changes(path) })).toBe(
      "▌ Edit src/a.ts  +1 −1\n▌ -1 one\n▌ +1 two",
    );
    expect(head({ title: "run npm test", command: "npm test", path: "/home/ada/project" })).toBe("▌ run\n▌   npm test");
  });

  test("that lead elsewhere, or are part of a command, stay as they are", () => {
    for (const path of ["/home/ada/other/a.ts", "/home/ada/project/../a.ts", "/home/ada/projects/a.ts"]) {
      expect(head({ title: `Edit ${path}`, path, changes: changes(path) })).toContain(`Edit ${path}`);
    }
    const command = "/home/ada/project/x.sh";
    expect(head({ title: `run ${command}`, command })).toBe(`▌ run\n▌   ${command}`);
  });
});

describe("the other inputs of an approval", () => {
  const details = [
    { name: "timeout", value: "600000" },
    { name: "env", value: "PATH=/tmp\nLD_PRELOAD=/tmp/x.so" },
  ];

  test("stand below the command, each with its name, and who performs it below them", () => {
    const rig = permission({ command: "ls -la", details, performedBy: "agent" });
    expect(rig.screen(60)).toMatchInlineSnapshot(`
      "
      ▌ Bash
      ▌   ls -la
      ▌   timeout: 600000
      ▌   env:
      ▌     PATH=/tmp
      ▌     LD_PRELOAD=/tmp/x.so
      ▌ runs outside Palaver, so Palaver cannot check it
      ▌
      ▌   y  allow once
      ▌ ❯ n  no
      ▌ enter choose · d full view · esc no
      "
    `);
  });

  test("are all in what d opens, with what is dangerous", () => {
    const whole = permission({ command: "ls -la", details, danger: "it bites", performedBy: "agent" }).dialog.whole?.();
    const rows = wholeRows(
      whole ?? { title: "", source: "", kind: "text" },
      {
        style: colourless,
        glyphs: unicodeGlyphs,
      },
      richRows,
    );
    expect(rows.join("\n")).toMatchInlineSnapshot(`
      "it bites
      runs outside Palaver, so Palaver cannot check it

      Bash

      ls -la

      timeout: 600000
      env:
        PATH=/tmp
        LD_PRELOAD=/tmp/x.so"
    `);
  });

  test("stand above a diff in what d opens", () => {
    const changes = [{ path: "a.ts", oldText: "a", newText: "b" }];
    const every = [{ name: "replace_all", value: "every occurrence" }];
    const whole = permission({ title: "Edit a.ts", tool: "Edit", changes, details: every }).dialog.whole?.();
    expect(whole).toMatchObject({ kind: "diff", notes: ["replace_all: every occurrence"] });
  });

  test("of a confirmation are shown when nothing here knows them", () => {
    const rig = confirm({ title: "bash ls", opts: { tool: "bash", command: "ls", sandbox: false, env: { A: "1" } } });
    expect(rig.screen(60)).toContain("sandbox: false");
    expect(rig.screen(60)).toContain('env: {"A":"1"}');
  });

  test("say nothing of who performs it when Palaver does", () => {
    expect(permission({ command: "ls -la", performedBy: "palaver" }).screen(60)).not.toContain("go-ahead");
  });
});

describe("a title of the agent's", () => {
  test.each([
    "Show README.md? (will not touch PWN)",
    "touch PWN is not what this does",
    "Don't touch PWN",
    "read touch PWN.md",
  ])("%j leaves the command on the screen", (title) => {
    verifies("approvals.show-all");
    const screen = confirm({ title, opts: { tool: "read", command: "touch PWN" } }).screen(60);
    expect(screen).toContain("▌   touch PWN\n");
  });

  test.each(["Read Makefile and list src", "Make a plan", "Makefile?"])("%j leaves the file on the screen", (title) => {
    expect(permission({ title, tool: "Write", path: "Makefile" }).screen(60)).toContain("▌   Makefile\n");
  });

  test.each([
    ["run npm test", "npm test"],
    ["npm test", "npm test"],
    ["Bash cat a.txt && rm…", "cat a.txt && rm -r b"],
    ["run npm test …", "npm test\ntouch PWN"],
    ["run", "run"],
  ])("%j leaves the command alone on its rows", (title, command) => {
    verifies("approvals.show-all");
    const rows = permission({ title, command }).screen(60).split("\n");
    const [first = "", ...more] = command.split("\n");
    expect(rows).toContain(`▌   ${first}`);
    for (const line of more) expect(rows).toContain(`▌   ${line}`);
    expect(rows.filter((row) => row.includes(first))).toHaveLength(first === "run" ? 2 : 1);
  });

  test("stays where it says more than the command", () => {
    const screen = permission({ title: "run npm test in a container", command: "npm test" }).screen(60);
    expect(screen).toContain("▌ run npm test in a container");
  });
});

describe("a long command", () => {
  test("folds empty lines, with their number, and shows its end", () => {
    const command = `npm test${"\n".repeat(120)}touch PWN`;
    expect(permission({ title: "run npm test …", command }).screen(60)).toMatchInlineSnapshot(`
      "
      ▌ run
      ▌   npm test
      ▌   … 119 empty lines
      ▌   touch PWN
      ▌
      ▌   y  allow once
      ▌ ❯ n  no
      ▌ enter choose · d full view · esc no
      "
    `);
  });

  test("shows its beginning and its end", () => {
    const lines = Array.from({ length: 900 }, (_, index) => `echo ${index}`);
    expect(permission({ title: "run echo 0 …", command: lines.join("\n") }).screen(60)).toMatchInlineSnapshot(`
      "
      ▌ run
      ▌   echo 0
      ▌   echo 1
      ▌   echo 2
      ▌   echo 3
      ▌   echo 4
      ▌   echo 5
      ▌ … 893 more lines · d full view
      ▌   echo 899
      ▌   y  allow once
      ▌ ❯ n  no
      ▌ enter choose · d full view · esc no
      "
    `);
  });

  test.each([20, 450])("shows what is dangerous in it, on line %i of 900", (place) => {
    const lines = Array.from({ length: 900 }, (_, index) => (index === place ? "sudo rm -rf ~" : `echo ${index}`));
    const screen = permission({ title: "run echo 0 …", command: lines.join("\n"), danger: "it bites" }).screen(60);
    for (const row of ["▲ it bites", "  echo 0\n", "  sudo rm -rf ~\n", "  echo 899\n"]) expect(screen).toContain(row);
  });

  test("shows what is dangerous in the middle of one line", () => {
    const command = `echo ${"a".repeat(900)}; sudo rm -rf ~; echo ${"b".repeat(900)}; echo end`;
    const screen = permission({ title: "run a script", command }).screen(60);
    for (const words of ["echo aaa", "sudo rm -rf ~", "echo end"]) expect(screen).toContain(words);
  });
});
