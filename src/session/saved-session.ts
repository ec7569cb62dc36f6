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
  /** What the agent wants to be told instead of the id. */
  readonly path?: string;
}

/** `~/parser  3 h ago` */
export function sessionDetail({ cwd, atMs }: SavedSession, nowMs: number): string {
  return [cwd ?? "", atMs === null ? "" : humanAge(nowMs - atMs)].filter(Boolean).join("  ");
}
