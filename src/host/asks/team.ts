// The other daemons of the hub, for the page of this one: their open questions and sessions beside its own, and answers in the
// name of the page's member. The daemon that asked decides about an answer; until its end is in the hub, the answer is
// pending.
import { hostedSessionSchema } from "../../contract/hosted-sessions.js";
import { AWAY_AFTER_MS, BEAT_MS, hubDaemonSchema } from "../../contract/hub-bodies.js";
import type { OverviewAsk, OverviewChange, OverviewSession } from "../../contract/page.js";
import type { AskAddress, DaemonAddress, Hub, NowSubject } from "../../hub/hub.js";
import { realTimers, steadyNowMs, type Timers } from "../../system/timers.js";
import { checkAnswer } from "./answer-check.js";
import type { AnswerVerdict, AskAnswer } from "./ask-port.js";
import { hubPerson, parsed } from "./hub-link.js";
import { endOf, type HubAsk, shownHubAsk, storeAnswer, watchHubAsks } from "./hub-view.js";
import { ShownAsks } from "./shown-asks.js";

/** Questions and sessions of other machines, as a daemon shows and answers them. */
export interface Elsewhere {
  /** Their deadlines are on the daemon's clock. */
  openAsks(): readonly OverviewAsk[];
  sessions(): readonly OverviewSession[];
  subscribe(listener: (change: OverviewChange) => void): () => void;
  answer(askId: string, answer: AskAnswer): Promise<AnswerVerdict>;
  /** The page has shown it; an unknown id is ignored. */
  shown(askId: string): void;
}

export interface TeamOptions {
  /** The daemon itself, whose questions are not shown twice. */
  readonly own: DaemonAddress;
  /** The member in whose name answers are given. */
  readonly person: string;
  readonly nowMs?: () => number;
  readonly wallMs?: () => number;
  readonly timers?: Timers;
}

/** Answers that are repeated by a client that has not heard what came of them. */
const GIVEN_MAX = 1_000;

export class Team implements Elsewhere {
  private readonly options: Required<TeamOptions>;
  private readonly questions = new Map<string, HubAsk>();
  private readonly sessionsNow = new Map<string, { readonly at: DaemonAddress; readonly session: OverviewSession }>();
  private readonly beatsMs = new Map<string, number>();
  /** How many daemons and sessions of each machine are kept. */
  private readonly counts = { daemons: new Map<string, number>(), sessions: new Map<string, number>() };
  private readonly given = new Map<string, Promise<AnswerVerdict>>();
  private readonly listeners = new Set<(change: OverviewChange) => void>();
  private hub: Hub | null = null;
  private shownAsks: ShownAsks | null = null;
  private stopWatch: () => void = () => undefined;
  private cancelLook: () => void = () => undefined;

  constructor(options: TeamOptions) {
    this.options = { nowMs: steadyNowMs, wallMs: Date.now, timers: realTimers, ...options };
  }

  /** Resolves when everything that is at the hub has been told. The team closes the hub. */
  async start(hub: Hub): Promise<void> {
    const { person, wallMs } = this.options;
    const shownAsks = new ShownAsks({ hub, person, view: "page", wallMs });
    this.hub = hub;
    this.shownAsks = shownAsks;
    this.stopWatch = await watchHubAsks(hub, {
      onOpen: (ask) => this.opened(ask),
      onClosed: (address) => void this.closed(address),
      onNow: (subject, body) => this.changed(subject, body),
      onCaughtUp: () => shownAsks.again(),
    });
    this.look();
  }

  async close(): Promise<void> {
    this.cancelLook();
    this.stopWatch();
    await this.hub?.close();
  }

  openAsks(): readonly OverviewAsk[] {
    return [...this.questions.values()].map((question) => this.shownAsk(question));
  }

  sessions(): readonly OverviewSession[] {
    return [...this.sessionsNow.values()].map(({ at, session }) => this.shownSession(at, session));
  }

