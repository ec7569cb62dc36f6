// Cost per event does not grow with the session: what an agent says in the third ten minutes costs what it cost in the second.
import { expect, test } from "vitest";
import { StreamingDay } from "../rigs/load/streaming-day.js";

test("ten minutes of streaming write as much as the ten minutes before", () => {
  const day = new StreamingDay();
  day.minutes(10);
  const second = day.minutes(10);
  const third = day.minutes(10);
  expect(second.frames).toBeGreaterThan(5_000);
  expect(third.bytes / second.bytes).toBeCloseTo(1, 1);
  expect(third.frames / second.frames).toBeCloseTo(1, 1);
});
