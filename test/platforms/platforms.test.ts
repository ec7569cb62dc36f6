// What the try of platforms does before it starts anything that takes minutes.
import { expect, test } from "vitest";
import { tryPlatforms } from "../../tools/platforms/platforms.js";

test("what is no version of Node is refused before anything is installed", async () => {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  expect(await tryPlatforms({ versions: ["22", "latest"], root: "/nowhere", cacheFolder: "/nowhere", print })).toBe(2);
  expect(lines).toEqual(['"latest" is no version of Node; 22 and 20.19.0 are']);
});
