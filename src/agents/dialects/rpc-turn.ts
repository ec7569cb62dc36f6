// The one turn of an agent that speaks JSON-RPC: it begins with a prompt of ours or by itself, is named by the agent, and ends when
// the agent reports it. A stop that is wanted before the turn has a name is sent with the name.
import { errorWords } from "./error-words.js";
import type { JsonObject } from "./frames/json-frame.js";
import type { JsonRpcPeer, RpcReply } from "./json-rpc-peer.js";
import type { StepBuilder } from "./step-builder.js";

/** `id` is null until the agent has named the turn. */
export type RpcTurn = { id: string | null; stop: "none" | "wanted" | "sent" };

export abstract class RpcTurns<Turn extends RpcTurn> {
  protected readonly out: StepBuilder;
  protected turn: Turn | null = null;
  protected lastId: string | null = null;
  /** Used in sentences. */
  protected abstract readonly agent: string;
  /** What the agent calls a turn. */
  protected abstract readonly noun: string;
  protected abstract readonly startMethod: string;
  private readonly peer: JsonRpcPeer;
  private readonly onEnd: () => void;

  constructor(out: StepBuilder, peer: JsonRpcPeer, onEnd: () => void) {
    this.out = out;
    this.peer = peer;
    this.onEnd = onEnd;
  }

  get isOpen(): boolean {
    return this.turn !== null;
  }

  start(params: JsonObject): void {
    const { agent, noun } = this;
    const turn = this.begin(null);
    this.peer.request(this.startMethod, params, (answer) => {
      const id = this.idIn(answer);
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
    this.onEnd();
    this.ended(turn);
  }

  /** The id of the turn in the answer to a prompt; undefined when it has none. */
  protected abstract idIn(answer: RpcReply): string | undefined;
  protected abstract stopCall(turnId: string): readonly [method: string, params: JsonObject];
  protected abstract opened(id: string | null): Turn;
  /** Reports the end of the turn. */
  protected abstract ended(turn: Turn): void;

  private sendStop(turn: Turn, turnId: string): void {
    turn.stop = "sent";
    this.peer.request(...this.stopCall(turnId), (answer) => {
      // A turn that is over needs no stop.
      if (answer.ok || this.turn !== turn) return;
      turn.stop = "none";
      this.out.tell({ type: "command.failed", message: `${this.agent} did not stop: ${errorWords(answer)}` });
    });
  }
}
