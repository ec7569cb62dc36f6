// A session in a daemon, as the connection of a view: its state is a mirror of the daemon's engine, intents are sent
// once each, and closing only detaches; the agent keeps running.
//
//   view ─GET changes (Last-Event-ID)→ daemon      over and over, with growing pauses; nothing twice, nothing lost
//        ─POST intents (Idempotency-Key)→          one after the other; again when there was no answer

import { within } from "../agents/agent-process.js";
import type { DaemonAddress } from "../agents/remote/daemon-proof.js";
import { askDaemonForJson, refusalWords } from "../agents/remote/daemon-request.js";
import { followEvents, IntentSender, OTHER_VERSION } from "../agents/remote/daemon-stream.js";
import { compileGuard } from "../contract/guard.js";
import { agentEndSchema } from "../contract/hosted-sessions.js";
import { SESSION_PROTOCOL } from "../contract/protocol-numbers.js";
import { changeSchema, helloSchema, historyItemSchema, snapshotSchema } from "../contract/session-changes.js";
import type { DroppedEvent, SseEvent } from "../contract/sse-decoder.js";
import { type ClockShift, itemOnClock } from "../session/engine/clock-shift.js";
import type { Change, Intent } from "../session/engine/engine-messages.js";
import { activeSession, type EngineState } from "../session/engine/engine-state.js";
import { Mirror } from "../session/engine/mirror.js";
import type { HistoryItem, Snapshot } from "../session/engine/snapshot.js";
import type { DispatchResult, RemoteConnection, Source } from "../session/engine/source.js";
import type { Block } from "../session/transcript/block.js";
import type { Timers } from "../system/timers.js";
import { safeLines } from "../text/safe.js";

export interface RemoteSessionOptions extends DaemonAddress {
  readonly sessionId: string;
  /** What this view is called; others see it when it has answered. */
  readonly name: string;
  /** The daemon's address; a restarted daemon may have another. Null when none is running. */
  find?(): Promise<DaemonAddress | null>;
  /** About how much of the end of the transcript is wanted at first. */
  readonly tailChars?: number;
  nowMs(): number;
  readonly after?: Timers["after"];
}

/** How long leaving waits for intents that are on their way. */
const FAREWELL_MS = 1_000;
const ANSWER_MS_MAX = 10_000;

const isChange = compileGuard(changeSchema);
const isHistoryItem = compileGuard(historyItemSchema);
const isSnapshot = compileGuard(snapshotSchema);

const TOO_LARGE = {
  change: "a change was too large to send, so this view was reloaded",
  history: "part of the transcript is too large for this view and was left out",
} as const;

/** What concerns this view alone; everything else is the daemon's to decide. */
type OwnIntent = Extract<Intent, { type: "notice" | "shell" | "cut-short" | "prepend" | "resume" }>;
const own: ReadonlySet<string> = new Set<OwnIntent["type"]>(["notice", "shell", "cut-short", "prepend", "resume"]);

function isOwn(intent: Intent): intent is OwnIntent {
  return own.has(intent.type);
}

export class RemoteSession implements RemoteConnection, Source {
  readonly source: Source = this;
  readonly by: string;
  phase: RemoteConnection["phase"] = "catching up";
  private readonly options: RemoteSessionOptions;
  private readonly mirror = new Mirror();
  private readonly sender: IntentSender;
  private readonly leaving = new AbortController();
  private readonly after: Timers["after"];
  private readonly listeners: ((changes: readonly Change[]) => void)[] = [];
  private readonly steps: (() => readonly Change[])[] = [];
  private isBusy = false;
  private lastId: string | null = null;
  private earlier: number | null = null;
  private clockOffsetMs = 0;
  private attempts = 0;
  private isAway = false;
  private isStrange = false;

  constructor(options: RemoteSessionOptions) {
    this.options = options;
    this.by = options.name;
    this.after = options.after ?? afterMs;
    this.sender = new IntentSender({
      address: () => this.address(),
      path: `${this.path}/intents?by=${encodeURIComponent(options.name)}`,
      after: this.after,
      signal: this.leaving.signal,
      // The end of the ask says who was first.
      onRefused: (intent, why, words) => why !== "late" && this.refused(intent, words),
    });
  }

