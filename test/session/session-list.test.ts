// Sessions side by side: who is before the user, who has news, and how the list survives what agents do.
import { describe, expect, test } from "vitest";
import {
  neighbour,
  oneSession,
  reduceSessionList as reduceAnyList,
  type SessionList,
  type SessionListInput,
  sessionNamed,
} from "../../src/session/session-list.js";

function reduceSessionList(list: SessionList, input: SessionListInput): SessionList {
  return reduceAnyList(list, input, (entry) => entry);
}

function listAfter(...inputs: SessionListInput[]): SessionList {
  return inputs.reduce(reduceSessionList, oneSession);
}

const three = listAfter(
  { type: "heard", id: "a" },
  { type: "started", id: "b", cwd: "/home/ada/docs" },
  { type: "started", id: "c", cwd: null },
);

describe("the list of sessions", () => {
  test("an agent that never names its session has one; the first name it says is that one's", () => {
    expect(oneSession.sessions).toHaveLength(1);
    expect(listAfter({ type: "heard", id: "main" })).toMatchObject({ active: "main", sessions: [{ id: "main" }] });
  });

  test("a session that is opened later is put at the end and does not come before the user by itself", () => {
    expect(three.sessions.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(three.active).toBe("a");
  });

  test("closing the active one brings its neighbour, and the last one stays", () => {
    const last = reduceSessionList(reduceSessionList(three, { type: "activated", id: "c" }), {
      type: "closed",
      id: "c",
    });
    expect(last).toMatchObject({ active: "b" });
    expect(listAfter({ type: "heard", id: "a" }, { type: "closed", id: "a" }).sessions).toHaveLength(1);
  });

  test("an unknown session cannot be activated, and there are never more than anybody can tell apart", () => {
    expect(reduceSessionList(three, { type: "activated", id: "nobody" })).toBe(three);
    const many = Array.from({ length: 600 }, (_, at) => ({ type: "heard", id: `s${at}` }) as const);
    expect(many.reduce(reduceSessionList, oneSession).sessions).toHaveLength(500);
  });

  test("is walked round and round, and searched by number, id and name", () => {
    expect([neighbour(three, 1), neighbour(three, -1)]).toEqual(["b", "c"]);
    const named = reduceSessionList(three, { type: "named", id: "b", name: "Docs" });
    expect(["2", "b", "do", "9", "nobody"].map((words) => sessionNamed(named, words)?.id ?? null)).toEqual([
      "b",
      "b",
      "b",
      null,
      null,
    ]);
  });
});
