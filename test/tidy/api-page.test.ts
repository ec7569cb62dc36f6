// docs/api.md is what the compiler says of the package's entries.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readExports } from "../../scripts/api-exports.mjs";
import { projectRoot, runProgram } from "../e2e/run-program.js";

test("the API reference is up to date", async () => {
  const { code, stderr } = await runProgram(process.execPath, [join(projectRoot, "scripts/api.mjs"), "--check"]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
});

test("exports are followed through re-exports, with their comments and under their new names", () => {
  const folder = mkdtempSync(join(tmpdir(), "palaver-api-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const inner =
    '/** One; "of" two. */\nexport type A = {\n  a: ";" };\nexport declare function f(): void;\nexport interface B { b(): A; }\n';
  writeFileSync(join(folder, "inner.d.ts"), inner);
  writeFileSync(
    join(folder, "outer.d.ts"),
    'export type { A as Alpha } from "./inner.js";\nexport type * from "./inner.js";\n',
  );
  expect(readExports(join(folder, "outer.d.ts"))).toEqual([
    { name: "Alpha", comment: 'One; "of" two.', code: 'type A = {\n  a: ";" };' },
    { name: "A", comment: 'One; "of" two.', code: 'type A = {\n  a: ";" };' },
    { name: "B", comment: "", code: "interface B { b(): A; }" },
  ]);
});
