// Who asked the agent what: several front ends send commands to one agent, and its answers carry no address. The answer to a
// command goes to the front end that sent it, in the order in which they were sent; what nobody asked for goes to all.
import type { LinesCommandType } from "../contract/lines-commands.js";

const answersTo: Partial<Record<LinesCommandType, string>> = {
  initialize: "initialized",
  stats: "stats",
  ping: "pong",
  debug: "debug",
  save: "save_result",
  list_sessions: "sessions_list",
  list_running_sessions: "running_sessions",
  list_models: "models_list",
  get_config: "config_state",
  set_active_session: "active_session",
};

/** An agent that never answers must not make us remember for ever. */
const WAITING_MAX = 100;

export class ReplyRouter {
  private readonly waiting = new Map<string, string[]>();

  asked(command: LinesCommandType, frontEnd: string): void {
    const answer = answersTo[command];
    if (answer === undefined) return;
    const waiting = this.waiting.get(answer) ?? [];
    waiting.push(frontEnd);
    if (waiting.length > WAITING_MAX) waiting.shift();
    this.waiting.set(answer, waiting);
  }

  /** Who waits for this answer; null when nobody does. */
  answered(answer: string): string | null {
    return this.waiting.get(answer)?.shift() ?? null;
  }

  /** Everybody who waits for it. */
  allFor(answer: string): string[] {
    const waiting = this.waiting.get(answer) ?? [];
    this.waiting.delete(answer);
    return waiting;
  }

  clear(): void {
    this.waiting.clear();
  }
}
