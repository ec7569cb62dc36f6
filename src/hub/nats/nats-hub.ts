// The hub on NATS JetStream. Every write is repeated until the server has it on disk or refuses it, so that a lost connection
// loses nothing. Live messages are only hints: the data is read again after every reconnect and every half minute.
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
  TimeoutError,
} from "@nats-io/transport-node";
import {
  type AnswerRecord,
  type AskAddress,
  type EndRecord,
  type Hub,
  type HubRecord,
  LossyHubError,
  type NowListener,
  type NowSubject,
  type OnceSubject,
  type ShownSubject,
  subjectKey,
  type WatchedPart,
} from "../hub.js";
import { inboxOf } from "./connection.js";
import { type DirectMessage, directBatch } from "./direct-batch.js";
import { BODY_BYTES_MAX, managerOf, streamProblems } from "./streams.js";
import {
  LEADER_ELECTED,
  natsSubject,
  parsedNow,
  parsedSubject,
  partSubject,
  streamNames,
  streamOf,
  watchedSubjects,
} from "./subjects.js";
import { Turns } from "./turns.js";

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
const LONG_SILENCES = 2;
const RETRY_MS = [50, 100, 250, 500];
const NO_REPLY = "the hub stores and reads nothing now: a majority of its servers has to run";
/** A server may have it, and repeat it to the others when they are back. */
const UNCONFIRMED = `${NO_REPLY}; what was sent to it may still be stored then`;
const BATCH_MAX = 500;
/**
 * So long the sign that something is gone stays in the stream. A watcher needs it only as it comes: what a later read does not bring
 * is gone. Every read brings all signs, so that a longer time would cost more with each question.
 */
const GONE_FOR = "1m";

/**
 * Requests to one stream that wait for a reply; others wait here for their turn. A server that is slow is not sent more and more: it
 * would spend its time on repetitions of what it has not come to yet.
 */
const WAITING_PER_STREAM_MAX = 16;

/** The server stored nothing: there is a record on this subject already, or no room. */
const NOT_STORED = 10_077;

/** A request without a reply yet. */
interface Waiting {
  readonly stream: string;
  /** How often it was repeated after silence: it waits longer each time. */
  readonly silences: number;
  readonly end: () => void;
}

/** A stream has a new leader: what the one before had stored, it may not have repeated to those who listen. */
type RereadReason = "timer" | "reconnect" | typeof streamNames.now | typeof streamNames.answer;
type Reread = (why: RereadReason) => void;

