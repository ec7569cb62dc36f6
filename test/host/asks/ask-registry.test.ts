// Asks that wait in a daemon, and their answers over HTTP: the first one wins, and the others are told.
import { describe, expect, test } from "vitest";
import type { Ask, AuditRecord } from "../../../src/contract/asks.js";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import { askRoutes } from "../../../src/server/http/ask-routes.js";
import { createDaemonApp } from "../../../src/server/http/daemon-app.js";
import { requestsTo } from "../../rigs/daemon/app-requests.js";
import { createFakeTimers } from "../../sdk/fake-timers.js";

const base = { sessionId: "s1", turnId: null, origin: { kind: "agent" }, deadlineMs: null } as const;
const select: Ask = {
  ...base,
  id: "a1",
  question: {
    kind: "select",
    params: {
      title: "Which?",
      options: [
        { label: "npm", value: "npm" },
        { label: "pnpm", value: "pnpm" },
      ],
    },
  },
};
const secret: Ask = {
  ...base,
  id: "a2",
  question: { kind: "input", params: { title: "Password", opts: { secret: true } } },
};
const permission: Ask = {
  ...base,
  id: "a3",
  question: {
    kind: "permission",
    params: { title: "Run?", tool: "bash", choices: [{ id: "no", label: "No", choice: "reject_once" }] },
  },
};

function create() {
  let nowMs = 1_000;
  const timers = createFakeTimers();
  const audit: AuditRecord[] = [];
  const board = new AskRegistry({ nowMs: () => nowMs, timers, onAudit: (record) => audit.push(record) });
  const app = requestsTo(createDaemonApp({ groups: [askRoutes(board)], version: "1", onError: () => {} }));
  const answer = async (id: string, body: unknown) => {
    const response = await app.request(`/asks/${id}/answer`, { method: "POST", body: JSON.stringify(body) });
    return [response.status, await response.json()];
  };
  const pass = (byMs: number) => {
    nowMs += byMs;
    timers.advance(byMs);
  };
  return { board, app, answer, audit, pass };
}

describe("asks over HTTP", () => {
  test("are listed oldest first, and every change is announced", async () => {
    const { board, app } = create();
    let changes = 0;
    const unsubscribe = board.subscribe(() => (changes += 1));
    void board.ask(select);
    void board.ask(secret);
    expect(((await (await app.request("/asks")).json()) as Ask[]).map(({ id }) => id)).toEqual(["a1", "a2"]);
    expect(changes).toBe(2);
    unsubscribe();
    board.answer("a1", "cancel", "me");
    expect(changes).toBe(2);
  });

  test("the first answer reaches the agent, the second is told who was first", async () => {
    const { board, answer, audit } = create();
    const outcome = board.ask(select);
    expect(await answer("a1", { value: "pnpm", by: "web" })).toEqual([200, { outcome: "answered", by: "web" }]);
    expect(await outcome).toEqual({ kind: "answered", value: "pnpm", by: "web" });
    expect(await answer("a1", { value: "npm", by: "phone" })).toEqual([409, { outcome: "answered", by: "web" }]);
    expect(await answer("a1", { cancel: true })).toEqual([409, { outcome: "answered", by: "web" }]);
    expect(audit).toHaveLength(1);
  });

  test("a value that does not fit leaves the ask open and says why", async () => {
    const { board, answer } = create();
    void board.ask(select);
    void board.ask(permission);
    const wrong: [string, unknown][] = [
      ["a1", { value: "bower" }],
      ["a1", { value: ["npm", "bower"] }],
      ["a1", { value: 5 }],
      ["a1", { value: null }],
      ["a1", {}],
      ["a1", { value: "npm", cancel: true }],
      ["a3", { value: { choiceId: "yes" } }],
      ["a3", { value: "no" }],
      ["a1", [1]],
    ];
    for (const [id, body] of wrong) expect((await answer(id, body))[0]).toBe(400);
    expect(board.openAsks()).toHaveLength(2);
    expect((await answer("a3", { value: { choiceId: "no" } }))[0]).toBe(200);
  });

  test("a secret's value is in no answer and in no record", async () => {
    const { board, answer, audit } = create();
    const outcome = board.ask(secret);
    const replies = [await answer("a2", { value: "hunter2" }), await answer("a2", { value: "again" })];
    expect(await outcome).toMatchObject({ value: "hunter2" });
    expect(JSON.stringify([replies, audit])).not.toContain("hunter2");
  });

  test("an unknown ask is 404", async () => {
    expect((await create().answer("nobody", { value: 1 }))[0]).toBe(404);
  });

  test("end by their deadline and by being withdrawn, and the asker is told", async () => {
    const { board, answer, pass } = create();
    const expired = board.ask({ ...select, deadlineMs: 6_000 });
    const withdrawn = board.ask(secret);
    pass(5_000);
    board.withdraw({ type: "withdraw-all", of: "everyone", reason: "shutdown", atMs: 6_000 });
    expect(await expired).toEqual({ kind: "expired" });
    expect(await withdrawn).toEqual({ kind: "withdrawn", reason: "shutdown" });
    expect(await answer("a1", { value: "npm" })).toEqual([409, { outcome: "expired" }]);
    expect(await answer("a2", { value: "x" })).toEqual([409, { outcome: "withdrawn", reason: "shutdown" }]);
  });

  test("an id that was used is refused", async () => {
    const { board } = create();
    void board.ask(select);
    await expect(board.ask(select)).rejects.toThrow(/a1/);
  });
});
