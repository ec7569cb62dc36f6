// The session of a terminal, opened to others while it runs: views elsewhere follow it and send intents as they do with a session of a
// daemon. The agent and the terminal do not notice. What others get has no secrets in it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Redaction } from "../agents/recordings/recording.js";
import type { Ask } from "../contract/asks.js";
import type { HostedSessionEntry } from "../contract/hosted-sessions.js";
import type { SessionIntent } from "../contract/session-changes.js";
import { applyChange } from "../session/engine/apply-change.js";
import { blockOnClock, type ClockShift, changeOnClock, snapshotOnClock } from "../session/engine/clock-shift.js";
import type { Change } from "../session/engine/engine-messages.js";
import { activeSession, type EngineState, isWorking, type SessionState } from "../session/engine/engine-state.js";
import { snapshotOf } from "../session/engine/snapshot.js";
import type { Block, BlockChange } from "../session/transcript/block.js";
import { emptyJournal } from "../session/transcript/journal.js";
import { realTimers, steadyNowMs } from "../system/timers.js";
import type { AgentConnection } from "./agent-connection.js";
import { CHANGE_BOUNDS, ChangeLog } from "./change-log.js";
import { ChangeSignal } from "./change-signal.js";
import { CheckedIntents, type HostedResult } from "./checked-intents.js";
import { shownAsk } from "./hosted-link.js";
import { KeptTranscript, TRANSCRIPT_BOUNDS } from "./kept-transcript.js";
import { type ServedSession, type ServedSessions, type SessionFollower, StartRefusal } from "./served-session.js";

export interface SharedRunOptions {
  readonly connection: Pick<AgentConnection, "source" | "catchUp">;
  readonly redaction: Redaction;
  readonly agent: string;
  readonly folder: string;
  /** What has to be added to a moment on the run's clock, which counts from the start of its process. */
  readonly shiftMs: number;
}

export interface SharedRun extends ServedSessions {
  /** Ends every stream; nothing is left on disk. */
  close(): Promise<void>;
}

export function shareRun(options: SharedRunOptions): SharedRun {
  const followers = new Set<SessionFollower>();
  const session = new SharedSession(options, (changes) => {
    for (const follower of [...followers]) follower(session, changes);
  });
  return {
    all: () => [session],
    find: (id) => (id === session.id ? session : null),
    start: async () => {
      throw new StartRefusal("not_allowed", "this is the session of a terminal; palaver serve starts others");
    },
    end: async () => {
      throw new StartRefusal("not_allowed", "this session ends in its terminal");
    },
    subscribe: () => () => undefined,
    follow(follower) {
      followers.add(follower);
      return () => followers.delete(follower);
    },
    close: () => session.close(),
  };
}

class SharedSession implements ServedSession {
  readonly id = "run";
  readonly log: ChangeLog;
  readonly transcript: KeptTranscript;
  readonly signal = new ChangeSignal(realTimers);
  readonly views = new Map<symbol, string>();
  readonly end = null;
  private readonly options: SharedRunOptions;
  private readonly shown: ShownState;
  private readonly intents: CheckedIntents;
  private readonly onChanges: (changes: readonly Change[]) => void;
  private readonly files = mkdtempSync(join(tmpdir(), "palaver-run-"));
  private readonly startedAtMs = Date.now();
  private activeAtMs = Date.now();
  private phase: "open" | "closed" = "open";

  constructor(options: SharedRunOptions, onChanges: (changes: readonly Change[]) => void) {
    const { connection, redaction } = options;
    this.options = options;
    this.onChanges = onChanges;
    connection.catchUp();
    const { source } = connection;
    this.shown = new ShownState(source.state, redaction, options.shiftMs);
    this.intents = new CheckedIntents(source);
    const firstSeq = Math.floor(steadyNowMs() * 1_000);
    this.log = new ChangeLog(firstSeq, CHANGE_BOUNDS);
    const path = join(this.files, "transcript.jsonl");
    this.transcript = new KeptTranscript({ path, sessionId: this.id, lastSeq: 0, bounds: TRANSCRIPT_BOUNDS });
    this.keepEarlier(source.state, firstSeq);
    source.subscribe((changes) => this.follow(changes));
  }

  get state(): EngineState {
    return this.shown.state;
  }

  entry(): HostedSessionEntry {
    const { agent, folder } = this.options;
    const { name, cwd, facts } = activeSession(this.state);
    return {
      ...{ id: this.id, name: facts.title ?? (name || agent), agent, protocol: "detect", cwd: cwd ?? folder },
      state: isWorking(this.state) ? "working" : "idle",
      ...{ created_at_ms: this.startedAtMs, active_at_ms: this.activeAtMs },
      front_ends: ["terminal", ...this.views.values()],
      open_asks: this.state.asks.open.length,
      exit_code: null,
    };
  }

  perform(intent: SessionIntent, by: string): Promise<HostedResult> {
    this.options.connection.catchUp();
    return this.intents.perform(intent, (checked) => this.intents.dispatch(checked, by));
  }

  async close(): Promise<void> {
    this.phase = "closed";
    this.signal.close();
    await this.transcript.flush();
    rmSync(this.files, { recursive: true, force: true });
  }

  // What was said before it was opened comes before the first change.
  private keepEarlier({ sessions }: EngineState, firstSeq: number): void {
    const blocks = sessions.flatMap(({ id, journal }) => journal.blocks.map((block) => ({ id, block })));
    for (const [place, { id, block }] of blocks.entries()) {
      this.transcript.put(firstSeq - blocks.length + place, id || null, this.shown.closed(block));
    }
  }

