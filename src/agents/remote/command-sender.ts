// Sends the commands of a front end to a hosted session, one after the other and each exactly once: a command carries a name of
// its own, so that it can be sent again when the connection broke before the answer came.
import { randomUUID } from "node:crypto";
import type { AskOutcome, Delivery, Sent } from "../../contract/asks.js";
import { answerResultSchema } from "../../contract/daemon.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { askDaemonForJson, type DaemonAddress, type JsonAnswer, refusalWords } from "./daemon-request.js";
import { type After, GrowingPause } from "./growing-pause.js";

export interface SenderPorts {
  /** Null when the daemon is not there now. */
  address(): Promise<DaemonAddress | null>;
  /** The path of the commands with the front end's name. */
  readonly path: string;
  readonly after: After;
  readonly signal: AbortSignal;
  onEvent(event: SessionEvent): void;
  /** Somebody else was first. */
  onLate(askId: string, outcome: AskOutcome): void;
}

/** More than this nobody types while a daemon is away. */
const WAITING_MAX = 200;
const ANSWER_MS_MAX = 10_000;
const LATE = 409;

interface Waiting {
  readonly key: string;
  readonly command: LinesCommand;
  sent(delivery: Delivery): void;
}

export class CommandSender {
  private readonly ports: SenderPorts;
  private readonly waiting: Waiting[] = [];
  private sending: Promise<void> | null = null;

  constructor(ports: SenderPorts) {
    this.ports = ports;
  }

  /** "lost" when too much waits already, or when the daemon refuses it. */
  send(command: LinesCommand): Sent {
    if (this.waiting.length >= WAITING_MAX) return "lost";
    return new Promise((sent) => {
      this.waiting.push({ key: randomUUID(), command, sent });
      this.sending ??= this.drain();
    });
  }

  /** Settles when nothing waits any more. */
  async drained(): Promise<void> {
    while (this.sending !== null) await this.sending;
  }

  private async drain(): Promise<void> {
    const pause = new GrowingPause(this.ports.after, this.ports.signal);
    for (let [next] = this.waiting; next !== undefined && !this.ports.signal.aborted; [next] = this.waiting) {
      const answer = await this.attempt(next);
      if (answer === null) {
        await pause.wait();
        continue;
      }
      pause.reset();
      this.waiting.shift();
      next.sent(answer.status < 300 ? "delivered" : "lost");
      this.settle(next.command, answer);
    }
    for (const { sent } of this.waiting) sent("lost");
    this.sending = null;
  }

  /** Null when nobody answered, so that it has to be sent again. */
  private async attempt({ key, command }: Waiting): Promise<JsonAnswer | null> {
    const { path, signal } = this.ports;
    try {
      const address = await this.ports.address();
      if (address === null) return null;
      return await askDaemonForJson(address, path, {
        method: "POST",
        headers: { "idempotency-key": key },
        body: command,
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
      });
    } catch {
      return null;
    }
  }

  private settle(command: LinesCommand, answer: JsonAnswer): void {
    if (answer.status < 300) return;
    const late = answer.status === LATE ? outcomeOf(answer.body) : null;
    if (command.type === "ui_response" && late !== null) {
      this.ports.onLate(command.id, late);
      return;
    }
    this.ports.onEvent({ type: "command.failed", sessionId: null, message: refusalWords(answer) });
    // The front end took the prompt for work; nobody works.
    if (command.type === "prompt") this.ports.onEvent({ type: "prompt.finished", sessionId: null });
  }
}

function outcomeOf(body: unknown): AskOutcome | null {
  const { data } = answerResultSchema.safeParse(body);
  if (data === undefined) return null;
  const { outcome: kind, by = "somebody", reason = "agent_cancelled" } = data;
  if (kind === "answered") return { kind, value: null, by };
  if (kind === "cancelled") return { kind, by };
  return kind === "expired" ? { kind } : { kind, reason };
}
