// A session that an agent has saved and that can be resumed, and how lists and sentences name it.
import { humanAge } from "../text/humanize.js";

export interface SavedSession {
  /** The name that `palaver run` starts its agent by; EMBEDDED_AGENT for the built-in one. */
  readonly agent: string;
  readonly id: string;
  /** "" when unknown. */
  readonly title: string;
  readonly cwd: string | null;
  /** When something was last added. */
  readonly atMs: number | null;
  /** What the agent wants to be told instead of the id. */
  readonly path?: string;
}

export const EMBEDDED_AGENT = "palaver";

/** The session with this id, or the only one whose id begins like this. */
export function sessionBegun(sessions: readonly SavedSession[], words: string): SavedSession | "many" | null {
  const exact = sessions.find(({ id, path }) => id === words || path === words);
  if (exact !== undefined) return exact;
  const begun = sessions.filter(({ id }) => words !== "" && id.startsWith(words));
  return begun.length > 1 ? "many" : (begun[0] ?? null);
}

/** `claude  ~/parser  3 h ago` */
export function sessionDetail({ agent, cwd, atMs }: SavedSession, nowMs: number): string {
  return [agent, cwd ?? "", atMs === null ? "" : humanAge(nowMs - atMs)].filter(Boolean).join("  ");
}

/** The command that resumes it from a shell. An agent may name its session anything, so that the id is quoted. */
export function resumeLine(agent: string, id: string): string {
  const start = agent === EMBEDDED_AGENT ? "palaver" : `palaver run ${agent}`;
  const named = /^\w[\w.:@%+,/-]*$/.test(id) ? ` ${id}` : `='${id.replaceAll("'", "'\\''")}'`;
  return `${start} --resume${named}`;
}
