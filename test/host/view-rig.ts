// An engine with its log and its transcript, as a daemon has them, and views whose connection can be cut at any byte.
import { join } from "node:path";
import { FRAME_BYTES_MAX } from "../../src/contract/limits.js";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { SseDecoder } from "../../src/contract/sse-decoder.js";
import type { HistoryBounds } from "../../src/host/bounded-history.js";
import { ChangeLog } from "../../src/host/change-log.js";
import { ChangeReader, sessionSnapshot } from "../../src/host/change-reader.js";
import { ChangeSignal } from "../../src/host/change-signal.js";
import { KeptTranscript } from "../../src/host/kept-transcript.js";
import type { Change, EngineInput } from "../../src/session/engine/engine-messages.js";
import type { EngineState } from "../../src/session/engine/engine-state.js";
import { Mirror } from "../../src/session/engine/mirror.js";
import type { HistoryItem, Snapshot } from "../../src/session/engine/snapshot.js";
import { SessionEngine } from "../../src/session/engine/source.js";
import type { Timers } from "../../src/system/timers.js";
import { temporaryFolder } from "../server/temporary-folder.js";

/** Time does not pass by itself: a reader that has nothing to say gives its heartbeat at once. */
const atOnce: Timers = {
  after(_delayMs, action) {
    let isOff = false;
    queueMicrotask(() => isOff || action());
    return () => {
      isOff = true;
    };
  },
};

export interface RigOptions {
  readonly changes?: HistoryBounds;
  readonly transcript?: HistoryBounds;
  readonly folder?: string;
  readonly firstSeq?: number;
}

const LARGE: HistoryBounds = { itemsMax: 1e6, weightMax: 1e9 };

export class ViewRig {
  readonly signal = new ChangeSignal(atOnce);
  readonly log: ChangeLog;
  readonly transcript: KeptTranscript;
  readonly path: string;
  nowMs = 1_000_000;
  private readonly engine: SessionEngine;

  constructor({ changes = LARGE, transcript = LARGE, folder = temporaryFolder(), firstSeq = 1_000 }: RigOptions = {}) {
    this.path = join(folder, "transcript.jsonl");
    this.log = new ChangeLog(firstSeq, changes);
    const lastSeq = firstSeq === 1_000 ? 0 : firstSeq - 1;
    this.transcript = new KeptTranscript({ path: this.path, sessionId: "h", lastSeq, bounds: transcript });
    const clock = { nowMs: () => this.nowMs, after: () => () => undefined };
    this.engine = new SessionEngine(
      { clock, send: () => undefined, respond: () => "delivered" },
      { firstBlock: firstSeq },
    );
    this.engine.subscribe((told) => this.keep(told));
  }

  get state(): EngineState {
    return this.engine.state;
  }

  hear(...events: SessionEvent[]): void {
    for (const event of events) this.take({ type: "event", event });
  }

  take(input: EngineInput): void {
    this.engine.take(input);
  }

  reader(lastEventId: string | null, tailChars = 1e6, view = "me"): ChangeReader {
    const snapshot = sessionSnapshot(this, tailChars);
    return new ChangeReader({ source: this, snapshot, lastEventId, view, timers: atOnce, heartbeatMs: 1 });
  }

  private keep(changes: readonly Change[]): void {
    for (const change of changes) {
      const seq = this.log.append(change);
      if (change.type !== "block" || change.change.type !== "closed") continue;
      const session = this.state.sessions.find(({ key }) => key === change.session);
      this.transcript.put(seq, session?.id || null, change.change.block);
    }
    this.signal.ring();
  }
}

/** A view that follows an engine elsewhere and can lose its connection. */
export class Viewer {
  readonly mirror = new Mirror();
  readonly changes: Change[] = [];
  snapshots = 0;
  earlier: number | null = null;
  private readonly rig: ViewRig;
  private readonly tailChars: number;
  private readonly name: string;
  private lastId: string | null = null;
  private connection: { reader: ChangeReader; decoder: SseDecoder } | null = null;

  constructor(rig: ViewRig, tailChars = 1e6, name = "me") {
    this.rig = rig;
    this.tailChars = tailChars;
    this.name = name;
  }

  /** Reads what there is, or only the beginning of it, after which the connection is gone. Says whether there was anything. */
  async read(bytesMax = Number.POSITIVE_INFINITY): Promise<"news" | "nothing"> {
    this.connection ??= {
      reader: this.rig.reader(this.lastId, this.tailChars, this.name),
      decoder: new SseDecoder({ eventCharsMax: FRAME_BYTES_MAX }),
    };
    const { reader, decoder } = this.connection;
    const text = (await reader.next()) ?? "";
    const bytes = new TextEncoder().encode(text);
    for (const event of decoder.push(bytes.slice(0, bytesMax))) this.hear(event.name, JSON.parse(event.data), event.id);
    if (bytesMax < bytes.length) this.disconnect();
    return text.startsWith(":") || text === "" ? "nothing" : "news";
  }

  async readAll(): Promise<void> {
    while ((await this.read()) === "news");
  }

  disconnect(): void {
    this.connection?.reader.stop();
    this.connection = null;
  }

  private hear(name: string, value: unknown, id: string | null): void {
    const seq = Number.parseInt(id ?? "0", 10);
    const shift = { byMs: 0, nowMs: this.rig.nowMs };
    const { mirror } = this;
    if (name === "snapshot") {
      this.snapshots += 1;
      if (this.lastId === null) this.earlier = (value as Snapshot).earlier;
      this.changes.push(...mirror.begin(value as Snapshot, shift));
    } else if (name === "history") this.changes.push(...mirror.history(value as HistoryItem[], shift));
    else if (name === "caught-up") this.changes.push(...mirror.caughtUp(seq));
    else if (name === "message") this.changes.push(...mirror.follow(value as Change[], seq, shift));
    if (name === "history" || name === "caught-up" || name === "message") this.lastId = id;
  }
}

/** What a user sees of a state: everything but the keys of the sessions, and who waits for what. */
export function shown({ sessions, active, asks, notices }: EngineState): unknown {
  const all = sessions.map(({ id, name, cwd, facts, transcript, journal }) => {
    return { id, name, cwd, facts, open: transcript.open, closed: journal.blocks };
  });
  return JSON.parse(JSON.stringify({ all, active, asks: asks.open, notices }));
}
