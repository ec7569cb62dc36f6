// /resume: the list of saved sessions, from files or from the agent, and what choosing one does.
import { expect, test } from "vitest";
import type { SavedSession, SavedSessions } from "../../../src/session/saved-session.js";
import { WALL_MS } from "../talk-stage.js";
import { DOWN, ENTER, Stage } from "./stage.js";

const HOUR_MS = 3_600_000;

function session(id: string, more: Partial<SavedSession> = {}): SavedSession {
  return {
    agent: "claude",
    id,
    ref: `ref of ${id}`,
    title: `title of ${id}`,
    cwd: "/",
    atMs: WALL_MS - 3 * HOUR_MS,
    ...more,
  };
}

interface Kept extends SavedSessions {
  readonly next: SavedSession[];
}

function kept(
  sessions: readonly SavedSession[] | null,
  way: "told" | "restart",
  others: readonly SavedSession[] = [],
): Kept {
  const next: SavedSession[] = [];
  return {
    next,
    howToOpen: (chosen) => (others.includes(chosen) ? "reopen" : way),
    list: async () => sessions,
    others: async () => others,
    problemWith: async ({ cwd }) => (cwd === "/gone" ? "the folder of this session is gone: /gone" : null),
    startNextOn: (chosen) => next.push(chosen),
  };
}

async function stageWith(saved: Kept, first?: "resume"): Promise<Stage> {
  const stage = new Stage(70, 20, { saved });
  if (first !== undefined) stage.renderer.app.start({ warnings: [], first });
  stage.ready();
  await Promise.resolve();
  return stage;
}

async function typed(stage: Stage, ...keys: string[]): Promise<string> {
  stage.type(...keys);
  for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
  stage.wait(100);
  return stage.screen();
}

const elsewhere = session("b7c8d9", { cwd: "/other", atMs: WALL_MS - HOUR_MS });

test("those of this folder come first, with their age, and those of others with their folder", async () => {
  const stage = await stageWith(kept([elsewhere, session("3fa9c2")], "told"));
  const screen = await typed(stage, "/resume", ENTER);
  expect(screen).toMatch(/❯ title of 3fa9c2 +3 h ago\n▌ {3}title of b7c8d9 +1 h ago {2}\/other/);
  await typed(stage, ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "start_session", session_file: "ref of 3fa9c2" });
});

test("a long title is cut, so that it has one row", async () => {
  const stage = await stageWith(kept([session("3fa9c2", { title: "word ".repeat(40) })], "told"));
  expect(await typed(stage, "/resume", ENTER)).toMatch(/❯ (?:word ){9}wo… {2}3 h ago\n▌ enter/);
});

test("one that cannot be opened says why", async () => {
  const stage = await stageWith(kept([session("3fa9c2"), session("b7c8d9", { cwd: "/gone" })], "told"));
  await typed(stage, "/resume", ENTER);
  expect(await typed(stage, DOWN, ENTER)).toContain("the folder of this session is gone: /gone");
  expect(stage.sent).toEqual([]);
});

test("an agent that cannot change its session is started again on the chosen one, unless it is at work", async () => {
  const saved = kept([session("3fa9c2")], "restart");
  const stage = await stageWith(saved);
  await typed(stage, "go", ENTER);
  stage.hear({ type: "prompt.started", sessionId: null });
  expect(await typed(stage, "/resume 3fa9", ENTER)).toContain("stop the agent first");
  expect([stage.restarts, saved.next]).toEqual([0, []]);
  stage.hear({ type: "prompt.finished", sessionId: null });
  await typed(stage, "/resume 3fa9", ENTER);
  expect([stage.restarts, saved.next.map(({ id }) => id)]).toEqual([1, ["3fa9c2"]]);
});

test("the beginning of an id is enough; one of several says which", async () => {
  const stage = await stageWith(kept([session("3fa9c2a"), session("3fa9c2b")], "told"));
  expect(await typed(stage, "/resume 3fa9", ENTER)).toContain('"3fa9" could be 3fa9c2a (title of 3fa9c2a) or');
  await typed(stage, "/resume 3fa9c2b", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "start_session", session_file: "ref of 3fa9c2b" });
});

