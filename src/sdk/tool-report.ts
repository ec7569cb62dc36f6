// Reports one tool call: its beginning, its output as it comes, and its end. Updates carry the output so far; a budget
// keeps long output cheap, and what was held back goes out a moment later.
import type { AgentEvent } from "../contract/agent-events.js";
import type { Clock } from "../system/timers.js";
import { UpdateBudget } from "./message-stream.js";

export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: unknown };

/** What came of a call; a bare string is the text of one that worked. */
export type ToolEnd = {
  readonly text: string;
  readonly isError?: boolean;
  /** More for front ends: counts, an exit code, the diff that was applied. Plain JSON. */
  readonly details?: unknown;
};

type ReportPorts = { emit(event: AgentEvent): Promise<void>; readonly clock: Clock };

/** How much output is kept for updates. */
const LIVE_OUTPUT_CHARS_MAX = 256 * 1024;

export class ToolReport {
  readonly #call: ToolCall;
  readonly #ports: ReportPorts;
  readonly #budget: UpdateBudget;
  readonly #ended = new AbortController();
  #text = "";
  #waiting = false;

  /** @internal */
  constructor(call: ToolCall, ports: ReportPorts) {
    this.#call = call;
    this.#ports = ports;
    this.#budget = new UpdateBudget(() => ports.clock.nowMs());
    void ports.emit({ type: "tool_execution_start", ...this.#about, arguments: call.arguments });
  }

  get #about() {
    return { tool_call_id: this.#call.id, tool: this.#call.name };
  }

  get id(): string {
    return this.#call.id;
  }

  /** Adds to the output; ignored after the end. */
  output(delta: string): void {
    if (this.#ended.signal.aborted || this.#text.length >= LIVE_OUTPUT_CHARS_MAX) return;
    this.#text += delta;
    this.#budget.grew(delta.length);
    if (!this.#waiting) void this.#sendWhenDue();
  }

  /** `result` takes the place of the output so far. Resolves when the front end has kept up. */
  end(result: string | ToolEnd): Promise<void> {
    const { text, isError = false, details }: ToolEnd = typeof result === "string" ? { text: result } : result;
    this.#ended.abort();
    const output = { content: [{ type: "text" as const, text }], ...(details === undefined ? {} : { details }) };
    return this.#ports.emit({ type: "tool_execution_end", ...this.#about, output, is_error: isError });
  }

  async #sendWhenDue(): Promise<void> {
    this.#waiting = true;
    const waitMs = this.#budget.waitMs();
    if (waitMs > 0) await this.#ports.clock.wait(waitMs, this.#ended.signal);
    this.#waiting = false;
    if (this.#ended.signal.aborted) return;
    this.#budget.spend();
    const { arguments: args } = this.#call;
    await this.#ports.emit({ type: "tool_execution_update", ...this.#about, arguments: args, output: this.#text });
  }
}
