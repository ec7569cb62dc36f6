// Nothing is left over: every requirement has a test that cites it, or says why it was decided against.
import { expect, test } from "vitest";
import { requirements } from "../requirements.js";
import { citationsIn } from "../tidy/citations.js";
import { readProject } from "../tidy/project-files.js";

const citations = readProject()
  .sources.filter(({ path }) => path.startsWith("test/"))
  .flatMap((file) => citationsIn(file, requirements).citations);

test("every requirement is proven by a test or was declined with a reason", () => {
  const cited = new Set(citations.flatMap(({ ids }) => ids));
  const open = requirements.filter(({ id, declined }) => declined === undefined && !cited.has(id));
  expect(open.map(({ id, sentence }) => `${id}: ${sentence}`)).toEqual([]);
});

test("a reason is a sentence, and nothing that was declined is cited", () => {
  const cited = new Set(citations.flatMap(({ ids }) => ids));
  for (const { id, declined } of requirements) {
    if (declined === undefined) continue;
    expect(declined, id).toMatch(/^[A-Z].{40,}\.$/);
    expect(cited.has(id), id).toBe(false);
  }
});
