// All tool calls of one message. Calls are looked at in order; those that only read run side by side, and everything that
// changes something runs alone, after all before it and before all behind it. Answers stand in the order of the calls.
import * as z from "zod";
import { admit, type GatePorts, requestOf } from "../permission/permission-gate.js";
import {
  abortedAnswer,
  type ToolAnswer,
  type ToolCallBlock,
  type ToolResultMessage,
  toolResultMessage,
} from "../session/history.js";
import { type Tool, ToolError } from "../tool.js";
import { type ReadyCall, reportUnrun, runTool, type ToolPorts } from "./tool-run.js";

export type RoundPorts = ToolPorts & GatePorts & { readonly tools: readonly Tool[] };

export type RoundOutcome = {
  readonly results: ToolResultMessage[];
  /** "denied": the person said no without a reason, and wants to say something else now. */
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
    return this.isDenied ? afterDenial : readyCall(call, this.#ports);
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
    const verdict = await admit(ready, ports, ports.signal);
    if (ports.signal.aborted) return reportUnrun(ready.call, abortedAnswer, ports);
    if (verdict.type === "allowed") return runTool(ready, ports);
    this.isDenied = verdict.next === "end turn";
    return reportUnrun(ready.call, { text: verdict.words, is_error: true, trust: "trusted" }, ports);
  }
}

const afterDenial: ToolAnswer = {
  text: "Not run: the person did not allow the call before it.",
  is_error: true,
  trust: "trusted",
};

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
    const words = error instanceof Error ? error.message : String(error);
    return wrong(error instanceof ToolError ? words : `The tool failed: ${words}`);
  }
}

// A plan that hangs must not keep an abort waiting.
async function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | "aborted"> {
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
