// A session is named by its id or by its beginning; what could be several is said.
import { expect, test } from "vitest";
import { namedSession, shortSessionId } from "../../src/contract/named-session.js";

const sessions = [
  { id: "3fa9c2d1-aa", title: "fix the failing test" },
  { id: "3fa9c2d9-bb", title: "write the changelog" },
  { id: "77aa", title: "" },
];

test("the id, its beginning, or nothing for the newest", () => {
  const named = (name: string) => namedSession(sessions, name);
  expect(named("77aa")).toEqual({ session: sessions[2] });
  expect(named("3fa9c2d9")).toEqual({ session: sessions[1] });
  expect(named("")).toEqual({ session: sessions[0] });
  expect(named("zz")).toEqual({ problem: null });
  expect(namedSession([], "")).toEqual({ problem: "there is no session to resume in this folder" });
});

test("a beginning of several names them", () => {
  expect(namedSession(sessions, "3fa9")).toEqual({
    problem: '"3fa9" could be 3fa9c2d1 (fix the failing test) or 3fa9c2d9 (write the changelog)',
  });
});

test("an id is shortened to what no other has, six characters at least", () => {
  const ids = sessions.map(({ id }) => id);
  expect(shortSessionId("3fa9c2d1-aa", ids)).toBe("3fa9c2d1");
  expect(shortSessionId("9b8c7d6e5f", ids)).toBe("9b8c7d");
  expect(shortSessionId("77aa", ids)).toBe("77aa");
});
