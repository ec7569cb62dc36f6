// One tool call from its arguments to its answer, reported as it goes. Whatever a tool does (fail, throw, hang after an
// abort, print without end) there is exactly one answer, because a model refuses to go on without.
import type { AgentEvent } from "../../contract/agent-events.js";
import { UpdateBudget } from "../../sdk/update-budget.js";
import type { Clock } from "../../system/timers.js";
import type { PermissionDesk } from "../permission/permission-gate.js";
import { askToLeave, type ExitPorts } from "../permission/sandbox-exit.js";
import { abortedAnswer, type ToolAnswer, type ToolCallBlock } from "../session/history.js";
import type { Tool, ToolContext, ToolPlan } from "../tool.js";

export type ToolPorts = ExitPorts & {
  emit(event: AgentEvent): Promise<void>;
  readonly clock: Clock;
  /** The workspace, an absolute path. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly policy: Pick<PermissionDesk, "readDecision">;
};

export type ReadyCall = {
  readonly call: ToolCallBlock;
  readonly tool: Tool;
  /** The checked arguments. */
  readonly input: unknown;
  readonly plan: ToolPlan;
};

/** How long an aborted tool may take to end; after that it is left to itself. */
const ABORT_GRACE_MS = 5_000;
/** What is kept of the output for updates; the answer has the tool's own limits. */
const LIVE_OUTPUT_CHARS_MAX = 256 * 1024;

export async function runTool(ready: ReadyCall, ports: ToolPorts): Promise<ToolAnswer> {
  const { call } = ready;
  await ports.emit({ type: "tool_execution_start", data: [call.id, call.name, call.arguments] });
  const live = new LiveOutput(call, ports);
  const answer = await answerOf(ready, ports, live);
  live.close();
  await reportEnd(call, answer, ports);
  return answer;
}

/** A call that never ran is reported like one that did, so that every beginning has an end. */
export async function reportUnrun(call: ToolCallBlock, answer: ToolAnswer, ports: ToolPorts): Promise<ToolAnswer> {
  await ports.emit({ type: "tool_execution_start", data: [call.id, call.name, call.arguments] });
  await reportEnd(call, answer, ports);
  return answer;
}

function reportEnd(call: ToolCallBlock, { text, details, is_error }: ToolAnswer, { emit }: ToolPorts): Promise<void> {
  const output = { content: [{ type: "text" as const, text }], ...(details === undefined ? {} : { details }) };
  return emit({ type: "tool_execution_end", data: [call.id, call.name, output, is_error] });
}

async function answerOf(ready: ReadyCall, ports: ToolPorts, live: LiveOutput): Promise<ToolAnswer> {
  const { tool, input, plan } = ready;
  const { folder, signal, clock, policy, sandbox } = ports;
  if (signal.aborted) return abortedAnswer;
  const readDecision: PermissionDesk["readDecision"] = (file) => policy.readDecision(file);
  const onOutput = (delta: string) => live.add(delta);
  const callId = ready.call.id;
  const leaveSandbox: ToolContext["leaveSandbox"] = (failed) => askToLeave(failed, callId, ports, signal);
  const context = { folder, signal, plan, callId, readDecision, sandbox: sandbox?.box, leaveSandbox, onOutput };
  const run = tool.run(input, context).then(
    (result): ToolAnswer => ({
      text: result.text,
      is_error: result.outcome === "failed",
      trust: "untrusted",
      ...(result.details === undefined ? {} : { details: { ...result.details } }),
    }),
    (error): ToolAnswer => failedAnswer(error, signal),
  );
  const settled = new AbortController();
  const answer = await Promise.race([run, abandoned(signal, settled.signal, clock)]);
  settled.abort();
  return answer;
}

function failedAnswer(error: unknown, signal: AbortSignal): ToolAnswer {
  if (signal.aborted) return abortedAnswer;
  const words = error instanceof Error ? error.message : String(error);
  return { text: `The tool failed: ${words}`, is_error: true, trust: "trusted" };
}

// Comes into play after an abort only, and takes its timer along when the tool is done.
function abandoned(signal: AbortSignal, settled: AbortSignal, clock: Clock): Promise<ToolAnswer> {
  return new Promise((resolve) => {
    const giveUp = () => void clock.wait(ABORT_GRACE_MS, settled).then(() => resolve(abortedAnswer));
    signal.addEventListener("abort", giveUp, { once: true, signal: settled });
  });
}

// Updates carry the output so far; the budget keeps a long one cheap. What is held back when a tool falls silent goes
// out a moment later.
class LiveOutput {
  readonly #call: ToolCallBlock;
  readonly #ports: ToolPorts;
  readonly #budget: UpdateBudget;
  readonly #closed = new AbortController();
  #text = "";
  #waiting = false;

  constructor(call: ToolCallBlock, ports: ToolPorts) {
    this.#call = call;
    this.#ports = ports;
    this.#budget = new UpdateBudget(ports.clock.nowMs);
  }

  add(delta: string): void {
    if (this.#closed.signal.aborted || this.#text.length >= LIVE_OUTPUT_CHARS_MAX) return;
    this.#text += delta;
    this.#budget.grew(delta.length);
    if (!this.#waiting) void this.#sendWhenDue();
  }

  close(): void {
    this.#closed.abort();
  }

  async #sendWhenDue(): Promise<void> {
    this.#waiting = true;
    const waitMs = this.#budget.waitMs();
    if (waitMs > 0) await this.#ports.clock.wait(waitMs, this.#closed.signal);
    this.#waiting = false;
    if (this.#closed.signal.aborted) return;
    this.#budget.spend();
    const { id, name, arguments: args } = this.#call;
    await this.#ports.emit({ type: "tool_execution_update", data: [id, name, args, this.#text] });
  }
}
