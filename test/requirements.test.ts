// Every promise has a test that proves it.
import { expect, test } from "vitest";
import { requirements } from "./requirements.js";
import { readProject } from "./tidy/project-files.js";

test("every requirement is one sentence, and a test verifies it", () => {
  const calls = readProject().sources.flatMap(({ path, code }) =>
    path.endsWith(".test.ts") ? [...code.matchAll(/^\s*verifies\(([^()]+)\);$/gm)] : [],
  );
  const proven = new Set(calls.flatMap(([, ids = ""]) => [...ids.matchAll(/"([^"]+)"/g)].map(([, id]) => id)));
  expect(Object.keys(requirements).filter((id) => !proven.has(id))).toEqual([]);
  for (const sentence of Object.values(requirements)) expect(sentence).toMatch(/^[A-Z][^\n]*[^.]\.$/);
});
