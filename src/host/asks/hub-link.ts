// A daemon at the hub: its open asks are questions there, and the first answer in the log that fits goes to the agent. The daemon
// decides: what it has taken, or how the ask ended otherwise, it writes as the end. Whatever fails is done again at the next
// change, hint or beat, so that neither a lost broker nor a killed daemon loses anything.
//
//   asks ─open→ question, open     hub ─answer→ check → asks.answer → agent
//        ─over→ end, not open any more
import { createHash } from "node:crypto";
import type { AskHistoryEntry } from "../../contract/ask-history.js";
import type { Ask } from "../../contract/asks.js";
import type { HostedSessionEntry } from "../../contract/hosted-sessions.js";
import {
  BEAT_MS,
  type HubDaemon,
  type HubEnd,
  type HubQuestion,
  hubAnswerSchema,
  hubQuestionSchema,
} from "../../contract/hub-bodies.js";
import { errorMessage } from "../../contract/plain-word.js";
import type { AnswerRecord, AskAddress, DaemonAddress, Hub, NowSubject } from "../../hub/hub.js";
import { isSameQuestion } from "../../session/ask-facts.js";
import { isSecret } from "../../session/asks.js";
import { realTimers, type Timers } from "../../system/timers.js";
import type { AskAnswer, AskPort } from "./ask-port.js";

export interface HubLinkOptions {
  readonly address: DaemonAddress;
  readonly asks: AskPort;
  readonly project: string;
  readonly program: string;
  sessions(): readonly HostedSessionEntry[];
  /** How an ask of an earlier daemon ended, where that is known. */
  earlierRecord(askId: string): AskHistoryEntry | null;
  /** Takes secrets out. */
  redacted(value: unknown): unknown;
  readonly wallMs?: () => number;
  readonly timers?: Timers;
  onProblem(words: string): void;
}

/** How the history names a member who answered at the hub. */
export function hubPerson(person: string): string {
  return `hub:${person}`;
}

/** The server takes no larger message, and a question that is cut must not be answered. */
const QUESTION_BYTES_MAX = 900 * 1024;
const CLOSE_MS_MAX = 2_000;
/** Ends that wait for a broker that is away. */
const ENDS_WAITING_MAX = 10_000;

/** No answer names it. */
const UNANSWERABLE = "";

interface AtHub {
  /** Of the bytes of its question; null for one of an earlier daemon, which no answer can be given to any more. */
  readonly hash: string | null;
  taken: HubEnd["taken"];
  /** Answers up to here were looked at. */
  lookedAtSeq: number;
}

export class HubLink {
  private readonly options: HubLinkOptions;
  private hub: Hub | null = null;
  private readonly timers: Timers;
  private readonly wallMs: () => number;
  private readonly atHub = new Map<string, AtHub>();
  /** Records of asks that are over, until the hub has their ends. */
  private readonly over = new Map<string, AskHistoryEntry>();
  private readonly sessionsAtHub = new Map<string, string>();
  private readonly toLookAt = new Set<string>();
  private readonly stops: (() => void)[] = [];
  private cancelBeat: () => void = () => undefined;
  private running: Promise<void> | null = null;
  private isAgain = false;
  private state: "starting" | "open" | "closed" = "starting";

  constructor(options: HubLinkOptions) {
    this.options = options;
    this.timers = options.timers ?? realTimers;
    this.wallMs = options.wallMs ?? Date.now;
  }

  /** Resolves when the hub shows what is so here. The link closes the hub. */
  async start(hub: Hub): Promise<void> {
    const { address, asks } = this.options;
    this.hub = hub;
    const stopWatch = await hub.watch(
      { onNow: (subject) => this.foundEarlier(subject), onCaughtUp: () => undefined },
      address,
    );
    stopWatch();
    this.state = "open";
    this.stops.push(
      asks.subscribe(() => void this.sync()),
      hub.onAnswer(address, (ask) => this.hint(ask)),
    );
    this.beat();
    await this.sync();
  }

