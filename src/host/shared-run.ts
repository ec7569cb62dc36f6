// The session of a terminal, opened to others while it runs: views elsewhere follow it and send intents as they do with a session of a
// daemon. The agent and the terminal do not notice. What others get has no secrets in it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Redaction } from "../agents/recordings/recording.js";
import type { HostedSessionEntry } from "../contract/hosted-sessions.js";
import type { SessionIntent } from "../contract/session-changes.js";
import type { Change } from "../session/engine/engine-messages.js";
import { activeSession, type EngineState, isWorking } from "../session/engine/engine-state.js";
import { realTimers, steadyNowMs } from "../system/timers.js";
import type { AgentConnection } from "./agent-connection.js";
import { CHANGE_BOUNDS, ChangeLog } from "./change-log.js";
import { ChangeSignal } from "./change-signal.js";
import { CheckedIntents, type HostedResult } from "./checked-intents.js";
import { KeptTranscript, TRANSCRIPT_BOUNDS } from "./kept-transcript.js";
import { type ServedSession, type ServedSessions, type SessionFollower, StartRefusal } from "./served-session.js";
import { ShownState } from "./shown-state.js";

export interface SharedRunOptions {
  readonly connection: Pick<AgentConnection, "source" | "catchUp">;
  readonly redaction: Redaction;
  readonly agent: string;
  readonly folder: string;
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
    this.shown = new ShownState(source.state, redaction);
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