test("a session in which nothing was said gives its place to the resumed one", async () => {
  const stage = await stageWith(kept([session("3fa9c2")], "told"));
  stage.hear({ type: "session.started", sessionId: "empty" });
  await typed(stage, "/resume 3fa9c2", ENTER);
  stage.hear({ type: "session.started", sessionId: "3fa9c2" });
  expect(stage.sent.slice(-2)).toEqual([
    { type: "set_active_session", session_id: "3fa9c2" },
    { type: "close_session", session_id: "empty" },
  ]);
});

test("an open session is not offered again", async () => {
  const stage = await stageWith(kept([session("3fa9c2"), session("b7c8d9")], "told"));
  stage.hear({ type: "session.started", sessionId: "3fa9c2" });
  const screen = await typed(stage, "/resume", ENTER);
  expect(screen).toContain("title of b7c8d9");
  expect(screen).not.toContain("title of 3fa9c2");
  const alone = await stageWith(kept([session("3fa9c2")], "told"));
  alone.hear({ type: "session.started", sessionId: "3fa9c2" });
  expect(await typed(alone, "/resume", ENTER)).toContain("there are no other saved sessions");
});

test("a start with the list shows it when the agent is ready", async () => {
  const stage = await stageWith(kept([session("3fa9c2")], "told"), "resume");
  expect(await typed(stage)).toContain("Resume which session?");
});

test("where only the agent knows its sessions it is asked, and one that cannot tell says so", async () => {
  const stage = await stageWith(kept(null, "told"));
  await typed(stage, "/resume", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "list_sessions" });
  const answer = { sessions: [], error: "goose cannot list its sessions" };
  stage.hear({ type: "command.answered", sessionId: null, command: "sessions_list", answer });
  expect(await typed(stage)).toContain("goose cannot list its sessions");
});

const ofCodex = session("c0dec5", { agent: "codex", atMs: WALL_MS - 2 * HOUR_MS });

test("the sessions of all agents are one list, with the agent's name, the newest first", async () => {
  const saved = kept([session("3fa9c2")], "told", [elsewhere, ofCodex]);
  const stage = await stageWith(saved);
  expect(await typed(stage, "/resume", ENTER)).toMatch(
    /❯ title of c0dec5 +codex {3}2 h ago\n.*title of 3fa9c2 +claude {2}3 h ago\n.*title of b7c8d9 +claude {2}1 h ago {2}\/other/,
  );
  await typed(stage, ENTER);
  expect([stage.left, saved.next]).toEqual(["left", [ofCodex]]);
});

test("the list of an agent that is asked for its own has the sessions of others, too", async () => {
  const stage = await stageWith(kept(null, "told", [ofCodex]));
  await typed(stage, "/resume", ENTER);
  const answer = { sessions: [{ id: "own", title: "title of own" }] };
  stage.hear({ type: "command.answered", sessionId: null, command: "sessions_list", answer });
  expect(await typed(stage)).toMatch(/title of c0dec5 +codex {5}2 h ago\n.*title of own +agent\.py/);
});

test("nothing is left for a session of another agent while a turn runs", async () => {
  const saved = kept([], "told", [ofCodex]);
  const stage = await stageWith(saved);
  await typed(stage, "go", ENTER);
  stage.hear({ type: "prompt.started", sessionId: null });
  expect(await typed(stage, "/resume c0de", ENTER)).toContain("stop the agent first");
  expect([stage.left, saved.next]).toEqual(["no", []]);
});

test("a session that takes the place of another brings its own name, and neither tokens nor costs of the one before", async () => {
  const stage = await stageWith(kept([session("3fa9c2")], "restart"));
  stage.hear(
    { type: "title.changed", sessionId: null, title: "the one before" },
    { type: "usage.changed", sessionId: null, usage: { total_tokens: 1_200, cost: { total: 0.4 } } },
  );
  expect(await typed(stage, "/resume 3fa9c2", ENTER)).not.toContain("1.2 k tok");
  const [now] = stage.engine.state.sessions;
  expect(now).toMatchObject({ name: "title of 3fa9c2", facts: { usage: { tokens: null, cost: null } } });
});
