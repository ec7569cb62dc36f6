// The daemon behind the attached view, over HTTP. An invalid entry is skipped, not an error. After a loss the daemon is looked
// up again, because it may have another address.

import { askDaemonForJson, type JsonAnswer, refusalWords } from "../../agents/remote/daemon-request.js";
import { type Ask, type AskOutcome, askSchema } from "../../contract/asks.js";
import { type StateEntry, stateSchema } from "../../contract/daemon.js";
import { hostedSessionSchema } from "../../contract/hosted-sessions.js";
import { objectOf } from "../../contract/json-value.js";
import { RemoteSession } from "../../host/remote-session.js";
import { createDaemonClient, type DaemonAddress } from "../../server/client/daemon-client.js";
import { followLogs } from "../../server/client/log-follower.js";
import type { HostedSession } from "../../session/attach/attach-state.js";
import type { AttachDaemon } from "../../views/attach/attach-daemon.js";

export interface AttachClientOptions {
  /** Where the daemon is now; null when it is not there. */
  find(): Promise<DaemonAddress | null>;
  /** Where it was first. */
  readonly first: DaemonAddress;
  /** The clock of the view, on which questions have their deadlines. */
  readonly clock: { nowMs(): number };
  /** What this front end is called where others see it. */
  readonly name: string;
  /** How much of the end of a session is wanted at once; the rest comes while one looks at it. */
  readonly tailChars: number;
}

/** A tab keeps 500 lines; the newest of a few tabs are enough to begin with. */
const BACKLOG_LINES = 2_000;
const ANSWER_MS_MAX = 10_000;
const HANDLER_TYPE_MAX = 4;
const NOT_FOUND = 404;
const CONFLICT = 409;

export function createAttachClient({ find, first, clock, name, tailChars }: AttachClientOptions): AttachDaemon {
  let now = first;
  let state: "found" | "searching" = "found";
  const ahead = askedAhead(first);
  const get = (path: string) => ahead(path) ?? exchange(now, path);
  const post = async (path: string, body: object, settled: readonly number[] = []) => {
    await exchange(now, path, body, settled);
  };
  const sessions = async () => sessionsIn(await get("/sessions"));
  return {
    state: async () => stateIn(await get("/state"), now),
    act: (key, value) => post("/action", { key, value }),
    cancel: (key) => post("/action", { key, cancel: true }, [NOT_FOUND]),
    showTab: (title) => post("/tabs/active", { title }, [NOT_FOUND]),
    async asks() {
      const [asks, hosted] = await Promise.all([get("/asks"), sessions().catch(() => [])]);
      return asksIn(asks, hosted, clock.nowMs() - Date.now());
    },
    // A late answer needs no message: the question is gone from the list.
    answer: (askId, outcome) =>
      post(`/asks/${encodeURIComponent(askId)}/answer`, answerBody(outcome, name), [CONFLICT]),
    sessions,
    openSession: (sessionId) =>
      new RemoteSession({ ...now, sessionId, name, find, tailChars, nowMs: () => clock.nowMs() }),
    follow: (onNews, signal) =>
      followLogs({
        filter: { linesMax: BACKLOG_LINES },
        signal,
        onNews,
        async connect() {
          // The first address has just been found.
          const found = state === "found" ? first : await find();
          state = "searching";
          now = found ?? now;
          return found === null ? null : createDaemonClient(found);
        },
      }),
  };
}

// Requests that every view starts with, sent early; each answer is used once.
function askedAhead(address: DaemonAddress): (path: string) => Promise<unknown> | undefined {
  const answers = new Map(["/state", "/sessions"].map((path) => [path, exchange(address, path)]));
  // A rejection reaches the caller of `get`; without one it is ignored.
  for (const answer of answers.values()) answer.catch(() => undefined);
  return (path) => {
    const answer = answers.get(path);
    answers.delete(path);
    return answer;
  };
}

// Kinds of handlers that a newer daemon may have can at least be looked at.
function stateIn(body: unknown, { url }: DaemonAddress): readonly StateEntry[] | null {
  if (body === null) return null;
  if (!Array.isArray(body)) {
    throw new Error(`${url} does not answer as a daemon of this version does; palaver stop, then start it again`);
  }
  return body.flatMap((item: unknown) => {
    const entry = objectOf(item);
    const type = entry["handler_type"];
    const isNewKind = typeof type === "number" && type > HANDLER_TYPE_MAX;
    const { data } = stateSchema.element.safeParse(isNewKind ? { ...entry, handler_type: 0 } : entry);
    return data === undefined ? [] : [data];
  });
}

function sessionsIn(body: unknown): HostedSession[] {
  return listIn(body).flatMap((item) => {
    const { data } = hostedSessionSchema.safeParse(item);
    if (data === undefined) return [];
    return [{ id: data.id, name: data.name, state: data.state === "ended" ? "ended" : "running" }];
  });
}

// Questions of a hosted session are asked in its own tab.
function asksIn(body: unknown, hosted: readonly HostedSession[], shiftMs: number): Ask[] {
  const ids = new Set(hosted.map(({ id }) => id));
  return listIn(body).flatMap((item) => {
    const { data } = askSchema.safeParse(item);
    if (data === undefined || (data.sessionId !== null && ids.has(data.sessionId))) return [];
    return [{ ...data, deadlineMs: data.deadlineMs === null ? null : data.deadlineMs + shiftMs }];
  });
}

function listIn(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [];
}

function answerBody(outcome: AskOutcome, by: string): object {
  return outcome.kind === "answered" ? { value: outcome.value, by } : { cancel: true, by };
}

async function exchange(
  address: DaemonAddress,
  path: string,
  body?: object,
  settled: readonly number[] = [],
): Promise<unknown> {
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  const wishes = body === undefined ? { signal } : { signal, method: "POST" as const, body };
  let answer: JsonAnswer;
  try {
    answer = await askDaemonForJson(address, path, wishes);
  } catch {
    throw new Error(signal.aborted ? "the daemon does not answer" : "the daemon is not there");
  }
  const { status } = answer;
  if ((status >= 200 && status < 300) || settled.includes(status)) return answer.body;
  throw new Error(refusalWords(answer));
}
