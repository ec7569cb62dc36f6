// Sends what a view wants to a hosted session, one intent after the other and each exactly once: an intent carries a name of its
// own, so that it can be sent again when the connection broke before the answer came.
import { randomUUID } from "node:crypto";
import { type IntentResult, intentResultSchema, type SessionIntent } from "../../contract/session-changes.js";
import { askDaemonForJson, type DaemonAddress, type JsonAnswer, refusalWords } from "./daemon-request.js";
import { type After, GrowingPause } from "./growing-pause.js";

export interface SenderPorts {
  /** Null when the daemon is not there now. */
  address(): Promise<DaemonAddress | null>;
  /** The path of the intents with the view's name. */
  readonly path: string;
  readonly after: After;
  readonly signal: AbortSignal;
  /** The daemon does not do it; `why` when it says so in its own words. */
  onRefused(intent: SessionIntent, why: IntentResult["why"], words: string): void;
}

/** More than this is not typed while a daemon is away. */
const WAITING_MAX = 200;
const ANSWER_MS_MAX = 10_000;

interface Waiting {
  readonly key: string;
  readonly intent: SessionIntent;
}

export class IntentSender {
  private readonly ports: SenderPorts;
  private readonly waiting: Waiting[] = [];
  private sending: Promise<void> | null = null;

  constructor(ports: SenderPorts) {
    this.ports = ports;
  }

  /** False when too much waits already. */
  send(intent: SessionIntent): boolean {
    if (this.waiting.length >= WAITING_MAX) return false;
    this.waiting.push({ key: randomUUID(), intent });
    this.sending ??= this.drain();
    return true;
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
      if (answer.status < 300) continue;
      const { data } = intentResultSchema.safeParse(answer.body);
      this.ports.onRefused(next.intent, data?.why, refusalWords(answer));
    }
    this.sending = null;
  }

  /** Null when there was no answer, so that it has to be sent again. */
  private async attempt({ key, intent }: Waiting): Promise<JsonAnswer | null> {
    const { path, signal } = this.ports;
    try {
      const address = await this.ports.address();
      if (address === null) return null;
      return await askDaemonForJson(address, path, {
        method: "POST",
        headers: { "idempotency-key": key },
        body: { intent },
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
      });
    } catch {
      return null;
    }
  }
}
