// The sessions that agents keep in files: each agent's own form, and files that are damaged, hostile or none of them.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listSessionFiles, sessionLines } from "../../src/agents/session-files.js";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "palaver-sessions-"));
});
afterEach(() => rmSync(home, { recursive: true }));

/** Written by SQLite 3.40: small pages, a long row, and a log that renames one session and deletes another. */
const OPENCODE = fileURLToPath(new URL("../fixtures/opencode", import.meta.url));
const ID = "3fa9c2d1-0000-4000-8000-000000000001";
const AT_S = 1_700_000_000;

function put(path: string, lines: readonly (object | string)[], atS = AT_S): string {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  utimesSync(full, atS, atS);
  return full;
}

const list = (program: string, more = {}) => listSessionFiles(program, { HOME: home, ...more });

function claudeLine(text: string, more = {}) {
  return { type: "user", message: { role: "user", content: text }, cwd: "/src/parser", ...more };
}

test("Claude's session is named by its file and titled by its first prompt", async () => {
  const path = put(`.claude/projects/-src-parser/${ID}.jsonl`, [
    { type: "queue-operation", content: "no prompt" },
    { type: "api-request-blob", message: { role: "user", content: "for the model" } },
    claudeLine("<command-name>/clear</command-name>"),
    claudeLine("for the model", { isMeta: true }),
    claudeLine("fix the\n failing   test"),
    claudeLine("and then?"),
  ]);
  const title = "fix the failing test";
  const atMs = AT_S * 1000;
  const found = { agent: "claude", id: ID, ref: ID, title, cwd: "/src/parser", atMs, path };
  expect(await list("/usr/bin/claude")).toEqual([found]);
});

test("codex, gemini and pi name their session in its first line", async () => {
  put(".codex/sessions/2026/11/16/rollout-1.jsonl", [
    { type: "session_meta", payload: { id: "thread-1", cwd: "/src/c" } },
    { type: "response_item", payload: { role: "developer", content: [{ text: "rules" }] } },
    { type: "response_item", payload: { id: "msg", role: "user", content: [{ text: "<environment_context>" }] } },
    {
      type: "response_item",
      payload: { id: "msg", role: "user", content: [{ type: "input_text", text: "to codex" }] },
    },
  ]);
  put(".gemini/tmp/parser/.project_root", ["/src/g"]);
  put(".gemini/tmp/parser/chats/session-1.jsonl", [
    { sessionId: "g-1", kind: "main" },
    { type: "user", content: [{ text: "to gemini" }] },
  ]);
  put(".gemini/tmp/parser/chats/session-2.jsonl", [{ sessionId: "g-2", kind: "main" }]);
  put(".gemini/tmp/parser/chats/session-3.jsonl", [
    { sessionId: "g-3", kind: "subagent" },
    { type: "user", content: [{ text: "of a sub-agent" }] },
  ]);
  const pi = put(".pi/agent/sessions/--src-p--/1.jsonl", [
    { type: "session", id: "p-1", cwd: "/src/p" },
    { type: "message", id: "m", message: { role: "user", content: [{ type: "text", text: "to pi" }] } },
  ]);
  const brief = (found: Awaited<ReturnType<typeof list>>) => found?.map(({ id, title, cwd }) => [id, title, cwd]);
  expect(brief(await list("codex"))).toEqual([["thread-1", "to codex", "/src/c"]]);
  expect(brief(await list("gemini"))).toEqual([["g-1", "to gemini", "/src/g"]]);
  expect(brief(await list("pi"))).toEqual([["p-1", "to pi", "/src/p"]]);
  expect((await list("pi"))?.[0]?.ref).toBe(pi);
});

test("the newest come first, and a variable of the agent names another folder", async () => {
  const uuid = (digit: string) => ID.replace(/1$/, digit);
  put(`elsewhere/projects/p/${uuid("1")}.jsonl`, [claudeLine("older")]);
  put(`elsewhere/projects/p/${uuid("2")}.jsonl`, [claudeLine("newer")], AT_S + 60);
  const found = await list("claude", { CLAUDE_CONFIG_DIR: join(home, "elsewhere") });
  expect(found?.map(({ title }) => title)).toEqual(["newer", "older"]);
  expect(await list("claude")).toEqual([]);
  expect(await list("claude", { CLAUDE_CONFIG_DIR: "relative" })).toEqual([]);
});

