// A message on its way out, as it grows. A front end that takes deltas gets what was added and nothing twice. Any other
// gets the whole message again and again, as often as the budget allows; what is held back comes with the next update, or
// with the end.
import type { AgentEvent } from "../contract/agent-events.js";
import type { ContentBlock, Message } from "../contract/messages.js";

/** A message that its author still writes to. It is read whenever an event about it goes out. */
export type GrowingMessage = Message & { content: ContentBlock[] };

export type MessageStreamPorts<Sent> = {
  emit(event: AgentEvent): Sent;
  /** What the two sides agreed on. */
  updates: "whole" | "deltas";
  nowMs(): number;
};

export class MessageStream<Sent> {
  readonly #ports: MessageStreamPorts<Sent>;
  readonly #message: GrowingMessage;
  readonly #budget: UpdateBudget;

  constructor(message: GrowingMessage, ports: MessageStreamPorts<Sent>) {
    this.#message = message;
    this.#ports = ports;
    this.#budget = new UpdateBudget(ports.nowMs);
  }

  start(): Sent {
    return this.#ports.emit({ type: "message_start", message: this.#message });
  }

  /** Something was added to the message; null when this is not the moment to say so. */
  grew(place: number, kind: "text" | "thinking", delta: string): Sent | null {
    const { emit, updates } = this.#ports;
    this.#budget.grew(delta.length);
    if (updates === "deltas") return emit({ type: "message_delta", index: place, kind, delta });
    if (this.#budget.waitMs() > 0) return null;
    this.#budget.spend();
    return emit({ type: "message_update", message: this.#message });
  }

  /** The whole message, whatever was held back before. */
  end(): Sent {
    return this.#ports.emit({ type: "message_end", message: this.#message });
  }
}

// How often something that grows may be sent whole. All updates together stay within a small multiple of its length plus a
// fixed rate, so that n characters cost O(n) bytes and not O(n²), and something slow still does not look stuck.
//
//   length      ────────────────────────────────────────────────►
//   updates     ││││││ │ │ │  │  │   │    │     │      │       │    further apart as it grows

/** What it may cost before there is much of it: short answers stream token by token. */
const BUDGET_CHARS_START = 4_096;
/** How often each character may be sent on average. */
const BUDGET_PER_CHAR = 8;
/** Time buys updates too. */
const BUDGET_CHARS_PER_SECOND = 16_384;

export class UpdateBudget {
  readonly #nowMs: () => number;
  readonly #startedAtMs: number;
  #lengthChars = 0;
  #spentChars = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#startedAtMs = nowMs();
  }

  grew(chars: number): void {
    this.#lengthChars += chars;
  }

  /** How long to wait until the whole may be sent; 0 for now. */
  waitMs(): number {
    const elapsedMs = Math.max(0, this.#nowMs() - this.#startedAtMs);
    const earned = BUDGET_PER_CHAR * this.#lengthChars + (BUDGET_CHARS_PER_SECOND * elapsedMs) / 1000;
    const missing = this.#spentChars + this.#lengthChars - (BUDGET_CHARS_START + earned);
    return missing <= 0 ? 0 : (missing / BUDGET_CHARS_PER_SECOND) * 1000;
  }

  /** It was sent whole. */
  spend(): void {
    this.#spentChars += this.#lengthChars;
  }
}