  subscribe(listener: (change: OverviewChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  answer(askId: string, answer: AskAnswer): Promise<AnswerVerdict> {
    const before = this.given.get(askId);
    if (before !== undefined) return before;
    const verdict = this.stored(askId, answer);
    this.given.set(askId, verdict);
    const [oldest] = this.given.keys();
    if (this.given.size > GIVEN_MAX && oldest !== undefined) this.given.delete(oldest);
    const forget = () => this.given.get(askId) === verdict && this.given.delete(askId);
    verdict.then(({ kind }) => (kind === "unfit" || kind === "unknown") && forget(), forget);
    return verdict;
  }

  shown(askId: string): void {
    const question = this.questions.get(askId);
    if (question !== undefined) this.shownAsks?.shown(question);
  }

  private async stored(askId: string, answer: AskAnswer): Promise<AnswerVerdict> {
    const question = this.questions.get(askId);
    if (this.hub === null || question === undefined) return { kind: "unknown" };
    const { machine } = question.address;
    if (!isAnsweredHere(question)) return { kind: "unfit", problem: `this can be answered on ${machine} only` };
    const checked = answer === "cancel" ? null : checkAnswer(question.ask, answer.value);
    if (checked?.kind === "unfit") return checked;
    const by = hubPerson(this.options.person);
    const outcome =
      checked === null ? ({ kind: "cancelled", by } as const) : ({ kind: "answered", value: null, by } as const);
    const given = checked === null ? ("cancel" as const) : { value: checked.value };
    const shown = this.shownAsks?.of(question.address);
    const stored = await storeAnswer(this.hub, question, given, { person: this.options.person, shown });
    return { kind: stored === "stored" ? "accepted" : "late", outcome };
  }

  private opened(question: HubAsk): void {
    if (this.isOwn(question.address)) return;
    this.questions.set(idOf(question.address), question);
    this.tell({ type: "ask.raised", ask: this.shownAsk(question) });
  }

  private async closed(address: AskAddress): Promise<void> {
    const id = idOf(address);
    this.shownAsks?.closed(address);
    if (this.hub === null || !this.questions.delete(id)) return;
    const entry = (await endOf(this.hub, address))?.entry ?? null;
    const outcome = entry?.outcome ?? ({ kind: "withdrawn", reason: "disconnected" } as const);
    const delivery = entry === null || entry.delivery === "none" ? null : entry.delivery;
    // It may have been asked again meanwhile.
    if (this.questions.has(id)) return;
    this.tell({ type: "ask.settled", id, outcome });
    this.tell({ type: "ask.finished", id, outcome, delivery });
  }

  private changed(subject: NowSubject, body: Uint8Array | null): void {
    if (this.isOwn(subject)) return;
    if (subject.kind === "daemon") {
      const at = body === null ? undefined : hubDaemonSchema.safeParse(parsed(body)).data?.at;
      const key = daemonKey(subject);
      if (!this.beatsMs.has(key) && !counted(this.counts.daemons, subject.machine)) return;
      this.beatsMs.set(key, at === undefined ? 0 : Date.parse(at));
    } else if (subject.kind === "session") this.sessionChanged(subject, body);
  }

  private sessionChanged(subject: Extract<NowSubject, { kind: "session" }>, body: Uint8Array | null): void {
    const id = `${daemonKey(subject)}.${subject.session}`;
    const entry = body === null ? undefined : hostedSessionSchema.safeParse(parsed(body)).data;
    if (entry === undefined) {
      if (!this.sessionsNow.delete(id)) return;
      this.counts.sessions.set(subject.machine, (this.counts.sessions.get(subject.machine) ?? 1) - 1);
      this.tell({ type: "session.gone", id });
      return;
    }
    if (!this.sessionsNow.has(id) && !counted(this.counts.sessions, subject.machine)) return;
    // Its moments are on the wall clock of its machine, which may be ahead.
    const nowMs = this.options.nowMs();
    const shiftMs = nowMs - this.options.wallMs();
    const here = (atMs: number) => Math.min(nowMs, atMs + shiftMs);
    const moments = { active_at_ms: here(entry.active_at_ms), created_at_ms: here(entry.created_at_ms) };
    const unknown = { last_line: "", cost: null, tokens: null, title: null };
    const session = { ...entry, ...unknown, ...moments, id, machine: subject.machine };
    this.sessionsNow.set(id, { at: subject, session });
    this.tell({ type: "session", session: this.shownSession(subject, session) });
  }

  // A daemon that falls silent says nothing about it.
  private look(): void {
    this.cancelLook = this.options.timers.after(BEAT_MS, () => this.look());
    for (const { at, session } of this.sessionsNow.values()) {
      if (!this.isHere(at)) this.tell({ type: "session", session: this.shownSession(at, session) });
    }
  }

  private shownSession(at: DaemonAddress, session: OverviewSession): OverviewSession {
    return this.isHere(at) ? session : { ...session, last_line: "its daemon is away" };
  }

  private isHere(at: DaemonAddress): boolean {
    const wallMs = this.options.wallMs();
    return wallMs - (this.beatsMs.get(daemonKey(at)) ?? wallMs) < AWAY_AFTER_MS;
  }

  private shownAsk(question: HubAsk): OverviewAsk {
    const shiftMs = this.options.nowMs() - this.options.wallMs();
    const { machine } = question.address;
    return {
      ask: shownHubAsk(idOf(question.address), question, shiftMs),
      session: null,
      asked_at_ms: Date.parse(question.askedAt) + shiftMs,
      elsewhere: { machine, answers: isAnsweredHere(question) ? "here" : "there" },
    };
  }

  private isOwn({ machine, daemon }: DaemonAddress): boolean {
    const { own } = this.options;
    return machine === own.machine && daemon === own.daemon;
  }

  private tell(change: OverviewChange): void {
    for (const listener of [...this.listeners]) listener(change);
  }
}

/** More daemons or sessions of one machine are not shown. */
const OF_MACHINE_MAX = 2_000;

/** Counts one more of the machine; false where it has too many. */
function counted(counts: Map<string, number>, machine: string): boolean {
  const count = counts.get(machine) ?? 0;
  if (count < OF_MACHINE_MAX) counts.set(machine, count + 1);
  return count < OF_MACHINE_MAX;
}

/** The files of another machine cannot be listed here. */
function isAnsweredHere({ onlyThere, ask }: HubAsk): boolean {
  return onlyThere === null && ask.question.kind !== "files";
}

/** A name at the hub has no dots. */
function idOf(address: AskAddress): string {
  return `${daemonKey(address)}.${address.ask}`;
}

function daemonKey({ machine, daemon }: DaemonAddress): string {
  return `hub.${machine}.${daemon}`;
}
