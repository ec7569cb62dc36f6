// Sends the page's requests to its daemon as JSON and always returns a result. A request that changes something carries an
// idempotency key and is repeated with the same key until the daemon's response is known, so that it takes effect once.
import type { NetPorts } from "./event-follower.js";

export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

const ANSWER_MS_MAX = 10_000;
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 10_000;
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export class Requests {
  private readonly ports: NetPorts;
  private readonly newKey: () => string;
  private readonly pauses = new Set<() => void>();

  constructor(ports: NetPorts, newKey: () => string) {
    this.ports = ports;
    this.newKey = newKey;
  }

  /** Null when there was no answer. */
  async once(method: string, path: string, body?: unknown, key?: string): Promise<JsonAnswer | null> {
    const limit = new AbortController();
    const cancel = this.ports.after(ANSWER_MS_MAX, () => limit.abort());
    try {
      const response = await this.ports.fetch(path, { ...requestOf(method, body, key), signal: limit.signal });
      return { status: response.status, body: await response.json().catch(() => null) };
    } catch {
      return null;
    } finally {
      cancel();
    }
  }

  /** Sends it until the answer is known; `onWaiting` is told each time there was none. */
  async untilKnown(path: string, body: unknown, onWaiting: () => void = () => undefined): Promise<JsonAnswer> {
    const key = this.newKey();
    for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      const answer = await this.once("POST", path, body, key);
      if (answer !== null && !BUSY.has(answer.status)) return answer;
      onWaiting();
      await this.pause(pauseMs);
    }
  }

  /** The page is in sight or online again: what waits is sent now. */
  wake(): void {
    for (const end of [...this.pauses]) end();
  }

  private pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.pauses.delete(end);
        cancel();
        resolve();
      };
      const cancel = this.ports.after(delayMs, end);
      this.pauses.add(end);
    });
  }
}

function requestOf(method: string, body: unknown, key: string | undefined): RequestInit {
  const headers: Record<string, string> = {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
  return { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}

/** The words of a refusal. */
export function refusalWords({ status, body }: JsonAnswer): string {
  const { error } = (body ?? {}) as { readonly error?: unknown };
  return typeof error === "string" ? error : `the daemon answered ${status}`;
}