  private follow(changes: readonly Change[]): void {
    if (this.phase === "closed") return;
    this.activeAtMs = Date.now();
    const shown = changes.flatMap((change) => this.shown.follow(change));
    for (const change of shown) this.keep(change, this.log.append(change));
    for (const change of changes) this.intents.follow(change);
    this.onChanges(shown);
    this.signal.ring();
  }

  private keep(change: Change, seq: number): void {
    if (change.type !== "block" || change.change.type !== "closed") return;
    const session = this.state.sessions.find(({ key }) => key === change.session);
    this.transcript.put(seq, session?.id || null, change.change.block);
  }
}

// The state of an engine as others may see it: without secrets. A terminal shows its user everything; views elsewhere get this state and
// the changes that lead to it. What comes in pieces is held back as far as it may be the beginning of a secret.

type RedactedStream = ReturnType<Redaction["stream"]>;

class ShownState {
  state: EngineState;
  private readonly redaction: Redaction;
  private readonly shift: ClockShift;
  /** Of blocks that still grow. */
  private readonly streams = new Map<string, RedactedStream>();

  constructor(given: EngineState, redaction: Redaction, shiftMs: number) {
    this.redaction = redaction;
    this.shift = { byMs: shiftMs, nowMs: Number.POSITIVE_INFINITY };
    const state = this.onClock(given);
    const { asks, notices } = state;
    this.state = {
      ...state,
      sessions: state.sessions.map((session) => this.session(session)),
      asks: {
        ...asks,
        open: asks.open.map((open) => ({ ...open, ask: this.ask(open.ask) })),
        settled: this.clean(asks.settled),
      },
      notices: this.clean(notices),
    };
  }

  /** A closed block, whole, with its moments on the clock of the run. */
  closed(block: Block): Block {
    return this.cleanBlock(blockOnClock(block, this.shift));
  }

  /** The change as others see it, after what was held back before it. The state is the new one afterwards. */
  follow(given: Change): readonly Change[] {
    const change = changeOnClock(given, this.shift);
    const shown = change.type === "block" ? this.block(change.session, change.change) : [this.other(change)];
    for (const each of shown) this.state = applyChange(this.state, each);
    return shown;
  }

  private onClock(state: EngineState): EngineState {
    const { sessions, asks, notices } = snapshotOnClock(snapshotOf(state, null), this.shift);
    return {
      ...state,
      sessions: state.sessions.map((session, at) => {
        const { facts, open } = sessions[at] ?? { facts: session.facts, open: session.transcript.open };
        return { ...session, facts, transcript: { ...session.transcript, open } };
      }),
      asks: { ...state.asks, open: asks },
      notices,
    };
  }

  private session(session: SessionState): SessionState {
    const { name, facts, transcript } = session;
    const open = transcript.open.map((block) => this.begun(block));
    return {
      ...session,
      ...{ name: this.clean(name), facts: this.clean(facts), transcript: { ...transcript, open } },
      ...{ journal: emptyJournal(), context: "", images: [] },
    };
  }

  private block(session: number, change: BlockChange): Change[] {
    const send = (sent: BlockChange): Change => ({ type: "block", session, change: sent });
    if (change.type === "grew") {
      const delta = this.streams.get(change.id)?.push(change.delta) ?? this.clean(change.delta);
      return delta === "" ? [] : [send({ ...change, delta })];
    }
    const { block } = change;
    if (change.type !== "closed") return [send({ ...change, block: this.begun(block) })];
    const rest = this.streams.get(block.id)?.end() ?? "";
    this.streams.delete(block.id);
    const grown: Change[] = rest === "" ? [] : [send({ type: "grew", id: block.id, delta: rest })];
    return [...grown, send({ type: "closed", block: this.cleanBlock(block) })];
  }

  private begun(block: Block): Block {
    const shown = this.cleanBlock(block);
    const stream = this.redaction.stream();
    this.streams.set(block.id, stream);
    if (shown.kind === "tool" && block.kind === "tool") return { ...shown, output: stream.push(block.output) };
    return "text" in shown && "text" in block ? { ...shown, text: stream.push(block.text) } : shown;
  }

  private other(change: Exclude<Change, { type: "block" }>): Change {
    switch (change.type) {
      case "ask.raised":
        return { ...change, ask: this.ask(change.ask) };
      case "ask.settled":
      case "ask.finished":
        return { ...change, ask: this.ask(change.ask), outcome: this.clean(change.outcome) };
      case "sessions":
        return { ...change, sessions: change.sessions.map((entry) => ({ ...entry, name: this.clean(entry.name) })) };
      case "session.started":
      case "session.switched":
        return change;
      case "session.gone":
        return { ...change, entry: { ...change.entry, name: this.clean(change.entry.name) } };
      default:
        return { ...this.clean(change), type: change.type } as Change;
    }
  }

  private cleanBlock(block: Block): Block {
    return withNames(this.clean(block), block);
  }

  private ask(ask: Ask): Ask {
    return shownAsk(this.redaction, ask);
  }

  private clean<Value>(value: Value): Value {
    return this.redaction.value(value) as Value;
  }
}

// By these a block is found again.
function withNames(shown: Block, { id, kind, ...block }: Block): Block {
  const names = "toolCallId" in block ? { id, kind, toolCallId: block.toolCallId } : { id, kind };
  return { ...shown, ...names } as Block;
}