  /** The record of an ask that is over. */
  finished(entry: AskHistoryEntry): void {
    if (this.over.size < ENDS_WAITING_MAX) this.over.set(entry.askId, entry);
    void this.sync();
  }

  /** Something has changed; one pass at a time brings the hub up to date. */
  sync(): Promise<void> {
    this.isAgain = true;
    this.running ??= this.passes();
    return this.running;
  }

  /** Does not wait for a broker that is away. */
  async close(): Promise<void> {
    const wasOpen = this.state === "open";
    if (wasOpen)
      await Promise.race([this.sync(), new Promise<void>((resolve) => this.timers.after(CLOSE_MS_MAX, resolve))]);
    this.state = "closed";
    this.cancelBeat();
    for (const stop of this.stops) stop();
    await this.hub?.close();
  }

  private hint(ask: string | "any"): void {
    for (const id of ask === "any" ? this.atHub.keys() : [ask]) this.toLookAt.add(id);
    void this.sync();
  }

  private beat(): void {
    if (this.state !== "open") return;
    this.cancelBeat = this.timers.after(BEAT_MS, () => this.beat());
    const { address, project, program } = this.options;
    const body: HubDaemon = { version: 1, project, program, at: this.moment() };
    this.store.set({ kind: "daemon", ...address }, bytesOf(body)).then(() => this.sync(), this.report);
  }

  // A daemon that was killed has left its asks open at the hub. Those that are open here again stay so.
  private foundEarlier(subject: NowSubject): void {
    const { daemon } = this.options.address;
    if (subject.daemon !== daemon) return;
    if (subject.kind === "open") this.atHub.set(subject.ask, { hash: null, taken: null, lookedAtSeq: 0 });
    if (subject.kind === "session") this.sessionsAtHub.set(subject.session, "");
  }

  private async passes(): Promise<void> {
    while (this.isAgain && this.state === "open") {
      this.isAgain = false;
      try {
        await this.pass();
      } catch (error) {
        this.report(error);
      }
    }
    this.running = null;
  }

  private async pass(): Promise<void> {
    const open = this.options.asks.openAsks();
    const openIds = new Set(open.map(({ id }) => id));
    for (const ask of open) if ((this.atHub.get(ask.id)?.hash ?? null) === null) await this.publish(ask);
    for (const id of [...this.toLookAt]) await this.look(id, open.find((ask) => ask.id === id) ?? null);
    for (const [id, entry] of [...this.atHub]) if (!openIds.has(id)) await this.end(id, entry);
    await this.publishSessions();
  }

  private async publish(ask: Ask): Promise<void> {
    const hub = this.store;
    const subject = { kind: "question", ...this.addressOf(ask.id) } as const;
    const fresh = this.questionBody(ask);
    // After a restart the question is there already, and its bytes are those that people have read.
    const body = (await hub.put(subject, fresh)) === "stored" ? fresh : await hub.get(subject);
    if (body === null) return;
    const [there, here] = [body, fresh].map((bytes) => hubQuestionSchema.safeParse(parsed(bytes)).data);
    const isSame = there !== undefined && here !== undefined && isSameQuestion(there.ask, here.ask);
    if (isSame) await hub.set({ kind: "open", ...this.addressOf(ask.id) }, bytesOf({ version: 1 }));
    else this.report(new Error(`another question has the id ${ask.id} there; this one is answered here only`));
    const hash = isSame && there.onlyThere === null ? hashOf(body) : UNANSWERABLE;
    this.atHub.set(ask.id, { taken: null, lookedAtSeq: 0, ...this.atHub.get(ask.id), hash });
    this.toLookAt.add(ask.id);
  }

