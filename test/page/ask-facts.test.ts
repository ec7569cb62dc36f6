// The line that says where a question comes from.
import { expect, test } from "vitest";
import type { OverviewAsk } from "../../src/contract/page.js";
import { whereWords } from "../../src/page/views/ask-facts.js";

const HOUR_MS = 3_600_000;
const asked: OverviewAsk = {
  ask: {
    ...{ id: "q1", sessionId: "s1", turnId: null, origin: { kind: "agent" }, deadlineMs: null },
    question: { kind: "confirm", params: { title: "Deploy?" } },
  },
  session: { id: "s1", name: "fix the build", agent: "claude", cwd: "/home/ada/parser" },
  asked_at_ms: 1_000_000,
};

test("has agent, session, folder and age", () => {
  expect(whereWords(asked, 1_040_000, 0)).toBe("claude · fix the build · parser · 40 s");
});

test.each([HOUR_MS, -HOUR_MS])("has the right age on a device whose clock is wrong by %i ms", (wrongByMs) => {
  expect(whereWords(asked, 1_040_000 + wrongByMs, wrongByMs)).toMatch(/ 40 s$/);
});

test("names another machine of the hub", () => {
  const elsewhere = { machine: "laptop", answers: "here" } as const;
  expect(whereWords({ ...asked, elsewhere }, 1_040_000, 0)).toBe("claude · fix the build · parser · on laptop · 40 s");
  const ask = { ...asked.ask, origin: { kind: "agent", name: "laptop in /shop: claude" } } as const;
  expect(whereWords({ ...asked, ask, session: null, elsewhere }, 1_040_000, 0)).toBe("laptop in /shop: claude · 40 s");
});
