// Questions of a hub on the command line: machines choose their ids, and none can take the answer that another one's question gets.
import { expect, test } from "vitest";
import { hubAskNamed, hubAsksWords } from "../../src/cli/commands/ask-list-commands.js";
import type { HubAsk } from "../../src/host/asks/hub-view.js";

function question(machine: string, id: string, title: string): HubAsk {
  const about = { id, sessionId: null, turnId: null, origin: { kind: "agent" }, deadlineMs: null } as const;
  return {
    ...{ version: 1, project: "/shop", askedAt: "2026-01-31T09:30:00Z", onlyThere: null, hash: machine },
    ask: { ...about, question: { kind: "confirm", params: { title } } },
    address: { machine, daemon: "shop", ask: id },
  };
}

/** The machine that gets the answer; null when none does. */
function answered(id: string, found: readonly HubAsk[]): string | null {
  try {
    return hubAskNamed(id, found)?.address.machine ?? null;
  } catch {
    return null;
  }
}

const laptop = question("laptop", "q1f2e3d4", "Deploy?");

test.each(["q1f2e3d4", "q1f2", "q1f2e3d4c"])(
  "a machine that chooses the id %s gets no answer meant for another, and is listed under its own name",
  (id) => {
    const found = [question("mallory", id, "Delete everything?"), laptop];
    expect(() => hubAskNamed("q1f2", found)).toThrow("several questions begin with");
    expect(answered("q1f2e3d4", found)).not.toBe("mallory");
    expect(hubAskNamed("laptop/shop/q1f2e3d4", found)).toBe(laptop);
    expect(
      hubAsksWords(found, { wallMs: Date.parse("2026-01-31T09:34:00Z"), answered: new Map([[laptop, "ada"]]) })
        .split("\n")
        .map((line) => line.trim().replace(/ +/g, " ")),
    ).toEqual([
      `mallory/shop/${id} confirm Delete everything?`,
      "on mallory in /shop, asked 4 m ago",
      "laptop/shop/q1f2e3d4 confirm Deploy?",
      "on laptop in /shop, asked 4 m ago; answered by ada, not taken by laptop yet",
      "",
    ]);
  },
);

test("an id of its own is answered by its beginning", () => {
  const found = [question("mallory", "q9", "Delete?"), laptop];
  expect(hubAskNamed("q1", found)).toBe(laptop);
  expect(hubAskNamed("q7", found)).toBeNull();
});

test("a line that is very long is cut, and says so", () => {
  const long = question("laptop", "q1", "Deploy?");
  const params = { title: "Deploy?", message: "x".repeat(120_000) };
  const words = hubAsksWords([{ ...long, ask: { ...long.ask, question: { kind: "confirm", params } } }], { wallMs: 0 });
  expect(words).toContain("x… 118000 more characters");
  expect(words.length).toBeLessThan(3_000);
});
