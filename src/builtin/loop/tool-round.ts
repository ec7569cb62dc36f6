// All tool calls of one message. Calls are looked at in order; those that only read run side by side, and everything that
// changes something runs alone, after all before it and before all behind it. Answers stand in the order of the calls.

import * as z from "zod";
import { errorMessage } from "../../contract/plain-word.js";
import type { SessionFront, ToolReport } from "../../sdk/exports.js";
import type { Clock } from "../../system/timers.js";
import {
  admit,
  askToLeave,
  type ExitPorts,
  type GatePorts,
  notWritten,
  requestOf,
  type Verdict,
} from "../permission/permission-gate.js";
import {
  abortedAnswer,
  type ToolAnswer,
  type ToolCallBlock,
  type ToolResultMessage,
  toolResultMessage,
} from "../session/history.js";
import { type Tool, type ToolContext, ToolError, type ToolPlan } from "../tool.js";

export type RoundPorts = ToolPorts & GatePorts & { readonly tools: readonly Tool[] };

export type RoundOutcome = {
  readonly results: ToolResultMessage[];
  /** "denied": the user said no without a reason, and wants to say something else now. */
  readonly end: "go on" | "denied" | "aborted";
};

const PARALLEL_READS_MAX = 8;

export async function toolRound(calls: readonly ToolCallBlock[], ports: RoundPorts): Promise<RoundOutcome> {
  const round = new ToolRound(ports);
  for (const call of calls) await round.take(call);
  const answers = await round.answers();
  const nowMs = ports.clock.nowMs();
  return {
    results: calls.map((call, place) => toolResultMessage(call, answers[place] ?? abortedAnswer, nowMs)),
    end: ports.signal.aborted ? "aborted" : round.isDenied ? "denied" : "go on",
  };
}

class ToolRound {
  readonly #ports: RoundPorts;
  readonly #answers: Promise<ToolAnswer>[] = [];
  readonly #reads = new Set<Promise<ToolAnswer>>();
  isDenied = false;

  constructor(ports: RoundPorts) {
    this.#ports = ports;
  }

