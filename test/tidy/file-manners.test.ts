// Shows that files without a purpose, with shapeless names or with pointers to elsewhere are found.
import { describe, expect, test } from "vitest";
import { checkFileName } from "./file-names.js";
import { checkPurpose } from "./purpose.js";
import { checkSelfContained } from "./self-contained.js";
import { checkSharedHooks } from "./shared-hooks.js";
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

describe("file names", () => {
  test.each([
    "src/sdk/utils.ts",
    "src/sdk/index.ts",
    "test/helpers/a.ts",
    "src/sdk/askQueue.ts",
    "src/sdk/Ask.ts",
    "src/a_b.py",
  ])("%s is refused", (path) => {
    expect(checkFileName({ path })).toHaveLength(1);
  });

  test.each(["src/sdk/ask-queue.ts", "test/sdk/ask-queue.test.ts", "examples/ask/agent.py", "vitest.config.ts"])(
    "%s is fine",
    (path) => {
      expect(checkFileName({ path })).toEqual([]);
    },
  );
});

describe("a hook at the top", () => {
  const HOOK = "afterEach(async () => {\n  await close();\n});";

  test("of a helper is found, with its line", () => {
    const [finding] = checkSharedHooks(sourceFile("test/builtin/rig.ts", `// Opens things.\n${HOOK}`));
    expect(finding?.line).toBe(2);
  });

  test.each(["test/builtin/loop.test.ts", "test/e2e/pty-session.ts", "test/views/e2e/program.ts"])(
    "of %s is fine",
    (path) => {
      expect(checkSharedHooks(sourceFile(path, HOOK))).toEqual([]);
    },
  );
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
    [`see ${"issue"} #12`],
    [`see ${"DESIGN"}.md`],
  ])("%s is refused", (text) => {
    expect(found(text)).toBe(1);
  });

  test.each([
    ["src/work/a.ts"],
    ["/workspace/a"],
    ["https://a.example/work/b"],
    ["the seed of the simulator"],
    ["an issue"],
  ])("%s is fine", (text) => {
    expect(found(text)).toBe(0);
  });
});
