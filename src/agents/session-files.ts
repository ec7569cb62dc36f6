// The sessions that agents keep in files of their own: which there are, and the end of one of them. A file is lines of JSON,
// opencode's a database. They are read only, within limits, and no link is followed: anyone may have written what is in them.
import { constants, type Dirent } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { isDeeperThan, isRecord, objectOf, parsedJson } from "../contract/json-value.js";
import { NESTING_LEVELS_MAX } from "../contract/limits.js";
import type { SavedSession } from "../session/saved-session.js";
import { type Environment, homeFolder } from "../session/user-folders.js";
import { type SqlRow, sqliteRows } from "./sqlite-rows.js";

interface SessionFiles {
  /** The variable that names another folder for the agent's state. */
  readonly variable: string | null;
  /** That folder below the home folder, and the folder of the sessions in it. */
  readonly state: string;
  readonly sessions: string;
  /** How many folders lie between it and the files. */
  readonly depth: number;
  readonly file: RegExp;
  /** What names a session: its file, or its first line. */
  readonly id: "file" | "line";
  /** What the agent is told to resume it. */
  readonly ref: "id" | "path";
}

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

const agents: Readonly<Record<string, SessionFiles>> = {
  claude: {
    ...{ variable: "CLAUDE_CONFIG_DIR", state: ".claude", sessions: "projects", depth: 1 },
    ...{ file: new RegExp(`^${UUID}\\.jsonl$`), id: "file", ref: "id" },
  },
  codex: {
    ...{ variable: "CODEX_HOME", state: ".codex", sessions: "sessions", depth: 3 },
    ...{ file: /^rollout-.*\.jsonl$/, id: "line", ref: "id" },
  },
  gemini: {
    ...{ variable: null, state: ".gemini", sessions: "tmp", depth: 2 },
    ...{ file: /^session-.*\.jsonl$/, id: "line", ref: "id" },
  },
  pi: {
    ...{ variable: "PI_CODING_AGENT_DIR", state: ".pi/agent", sessions: "sessions", depth: 1 },
    ...{ file: /\.jsonl$/, id: "line", ref: "path" },
  },
};

const OPENCODE = "opencode";

/** The agents whose sessions lie in files. */
export const agentsWithSessionFiles: readonly string[] = [...Object.keys(agents), OPENCODE];

const ENTRIES_MAX = 5_000;
const LISTED_MAX = 200;
/** The first message of codex comes after its instructions; most others need less. */
const HEAD_BYTES = [32 * 1024, 256 * 1024] as const;
const TAIL_BYTES = 4 * 1024 * 1024;
const TITLE_CHARS_MAX = 100;
const FOLDER_CHARS_MAX = 4_096;

/** Null when this program keeps no sessions that can be read; the newest come first. */
export async function listSessionFiles(program: string, environment: Environment): Promise<SavedSession[] | null> {
  const agent = basename(program);
  if (agent === OPENCODE) return opencodeSessions(environment);
  const files = Object.hasOwn(agents, agent) ? agents[agent] : undefined;
  if (files === undefined) return null;
  const root = rootOf(files, environment);
  if (root === null) return [];
  const paths: string[] = [];
  await collect(root, files, files.depth, paths);
  const dated = paths.map(async (path) => ({ path, atMs: (await lstat(path).catch(() => null))?.mtimeMs ?? 0 }));
  const newest = (await Promise.all(dated)).sort((a, b) => b.atMs - a.atMs);
  const sessions: SavedSession[] = [];
  for (const { path } of newest) {
    if (sessions.length === LISTED_MAX) break;
    const session = await headOf(agent, files, path);
    if (session !== null) sessions.push(session);
  }
  return sessions;
}

/** Null when there is no such database; the agent may list its sessions itself. */
async function opencodeSessions(environment: Environment): Promise<SavedSession[] | null> {
  const named = environment["XDG_DATA_HOME"] ?? "";
  const home = homeFolder(environment, () => userInfo().homedir);
  const data = isAbsolute(named) ? named : home === null ? null : join(home, ".local/share");
  if (data === null) return null;
  const columns = ["id", "parent_id", "directory", "title", "time_updated", "time_archived"];
  const rows = await sqliteRows(join(data, "opencode/opencode.db"), "session", columns);
  const sessions = rows?.map(opencodeSession).filter((session) => session !== null) ?? null;
  return sessions?.sort((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0)).slice(0, LISTED_MAX) ?? null;
}

// Sub-agents have sessions with a parent.
function opencodeSession(row: SqlRow): SavedSession | null {
  const id = word(row["id"]);
  const cwd = word(row["directory"]);
  if (row["parent_id"] !== null || row["time_archived"] !== null || !SESSION_ID.test(id) || !isFolder(cwd)) return null;
  const at = row["time_updated"];
  const title = titleOf(word(row["title"]));
  return { agent: OPENCODE, id, title, cwd, atMs: typeof at === "number" ? at : null, ref: id };
}

function isFolder(cwd: string): boolean {
  return isAbsolute(cwd) && !cwd.includes("\0") && cwd.length <= FOLDER_CHARS_MAX;
}

