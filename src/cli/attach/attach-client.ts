// The daemon behind the attached view's port: HTTP by the client, and what the client cannot ask yet by requests of our own.
// What comes back is read tolerantly: an entry that makes no sense costs that entry, not the view.
import { type IncomingMessage, request } from "node:http";
import { type Ask, type AskOutcome, askSchema } from "../../contract/asks.js";
import { refusalSchema, type StateEntry, stateSchema } from "../../contract/daemon.js";
import { createDaemonClient, type DaemonAddress, DaemonRefusal } from "../../daemon/client/daemon-client.js";
import { followLogs } from "../../daemon/client/log-follower.js";
import type { AttachDaemon } from "../../tui/attach/attach-daemon.js";

export interface AttachClientOptions {
  /** Asked again after every loss, because a daemon that was started again may be somewhere else. */
  address(): Promise<DaemonAddress | null>;
  /** Where it was first. */
  readonly first: DaemonAddress;
  readonly clock: { nowMs(): number };
}

/** A tab keeps 500 lines; the newest of a few tabs are enough to begin with. */
const BACKLOG_LINES = 2_000;
const ANSWER_MS_MAX = 10_000;
const NOT_FOUND = 404;
const CONFLICT = 409;
const WHO = "attach";

export function createAttachClient({ address, first, clock }: AttachClientOptions): AttachDaemon {
  let now = first;
  const ask = (path: string, body?: unknown) => exchange(now, path, body);
  return {
    state: async () => stateOf(await ask("/state"), now),
    act: (key, value) => inWords(createDaemonClient(now).act(key, value)),
    cancel: (key) => unlessStatus(NOT_FOUND, ask("/action", { key, cancel: true })),
    asks: async () => asksOf(await ask("/asks"), clock),
    answer: (askId, outcome) =>
      unlessStatus(CONFLICT, ask(`/asks/${encodeURIComponent(askId)}/answer`, answerBody(outcome))),
    sessions: async () => [],
    openSession: () => Promise.reject(new Error("this daemon hosts no sessions")),
    follow: (onNews, signal) =>
      followLogs({
        wishes: { linesMax: BACKLOG_LINES },
        signal,
        onNews,
        connect: async () => {
          const found = await address();
          if (found === null) return null;
          now = found;
          return createDaemonClient(found);
        },
      }),
  };
}

// Kinds of a newer daemon can at least be looked at.
function stateOf(body: unknown, { url }: DaemonAddress): readonly StateEntry[] | null {
  if (body === null) return null;
  if (!Array.isArray(body)) throw new Error(`${url} does not answer as a daemon of this version does; ${REMEDY}`);
  return body.flatMap((item: unknown) => {
    const entry = typeof item === "object" && item !== null ? { ...item } : {};
    const type: unknown = Reflect.get(entry, "handler_type");
    const { data } = stateSchema.element.safeParse(
      typeof type === "number" && type > 4 ? { ...entry, handler_type: 0 } : entry,
    );
    return data === undefined ? [] : [data];
  });
}

const REMEDY = "end it with palaver stop and start it again";

function asksOf(body: unknown, clock: { nowMs(): number }): Ask[] {
  const items: readonly unknown[] = Array.isArray(body) ? body : [];
  const shiftMs = clock.nowMs() - Date.now();
  return items.flatMap((item) => {
    const { data } = askSchema.safeParse(item);
    // Questions of hosted sessions are asked in the tab of their session.
    if (data === undefined || data.sessionId !== null) return [];
    return [{ ...data, deadlineMs: data.deadlineMs === null ? null : data.deadlineMs + shiftMs }];
  });
}

function answerBody(outcome: AskOutcome): object {
  return outcome.kind === "answered" ? { value: outcome.value, by: WHO } : { cancel: true, by: WHO };
}

async function unlessStatus(status: number, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof DaemonRefusal) || error.status !== status) throw error;
  }
}

async function inWords(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw sentence(error);
  }
}

function sentence(error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ECONNREFUSED" || code === "ECONNRESET") return new Error("the daemon is not there");
  if (error instanceof Error && error.name === "TimeoutError") return new Error("the daemon does not answer");
  return error instanceof Error ? error : new Error(String(error));
}

function exchange({ url, token }: DaemonAddress, path: string, body?: unknown): Promise<unknown> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = { authorization: `Bearer ${token}`, accept: "application/json", "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const method = text === undefined ? "GET" : "POST";
    const length = text === undefined ? {} : { "content-length": Buffer.byteLength(text) };
    const sent = request(new URL(path, url), { method, headers: { ...headers, ...length }, agent: false, signal });
    sent.on("error", (error) => reject(sentence(signal.aborted ? signal.reason : error)));
    sent.on("response", (answer) => bodyOf(answer).then(resolve, reject));
    sent.end(text);
  });
}

async function bodyOf(answer: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const { statusCode: status = 0 } = answer;
  const value: unknown = text === "" ? null : parsed(text);
  if (status >= 200 && status < 300) return value;
  throw new DaemonRefusal(status, refusalSchema.safeParse(value).data?.error ?? `the daemon answered ${status}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
