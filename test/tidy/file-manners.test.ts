// Shows that files without a purpose or with pointers to elsewhere are found.
import { describe, expect, test } from "vitest";
import { checkPurpose } from "./purpose.js";
import { checkSelfContained } from "./self-contained.js";
import { sourceFile } from "./source-file.js";

describe("purpose", () => {
  test.each([
    ["src/a.ts", 'import a from "b";\n// Owns the list of all the things.'],
    ["src/a.ts", "// Things."],
    ["src/a.ts", "// @ts-expect-error because of this and that"],
    ["src/a.ts", ""],
    ["scripts/a.mjs", "#!/usr/bin/env node\nrun();"],
    ["examples/a.py", "#!/usr/bin/env python3\nimport json"],
    ["examples/a.sh", "#!/bin/sh\nset -eu"],
  ])("is missed in %s: %s", (path, source) => {
    expect(checkPurpose(sourceFile(path, source))).toHaveLength(1);
  });

  test.each([
    ["src/a.ts", "// Owns the list of all the things.\nrun();"],
    ["src/a.ts", "/**\n * Owns the list of all the things.\n */"],
    ["scripts/a.mjs", "#!/usr/bin/env node\n// Builds what the others need to run.\nrun();"],
    ["examples/a.py", '#!/usr/bin/env python3\n"""Asks one question of every kind."""\n'],
    ["examples/a.sh", "#!/bin/sh\n# Asks one question of every kind.\n"],
  ])("is seen in %s: %s", (path, source) => {
    expect(checkPurpose(sourceFile(path, source))).toEqual([]);
  });
});

describe("the project speaks of itself alone", () => {
  const found = (text: string) => checkSelfContained(sourceFile("docs/a.md", text)).length;
  // Put together here, because this file is checked too.
  const machine = (folder: string, rest: string) => `see /${folder}${rest}`;

  test.each([
    [machine("work", "/main/a.ts")],
    [machine("root", "")],
    [machine("farm", "/x")],
    [`the ${"seed"} project`],
    [`see ${"DESIGN"}.md`],
  ])("%s is refused", (text) => {
    expect(found(text)).toBe(1);
  });

  test.each([
    ["src/work/a.ts"],
    ["/workspace/a"],
    ["https://a.example/work/b"],
    ["the seed of the simulator"],
    ["issue 12"],
  ])("%s is fine", (text) => {
    expect(found(text)).toBe(0);
  });
});