  get state(): EngineState {
    return this.mirror.state;
  }

  async open(): Promise<void> {
    const { name, tailChars, find } = this.options;
    const tail = tailChars === undefined ? "" : `&tail=${tailChars}`;
    void followEvents({
      address: () => this.address(),
      search: find === undefined ? "once" : "again",
      path: `${this.path}/changes?name=${encodeURIComponent(name)}${tail}`,
      after: this.after,
      signal: this.leaving.signal,
      lastId: () => this.lastId,
      onEvent: this.hear,
      onDropped: (event) => this.dropped(event),
      onAway: (retryInMs) => this.away(retryInMs),
      onRefused: (words) => this.end(words),
    });
  }

  restart(): void {
    this.notice("warn", "a hosted session is restarted by its daemon");
  }

  catchUp(): void {}

  async close(): Promise<void> {
    await within(this.sender.drained(), FAREWELL_MS);
    this.leaving.abort();
  }

  subscribe(onChanges: (changes: readonly Change[]) => void): void {
    this.listeners.push(onChanges);
  }

  dispatch(intent: Intent): DispatchResult {
    if (isOwn(intent)) this.step(() => this.mirror.reduce(intent, this.by, this.options.nowMs()));
    else if (this.phase === "ended") this.refused(intent, "the agent of this session has ended");
    else if (!this.sender.send(intent) && !this.leaving.signal.aborted)
      this.refused(intent, "not sent: too much is waiting for the daemon");
    return { result: "accepted" };
  }

