// The hub at NATS JetStream. Every write is repeated until the server has it on disk or refuses it, so that a lost connection loses
// nothing; what comes live is only a hint, and is read again after every reconnect and every half minute.
import { createHash } from "node:crypto";
import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JetStreamPublishOptions,
  jetstream,
} from "@nats-io/jetstream";
import {
  ClosedConnectionError,
  headers,
  type NatsConnection,
  PermissionViolationError,
  type Subscription,
} from "@nats-io/transport-node";
import {
  type AnswerRecord,
  type AskAddress,
  type EndRecord,
  type Hub,
  LossyHubError,
  type NowListener,
  type NowSubject,
  type OnceSubject,
  subjectKey,
} from "../hub.js";
import { inboxOf } from "./connection.js";
import { type DirectMessage, directBatch } from "./direct-batch.js";
import { BODY_BYTES_MAX, managerOf, streamProblems } from "./streams.js";
import { natsSubject, parsedNow, parsedSubject, partSubject, streamNames, streamOf } from "./subjects.js";

export interface NatsHubOptions {
  /** The name at the hub. */
  readonly user: string;
  /** How long a write is repeated before it fails. */
  readonly patienceMs?: number;
  /** How often what may have been missed is read again. */
  readonly rereadMs?: number;
}

/** Of a record whose bytes are in parts: the hash of all of them, and how many there are. */
const PARTS_HEADER = "Palaver-Parts";
const PARTS_MAX = 24;
const LARGE_BYTES_MAX = PARTS_MAX * BODY_BYTES_MAX;
const PATIENCE_MS = 60_000;
const REREAD_MS = 30_000;
/** For the reply to a write: a server that lost its leader says nothing, and one that is too busy must not get more to do. */
const PUBLISH_MS = [500, 1_000, 2_000, 4_000, 8_000];
const RETRY_MS = [50, 100, 250, 500];
const BATCH_MAX = 500;
/** The sign that something is gone stays so long for watchers that lost the connection. */
const GONE_FOR = "1h";

/** The server stored nothing: there is a record on this subject already, or no room. */
const NOT_STORED = 10_077;

type Reread = (why: "timer" | "reconnect") => void;

export class NatsHub implements Hub {
  private readonly connection: NatsConnection;
  private readonly client: JetStreamClient;
  private readonly manager: JetStreamManager;
  private readonly options: Required<NatsHubOptions>;
  private readonly rereads = new Set<Reread>();
  private readonly losses = new Set<() => void>();
  /** Ends the requests that a lost connection took with it. */
  private readonly interrupts = new Set<() => void>();
  private readonly timer: NodeJS.Timeout;

  /** Rejects, in words, when the streams of the server would lose data. */
  static async open(connection: NatsConnection, options: NatsHubOptions): Promise<NatsHub> {
    const problems = await streamProblems(connection);
    if (problems.length > 0) throw new LossyHubError(`this hub would lose data:\n  ${problems.join("\n  ")}`);
    return new NatsHub(connection, await managerOf(connection), options);
  }

  private constructor(connection: NatsConnection, manager: JetStreamManager, options: NatsHubOptions) {
    this.connection = connection;
    this.client = jetstream(connection);
    this.manager = manager;
    this.options = { patienceMs: PATIENCE_MS, rereadMs: REREAD_MS, ...options };
    this.timer = setInterval(() => this.reread("timer"), this.options.rereadMs);
    this.timer.unref();
    void this.followStatus();
  }

  async put(subject: OnceSubject, body: Uint8Array): Promise<"stored" | "exists"> {
    const isLarge = body.length > BODY_BYTES_MAX;
    const stored = isLarge ? await this.putLarge(subject, body) : await this.publish(natsSubject(subject), body);
    if (stored === "stored") return stored;
    // The refused write may be a repetition of one that arrived.
    const before = await this.get(subject);
    return before !== null && Buffer.compare(before, body) === 0 ? "stored" : "exists";
  }

  async get(subject: OnceSubject): Promise<Uint8Array | null> {
    const query = { last_by_subj: natsSubject(subject) };
    const found = await this.patiently(() => this.manager.streams.getMessage(streamOf(subject), query));
    const parts = found?.header?.get(PARTS_HEADER) ?? "";
    return parts === "" ? (found?.data ?? null) : this.large(subject.machine, parts);
  }

