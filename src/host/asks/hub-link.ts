// Connects a daemon to the hub: its open asks become questions there, and the first valid answer in the log goes to the agent.
// The daemon decides: it writes the accepted answer, or how the ask ended otherwise, as the end. Whatever fails is repeated at
// the next change, hint or heartbeat, so that a lost broker or a killed daemon loses nothing.
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
  hubOpenSchema,
  hubQuestionSchema,
  hubShownSchema,
} from "../../contract/hub-bodies.js";
import { errorMessage } from "../../contract/plain-word.js";
import type { AnswerRecord, AskAddress, DaemonAddress, Hub, NowSubject, ShownSubject } from "../../hub/hub.js";
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

/** A question that is cut must not be answered. */
const QUESTION_BYTES_MAX = 16 * 1024 * 1024;
const CLOSE_MS_MAX = 2_000;
/** Ends that wait for a broker that is away. */
const ENDS_WAITING_MAX = 10_000;

/** Views of one question in its record. */
const SHOWN_MAX = 100;

/** No answer names it. */
const UNANSWERABLE = "";

const NOT_OPEN = -1;

/** No ask has this id. */
const SESSIONS = "";

interface AtHub {
  /** Of the bytes of its question; null for one of an earlier daemon, which no answer can be given to any more. */
  readonly hash: string | null;
  taken: HubEnd["taken"];
  /** Answers up to here were looked at. */
  lookedAtSeq: number;
  /** When it was asked first, perhaps by an earlier daemon; null where the hub does not know it. */
  readonly askedAt: string | null;
  /** So many of its showings are at the hub; NOT_OPEN as long as it is not open there. */
  shownThere: number;
}

export class HubLink {
  private readonly options: HubLinkOptions;
  private hub: Hub | null = null;
  private readonly timers: Timers;
  private readonly wallMs: () => number;
  private readonly atHub = new Map<string, AtHub>();
  /** Records of asks that are over, until the hub has their ends. */
  private readonly over = new Map<string, AskHistoryEntry>();
  /** Of the open asks. */
  private readonly shown = new Map<string, HubEnd["shown"]>();
  private readonly sessionsAtHub = new Map<string, string>();
  private readonly toLookAt = new Set<string>();
  /** Asks about which something may have to be done: those that have changed or failed, and all of them at a heartbeat. */
  private readonly due = new Set<string>();
  private readonly stops: (() => void)[] = [];
  private cancelBeat: () => void = () => undefined;
  private open: ReadonlyMap<string, Ask> = new Map();
  /** What is under way, by the id of its ask: one that waits for the broker keeps no other waiting. */
  private readonly busy = new Map<string, Promise<void>>();
  private state: "starting" | "open" | "closed" = "starting";
  /** After a reconnect it could not be read what is open at the hub. */
  private mustCompare = false;

  constructor(options: HubLinkOptions) {
    this.options = options;
    this.timers = options.timers ?? realTimers;
    this.wallMs = options.wallMs ?? Date.now;
  }

  /** Resolves when the hub shows what is so here. The link closes the hub. */
  async start(hub: Hub): Promise<void> {
    const { address, asks } = this.options;
    this.hub = hub;
    await this.compare();
    await this.publishBeat();
    this.state = "open";
    this.stops.push(
      asks.subscribe(() => this.follow()),
      hub.onAnswer(address, (ask) => this.hint(ask)),
      hub.onShown(address, (subject, body) => this.wasShown(subject, body)),
    );
    this.cancelBeat = this.timers.after(BEAT_MS, () => this.beat());
    await this.sync();
  }

  /** The record of an ask that is over. */
  finished(entry: AskHistoryEntry): void {
    if (this.over.size < ENDS_WAITING_MAX) this.over.set(entry.askId, entry);
    this.due.add(entry.askId);
    this.workOnDue();
  }