  private questionBody(ask: Ask): Uint8Array {
    const { project, asks, redacted } = this.options;
    const offsetMs = asks.nowMs === undefined ? 0 : this.wallMs() - asks.nowMs();
    const deadlineMs = ask.deadlineMs === null ? null : Math.round(ask.deadlineMs + offsetMs);
    const shown = { ...(redacted(ask) as Ask), id: ask.id, sessionId: ask.sessionId, turnId: ask.turnId, deadlineMs };
    const question: HubQuestion = {
      ...{ version: 1, ask: shown, project, askedAt: this.moment() },
      onlyThere: isSecret(ask) ? "secret" : null,
    };
    const body = bytesOf(question);
    return body.length <= QUESTION_BYTES_MAX
      ? body
      : bytesOf({ ...question, ask: shortened(shown), onlyThere: "too_large" });
  }

  private async look(id: string, ask: Ask | null): Promise<void> {
    const entry = this.atHub.get(id);
    if (ask !== null && entry !== undefined) {
      for (;;) {
        const answer = await this.store.nextAnswer(this.addressOf(id), entry.lookedAtSeq);
        if (answer === null || this.take(ask, entry, answer)) break;
      }
    }
    this.toLookAt.delete(id);
  }

  /** False when it cannot be taken, and the next one is looked at. */
  private take(ask: Ask, entry: AtHub, { subject, seq, body }: AnswerRecord): boolean {
    entry.lookedAtSeq = seq;
    const read = hubAnswerSchema.safeParse(parsed(body));
    if (!read.success || entry.hash === UNANSWERABLE || read.data.question !== entry.hash) return false;
    const { answer: given } = read.data;
    const answer: AskAnswer = "cancel" in given ? "cancel" : { value: given.value };
    // The end is written by the same pass, and needs to know.
    entry.taken = { person: subject.person, seq };
    const verdict = this.options.asks.answer(ask.id, answer, hubPerson(subject.person));
    if (verdict.kind !== "accepted") entry.taken = null;
    return verdict.kind !== "unfit";
  }

  // The record comes when the agent has the answer; that of an earlier daemon is in the history, or nowhere.
  private async end(id: string, { hash, taken }: AtHub): Promise<void> {
    const entry = this.over.get(id) ?? (hash === null ? this.options.earlierRecord(id) : null);
    if (entry === null && hash !== null) return;
    const end: HubEnd = { version: 1, taken, entry: this.options.redacted(entry) as AskHistoryEntry | null };
    await this.store.put({ kind: "end", ...this.addressOf(id) }, bytesOf(end));
    await this.store.set({ kind: "open", ...this.addressOf(id) }, null);
    this.atHub.delete(id);
    this.over.delete(id);
    this.toLookAt.delete(id);
  }

  private async publishSessions(): Promise<void> {
    const hub = this.store;
    const { address, redacted } = this.options;
    const here = new Map(this.options.sessions().map((entry) => [entry.id, entry]));
    for (const [session, entry] of here) {
      const { active_at_ms: _, front_ends: __, ...lasting } = entry;
      const text = JSON.stringify(lasting);
      if (this.sessionsAtHub.get(session) === text) continue;
      await hub.set({ kind: "session", ...address, session }, bytesOf(redacted(entry)));
      this.sessionsAtHub.set(session, text);
    }
    for (const session of [...this.sessionsAtHub.keys()]) {
      if (here.has(session)) continue;
      await hub.set({ kind: "session", ...address, session }, null);
      this.sessionsAtHub.delete(session);
    }
  }

  private get store(): Hub {
    if (this.hub === null) throw new Error("there is no connection yet");
    return this.hub;
  }

  private addressOf(ask: string): AskAddress {
    return { ...this.options.address, ask };
  }

  private moment(): string {
    return new Date(this.wallMs()).toISOString();
  }

  private readonly report = (error: unknown): void => {
    if (this.state !== "closed") this.options.onProblem(`the hub: ${errorMessage(error)}`);
  };
}

export function hashOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

export function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

export function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return null;
  }
}

// People elsewhere learn that it waits, and where.
function shortened(ask: Ask): Ask {
  const { title } = ask.question.params;
  return { ...ask, question: { kind: "confirm", params: { title: String(title).slice(0, 500) } } };
}
