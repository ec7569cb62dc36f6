// Numbers as people read them.

import { expect, test } from "vitest";
import { humanCount, humanDuration, humanTokens } from "../../src/text/humanize.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test.each([
  [0, "0.0 s"],
  [240, "0.2 s"],
  [2300, "2.3 s"],
  [9949, "9.9 s"],
  [9960, "10 s"],
  [12 * SECOND, "12 s"],
  [59.4 * SECOND, "59 s"],
  [59.9 * SECOND, "1 m 00 s"],
  [3 * MINUTE + 12 * SECOND, "3 m 12 s"],
  [59 * MINUTE + 59.9 * SECOND, "1 h 00 m"],
  [HOUR + 4 * MINUTE, "1 h 04 m"],
  [51 * HOUR, "2 d 03 h"],
  [-5, "0.0 s"],
  [Number.NaN, "0.0 s"],
])("%d ms is %s", (ms, text) => {
  expect(humanDuration(ms)).toBe(text);
});

test.each([
  [0, "0"],
  [999, "999"],
  [1204, "1,204"],
  [1234567, "1,234,567"],
  [-1204, "-1,204"],
  [1203.6, "1,204"],
  [Number.POSITIVE_INFINITY, "0"],
])("%d counts as %s", (n, text) => {
  expect(humanCount(n)).toBe(text);
});

test.each([
  [0, "0"],
  [840, "840"],
  [1000, "1.0 k"],
  [12_400, "12.4 k"],
  [99_949, "99.9 k"],
  [99_960, "100 k"],
  [124_000, "124 k"],
  [999_499, "999 k"],
  [999_500, "1.0 M"],
  [1_200_000, "1.2 M"],
  [1_234_000_000, "1,234 M"],
])("%d tokens are %s", (n, text) => {
  expect(humanTokens(n)).toBe(text);
});
