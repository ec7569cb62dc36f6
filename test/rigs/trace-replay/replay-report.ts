// What became of a recorded conversation, in a few lines for a person: the blocks, the questions, what was reported because
// nobody knows it, and whatever is wrong.
// A script that plays a folder of recordings prints these, also for recordings that no test has seen.
import type { Block } from "../../../src/session/transcript/block.js";
import { replayAcpTrace } from "./acp-replay.js";
import type { Replayed } from "./replayed.js";
import { replaySideChannel } from "./side-channel-replay.js";
import { protocolOf, readTrace, type TraceEntry, type TraceProtocol } from "./trace.js";

export function replayTrace(protocol: TraceProtocol, entries: readonly TraceEntry[]): Replayed {
  return protocol === "acp" ? replayAcpTrace(entries) : replaySideChannel(protocol, entries);
}

export type ReplayReport = {
  readonly protocol: TraceProtocol;
  readonly lines: string[];
  /** Frames and words that nobody knows, as the user is told of them. */
  readonly reported: string[];
  readonly problems: string[];
};

/** Null when the recording is of another protocol. */
export function replayReport(text: string): ReplayReport | null {
  const entries = readTrace(text);
  const protocol = protocolOf(entries);
  if (protocol === null) return null;
  const replayed = replayTrace(protocol, entries);
  const asks = replayed.asks.map(({ question }) => `asked ${question.kind}: ${question.params.title}`);
  const lines = [...replayed.blocks.map(blockWords), ...asks];
  return { protocol, lines, reported: reportedIn(replayed), problems: problemsOf(replayed) };
}

export function blockWords(block: Block): string {
  if (block.kind !== "tool") return `${block.kind} ${"text" in block ? block.text.trim() : ""}`;
  const output = block.phase === "done" ? block.output.trim() : "";
  return [block.phase, block.name, output].filter(Boolean).join(" ");
}

export function reportedIn({ events }: Pick<Replayed, "events">): string[] {
  return events.flatMap((event) => (event.type === "fault.reported" ? [event.fault.message] : []));
}

/** Everything that should have found its end and did not. */
export function problemsOf({ events, openBlocks, answerCounts }: Replayed): string[] {
  const count = (type: string) => events.filter((event) => event.type === type).length;
  const wrong = [...answerCounts].filter(([, answers]) => answers !== 1);
  const unended = count("prompt.started") - count("prompt.finished");
  return [
    ...wrong.map(([id, answers]) => `the request ${id} was answered ${answers} times`),
    ...openBlocks.map((block) => `still open: ${blockWords(block)}`),
    ...(unended === 0 ? [] : [`${unended} turns without an end`]),
    ...(count("agent.readied") === 0 ? ["the agent was never ready"] : []),
  ];
}