/** The last lines of a session, and whether there are earlier ones. */
export async function sessionLines(path: string): Promise<{ lines: Record<string, unknown>[]; isCut: boolean }> {
  const file = await within(path, "end", TAIL_BYTES);
  if (file === null) return { lines: [], isCut: false };
  const [first = "", ...rest] = file.text.split("\n");
  const lines = (file.isWhole ? [first, ...rest] : rest).map(parsedJson).filter(isRecord);
  return { lines: lines.filter((line) => !isDeeperThan(line, NESTING_LEVELS_MAX)), isCut: !file.isWhole };
}

function rootOf({ variable, state, sessions }: SessionFiles, environment: Environment): string | null {
  const named = variable === null ? undefined : environment[variable];
  if (named !== undefined && named !== "") return isAbsolute(named) ? join(named, sessions) : null;
  const home = homeFolder(environment, () => userInfo().homedir);
  return home === null ? null : join(home, state, sessions);
}

async function collect(folder: string, files: SessionFiles, depth: number, paths: string[]): Promise<void> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
  // Names begin with a date where there are many; the newest are kept.
  for (const entry of entries.sort((a, b) => (a.name < b.name ? 1 : -1))) {
    if (paths.length >= ENTRIES_MAX) return;
    const path = join(folder, entry.name);
    if (depth > 0 && entry.isDirectory()) await collect(path, files, depth - 1, paths);
    else if (depth === 0 && entry.isFile() && files.file.test(entry.name)) paths.push(path);
  }
}

interface Excerpt {
  readonly text: string;
  readonly atMs: number;
  readonly isWhole: boolean;
}

async function within(path: string, from: "start" | "end", bytesMax: number): Promise<Excerpt | null> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch(() => null);
  if (handle === null) return null;
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return null;
    const size = Math.min(stat.size, bytesMax);
    const position = from === "start" ? 0 : stat.size - size;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, position);
    const text = buffer.toString("utf8", 0, bytesRead);
    return { text, atMs: Math.round(stat.mtimeMs), isWhole: size === stat.size };
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

// A session without a prompt is left out: some agents write a file at every start.
async function headOf(agent: string, files: SessionFiles, path: string): Promise<SavedSession | null> {
  for (const bytesMax of HEAD_BYTES) {
    const head = await within(path, "start", bytesMax);
    const session = head === null ? null : await sessionIn(head, agent, files, path);
    if (session !== null || head?.isWhole !== false) return session;
  }
  return null;
}

async function sessionIn(
  head: Excerpt,
  agent: string,
  { id: naming, ref }: SessionFiles,
  path: string,
): Promise<SavedSession | null> {
  let id = naming === "file" ? basename(path, ".jsonl") : "";
  let cwd = "";
  let title = "";
  for (const line of head.text.split("\n")) {
    const record = objectOf(parsedJson(line));
    const payload = objectOf(record["payload"]);
    if (record["kind"] !== undefined && record["kind"] !== "main") return null;
    id ||= idIn(record);
    cwd ||= word(record["cwd"]) || word(payload["cwd"]);
    title ||= promptIn(record);
    if (title !== "" && cwd !== "") break;
  }
  if (title === "" || !SESSION_ID.test(id)) return null;
  cwd ||= await projectRoot(path);
  if (cwd !== "" && (!isAbsolute(cwd) || cwd.includes("\0"))) return null;
  return {
    agent,
    id,
    title,
    cwd: cwd.slice(0, FOLDER_CHARS_MAX) || null,
    atMs: head.atMs,
    ref: ref === "id" ? id : path,
    path,
  };
}

/** An id is printed in commands to copy; the file is not ours. */
const SESSION_ID = /^\w[\w.:-]{0,127}$/;

function idIn({ type, id, sessionId, payload }: Record<string, unknown>): string {
  return word(sessionId) || word(type === "session" ? id : type === "session_meta" ? objectOf(payload)["id"] : "");
}

/** The types of lines in which a message of the user may be. */
const messageTypes: ReadonlySet<unknown> = new Set(["user", "message", "response_item"]);

// Agents put context of their own before the first prompt, in tags.
function promptIn(record: Record<string, unknown>): string {
  if (!messageTypes.has(record["type"]) || record["isMeta"] === true || record["isSidechain"] === true) return "";
  const body = [record["message"], record["payload"]].find(isRecord) ?? record;
  if (record["type"] !== "user" && body["role"] !== "user") return "";
  const { content } = body;
  const parts = Array.isArray(content) ? content.map((part) => word(objectOf(part)["text"])) : [word(content)];
  const prompt =
    parts
      .map((part) => part.trim())
      .find((part) => part !== "" && !/^(?:<|\[Request interrupted|Caveat:)/.test(part)) ?? "";
  return titleOf(prompt);
}

function titleOf(text: string): string {
  return text
    .slice(0, 10 * TITLE_CHARS_MAX)
    .replaceAll(/\s+/g, " ")
    .slice(0, TITLE_CHARS_MAX);
}

/** Gemini names the folder in a file beside its sessions. */
async function projectRoot(path: string): Promise<string> {
  const root = await within(join(dirname(dirname(path)), ".project_root"), "start", FOLDER_CHARS_MAX);
  return root?.text.trim() ?? "";
}

function word(value: unknown): string {
  return typeof value === "string" ? value : "";
}