export class NatsHub implements Hub {
  private readonly connection: NatsConnection;
  private readonly client: JetStreamClient;
  private readonly manager: JetStreamManager;
  private readonly options: Required<NatsHubOptions>;
  private readonly rereads = new Set<Reread>();
  private readonly connectionListeners = new Set<Parameters<Hub["onConnection"]>[0]>();
  /** Ends the requests that were lost with a connection, or with the leader of their stream. */
  private readonly interrupts = new Set<Waiting>();
  private readonly turns = new Map<string, Turns>();
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
    this.followLeaders();
    void this.followStatus();
  }

  async put(subject: OnceSubject, body: Uint8Array): Promise<"stored" | "exists"> {
    try {
      const before = await this.putOnce(
        () => this.write(subject, body),
        () => this.get(subject),
      );
      // The refused write may be a repetition of one that arrived.
      return before === null || Buffer.compare(before, body) === 0 ? "stored" : "exists";
    } catch (error) {
      throw error instanceof Error && error.message === NO_REPLY ? new Error(UNCONFIRMED, { cause: error }) : error;
    }
  }

  /** What was there before; null for nothing. */
  private async putOnce(
    write: () => Promise<"stored" | "exists">,
    read: () => Promise<Uint8Array | null>,
  ): Promise<Uint8Array | null> {
    const untilMs = performance.now() + this.options.patienceMs;
    while ((await write()) === "exists") {
      const before = await read();
      if (before !== null) return before;
      // What cannot be read has only the leader, and it may be lost.
      if (performance.now() > untilMs) throw new Error(UNCONFIRMED);
      await wait(stepOf(RETRY_MS, RETRY_MS.length));
    }
    return null;
  }

  private write(subject: OnceSubject, body: Uint8Array): Promise<"stored" | "exists"> {
    return body.length > BODY_BYTES_MAX
      ? this.putLarge(subject, body)
      : this.publish(streamOf(subject), natsSubject(subject), body);
  }

  async get(subject: OnceSubject): Promise<Uint8Array | null> {
    const query = { last_by_subj: natsSubject(subject) };
    const stream = streamOf(subject);
    const found = await this.patiently(stream, () => this.manager.streams.getMessage(stream, query));
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
      const at = partSubject(subject.machine, hash, part);
      await this.putOnce(
        () => this.publish(streamNames.body, at, bytes),
        () => this.part(at),
      );
    }
    const parts = headers();
    parts.set(PARTS_HEADER, `${hash}/${count}`);
    return this.publish(streamNames.question, natsSubject(subject), new Uint8Array(), { headers: parts });
  }

  private async large(machine: string, parts: string): Promise<Uint8Array> {
    const [hash = "", count = ""] = parts.split("/");
    const found: Uint8Array[] = [];
    for (let part = 0; part < Math.min(Number(count), PARTS_MAX); part += 1) {
      found.push((await this.part(partSubject(machine, hash, part))) ?? new Uint8Array());
    }
    const body = Buffer.concat(found);
    if (sha256(body) !== hash) throw new Error("a large question at the hub is not whole");
    return body;
  }

  private async part(subject: string): Promise<Uint8Array | null> {
    const { body } = streamNames;
    const query = { last_by_subj: subject };
    const found = await this.patiently(body, () => this.manager.streams.getMessage(body, query));
    return found?.data ?? null;
  }

  async nextAnswer({ machine, daemon, ask }: AskAddress, afterSeq: number): Promise<AnswerRecord | null> {
    const anyone = natsSubject({ kind: "answer", machine, daemon, ask, person: "any" }).replace(/\.any$/, ".*");
    const query = { seq: afterSeq + 1, next_by_subj: anyone };
    const { answer } = streamNames;
    const found = await this.patiently(answer, () => this.manager.streams.getMessage(answer, query));
    return found === null ? null : (recordOf(found) as AnswerRecord | null);
  }

  async set(subject: NowSubject, body: Uint8Array | null): Promise<void> {
    const options = body === null ? { ttl: GONE_FOR } : {};
    await this.publish(streamNames.now, natsSubject(subject), body ?? new Uint8Array(), options);
  }

  async watch(listener: NowListener, of?: WatchedPart): Promise<() => void> {
    const which = watchedSubjects(of);
    // For a filter the server counts what fits, again for each batch; the whole stream needs none.
    const filter = of === undefined ? ">" : `pv.now.${which}`;
    const watch = new NowWatch(listener, () => this.all(streamNames.now, filter, 1));
    const live = this.connection.subscribe(`pv.live.${which}`, {
      callback: (error, message) => {
        if (error === null) watch.live(message.subject, message.data);
      },
    });
    // A server that has just started may refuse at first.
    const read = () => this.patiently(streamNames.now, () => watch.read());
    const again = (why: RereadReason) => {
      if (why !== streamNames.answer) void read().catch(() => undefined);
    };
    const stopLost = this.onConnection((is) => is === "lost" && listener.onLost?.());
    this.rereads.add(again);
    const stop = () => {
      stopLost();
      this.stop(live, again);
    };
    await read().catch((error: unknown) => {
      stop();
      throw error;
    });
    return stop;
  }

  onAnswer(...[{ machine, daemon }, listener]: Parameters<Hub["onAnswer"]>): () => void {
    const live = this.connection.subscribe(`pv.answered.${machine}.${daemon}.>`, {
      callback: (error, message) => {
        const parsed = error === null ? parsedSubject(message.subject) : null;
        if (parsed?.kind === "answer") listener(parsed.ask);
      },
    });
    const again = (why: RereadReason) => {
      if (why !== streamNames.now) listener(why === "reconnect" ? "reconnected" : "any");
    };
    this.rereads.add(again);
    return () => this.stop(live, again);
  }

  tellShown(subject: ShownSubject, body: Uint8Array): void {
    // A closed connection is no reason to fail: what it says is said again with the answer.
    if (!this.connection.isClosed()) this.connection.publish(natsSubject(subject), body);
  }

  onShown(...[{ machine, daemon }, listener]: Parameters<Hub["onShown"]>): () => void {
    const heard = this.connection.subscribe(`pv.shown.${machine}.${daemon}.>`, {
      callback: (error, message) => {
        const parsed = error === null ? parsedSubject(message.subject) : null;
        if (parsed?.kind === "shown") listener(parsed, message.data);
      },
    });
    return () => heard.unsubscribe();
  }

  onConnection(listener: (is: "lost" | "back") => void): () => void {
    this.connectionListeners.add(listener);
    return () => this.connectionListeners.delete(listener);
  }

  async ends(recordsMax: number): Promise<EndRecord[]> {
    const { end } = streamNames;
    const { state } = await this.patiently(end, () => this.manager.streams.info(end));
    const firstSeq = Math.max(1, state.first_seq, state.last_seq - recordsMax + 1);
    const found = await this.patiently(end, () => this.all(end, "pv.end.>", firstSeq));
    return found.map(recordOf).filter((record): record is EndRecord => record?.subject.kind === "end");
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.rereads.clear();
    this.connectionListeners.clear();
    await this.connection.close();
  }

  private stop(live: Subscription, again: Reread): void {
    live.unsubscribe();
    this.rereads.delete(again);
  }

  private reread(why: RereadReason): void {
    for (const again of [...this.rereads]) again(why);
  }

  /** A reply that was on its way from the leader before never comes. */
  private followLeaders(): void {
    const callback = (error: Error | null, { subject }: { readonly subject: string }) => {
      // Where it is not allowed, or not passed on, the waits end by the clock.
      if (error !== null) return;
      const stream = subject.slice(LEADER_ELECTED.length);
      this.interrupt(stream);
      if (stream === streamNames.now || stream === streamNames.answer) this.reread(stream);
    };
    this.connection.subscribe(`${LEADER_ELECTED}*`, { callback });
  }

  /** Of one stream, or all requests. */
  private interrupt(stream: string | null): void {
    for (const request of [...this.interrupts]) if (stream === null || request.stream === stream) request.end();
  }

  /** A server that was silent has replied: what was sent to it long ago may be lost, and is repeated now. */
  private speaksAgain(): void {
    for (const request of [...this.interrupts]) if (request.silences >= LONG_SILENCES) request.end();
  }

  private async followStatus(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === "reconnect") {
        this.interrupt(null);
        this.reread("reconnect");
        this.tellConnection("back");
      }
      if (type === "disconnect") this.tellConnection("lost");
    }
  }

  private tellConnection(is: "lost" | "back"): void {
    for (const tell of [...this.connectionListeners]) tell(is);
  }

  private publish(
    stream: string,
    subject: string,
    body: Uint8Array,
    options: Partial<JetStreamPublishOptions> = {},
  ): Promise<"stored" | "exists"> {
    return this.patiently(stream, async (silences) => {
      try {
        await this.client.publish(subject, body, { timeout: stepOf(PUBLISH_MS, silences), ...options });
        return "stored";
      } catch (error) {
        if (isForbidden(error))
          throw new FinalError(`${this.options.user} may not write ${subject}: machines ask, members answer`);
        if (!(error instanceof JetStreamApiError) || error.code !== NOT_STORED) throw error;
        if (/per subject/.test(error.message)) return "exists";
        throw new FinalError(`the hub is full (${error.message}); palaver hub init --gigabytes N makes room`);
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

  /** What was sent over a lost connection, or to a leader that is gone, gets no reply, so there is no use in waiting for it. */
  private untilInterrupted<Result>(what: Omit<Waiting, "end">, work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const interrupt = { ...what, end: () => reject(new InterruptedError()) };
      this.interrupts.add(interrupt);
      void work()
        .then(resolve, reject)
        .finally(() => this.interrupts.delete(interrupt));
    });
  }

  private patiently<Result>(stream: string, work: (silences: number) => Promise<Result>): Promise<Result> {
    const turns = this.turns.get(stream) ?? new Turns(WAITING_PER_STREAM_MAX);
    this.turns.set(stream, turns);
    return turns.take(() => this.untilAnswered(stream, work));
  }

  /** Until the server answers: a refusal in words is final, silence is not. */
  private async untilAnswered<Result>(stream: string, work: (silences: number) => Promise<Result>): Promise<Result> {
    const untilMs = performance.now() + this.options.patienceMs;
    let silences = 0;
    for (let tries = 0; ; tries += 1) {
      try {
        const result = await this.untilInterrupted({ stream, silences }, () => work(silences));
        if (silences > 0) this.speaksAgain();
        return result;
      } catch (error) {
        if (isFinal(error)) throw error;
        if (performance.now() > untilMs) throw new Error(NO_REPLY, { cause: error });
        // Only silence is a sign of a server that is too busy.
        if (error instanceof TimeoutError) silences += 1;
        if (error instanceof InterruptedError) [tries, silences] = [0, 0];
        await wait(stepOf(RETRY_MS, tries));
      }
    }
  }
}

/** There is another connection, or another leader: the same again is answered. */
class InterruptedError extends Error {}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
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

function recordOf(message: DirectMessage): HubRecord | null {
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
