// The hub behind the attached view: a tab per machine with its sessions and what happened to its questions, and every open
// question as a dialog, oldest first. Sessions are seen here and opened on their machine; their transcripts are not at the hub.
//
//   | laptop 2  build-1                                   ?:help |
//   | 12:04:31 claude 3c4d     working · 1 question · /home/ada/shop
//   | 12:04:33 question        ada answered: Deploy?              |
//   |❯ Delete the branch?                 from laptop in /home/ada/shop  1 of 2
import type { Ask, AskOutcome } from "../../contract/asks.js";
import type { LogEntry, StateEntry } from "../../contract/daemon.js";
import { handlerTypes, type MessageKind, messageTypes } from "../../contract/handler-types.js";
import { type HostedSessionEntry, hostedSessionSchema } from "../../contract/hosted-sessions.js";
import { AWAY_AFTER_MS, BEAT_MS, hubDaemonSchema } from "../../contract/hub-bodies.js";
import { parsed } from "../../host/asks/hub-link.js";
import {
  ANSWER_WAIT_MS_MAX,
  answerHubAsk,
  endOf,
  type HubAsk,
  shownHubAsk,
  watchHubAsks,
} from "../../host/asks/hub-view.js";
import { ShownAsks } from "../../host/asks/shown-asks.js";
import { type AskAddress, type DaemonAddress, type Hub, type NowSubject, subjectKey } from "../../hub/hub.js";
import { realTimers, type Timers } from "../../system/timers.js";
import type { AttachDaemon, AttachNews } from "../../views/attach/attach-daemon.js";
import { onlyThereWords, verdictWords } from "../hub-words.js";

export interface HubClientOptions {
  readonly hub: Hub;
  readonly login: { readonly user: string };
  /** The clock of the view, on which questions have their deadlines. */
  readonly clock: { nowMs(): number };
  readonly wallMs?: () => number;
  readonly timers?: Timers;
}

export function createHubClient(options: HubClientOptions): AttachDaemon {
  return new HubClient(options);
}

/** A line of a tab. Questions show every line, a session its newest. */
interface Said {
  readonly machine: string;
  readonly handler: string;
  readonly kind: MessageKind;
  readonly content: string;
}

const QUESTION = "question";

class HubClient implements AttachDaemon {
  private readonly options: HubClientOptions;
  private readonly wallMs: () => number;
  private readonly shownAsks: ShownAsks;
  private readonly questions = new Map<string, HubAsk>();
  /** Answered here; the hub may still list them for a moment. */
  private readonly answered = new Set<string>();
  private readonly machines = new Set<string>();
  private readonly sessionsNow = new Map<string, { readonly at: DaemonAddress; readonly entry: HostedSessionEntry }>();
  private readonly beatsMs = new Map<string, number>();
  /** What each session's newest line says. */
  private readonly said = new Map<string, string>();
  private lines = 0;
  private tell: (news: AttachNews) => void = () => undefined;

  constructor(options: HubClientOptions) {
    this.options = options;
    this.wallMs = options.wallMs ?? Date.now;
    const { hub, login } = options;
    this.shownAsks = new ShownAsks({ hub, person: login.user, view: "attach", wallMs: this.wallMs });
  }

  // A tab exists when something of it is listed.
  async state(): Promise<StateEntry[]> {
    return [...this.machines].sort().map((machine) => ({
      ...{ tab_title: machine, handler_name: QUESTION, handler_color: "", handler_type: handlerTypes.loggable },
      ...{ label: "", value: "", shortcut: "", shortcuts: null },
    }));
  }

  async asks(): Promise<Ask[]> {
    const shiftMs = this.options.clock.nowMs() - this.wallMs();
    return [...this.questions]
      .filter(([key, { onlyThere }]) => onlyThere === null && !this.answered.has(key))
      .sort(([, one], [, other]) => one.askedAt.localeCompare(other.askedAt))
      .map(([key, question]) => shownHubAsk(key, question, shiftMs));
  }

  /** Rejects, in words, where it was too late or the machine has not taken it yet. */
  async answer(key: string, outcome: AskOutcome): Promise<void> {
    const question = this.questions.get(key);
    if (question === undefined) return;
    this.answered.add(key);
    const { hub, login, timers = realTimers } = this.options;
    const answer = outcome.kind === "answered" ? { value: outcome.value } : "cancel";
    const shown = this.shownAsks.of(question.address);
    const wait = { person: login.user, waitMsMax: ANSWER_WAIT_MS_MAX, timers, shown };
    const verdict = await answerHubAsk(hub, question, answer, wait).catch((error: unknown) => {
      this.answered.delete(key);
      this.tell({ type: "asks" });
      throw error;
    });
    const words = verdictWords(verdict, question, login.user);
    if (words !== null) throw new Error(words);
  }

  async shown(key: string): Promise<void> {
    const question = this.questions.get(key);
    if (question !== undefined) this.shownAsks.shown(question);
  }

