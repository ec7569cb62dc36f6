// A change that an agent sends as a piece is shown in its file, where that file may be read.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { enteredAsk } from "../../src/agents/entered-ask.js";
import type { PermissionParams } from "../../src/contract/asks.js";
import type { FileChange } from "../../src/contract/file-change.js";

type Files = Readonly<Record<string, string>>;

const shown = (files: Files, change: FileChange) => entered(files, change)?.changes?.[0];
const shownMessage = (files: Files, change: FileChange) => entered(files, change)?.message;

function entered(files: Files, change: FileChange): PermissionParams | undefined {
  const top = mkdtempSync(join(tmpdir(), "palaver-placed-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  writeFileSync(join(top, "outside.txt"), "not yours\n");
  const folder = join(top, "project");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  symlinkSync(join(folder, "..", "outside.txt"), join(folder, "link.txt"));
  const question = {
    kind: "permission" as const,
    params: { title: "Edit", tool: "Edit", choices: [], changes: [change] },
  };
  const ask = {
    id: "1",
    sessionId: null,
    turnId: null,
    origin: { kind: "agent" as const },
    question,
    deadlineMs: null,
  };
  const { question: judged } = enteredAsk(ask, { folder, performedBy: "agent" });
  return judged.kind === "permission" ? judged.params : undefined;
}

const file = "one\ntwo\nthree\n";

describe("a change in an approval", () => {
  test("that is a piece of a file is shown with the lines around it", () => {
    expect(shown({ "a.txt": file }, { path: "a.txt", oldText: "two", newText: "$& 2" })).toEqual({
      path: "a.txt",
      oldText: file,
      newText: "one\n$& 2\nthree\n",
    });
  });

  test("that writes a file which is there shows what it replaces", () => {
    const change = { path: "a.txt", oldText: null, newText: "new\n" };
    expect(shown({ "a.txt": file }, change)).toEqual({ ...change, oldText: file });
    expect(shown({}, change)).toEqual(change);
  });

  test("that writes what the file holds already says so", () => {
    expect(shownMessage({ "a.txt": file }, { path: "a.txt", oldText: null, newText: file })).toBe(
      "no change: the file has this content already",
    );
    expect(shownMessage({ "a.txt": file }, { path: "a.txt", oldText: null, newText: "new\n" })).toBeUndefined();
  });

  test.each<[string, Readonly<Record<string, string>>, FileChange]>([
    ["is there twice", { "a.txt": "x\nx\n" }, { path: "a.txt", oldText: "x", newText: "y" }],
    ["is not there", { "a.txt": file }, { path: "a.txt", oldText: "four", newText: "y" }],
    ["is in a secret file", { ".env": "KEY=1\n" }, { path: ".env", oldText: null, newText: "y" }],
    ["is outside of the folder", {}, { path: "../outside.txt", oldText: null, newText: "y" }],
    ["is behind a link", {}, { path: "link.txt", oldText: null, newText: "y" }],
  ])("that %s is shown as it came", (_, files, change) => {
    expect(shown(files, change)).toEqual(change);
  });
});
