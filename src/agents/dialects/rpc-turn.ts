// The one turn of an agent that speaks JSON-RPC: it begins with a prompt of ours or by itself, is named by the agent, and ends when
// the agent reports it. A stop that is wanted before the turn has a name is sent with the name.
import { errorWords } from "./error-words.js";
import type { JsonObject } from "./frames/json-frame.js";
import type { JsonRpcPeer, RpcReply } from "./json-rpc-peer.js";
import type { StepBuilder } from "./step-builder.js";

export interface TurnWire {
  /** Used in sentences. */
  readonly agent: string;
  /** What the agent calls a turn. */
  readonly noun: string;
  readonly startMethod: string;
  /** The id of the turn in the answer to a prompt; undefined when it has none. */
  idIn(answer: RpcReply): string | undefined;
  stopCall(turnId: string): readonly [method: string, params: JsonObject];
}

/** `id` is null until the agent has named the turn. */
export type RpcTurn = { id: string | null; stop: "none" | "wanted" | "sent" };

export abstract class RpcTurns<Turn extends RpcTurn> {
  protected readonly out: StepBuilder;
  protected turn: Turn | null = null;
  protected lastId: string | null = null;
  private readonly peer: JsonRpcPeer;
  private readonly wire: TurnWire;

  constructor(out: StepBuilder, peer: JsonRpcPeer, wire: TurnWire) {
    this.out = out;
    this.peer = peer;
    this.wire = wire;
  }

  get isOpen(): boolean {
    return this.turn !== null;
  }

  start(params: JsonObject): void {
    const { agent, noun, startMethod, idIn } = this.wire;
    const turn = this.begin(null);
    this.peer.request(startMethod, params, (answer) => {
      const id = idIn(answer);
      if (this.turn !== turn) return;
      if (id !== undefined) return this.name(id);
      const message = answer.ok ? `${agent} did not name the ${noun}` : `${agent}: ${errorWords(answer)}`;
      this.out.tell({ type: "command.failed", message });
      return this.end(turn);
    });
  }

  /** The turn may be named before the answer to the prompt arrives. */
  name(id: string): void {
    const { turn } = this;
    if (turn === null || (turn.id === null && id === this.lastId)) return;
    turn.id ??= id;
    if (turn.stop === "wanted") this.sendStop(turn, turn.id);
  }

  stop(): void {
    const { turn } = this;
    if (turn === null || turn.stop !== "none") return;
    turn.stop = "wanted";
    if (turn.id !== null) this.sendStop(turn, turn.id);
  }

  /** The agent is gone. */
  cutOff(): void {
    if (this.turn !== null) this.out.tell({ type: "prompt.finished", isCutOff: true });
    this.turn = null;
  }

  protected begin(id: string | null): Turn {
    const turn = this.opened(id);
    this.turn = turn;
    this.out.tell({ type: "prompt.started" });
    return turn;
  }

  protected end(turn: Turn): void {
    this.lastId = turn.id;
    this.turn = null;
    this.ended(turn);
  }

  protected abstract opened(id: string | null): Turn;
  /** Reports the end of the turn. */
  protected abstract ended(turn: Turn): void;

  private sendStop(turn: Turn, turnId: string): void {
    turn.stop = "sent";
    this.peer.request(...this.wire.stopCall(turnId), (answer) => {
      // A turn that is over needs no stop.
      if (answer.ok || this.turn !== turn) return;
      turn.stop = "none";
      this.out.tell({ type: "command.failed", message: `${this.wire.agent} did not stop: ${errorWords(answer)}` });
    });
  }
}