  async follow(onNews: (news: AttachNews) => void, signal: AbortSignal): Promise<void> {
    this.tell = onNews;
    const stop = await watchHubAsks(this.options.hub, {
      onOpen: (ask) => this.opened(ask),
      onClosed: (address) => void this.closed(address),
      onNow: (subject, body) => this.changed(subject, body),
      onCaughtUp: () => {
        this.shownAsks.again();
        onNews({ type: "connected" });
      },
      onLost: () => onNews({ type: "disconnected", retryInMs: 0 }),
    });
    const { timers = realTimers } = this.options;
    let cancel: () => void = () => undefined;
    const look = () => {
      for (const key of this.sessionsNow.keys()) this.saySession(key);
      cancel = timers.after(BEAT_MS, look);
    };
    look();
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    cancel();
    stop();
  }

  // Nothing at a hub can be changed, run or joined from elsewhere.
  async sessions(): Promise<[]> {
    return [];
  }
  openSession(): never {
    throw new Error("a session of another machine is opened there");
  }
  async act(): Promise<void> {}
  async cancel(): Promise<void> {}
  async showTab(): Promise<void> {}

  private opened(ask: HubAsk): void {
    const { machine } = ask.address;
    this.questions.set(keyOf(ask.address), ask);
    const title = ask.ask.question.params.title;
    if (ask.onlyThere === null) this.say({ machine, handler: QUESTION, kind: "info", content: `open: ${title}` });
    else this.say({ machine, handler: QUESTION, kind: "warning", content: `${title}: ${onlyThereWords(ask)}` });
    this.tell({ type: "asks" });
  }

  private async closed(address: AskAddress): Promise<void> {
    const key = keyOf(address);
    const question = this.questions.get(key);
    this.shownAsks.closed(address);
    this.questions.delete(key);
    this.answered.delete(key);
    this.tell({ type: "asks" });
    const entry = (await endOf(this.options.hub, address))?.entry ?? null;
    if (question === undefined) return;
    const { outcome } = entry ?? { outcome: { kind: "withdrawn" } as const };
    const words = "by" in outcome ? `${outcome.kind} by ${outcome.by}` : outcome.kind;
    const content = `${words}: ${question.ask.question.params.title}`;
    this.say({ machine: address.machine, handler: QUESTION, kind: "success", content });
  }

  private changed(subject: NowSubject, body: Uint8Array | null): void {
    this.addMachine(subject.machine);
    const key = subjectKey(subject);
    if (subject.kind === "daemon") {
      const at = body === null ? undefined : hubDaemonSchema.safeParse(parsed(body)).data?.at;
      this.beatsMs.set(daemonKey(subject), at === undefined ? 0 : Date.parse(at));
      return;
    }
    const entry = body === null ? undefined : hostedSessionSchema.safeParse(parsed(body)).data;
    const before = this.sessionsNow.get(key);
    if (entry !== undefined) this.sessionsNow.set(key, { at: subject, entry: entry as HostedSessionEntry });
    else if (before !== undefined) this.sessionsNow.set(key, { ...before, entry: { ...before.entry, state: "ended" } });
    this.saySession(key);
    if (entry !== undefined) return;
    this.sessionsNow.delete(key);
    this.said.delete(key);
  }

  // Only a change of it is a new line.
  private saySession(key: string): void {
    const session = this.sessionsNow.get(key);
    if (session === undefined) return;
    const { at, entry } = session;
    const isHere = this.wallMs() - (this.beatsMs.get(daemonKey(at)) ?? this.wallMs()) < AWAY_AFTER_MS;
    const asks =
      entry.open_asks === 0 ? [] : [`${entry.open_asks} ${entry.open_asks === 1 ? "question" : "questions"}`];
    const content = [isHere ? entry.state : "its daemon is away", ...asks, entry.cwd].join(" · ");
    if (this.said.get(key) === content) return;
    this.said.set(key, content);
    const handler = `${entry.name.slice(0, 10)} ${entry.id.slice(-4)}`;
    this.say({ machine: at.machine, handler, kind: isHere ? "normal" : "warning", content });
  }

  private addMachine(machine: string): void {
    if (this.machines.has(machine)) return;
    this.machines.add(machine);
    this.tell({ type: "refresh" });
  }

  private say({ machine, handler, kind, content }: Said): void {
    this.addMachine(machine);
    this.lines += 1;
    const atMs = this.wallMs();
    const entry: LogEntry = {
      ...{ id: String(this.lines), timestamp: new Date(atMs).toLocaleTimeString("sv-SE"), content, at_ms: atMs },
      ...{ type: messageTypes[kind], tab_title: machine, handler_name: handler, handler_color: "" },
      ...{ handler_type: handlerTypes.loggable, streaming: handler === QUESTION },
    };
    this.tell({ type: "line", entry });
  }
}

// Machines choose the ids of their questions, so two may have the same.
function keyOf({ machine, daemon, ask }: AskAddress): string {
  return subjectKey({ kind: "open", machine, daemon, ask });
}

function daemonKey({ machine, daemon }: DaemonAddress): string {
  return subjectKey({ kind: "daemon", machine, daemon });
}
