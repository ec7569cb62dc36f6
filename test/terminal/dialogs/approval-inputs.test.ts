// Inputs that no field of an approval is made for are shown all the same, and it is said who performs what is approved.
import { describe, expect, test } from "vitest";
import type { PermissionParams } from "../../../src/contract/asks.js";
import type { DialogParams } from "../../../src/contract/dialogs.js";
import { unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { wholeRows } from "../../../src/terminal/painter/dialogs/approval-body.js";
import { verifies } from "../../verifies.js";
import { colourless } from "../painter/visible.js";
import { DialogRig } from "./dialog-rig.js";

const confirm = (params: DialogParams<"confirm">) => new DialogRig({ kind: "confirm", params });

const permission = (params: Partial<PermissionParams>) => {
  const choices: PermissionParams["choices"] = [
    { id: "once", label: "allow once", choice: "allow_once" },
    { id: "no", label: "no", choice: "reject_once" },
  ];
  return new DialogRig({ kind: "permission", params: { title: "Bash ls -la", tool: "Bash", choices, ...params } });
};

describe("the other inputs of an approval", () => {
  const details = [
    { name: "timeout", value: "600000" },
    { name: "env", value: "PATH=/tmp\nLD_PRELOAD=/tmp/x.so" },
  ];

  test("stand below the command, each with its name, and who performs it below them", () => {
    verifies("safety.every-input-shown", "safety.approval-says-who-performs");
    const rig = permission({ command: "ls -la", details, performedBy: "agent" });
    expect(rig.screen(60)).toMatchInlineSnapshot(`
      "
      ▌ Bash ls -la
      ▌   timeout: 600000
      ▌   env:
      ▌     PATH=/tmp
      ▌     LD_PRELOAD=/tmp/x.so
      ▌ the agent does this itself: it runs outside Palaver
      ▌
      ▌   1  allow once
      ▌ ❯ 2  no
      ▌ enter choose · d all of it · esc no
      "
    `);
  });

  test("are all in what d opens, with what is dangerous", () => {
    verifies("safety.every-input-shown");
    const whole = permission({ command: "ls -la", details, danger: "it bites", performedBy: "agent" }).dialog.whole?.();
    const rows = wholeRows(whole ?? { title: "", source: "", kind: "text" }, {
      style: colourless,
      glyphs: unicodeGlyphs,
    });
    expect(rows.join("\n")).toMatchInlineSnapshot(`
      "it bites
      the agent does this itself: it runs outside Palaver

      Bash ls -la

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
    verifies("safety.every-input-shown");
    const rig = confirm({ title: "bash ls", opts: { tool: "bash", command: "ls", sandbox: false, env: { A: "1" } } });
    expect(rig.screen(60)).toContain("sandbox: false");
    expect(rig.screen(60)).toContain('env: {"A":"1"}');
  });

  test("say nothing of who performs it when Palaver does", () => {
    expect(permission({ command: "ls -la", performedBy: "palaver" }).screen(60)).not.toContain("outside");
  });
});
