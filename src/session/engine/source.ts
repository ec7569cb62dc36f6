// The interface between views and a session: the state, its changes, and `dispatch` for what the user wants. `SessionEngine`
// is the source of a session that runs in the view's own process.
import type { Ask, AskOutcome, AuditRecord, Delivery, Sent } from "../../contract/asks.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { Block } from "../transcript/block.js";
import type { Change, Effect, EngineInput, Intent, Refusal } from "./engine-messages.js";
import { type EngineOptions, type EngineState, startingState } from "./engine-state.js";
import { reduce } from "./reduce.js";

export interface Source {
  readonly state: EngineState;
  /** Who answers given in this view are from. */
  readonly by: string;
  /** Called once for each step that changed something, when the state is the new one. */
  subscribe(onChanges: (changes: readonly Change[]) => void): void;
  /** The state has changed when it returns, unless it was called while changes are being delivered: then it comes next. */
  dispatch(intent: Intent): DispatchResult;
}

/** A later change says whether the agent has received it. */
export type DispatchResult =
  | { readonly result: "accepted" }
  | { readonly result: "refused"; readonly refusal: Refusal };

export interface EngineClock {
  nowMs(): number;
  /** Runs once after the delay, unless the returned function is called before. */
  after(delayMs: number, run: () => void): () => void;
}

/** A source with an agent behind it that can be started and ended. */
export interface Connection {
  readonly source: Source;
  open(): Promise<void>;
  /** Starts the agent again, also one that has ended. */
  restart(): void;
  /** Everything that the agent has said so far is in the state when it returns. */
  catchUp(): void;
  close(): Promise<void>;
}

/** A source whose session is in another process: it begins with the end of the transcript, and the rest can be read. */
export interface RemoteConnection extends Connection {
  /** "live": all that there was is in the state. */
  readonly phase: "catching up" | "live" | "ended";
  /** Blocks of the active session before those that are known, about so much; null when there are none. */
  readEarlier(chars: number): Promise<readonly Block[] | null>;
}

/** Performs the effects. */
export interface EnginePorts {
  readonly clock: EngineClock;
  send(command: LinesCommand): void;
  respond(ask: Ask, outcome: AskOutcome): Sent;
  /** What the view is called in records; "terminal" if missing. */
  readonly by?: string;
  /** Keeps the record; says in words why it could not. */
  audit?(record: AuditRecord): string | null;
}

export class SessionEngine implements Source {
  state: EngineState;
  private readonly ports: EnginePorts;
  private readonly listeners: ((changes: readonly Change[]) => void)[] = [];
  private readonly waiting: EngineInput[] = [];
  private isBusy = false;
  private isAuditBroken = false;
  private cancelWake: () => void = () => undefined;

  readonly by: string;

  constructor(ports: EnginePorts, options: Partial<EngineOptions> = {}) {
    this.ports = ports;
    this.state = startingState(options);
    this.by = ports.by ?? "terminal";
  }

  subscribe(onChanges: (changes: readonly Change[]) => void): void {
    this.listeners.push(onChanges);
  }

  dispatch(intent: Intent, by = this.by): DispatchResult {
    return this.take({ type: "intent", intent, by });
  }

  /** No timer is left behind. */
  close(): void {
    this.cancelWake();
  }

  take(input: EngineInput): DispatchResult {
    this.waiting.push(input);
    if (this.isBusy) return { result: "accepted" };
    this.isBusy = true;
    let first: Refusal | null | undefined;
    try {
      for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
        const { state, changes, effects, refusal } = reduce(this.state, next, this.ports.clock.nowMs());
        this.state = state;
        if (changes.length > 0) for (const listener of this.listeners) listener(changes);
        for (const effect of effects) this.perform(effect);
        if (first === undefined) first = refusal;
      }
    } finally {
      this.isBusy = false;
    }
    return first ? { result: "refused", refusal: first } : { result: "accepted" };
  }

  private perform(effect: Effect): void {
    switch (effect.type) {
      case "send":
        this.ports.send(effect.command);
        return;
      case "respond":
        this.respond(effect.ask, effect.outcome);
        return;
      case "audit":
        this.audit(effect.record);
        return;
      case "wake-at":
        this.wakeAt(effect.atMs);
        return;
    }
  }

  private respond(ask: Ask, outcome: AskOutcome): void {
    const sent = this.ports.respond(ask, outcome);
    const finish = (delivery: Delivery) => this.take({ type: "delivered", askId: ask.id, delivery });
    if (typeof sent === "string") finish(sent);
    else void sent.then(finish);
  }

  private audit(record: AuditRecord): void {
    const problem = this.ports.audit?.(record) ?? null;
    if (problem === null || this.isAuditBroken) return;
    this.isAuditBroken = true;
    this.take({
      type: "event",
      event: { type: "notice.shown", sessionId: null, level: "warn", message: problem },
    });
  }

  private wakeAt(atMs: number | null): void {
    const { clock } = this.ports;
    this.cancelWake();
    this.cancelWake =
      atMs === null
        ? () => undefined
        : clock.after(Math.max(0, atMs - clock.nowMs()), () => this.take({ type: "clock" }));
  }
}
