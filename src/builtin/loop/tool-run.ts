// One tool call from its arguments to its answer, reported as it goes. Whatever a tool does (fail, throw, hang after an
// abort, print without end) there is exactly one answer, because a model refuses to go on without.
import type { SessionFront, ToolReport } from "../../sdk/exports.js";
import type { Clock } from "../../system/timers.js";
import { askToLeave, type ExitPorts, type PermissionDesk } from "../permission/permission-gate.js";
import { abortedAnswer, type ToolAnswer, type ToolCallBlock } from "../session/history.js";
import type { Tool, ToolContext, ToolPlan } from "../tool.js";

export type ToolPorts = ExitPorts &
  Pick<SessionFront, "startTool"> & {
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

export async function runTool(ready: ReadyCall, ports: ToolPorts): Promise<ToolAnswer> {
  const report = await ports.startTool(ready.call);
  const answer = await answerOf(ready, ports, report);
  await report.end(answer);
  return answer;
}

/** A call that never ran is reported like one that did, so that every beginning has an end. */
export async function reportUnrun(call: ToolCallBlock, answer: ToolAnswer, ports: ToolPorts): Promise<ToolAnswer> {
  await (await ports.startTool(call)).end(answer);
  return answer;
}

async function answerOf(ready: ReadyCall, ports: ToolPorts, report: ToolReport): Promise<ToolAnswer> {
  const { tool, input, plan } = ready;
  const { folder, signal, clock, policy, sandbox } = ports;
  if (signal.aborted) return abortedAnswer;
  const readDecision: PermissionDesk["readDecision"] = (file) => policy.readDecision(file);
  const onOutput = (delta: string) => report.output(delta);
  const callId = ready.call.id;
  const leaveSandbox: ToolContext["leaveSandbox"] = (failed) => askToLeave(failed, callId, ports);
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