  // The parts come first: a record that can be read can be read whole.
  private async putLarge(subject: OnceSubject, body: Uint8Array): Promise<"stored" | "exists"> {
    if (subject.kind !== "question" || body.length > LARGE_BYTES_MAX) {
      throw new Error(`a body of ${body.length} bytes is too large for the hub`);
    }
    const hash = sha256(body);
    const count = Math.ceil(body.length / BODY_BYTES_MAX);
    for (let part = 0; part < count; part += 1) {
      const bytes = body.subarray(part * BODY_BYTES_MAX, (part + 1) * BODY_BYTES_MAX);
      await this.publish(partSubject(subject.machine, hash, part), bytes);
    }
    const parts = headers();
    parts.set(PARTS_HEADER, `${hash}/${count}`);
    return this.publish(natsSubject(subject), new Uint8Array(), { headers: parts });
  }

  private async large(machine: string, parts: string): Promise<Uint8Array> {
    const [hash = "", count = ""] = parts.split("/");
    const found: Uint8Array[] = [];
    for (let part = 0; part < Math.min(Number(count), PARTS_MAX); part += 1) {
      const query = { last_by_subj: partSubject(machine, hash, part) };
      const message = await this.patiently(() => this.manager.streams.getMessage(streamNames.body, query));
      found.push(message?.data ?? new Uint8Array());
    }
    const body = Buffer.concat(found);
    if (sha256(body) !== hash) throw new Error("a large question at the hub is not whole");
    return body;
  }

  async nextAnswer({ machine, daemon, ask }: AskAddress, afterSeq: number): Promise<AnswerRecord | null> {
    const anyone = natsSubject({ kind: "answer", machine, daemon, ask, person: "any" }).replace(/\.any$/, ".*");
    const query = { seq: afterSeq + 1, next_by_subj: anyone };
    const found = await this.patiently(() => this.manager.streams.getMessage(streamNames.answer, query));
    return found === null ? null : (recordOf(found) as AnswerRecord | null);
  }

  async set(subject: NowSubject, body: Uint8Array | null): Promise<void> {
    await this.publish(natsSubject(subject), body ?? new Uint8Array(), body === null ? { ttl: GONE_FOR } : {});
  }

  async watch(listener: NowListener, of?: { readonly machine: string }): Promise<() => void> {
    const whose = of === undefined ? ">" : `${of.machine}.>`;
    const watch = new NowWatch(listener, () => this.all(streamNames.now, `pv.now.${whose}`, 1));
    const live = this.connection.subscribe(`pv.live.${whose}`, {
      callback: (error, message) => {
        if (error === null) watch.live(message.subject, message.data);
      },
    });
    // A server that has just started may refuse at first.
    const again = () => void this.patiently(() => watch.read()).catch(() => undefined);
    const lost = () => listener.onLost?.();
    this.rereads.add(again);
    this.losses.add(lost);
    await this.patiently(() => watch.read());
    return () => {
      this.losses.delete(lost);
      this.stop(live, again);
    };
  }

  onAnswer(...[{ machine, daemon }, listener]: Parameters<Hub["onAnswer"]>): () => void {
    const live = this.connection.subscribe(`pv.answered.${machine}.${daemon}.>`, {
      callback: (error, message) => {
        const parsed = error === null ? parsedSubject(message.subject) : null;
        if (parsed?.kind === "answer") listener(parsed.ask);
      },
    });
    const again = (why: "timer" | "reconnect") => listener(why === "timer" ? "any" : "reconnected");
    this.rereads.add(again);
    return () => this.stop(live, again);
  }

  async ends(recordsMax: number): Promise<EndRecord[]> {
    const { state } = await this.patiently(() => this.manager.streams.info(streamNames.end));
    const firstSeq = Math.max(1, state.first_seq, state.last_seq - recordsMax + 1);
    const found = await this.patiently(() => this.all(streamNames.end, "pv.end.>", firstSeq));
    return found.map(recordOf).filter((record): record is EndRecord => record?.subject.kind === "end");
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.rereads.clear();
    this.losses.clear();
    await this.connection.close();
  }

  private stop(live: Subscription, again: Reread): void {
    live.unsubscribe();
    this.rereads.delete(again);
  }

  private reread(why: "timer" | "reconnect"): void {
    for (const again of [...this.rereads]) again(why);
  }