  /** Something has changed. Resolves when what has to be done about it now is done, or has failed. */
  async sync(): Promise<void> {
    this.follow();
    await Promise.all(this.busy.values());
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

  private hint(ask: string | "any" | "reconnected"): void {
    if (ask === "reconnected") {
      this.compareAgain();
      return;
    }
    for (const id of ask === "any" ? this.atHub.keys() : [ask]) {
      this.toLookAt.add(id);
      this.due.add(id);
    }
    this.workOnDue();
  }

  private compareAgain(): void {
    const failed = (error: unknown) => {
      this.mustCompare = true;
      this.report(error);
    };
    this.mustCompare = false;
    this.compare().then(() => this.hint("any"), failed);
  }

  private follow(): void {
    const before = this.open;
    this.open = new Map(this.options.asks.openAsks().map((ask) => [ask.id, ask]));
    for (const id of this.open.keys()) if (!before.has(id)) this.due.add(id);
    for (const id of before.keys()) if (!this.open.has(id)) this.due.add(id);
    this.workOnDue();
    this.work(SESSIONS, () => this.publishSessions());
  }

  private workOnDue(): void {
    if (this.state !== "open") return;
    const ids = [...this.due];
    this.due.clear();
    for (const id of ids) this.work(id, () => this.step(id));
  }

  private wasShown({ ask, person }: ShownSubject, body: Uint8Array): void {
    const read = hubShownSchema.safeParse(parsed(body));
    if (!read.success || !this.open.has(ask)) return;
    const { view, from, at } = read.data;
    this.noteShown(ask, { person, view, from, at });
    this.options.asks.shown(ask);
    this.work(ask, () => this.step(ask));
  }

  private noteShown(ask: string, showing: HubEnd["shown"][number]): void {
    const before = this.shown.get(ask) ?? [];
    const isKnown = before.some(
      ({ person, view, from }) => person === showing.person && view === showing.view && from === showing.from,
    );
    if (isKnown || before.length >= SHOWN_MAX) return;
    // A clock that is ahead shows nothing before its time.
    const atMs = Math.min(Date.parse(showing.at), this.wallMs());
    this.shown.set(ask, [...before, { ...showing, at: new Date(atMs).toISOString() }]);
  }

  /** What is open at the hub: left by a daemon that was killed, or not there any more because the hub was replaced. */
  private async compare(): Promise<void> {
    const found = new Set<string>();
    const onNow = (subject: NowSubject, body: Uint8Array | null) => this.foundEarlier(subject, body, found);
    const before = [...this.atHub.keys()];
    const stopWatch = await this.store.watch({ onNow, onCaughtUp: () => undefined }, this.options.address);
    stopWatch();
    for (const id of before) if (!found.has(id) && this.open.has(id)) this.atHub.delete(id);
    this.everythingIsDue();
    for (const id of [...this.sessionsAtHub.keys()]) if (!found.has(id)) this.sessionsAtHub.delete(id);
  }

  private beat(): void {
    if (this.state !== "open") return;
    this.cancelBeat = this.timers.after(BEAT_MS, () => this.beat());
    this.everythingIsDue();
    this.publishBeat().then(() => (this.mustCompare ? this.compareAgain() : this.follow()), this.report);
  }

  private everythingIsDue(): void {
    for (const ids of [this.open.keys(), this.atHub.keys()]) for (const id of ids) this.due.add(id);
  }

  private publishBeat(): Promise<void> {
    const { address, project, program } = this.options;
    const body: HubDaemon = { version: 1, project, program, at: this.moment() };
    return this.store.set({ kind: "daemon", ...address }, bytesOf(body));
  }

  // A daemon that was killed has left its asks open at the hub. Those that are open here again stay so.
  private foundEarlier(subject: NowSubject, body: Uint8Array | null, found: Set<string>): void {
    if (subject.kind === "daemon") return;
    const id = subject.kind === "open" ? subject.ask : subject.session;
    found.add(id);
    if (subject.kind === "open" && !this.atHub.has(id)) {
      const { shown = [] } = hubOpenSchema.safeParse(body === null ? null : parsed(body)).data ?? {};
      for (const showing of shown) this.noteShown(id, showing);
      this.atHub.set(id, { hash: null, taken: null, lookedAtSeq: 0, askedAt: null, shownThere: shown.length });
    }
    if (subject.kind === "session" && !this.sessionsAtHub.has(id)) this.sessionsAtHub.set(id, "");
  }

  /** One thing at a time for each id, until nothing is left to do. */
  private work(id: string, next: () => Promise<void> | null): void {
    if (this.busy.has(id) || this.state !== "open") return;
    const first = next();
    if (first === null) return;
    this.busy.set(id, this.finish(id, first, next));
  }

  private async finish(id: string, first: Promise<void>, next: () => Promise<void> | null): Promise<void> {
    try {
      for (let step: Promise<void> | null = first; step !== null; step = this.state === "open" ? next() : null)
        await step;
    } catch (error) {
      this.due.add(id);
      this.report(error);
    }
    this.busy.delete(id);
  }

  /** Null when nothing has to be done. */
  private step(id: string): Promise<void> | null {
    const [ask, entry] = [this.open.get(id), this.atHub.get(id)];
    if (ask !== undefined) {
      if (entry === undefined || entry.hash === null) return this.publish(ask);
      if (this.toLookAt.delete(id)) return this.look(ask, entry);
      return this.shownAt(id).length > entry.shownThere ? this.setOpen(id, entry) : null;
    }
    this.toLookAt.delete(id);
    if (entry === undefined) return this.forget(id);
    // The record comes when the agent has the answer; that of an earlier daemon is in the history, or nowhere.
    const record = this.over.get(id) ?? (entry.hash === null ? this.options.earlierRecord(id) : null);
    return record === null && entry.hash !== null ? null : this.end(id, entry, record);
  }

  private async publish(ask: Ask): Promise<void> {
    const hub = this.store;
    const subject = { kind: "question", ...this.addressOf(ask.id) } as const;
    const fresh = this.questionBody(ask);
    // After a restart the question is there already, and its bytes are those that people have read.
    const body = (await hub.put(subject, fresh)) === "stored" ? fresh : await hub.get(subject);
    if (body === null) throw new Error(`the question ${ask.id} is neither new nor stored`);
    const [there, here] = [body, fresh].map((bytes) => hubQuestionSchema.safeParse(parsed(bytes)).data);
    const isSame = there !== undefined && here !== undefined && isSameQuestion(there.ask, here.ask);
    const askedAt = isSame ? there.askedAt : null;
    const hash = isSame && there.onlyThere === null ? hashOf(body) : UNANSWERABLE;
    const known = { taken: null, lookedAtSeq: 0, ...this.atHub.get(ask.id), askedAt };
    const entry = { ...known, hash, shownThere: isSame ? NOT_OPEN : 0 };
    // Before it is opened there: a write without a reply may arrive, and is taken back at the end.
    this.atHub.set(ask.id, entry);
    this.toLookAt.add(ask.id);
    if (isSame) await this.setOpen(ask.id, entry);
    else this.report(new Error(`another question has the id ${ask.id} there; this one is answered here only`));
  }

  private async setOpen(id: string, entry: Pick<AtHub, "shownThere">): Promise<void> {
    const shown = this.shownAt(id);
    await this.store.set({ kind: "open", ...this.addressOf(id) }, bytesOf({ version: 1, shown }));
    entry.shownThere = shown.length;
  }

  private shownAt(id: string): HubEnd["shown"] {
    return this.shown.get(id) ?? [];
  }

  private questionBody(ask: Ask): Uint8Array {
    const { project, asks, redacted } = this.options;
    const offsetMs = asks.nowMs === undefined ? 0 : this.wallMs() - asks.nowMs();
    const deadlineMs = ask.deadlineMs === null ? null : Math.round(ask.deadlineMs + offsetMs);
    const { id, sessionId, turnId } = ask;
    const shown = { ...(redacted({ ...ask, origin: this.originOf(ask) }) as Ask), id, sessionId, turnId, deadlineMs };
    const question: HubQuestion = {
      ...{ version: 1, ask: shown, project, askedAt: this.moment() },
      onlyThere: isSecret(ask) ? "secret" : null,
    };
    const body = bytesOf(question);
    return body.length <= QUESTION_BYTES_MAX
      ? body
      : bytesOf({ ...question, ask: shortened(shown), onlyThere: "too_large" });
  }

  /** With the name of the agent, which here its session has. */
  private originOf({ origin, sessionId }: Ask): Ask["origin"] {
    const session = this.options.sessions().find(({ id }) => id === sessionId);
    if (origin.kind !== "agent" || origin.name !== undefined || session === undefined) return origin;
    return { ...origin, name: session.agent ?? session.name };
  }

  private async look(ask: Ask, entry: AtHub): Promise<void> {
    try {
      for (;;) {
        const answer = await this.store.nextAnswer(this.addressOf(ask.id), entry.lookedAtSeq);
        if (answer === null || this.take(ask, entry, answer)) return;
      }
    } catch (error) {
      this.toLookAt.add(ask.id);
      throw error;
    }
  }

  /** False when it cannot be taken, and the next one is looked at. */
  private take(ask: Ask, entry: AtHub, { subject, seq, body }: AnswerRecord): boolean {
    entry.lookedAtSeq = seq;
    const read = hubAnswerSchema.safeParse(parsed(body));
    if (!read.success || entry.hash === UNANSWERABLE || read.data.question !== entry.hash) return false;
    const { answer: given, from, shown } = read.data;
    const answer: AskAnswer = "cancel" in given ? "cancel" : { value: given.value };
    // The end is written by the same pass, and needs to know.
    entry.taken = { person: subject.person, seq, ...(from === undefined ? {} : { from }) };
    if (shown !== undefined) this.noteShown(ask.id, { person: subject.person, from: from ?? "", ...shown });
    const verdict = this.options.asks.answer(ask.id, answer, hubPerson(subject.person));
    if (verdict.kind !== "accepted") entry.taken = null;
    return verdict.kind !== "unfit";
  }

  private async end(id: string, { taken, askedAt }: AtHub, entry: AskHistoryEntry | null): Promise<void> {
    const since = askedAt === null || entry === null ? {} : { askedAt };
    const redacted = this.options.redacted(entry && { ...entry, ...since }) as AskHistoryEntry | null;
    const end: HubEnd = { version: 1, taken, entry: redacted, shown: this.shownAt(id) };
    await this.store.put({ kind: "end", ...this.addressOf(id) }, bytesOf(end));
    await this.store.set({ kind: "open", ...this.addressOf(id) }, null);
    this.atHub.delete(id);
    this.forget(id);
  }

  private forget(id: string): null {
    this.over.delete(id);
    this.shown.delete(id);
    return null;
  }

  /** Null when the hub shows them as they are. */
  private publishSessions(): Promise<void> | null {
    const here = new Map(this.options.sessions().map((entry) => [entry.id, entry]));
    const changed = [...here].filter(([id, entry]) => this.sessionsAtHub.get(id) !== lastingText(entry));
    const gone = [...this.sessionsAtHub.keys()].filter((id) => !here.has(id));
    return changed.length + gone.length === 0 ? null : this.setSessions(changed, gone);
  }

  private async setSessions(changed: [string, HostedSessionEntry][], gone: readonly string[]): Promise<void> {
    const { address, redacted } = this.options;
    for (const [session, entry] of changed) {
      const text = lastingText(entry);
      await this.store.set({ kind: "session", ...address, session }, bytesOf(redacted(entry)));
      this.sessionsAtHub.set(session, text);
    }
    for (const session of gone) {
      await this.store.set({ kind: "session", ...address, session }, null);
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

/** Without what changes all the time. */
function lastingText({ active_at_ms: _, front_ends: __, ...lasting }: HostedSessionEntry): string {
  return JSON.stringify(lasting);
}

// People elsewhere learn that it waits, and where.
function shortened(ask: Ask): Ask {
  const { title } = ask.question.params;
  return { ...ask, question: { kind: "confirm", params: { title: String(title).slice(0, 500) } } };
}
