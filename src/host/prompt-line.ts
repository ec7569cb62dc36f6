// Prompts of several people for one agent, one after the other: an agent that works gets the next one when it is done. What was
// sent counts as work until the agent says something about it, so that two prompts never meet on the way.
import type { LinesCommand } from "../contract/lines-commands.js";
import type { SessionEvent } from "../contract/session-events.js";

export type Prompt = Extract<LinesCommand, { type: "prompt" }>;

export interface WaitingPrompt {
  readonly prompt: Prompt;
  /** Who sent it; his own screen shows it already. */
  readonly frontEnd: string;
}

/** More than this nobody meant to send. */
const WAITING_MAX = 200;

export class PromptLine {
  private readonly send: (waiting: WaitingPrompt) => void;
  private readonly working = new Set<string>();
  private readonly waiting: WaitingPrompt[] = [];
  private readiness: "starting" | "ready" = "starting";
  private isOnTheWay = false;

  constructor(send: (waiting: WaitingPrompt) => void) {
    this.send = send;
  }

  get isWorking(): boolean {
    return this.working.size > 0 || this.isOnTheWay;
  }

  /** False when too many wait already. */
  add(prompt: WaitingPrompt): boolean {
    if (this.waiting.length >= WAITING_MAX) return false;
    this.waiting.push(prompt);
    this.sendNext();
    return true;
  }

  hear(event: SessionEvent): void {
    const { type, sessionId } = event;
    // The agent has ended in the middle of its answer: there is no next prompt, and its exit follows.
    if (type === "prompt.finished" && event.isCutOff === true) return;
    if (type === "prompt.started") this.working.add(sessionId ?? "");
    else if (type === "prompt.finished") this.finished(sessionId);
    else if (type === "agent.readied") this.readiness = "ready";
    else if (type !== "command.failed") return;
    this.isOnTheWay = false;
    this.sendNext();
  }

  /** The agent is gone, and nobody will do what waits. */
  clear(): void {
    this.readiness = "starting";
    this.waiting.length = 0;
    this.working.clear();
    this.isOnTheWay = false;
  }

  private finished(sessionId: string | null): void {
    if (sessionId === null) this.working.clear();
    this.working.delete(sessionId ?? "");
    this.working.delete("");
  }

  private sendNext(): void {
    if (this.isOnTheWay || this.readiness === "starting") return;
    const at = this.waiting.findIndex(({ prompt }) => this.isFree(prompt.session_id));
    const [next] = at < 0 ? [] : this.waiting.splice(at, 1);
    if (next === undefined) return;
    this.isOnTheWay = true;
    this.send(next);
  }

  private isFree(sessionId: string | undefined): boolean {
    if (this.working.size === 0) return true;
    return sessionId !== undefined && !this.working.has(sessionId) && !this.working.has("");
  }
}
