// The open sessions: their order, the active one, and what happened in the others. An agent with one session may never name
// it; its id is "" until then.

export interface OpenSession {
  readonly id: string;
  /** Its name by the agent, or its folder; "" when unknown. */
  readonly name: string;
  /** Blocks that ended while another session was active. */
  readonly unread: number;
  readonly cwd: string | null;
}

export interface SessionList<Session extends OpenSession = OpenSession> {
  readonly sessions: readonly Session[];
  readonly active: string;
}

export type SessionListInput =
  /** An event named this session; one that is new here is put at the end. */
  | { readonly type: "heard"; readonly id: string }
  | { readonly type: "started"; readonly id: string; readonly cwd: string | null }
  | { readonly type: "named"; readonly id: string; readonly name: string }
  | { readonly type: "activated"; readonly id: string }
  | { readonly type: "closed"; readonly id: string }
  /** The conversation was cleared: the session continues under this id, or under the next one that the agent names. */
  | { readonly type: "cleared"; readonly id: string; readonly replacedBy: string | null }
  /** The agent was restarted: the active session continues under the name that the new agent gives it. */
  | { readonly type: "restarted" };

/** Events of further sessions are shown in the active one. */
const SESSIONS_MAX = 500;
const UNNAMED = "";

export const oneSession: SessionList = {
  sessions: [{ id: UNNAMED, name: "", unread: 0, cwd: null }],
  active: UNNAMED,
};

/** `create` makes a whole session of a new entry; it is called at most once. */
export function reduceSessionList<Session extends OpenSession>(
  list: SessionList<Session>,
  input: SessionListInput,
  create: (entry: OpenSession) => Session,
): SessionList<Session> {
  switch (input.type) {
    case "heard":
      return known(list, { id: input.id, cwd: null }, create);
    case "started":
      return known(list, input, create);
    case "named":
      return changed(list, input.id, { name: input.name });
    case "activated":
      return has(list, input.id) ? activated(list, input.id) : list;
    case "closed":
      return closed(list, input.id);
    case "cleared":
      return cleared(list, input);
    case "restarted":
      return {
        sessions: list.sessions
          .filter(({ id }) => id === list.active)
          .map((one) => ({ ...one, id: UNNAMED, unread: 0 })),
        active: UNNAMED,
      };
  }
}

/** By its number in the row, its id, or the beginning of its name. */
export function sessionNamed(list: SessionList, words: string): OpenSession | null {
  const byNumber = /^\d+$/.test(words) ? list.sessions[Number(words) - 1] : undefined;
  const found =
    byNumber ??
    list.sessions.find(({ id }) => id === words) ??
    list.sessions.find(({ name }) => name.toLowerCase().startsWith(words.toLowerCase()));
  return found ?? null;
}

/** The next or previous session, cyclic. */
export function neighbour(list: SessionList, by: 1 | -1): string {
  const { sessions, active } = list;
  const at = sessions.findIndex(({ id }) => id === active);
  return sessions[(at + by + sessions.length) % sessions.length]?.id ?? active;
}

function known<Session extends OpenSession>(
  list: SessionList<Session>,
  { id, cwd }: Pick<OpenSession, "id" | "cwd">,
  create: (entry: OpenSession) => Session,
): SessionList<Session> {
  if (has(list, id)) return cwd === null ? list : changed(list, id, { cwd });
  const [only] = list.sessions;
  // This is the id of the unnamed session.
  if (list.sessions.length === 1 && only?.id === UNNAMED) return { sessions: [{ ...only, id, cwd }], active: id };
  if (list.sessions.length >= SESSIONS_MAX) return list;
  return { ...list, sessions: [...list.sessions, create({ id, name: "", unread: 0, cwd })] };
}

function closed<Session extends OpenSession>(list: SessionList<Session>, id: string): SessionList<Session> {
  if (list.sessions.length === 1 || !has(list, id)) return list;
  const at = list.sessions.findIndex((session) => session.id === id);
  const sessions = list.sessions.filter((session) => session.id !== id);
  const next = sessions[Math.min(at, sessions.length - 1)];
  if (list.active !== id || next === undefined) return { ...list, sessions };
  return activated({ sessions, active: next.id }, next.id);
}

// Among several sessions an unnamed one could not be told apart, so it keeps its id.
function cleared<Session extends OpenSession>(
  list: SessionList<Session>,
  { id, replacedBy }: Extract<SessionListInput, { type: "cleared" }>,
): SessionList<Session> {
  const next = replacedBy ?? (list.sessions.length === 1 ? UNNAMED : id);
  if (next !== id && has(list, next)) return list;
  const renamed = changed(list, id, { id: next, name: "", unread: 0 });
  return { ...renamed, active: list.active === id ? next : list.active };
}

function activated<Session extends OpenSession>(list: SessionList<Session>, id: string): SessionList<Session> {
  return { ...changed(list, id, { unread: 0 }), active: id };
}

function changed<Session extends OpenSession>(
  list: SessionList<Session>,
  id: string,
  fields: Partial<OpenSession>,
): SessionList<Session> {
  return {
    ...list,
    sessions: list.sessions.map((session) => (session.id === id ? { ...session, ...fields } : session)),
  };
}

function has(list: SessionList, id: string): boolean {
  return list.sessions.some((session) => session.id === id);
}
