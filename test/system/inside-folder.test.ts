// A path that a person or a program names is inside its folder, links and all, or it is refused.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { insideProblem } from "../../src/system/inside-folder.js";

function places(): string {
  const top = mkdtempSync(join(tmpdir(), "palaver-inside-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  mkdirSync(join(top, "folder", "src"), { recursive: true });
  writeFileSync(join(top, "outside.txt"), "");
  writeFileSync(join(top, "folder", "src", "a.ts"), "");
  symlinkSync("src/a.ts", join(top, "folder", "near"));
  symlinkSync("../outside.txt", join(top, "folder", "far"));
  symlinkSync("..", join(top, "folder", "up"));
  return join(top, "folder");
}

test("only what is there and inside is no problem", () => {
  const folder = places();
  const judged = (path: string) => insideProblem(folder, path);
  for (const path of ["src/a.ts", "src", "src/", "near", "./src/../src/a.ts"]) expect(judged(path)).toBeNull();
  for (const path of ["far", "up/outside.txt", "../outside.txt", ".."]) expect(judged(path)).toContain("outside");
  expect(judged("missing.ts")).toBe("there is no such file");
  for (const path of ["", "/etc/passwd", "src\0"]) expect(judged(path)).toContain("inside the folder");
  expect(insideProblem(join(folder, "no such folder"), "a")).toBe("there is no such file");
});
