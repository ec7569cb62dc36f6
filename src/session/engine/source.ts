// What a view talks to, and nothing else of the agent: the state as it is, the changes as they come, and a way to say what the
// user wants. `SessionEngine` is the source for a session that is run in the view's own process.
import type { Ask, AskOutcome, AuditRecord, Delivery, Sent } from "../../contract/asks.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { Change, Effect, EngineInput, Intent } from "./engine-messages.js";
import { type EngineState, startingState } from "./engine-state.js";
import { reduce } from "./reduce.js";

export interface Source {
  readonly state: EngineState;
  /** Who answers given in this view are from. */
  readonly by: string;
  /** Called once for each step that changed something, when the state is the new one. */
  subscribe(onChanges: (changes: readonly Change[]) => void): void;
  /** The state has changed when it returns, unless it was called while changes are being delivered: then it comes next. */
  dispatch(intent: Intent): void;
}

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
  state: EngineState = startingState();
  private readonly ports: EnginePorts;
  private readonly listeners: ((changes: readonly Change[]) => void)[] = [];
  private readonly waiting: EngineInput[] = [];
  private isBusy = false;
  private isAuditBroken = false;
  private cancelWake: () => void = () => undefined;

  readonly by: string;

  constructor(ports: EnginePorts) {
    this.ports = ports;
    this.by = ports.by ?? "terminal";
  }

  subscribe(onChanges: (changes: readonly Change[]) => void): void {
    this.listeners.push(onChanges);
  }

  dispatch(intent: Intent): void {
    this.take({ type: "intent", intent, by: this.by });
  }

  /** No timer is left behind. */
  close(): void {
    this.cancelWake();
  }

  take(input: EngineInput): void {
    this.waiting.push(input);
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) this.step(next);
    } finally {
      this.isBusy = false;
    }
  }

  private step(input: EngineInput): void {
    const { state, changes, effects } = reduce(this.state, input, this.ports.clock.nowMs());
    this.state = state;
    if (changes.length > 0) for (const listener of this.listeners) listener(changes);
    for (const effect of effects) this.perform(effect);
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
    this.dispatch({ type: "notice", level: "warn", text: problem });
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
