// Which of the saved sessions a user names: by its id or the beginning of it. The empty name means the newest one.

export interface NamedSession {
  readonly id: string;
  readonly title?: string | undefined;
}

export type SessionChoice<Session> =
  | { readonly session: Session }
  /** Null when nothing matches: the agent may know a session that is not in the list. */
  | { readonly problem: string | null };

const CANDIDATES_SHOWN = 5;
const TITLE_CHARS_MAX = 40;
export const SESSION_PREFIX_MIN = 6;

/** `sessions` are those of the folder, the newest first. */
export function namedSession<Session extends NamedSession>(
  sessions: readonly Session[],
  name: string,
): SessionChoice<Session> {
  const exact = name === "" ? sessions[0] : sessions.find(({ id }) => id === name);
  if (exact !== undefined) return { session: exact };
  if (name === "") return { problem: "there is no session to resume in this folder" };
  const [only, ...more] = sessions.filter(({ id }) => id.startsWith(name));
  if (only === undefined) return { problem: null };
  if (more.length === 0) return { session: only };
  return { problem: `"${name}" could be ${candidateWords([only, ...more])}` };
}

interface ListedSession extends NamedSession {
  readonly cwd?: string | undefined;
  readonly timestamp?: string | number | undefined;
}

/** The same among those that an agent lists: of every folder and in any order. The newest of another folder is not the one to continue. */
export function namedAmongAll<Session extends ListedSession>(
  listed: readonly Session[],
  name: string,
  folder: string,
): SessionChoice<Session> {
  const here = listed.filter(({ cwd }) => name !== "" || !cwd || cwd === folder);
  const newestFirst = here.sort((a, b) => timeOf(b) - timeOf(a));
  return namedSession(newestFirst, name);
}

function timeOf({ timestamp = "" }: ListedSession): number {
  return typeof timestamp === "number" ? timestamp : Date.parse(timestamp) || 0;
}

/** The beginning of an id that no other session has, as a user types it. */
export function shortSessionId(id: string, others: readonly string[]): string {
  for (let length = SESSION_PREFIX_MIN; length < id.length; length += 1) {
    const prefix = id.slice(0, length);
    if (/\w$/.test(prefix) && !others.some((other) => other !== id && other.startsWith(prefix))) return prefix;
  }
  return id;
}

function candidateWords(sessions: readonly NamedSession[]): string {
  const ids = sessions.map(({ id }) => id);
  const shown = sessions.slice(0, CANDIDATES_SHOWN).map(({ id, title = "" }) => {
    const words = title.length > TITLE_CHARS_MAX ? `${title.slice(0, TITLE_CHARS_MAX)}…` : title;
    return words === "" ? shortSessionId(id, ids) : `${shortSessionId(id, ids)} (${words})`;
  });
  const left = sessions.length - shown.length;
  return left > 0 ? `${shown.join(", ")} or ${left} more` : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}
