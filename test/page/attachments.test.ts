// Pictures that go with a message: which ones are taken, and what is said of the others.
import { expect, test } from "vitest";
import { attachmentsOf } from "../../src/page/state/attachments.js";

const file = (type: string, bytes = 3) => new File([new Uint8Array(bytes)], "a", { type });

test("an agent that takes no pictures gets none", async () => {
  expect(await attachmentsOf([file("image/png")], false)).toEqual({
    attachments: [],
    problem: "this agent takes no pictures",
  });
});

test("what is no picture, or too large, is left out with words, and the others are taken", async () => {
  const files = [file("image/svg+xml"), file("image/png", 6 * 1024 * 1024), file("image/webp")];
  const { attachments, problem } = await attachmentsOf(files, true);
  expect(attachments.map(({ mime_type, data }) => [mime_type, data])).toEqual([["image/webp", "AAAA"]]);
  expect(problem).toMatch(/at most 5 MB/);
});