  async readEarlier(chars: number): Promise<readonly Block[] | null> {
    const { earlier: before } = this;
    if (before === null) return null;
    const address = await this.address();
    if (address === null) throw new Error("the daemon is not reachable");
    const path = `${this.path}/transcript?before=${before}&chars=${chars}`;
    const answer = await askDaemonForJson(address, path, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    if (answer.status !== 200) throw new Error(refusalWords(answer));
    const { items, earlier } = (answer.body ?? {}) as { items?: unknown; earlier?: unknown };
    this.earlier = typeof earlier === "number" && earlier < before ? earlier : null;
    const { key } = activeSession(this.state);
    return itemsIn(items).flatMap((item) =>
      this.mirror.sessionOf(item).key === key ? [itemOnClock(item, this.shift).block] : [],
    );
  }

  private readonly hear = ({ name, data, id }: SseEvent): void => {
    const value = parsed(data);
    const seq = Number.parseInt(id ?? "0", 10);
    if (name === "hello") this.greeted(value);
    else if (name === "continuation") this.phase = "live";
    else if (name === "snapshot") this.begin(value);
    else if (name === "history") this.step(() => this.mirror.history(itemsIn(value), this.shift));
    else if (name === "caught-up") this.caughtUp(seq);
    else if (name === "message") this.step(() => this.mirror.follow(this.changesIn(value), seq, this.shift));
    else if (name === "ended") this.ended(value);
    if (name === "history" || name === "caught-up" || name === "message") this.lastId = id;
  };

  // Without one change those after it do not fit: with this place the daemon sends a snapshot. One that is too large itself would
  // be sent again and again.
  private dropped({ name, id }: DroppedEvent): void {
    if (name === "snapshot") this.end("this session is too large to be shown here");
    else this.notice("warn", TOO_LARGE[name === "history" ? "history" : "change"]);
    this.lastId = id === null || id.includes("~") ? id : `${id}~`;
  }

  private greeted(value: unknown): void {
    const { data } = helloSchema.safeParse(value);
    if (data?.protocol !== SESSION_PROTOCOL) {
      this.end(OTHER_VERSION);
      return;
    }
    this.clockOffsetMs = this.options.nowMs() - data.at_ms;
    if (this.isAway) this.setStatus(null);
    this.isAway = false;
    this.phase = "catching up";
  }

  private begin(value: unknown): void {
    if (!isSnapshot(value)) {
      this.end(OTHER_VERSION);
      return;
    }
    const snapshot = value as Snapshot;
    // Later ones are for a view that knows a part already, and keeps its place in the rest.
    if (this.lastId === null) this.earlier = snapshot.earlier;
    if (this.phase === "live") this.notice("info", "this view fell behind and was reloaded");
    this.phase = "catching up";
    this.step(() => this.mirror.begin(snapshot, this.shift));
  }

  private caughtUp(seq: number): void {
    this.phase = "live";
    this.step(() => this.mirror.caughtUp(seq));
  }

  private ended(value: unknown): void {
    const { data } = agentEndSchema.safeParse(value);
    this.end(data?.error ?? `the agent ended with code ${data?.code ?? "unknown"}`);
  }

  private end(words: string): void {
    if (this.phase === "ended") return;
    this.phase = "ended";
    this.leaving.abort();
    for (const { ask } of this.state.asks.open) {
      const outcome = { kind: "withdrawn", reason: "disconnected" } as const;
      this.step(() => this.mirror.own({ type: "ask.settled", ask, outcome }));
    }
    for (const { key } of this.state.sessions) {
      this.step(() =>
        this.mirror.own({ type: "facts", session: key, facts: { phase: "ended", workingSinceMs: null } }),
      );
    }
    this.step(() => this.mirror.own({ type: "agent", change: "closed", words: [words] }));
  }

  private get path(): string {
    return `/sessions/${encodeURIComponent(this.options.sessionId)}`;
  }

  private get shift(): ClockShift {
    return { byMs: this.clockOffsetMs, nowMs: this.options.nowMs() };
  }

  // The daemon was found a moment ago; later it may be elsewhere.
  private async address(): Promise<DaemonAddress | null> {
    const { find, url, token } = this.options;
    const isThere = find === undefined || this.attempts === 0;
    this.attempts += 1;
    return isThere ? { url, token } : find.call(this.options);
  }

  private away(retryInMs: number): void {
    if (this.phase === "ended") return;
    this.isAway = true;
    this.setStatus(`daemon not reachable, trying again in ${(retryInMs / 1_000).toFixed(1)} s`);
  }

  // In the status line, where it does not disturb the transcript.
  private setStatus(text: string | null): void {
    const { key: session, facts } = activeSession(this.state);
    const others = facts.status.filter(({ key }) => key !== "daemon");
    const status = text === null ? others : [...others, { key: "daemon", text }];
    this.step(() => this.mirror.own({ type: "facts", session, facts: { status } }));
  }

  private notice(level: "info" | "warn" | "error", text: string): void {
    this.dispatch({ type: "notice", level, text });
  }

  // A prompt that was not taken goes back to the composer.
  private refused(intent: Intent, words: string): void {
    this.notice("error", words);
    if (intent.type !== "submit") return;
    const { key: session } = activeSession(this.state);
    this.step(() => this.mirror.own({ type: "composer", session, text: intent.text, by: this.by }));
  }

  // A newer daemon may know changes that we do not; that is told once.
  private changesIn(value: unknown): Change[] {
    const changes = Array.isArray(value) ? value.filter(isChange) : [];
    if (!this.isStrange && (!Array.isArray(value) || changes.length < value.length)) {
      this.isStrange = true;
      this.notice("warn", "the daemon sent something that this version does not understand");
    }
    return (changes as Change[]).map(withSafeDraft);
  }

  // What is dispatched while changes are being delivered comes next.
  private step(make: () => readonly Change[]): void {
    this.steps.push(make);
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      for (let next = this.steps.shift(); next !== undefined; next = this.steps.shift()) {
        const changes = next();
        if (changes.length > 0) for (const listener of this.listeners) listener(changes);
      }
    } finally {
      this.isBusy = false;
    }
  }
}

// What is put into the composer can be sent: nothing in it may be out of sight. All other text is made safe where it is drawn.
function withSafeDraft(change: Change): Change {
  return change.type === "composer" ? { ...change, text: safeLines(change.text).join("\n") } : change;
}

function itemsIn(value: unknown): HistoryItem[] {
  return (Array.isArray(value) ? value.filter(isHistoryItem) : []) as HistoryItem[];
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

const afterMs: Timers["after"] = (delayMs, run) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};