  /** Resolves when the next call may be looked at: at once for a read, after its end for everything else. */
  async take(call: ToolCallBlock): Promise<void> {
    const ports = this.#ports;
    const ready = await this.#prepared(call);
    if (!("plan" in ready)) this.#answers.push(reportUnrun(call, ready, ports));
    else if (ready.plan.access === "read" && ports.policy.decide(requestOf(ready)).decision === "allow") {
      await this.#startRead(ready);
    } else {
      await Promise.all(this.#reads);
      this.#answers.push(Promise.resolve(await this.#runAlone(ready)));
    }
  }

  answers(): Promise<ToolAnswer[]> {
    return Promise.all(this.#answers);
  }

  async #prepared(call: ToolCallBlock): Promise<ReadyCall | ToolAnswer> {
    if (this.#ports.signal.aborted) return abortedAnswer;
    if (this.isDenied) return wrong("Not run: the user denied the call before it.");
    return readyCall(call, this.#ports);
  }

  async #startRead(ready: ReadyCall): Promise<void> {
    if (this.#reads.size >= PARALLEL_READS_MAX) await Promise.race(this.#reads);
    const answer = runTool(ready, this.#ports);
    this.#answers.push(answer);
    this.#reads.add(answer);
    void answer.then(() => this.#reads.delete(answer));
  }

  async #runAlone(ready: ReadyCall): Promise<ToolAnswer> {
    const ports = this.#ports;
    const verdict = await this.#admitted(ready);
    if (ports.signal.aborted || verdict === "aborted") return reportUnrun(ready.call, abortedAnswer, ports);
    if (verdict.type === "allowed") {
      const answer = await runTool({ ...ready, plan: verdict.plan }, ports);
      return verdict.answer === "silent" ? silent(ready, answer) : answer;
    }
    this.isDenied = verdict.next === "end turn";
    return reportUnrun(ready.call, wrong(verdict.words), ports);
  }

  async #admitted({ call, tool, input, plan }: ReadyCall): Promise<Verdict | "aborted"> {
    const ports = this.#ports;
    const { folder, signal, policy } = ports;
    const rehearse = async () => {
      const made = await orAborted(
        tool.rehearse?.(input, plan, { folder, signal, readDecision: (file) => policy.readDecision(file) }) ?? plan,
        signal,
      );
      signal.throwIfAborted();
      return made === "aborted" ? plan : made;
    };
    try {
      return await admit({ call, plan, rehearse }, ports);
    } catch (error) {
      if (signal.aborted) return "aborted";
      return { type: "denied", words: `The tool failed: ${errorMessage(error)}`, next: "go on" };
    }
  }
}

/** What a model hears of a change to a file that it may not read: not even whether there was one before. */
function silent({ plan }: ReadyCall, { is_error }: ToolAnswer): ToolAnswer {
  const text = is_error ? notWritten(plan) : `Wrote ${plan.subject}.`;
  return { text, is_error, trust: "trusted" };
}

async function readyCall(call: ToolCallBlock, ports: RoundPorts): Promise<ReadyCall | ToolAnswer> {
  const tool = ports.tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    return wrong(`There is no tool "${call.name}". There are: ${ports.tools.map(({ name }) => name).join(", ")}.`);
  }
  const parsed = tool.inputSchema.safeParse(call.arguments ?? {});
  if (!parsed.success) return wrong(`The arguments do not fit ${call.name}:\n${z.prettifyError(parsed.error)}`);
  try {
    const { folder, signal } = ports;
    const plan = await orAborted(tool.plan(parsed.data, { folder, signal }), signal);
    return plan === "aborted" ? abortedAnswer : { call, tool, input: parsed.data, plan };
  } catch (error) {
    if (ports.signal.aborted) return abortedAnswer;
    const words = errorMessage(error);
    return wrong(error instanceof ToolError ? words : `The tool failed: ${words}`);
  }
}

// A plan that hangs must not keep an abort waiting.
async function orAborted<Value>(work: Promise<Value> | Value, signal: AbortSignal): Promise<Value | "aborted"> {
  const settled = new AbortController();
  const aborted = new Promise<"aborted">((resolve) => {
    signal.addEventListener("abort", () => resolve("aborted"), { once: true, signal: settled.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    settled.abort();
  }
}

function wrong(text: string): ToolAnswer {
  return { text, is_error: true, trust: "trusted" };
}

// One tool call from its arguments to its answer, reported as it goes. Whatever a tool does (fail, throw, hang after an
// abort, print without end) there is exactly one answer, because a model refuses to go on without.
type ToolPorts = ExitPorts &
  Pick<SessionFront, "tool"> & {
    readonly clock: Clock;
    /** The workspace, an absolute path. */
    readonly folder: string;
    readonly signal: AbortSignal;
    readonly policy: Pick<GatePorts["policy"], "readDecision">;
  };

type ReadyCall = {
  readonly call: ToolCallBlock;
  readonly tool: Tool;
  /** The checked arguments. */
  readonly input: unknown;
  readonly plan: ToolPlan;
};

/** How long an aborted tool may take to end; after that it is left to itself. */
const ABORT_GRACE_MS = 5_000;

async function runTool(ready: ReadyCall, ports: ToolPorts): Promise<ToolAnswer> {
  const report = reportOf(shownCall(ready), ports);
  const answer = await answerOf(ready, ports, report);
  await report.end(endOf(answer));
  return answer;
}

// Models write absolute paths as well; the question and the row of a call name a file in the workspace the same way.
function shownCall({ call, plan }: ReadyCall): ToolCallBlock {
  const { path } = z
    .object({ path: z.string().catch("") })
    .catch({ path: "" })
    .parse(call.arguments);
  if (!path.startsWith("/") || !path.endsWith(`/${plan.subject}`)) return call;
  return { ...call, arguments: { ...z.looseObject({}).parse(call.arguments), path: plan.subject } };
}

/** A call that never ran is reported like one that did, so that every beginning has an end. */
async function reportUnrun(call: ToolCallBlock, answer: ToolAnswer, ports: ToolPorts): Promise<ToolAnswer> {
  await reportOf(call, ports).end(endOf(answer));
  return answer;
}

function reportOf({ id, name, arguments: args }: ToolCallBlock, ports: ToolPorts): ToolReport {
  return ports.tool(name, args, { id });
}

function endOf(answer: ToolAnswer) {
  const { text, is_error: isError, details } = answer;
  // The model is told more: what to look at before it repeats the call.
  return answer === abortedAnswer ? { text: "Stopped.", isError } : { text, isError, details };
}

async function answerOf(ready: ReadyCall, ports: ToolPorts, report: ToolReport): Promise<ToolAnswer> {
  const { tool, input, plan } = ready;
  const { folder, signal, clock, policy, sandbox } = ports;
  if (signal.aborted) return abortedAnswer;
  const readDecision: ToolContext["readDecision"] = (file) => policy.readDecision(file);
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
    (error) => (signal.aborted ? abortedAnswer : wrong(`The tool failed: ${errorMessage(error)}`)),
  );
  const settled = new AbortController();
  const answer = await Promise.race([run, abandoned(signal, settled.signal, clock)]);
  settled.abort();
  return answer;
}

// Comes into play after an abort only, and takes its timer along when the tool is done.
function abandoned(signal: AbortSignal, settled: AbortSignal, clock: Clock): Promise<ToolAnswer> {
  return new Promise((resolve) => {
    const giveUp = () => void clock.wait(ABORT_GRACE_MS, settled).then(() => resolve(abortedAnswer));
    signal.addEventListener("abort", giveUp, { once: true, signal: settled });
  });
}