test("links, folders, other files and damaged lines are passed over", async () => {
  const real = put("secret.jsonl", [claudeLine("from outside")]);
  mkdirSync(join(home, ".claude/projects/p", `${ID.replace(/1$/, "2")}.jsonl`), { recursive: true });
  symlinkSync(real, join(home, ".claude/projects/p", `${ID.replace(/1$/, "3")}.jsonl`));
  symlinkSync(home, join(home, ".claude/projects/out"));
  put(".claude/projects/p/agent-1.jsonl", [claudeLine("of a sub-agent")]);
  put(`.claude/projects/p/${ID}.jsonl`, ["{broken", "[1]", "null", claudeLine("whole")]);
  expect((await list("claude"))?.map(({ title }) => title)).toEqual(["whole"]);
  expect((await sessionLines(join(home, ".claude/projects/p", `${ID.replace(/1$/, "3")}.jsonl`))).lines).toEqual([]);
});

test("an id that would do something in a shell is none", async () => {
  for (const [at, id] of ["$(touch x)", "a; rm -rf b", "-rf", "fine-1"].entries()) {
    put(`.codex/sessions/2026/11/16/rollout-${at}.jsonl`, [
      { type: "session_meta", payload: { id, cwd: "/src/c" } },
      { type: "response_item", payload: { role: "user", content: [{ text: "go" }] } },
    ]);
  }
  expect((await list("codex"))?.map(({ id }) => id)).toEqual(["fine-1"]);
});

test("opencode's sessions are read from its database and the log beside it, without those of sub-agents", async () => {
  cpSync(OPENCODE, join(home, ".local/share/opencode"), { recursive: true });
  const found = (await list("opencode")) ?? [];
  const renamed = { agent: "opencode", id: "ses_29", ref: "ses_29", title: "renamed in the log", cwd: "/src/o" };
  expect(found.slice(0, 2)).toEqual([
    { ...renamed, atMs: 1_700_000_009_000 },
    { ...renamed, id: "ses_long", ref: "ses_long", title: "a long row", atMs: 1_700_000_001_000 },
  ]);
  const others = Array.from({ length: 28 }, (_, index) => `ses_${String(27 - index).padStart(2, "0")}`);
  expect(found.slice(2).map(({ id }) => id)).toEqual(others);
  expect((await list("opencode", { XDG_DATA_HOME: join(home, ".local/share") }))?.length).toBe(30);
  expect(await list("opencode", { XDG_DATA_HOME: home })).toBe(null);
});

test("a damaged database gives sessions or nothing, and always an end", async () => {
  const folder = join(home, ".local/share/opencode");
  cpSync(OPENCODE, folder, { recursive: true });
  const place = fc.tuple(fc.constantFrom("opencode.db", "opencode.db-wal"), fc.nat(7_167), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 8 }), async (damages) => {
      for (const name of ["opencode.db", "opencode.db-wal"]) {
        const bytes = readFileSync(join(OPENCODE, name));
        for (const [, at, byte] of damages.filter(([damaged]) => damaged === name)) bytes[at % bytes.length] = byte;
        writeFileSync(join(folder, name), bytes);
      }
      for (const { id, cwd } of (await list("opencode")) ?? []) expect([id, cwd].join("\n")).toMatch(/^\w[\w.:-]*\n\//);
    }),
    { numRuns: 150 },
  );
});

test("a program without such files is told apart from one without sessions", async () => {
  expect(await list("opencode")).toBe(null);
  expect(await list("constructor")).toBe(null);
  expect(await list("pi")).toEqual([]);
});

test("of a long session only the end is read, from a whole line on", async () => {
  const filler = { type: "filler", text: "x".repeat(1024 * 1024) };
  const path = put("long.jsonl", [{ type: "first" }, filler, filler, filler, filler, { type: "last" }]);
  const { lines, isCut } = await sessionLines(path);
  expect(isCut).toBe(true);
  expect(lines.at(-1)).toEqual({ type: "last" });
  expect(lines.length).toBe(4);
});

test("a folder that is no absolute path belongs to no session", async () => {
  const folders = ["../evil", "evil", "/src/\0evil", "~/evil"];
  folders.forEach((cwd, at) => {
    put(`.claude/projects/p/3fa9c2d1-0000-4000-8000-00000000000${at}.jsonl`, [claudeLine("x", { cwd })]);
  });
  expect(await list("claude")).toEqual([]);
});

test("a line that is nested too deeply to be read again is left out", async () => {
  const deep = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"c","name":"x","input":${"[".repeat(50_000)}${"]".repeat(50_000)}}]}}`;
  const path = put("s.jsonl", [claudeLine("before"), deep, claudeLine("after")]);
  const { lines } = await sessionLines(path);
  expect(lines).toEqual([claudeLine("before"), claudeLine("after")]);
});
