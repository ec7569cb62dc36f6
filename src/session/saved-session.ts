// A session that an agent has saved and that can be resumed, and how lists name it.
import { humanAge } from "../text/humanize.js";

export interface SavedSession {
  /** The name that `palaver run` starts its agent by. */
  readonly agent: string;
  readonly id: string;
  /** "" when unknown. */
  readonly title: string;
  readonly cwd: string | null;
  /** When something was last added. */
  readonly atMs: number | null;
  /** What resumes it: its id or its file. */
  readonly ref: string;
  /** Its file, where it is known. */
  readonly path?: string;
}

/** The saved sessions of the running agent and of others, and how one is opened. */
export interface SavedSessions {
  /** Null: only the agent can list them. */
  list(): Promise<readonly SavedSession[] | null>;
  /** Those of the other agents that are installed. */
  others(): Promise<readonly SavedSession[]>;
  /** Why this one cannot be resumed; null when it can. */
  problemWith(session: SavedSession): Promise<string | null>;
  /** The running agent resumes it or is restarted, or the UI opens again on the session's own agent and folder. */
  howToOpen(session: SavedSession): "told" | "restart" | "reopen";
  /** The next start, of the agent or of the UI, is on this session. */
  startNextOn(session: SavedSession): void;
}

interface Viewpoint {
  readonly nowMs: number;
  readonly folder: string;
  readonly home: string;
}

/** `3 h ago`, with the folder when it is another one: `3 h ago  ~/parser` */
export function sessionDetail({ cwd, atMs }: SavedSession, { nowMs, folder, home }: Viewpoint): string {
  const age = atMs === null ? "" : humanAge(nowMs - atMs);
  return [age, cwd === null || cwd === folder ? "" : inHome(cwd, home)].filter(Boolean).join("  ");
}

export function newestFirst(sessions: readonly SavedSession[]): SavedSession[] {
  return [...sessions].sort((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0));
}

/** A path below the home folder with a tilde. */
export function inHome(path: string, home: string): string {
  return home !== "" && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
}

/** Those of this folder first; each part keeps its order. */
export function hereFirst<Session extends Pick<SavedSession, "cwd">>(
  sessions: readonly Session[],
  folder: string,
): Session[] {
  const isHere = ({ cwd }: Session) => cwd === folder || cwd === null;
  return [...sessions.filter(isHere), ...sessions.filter((session) => !isHere(session))];
}