  private async followStatus(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === "reconnect") {
        for (const interrupt of [...this.interrupts]) interrupt();
        this.reread("reconnect");
      }
      if (type === "disconnect") for (const lost of [...this.losses]) lost();
    }
  }

  private publish(
    subject: string,
    body: Uint8Array,
    options: Partial<JetStreamPublishOptions> = {},
  ): Promise<"stored" | "exists"> {
    return this.patiently(async (tries) => {
      try {
        await this.client.publish(subject, body, { timeout: stepOf(PUBLISH_MS, tries), ...options });
        return "stored";
      } catch (error) {
        if (error instanceof JetStreamApiError && error.code === NOT_STORED) {
          if (/per subject/.test(error.message)) return "exists";
          throw new FinalError(`the hub is full (${error.message}); palaver hub init --gigabytes N makes room`);
        }
        if (isForbidden(error))
          throw new FinalError(`${this.options.user} may not write ${subject}: machines ask, members answer`);
        throw error;
      }
    });
  }

  /** All messages from a place in the stream on. */
  private async all(stream: string, filter: string, firstSeq: number): Promise<DirectMessage[]> {
    const found: DirectMessage[] = [];
    const inboxPrefix = inboxOf(this.options.user);
    for (let seq = firstSeq; ; seq = (found.at(-1)?.seq ?? seq) + 1) {
      const request = { stream, filter, firstSeq: seq, messagesMax: BATCH_MAX, inboxPrefix };
      const batch = await directBatch(this.connection, request);
      found.push(...batch);
      if (batch.length < BATCH_MAX) return found;
    }
  }

  /** What was sent over a lost connection gets no reply, so there is no use in waiting for it. */
  private untilReconnect<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const interrupt = () => reject(new Error("the connection to the hub was lost"));
      this.interrupts.add(interrupt);
      void work()
        .then(resolve, reject)
        .finally(() => this.interrupts.delete(interrupt));
    });
  }

  /** Until the server answers: a refusal in words is final, silence is not. */
  private async patiently<Result>(work: (tries: number) => Promise<Result>): Promise<Result> {
    const untilMs = performance.now() + this.options.patienceMs;
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.untilReconnect(() => work(tries));
      } catch (error) {
        if (isFinal(error) || performance.now() > untilMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, stepOf(RETRY_MS, tries)));
      }
    }
  }
}

function stepOf(steps: readonly number[], tries: number): number {
  return steps[Math.min(tries, steps.length - 1)] ?? 0;
}

function sha256(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

// 503: no leader yet, or the server is starting.
function isFinal(error: unknown): boolean {
  if (error instanceof ClosedConnectionError) return true;
  if (error instanceof FinalError || isForbidden(error)) return true;
  return error instanceof JetStreamApiError && error.status < 500;
}

/** It does not help to try again now. */
class FinalError extends Error {}

/** The permissions of this user do not cover it. */
function isForbidden(error: unknown): boolean {
  return error instanceof Error && [error, error.cause].some((cause) => cause instanceof PermissionViolationError);
}

function recordOf(
  message: DirectMessage,
): { subject: OnceSubject; seq: number; atMs: number; body: Uint8Array } | null {
  const subject = parsedSubject(message.subject);
  if (subject?.kind !== "question" && subject?.kind !== "answer" && subject?.kind !== "end") return null;
  return { subject, seq: message.seq, atMs: message.time.getTime(), body: message.data };
}

/** What one watcher knows. A read brings everything, so that what is not in it any more is gone. */
class NowWatch {
  private readonly known = new Map<string, NowSubject>();
  private readonly listener: NowListener;
  private readonly readAll: () => Promise<DirectMessage[]>;
  /** What came live during a read is newer than what is read. */
  private newer: Set<string> | null = null;

  constructor(listener: NowListener, readAll: () => Promise<DirectMessage[]>) {
    this.listener = listener;
    this.readAll = readAll;
  }

  live(subject: string, body: Uint8Array): void {
    const parsed = parsedNow(subject);
    if (parsed === null) return;
    this.newer?.add(subjectKey(parsed));
    this.tell(parsed, body);
  }

  async read(): Promise<void> {
    const newer = new Set<string>();
    this.newer = newer;
    const messages = await this.readAll();
    const found = new Set<string>();
    for (const { subject, data } of messages) {
      const parsed = parsedNow(subject);
      if (parsed === null) continue;
      const key = subjectKey(parsed);
      if (data.length > 0) found.add(key);
      if (!newer.has(key)) this.tell(parsed, data);
    }
    for (const [key, subject] of [...this.known]) {
      if (!found.has(key) && !newer.has(key)) this.tell(subject, new Uint8Array());
    }
    if (this.newer === newer) this.newer = null;
    this.listener.onCaughtUp();
  }

  // An empty body says that it is gone.
  private tell(subject: NowSubject, body: Uint8Array): void {
    const key = subjectKey(subject);
    const isGone = body.length === 0;
    if (isGone && !this.known.delete(key)) return;
    if (!isGone) this.known.set(key, subject);
    this.listener.onNow(subject, isGone ? null : body);
  }
}
