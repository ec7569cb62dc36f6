// Plays many recordings and says what is wrong with any of them. What is played as it was recorded has to come out whole; what
// was damaged may complain, but it may not throw, and whatever began has to end.
import { sessionEventSchema } from "../../../src/contract/session-events.js";
import { damagedTrace, diceOf } from "./damaged-trace.js";
import { replayReport, replayTrace } from "./replay-report.js";
import { blocksOf, type Replayed } from "./replayed.js";
import { readTrace, type TraceEntry, type TraceProtocol } from "./trace.js";

export type FolderOptions = {
  readonly fuzz: { readonly rounds: number; readonly seed: number };
  print(line: string): void;
};

/** How many problems there are. */
export function replayFolder(traces: readonly { name: string; text: string }[], options: FolderOptions): number {
  return traces.reduce((sum, trace) => sum + replayOne(trace, options), 0);
}

function replayOne({ name, text }: { name: string; text: string }, { fuzz, print }: FolderOptions): number {
  const report = replayReport(text);
  if (report === null) {
    print(`${name}  of another protocol`);
    return 0;
  }
  const { protocol, lines, reported, problems } = report;
  print(`${name}  ${protocol}`);
  for (const line of lines) print(`    ${line.replaceAll("\n", "\n      ")}`);
  for (const words of reported) print(`  ? reported: ${words}`);
  const entries = readTrace(text);
  const found = [...problems, ...fuzzProblems(protocol, entries, fuzz)];
  for (const problem of found) print(`  ✕ ${problem}`);
  return found.length;
}

function fuzzProblems(
  protocol: TraceProtocol,
  entries: readonly TraceEntry[],
  { rounds, seed }: FolderOptions["fuzz"],
) {
  const problems: string[] = [];
  for (let round = 0; round < rounds && problems.length < 5; round += 1) {
    const damaged = damagedTrace(entries, diceOf(seed + round));
    problems.push(...damageProblems(protocol, damaged).map((problem) => `seed ${seed + round}: ${problem}`));
  }
  return problems;
}

/** What may not be, whatever an agent sends. */
export function damageProblems(protocol: TraceProtocol, entries: readonly TraceEntry[]): string[] {
  try {
    return unendedIn(replayTrace(protocol, entries));
  } catch (error) {
    return [`it threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
  }
}

function unendedIn({ events, asks, sent }: Replayed): string[] {
  // What an agent does outside of any turn ends when the agent does, in every front end.
  const { openBlocks } = blocksOf([...events, { type: "prompt.finished", sessionId: null }]);
  const count = (type: string) => events.filter((event) => event.type === type).length;
  const withdrawn = new Set(events.flatMap((event) => (event.type === "ask.withdrawn" ? [event.askId] : [])));
  const strange = events.flatMap((event) => {
    const { error } = sessionEventSchema.safeParse(event);
    return error === undefined ? [] : [`the event ${event.type} is none: ${error.issues[0]?.message ?? ""}`];
  });
  const unended = count("prompt.started") - count("prompt.finished");
  return [
    ...strange,
    ...(unended === 0 ? [] : [`${unended} turns without an end`]),
    ...openBlocks.map(({ kind, id }) => `still open: ${kind} ${id}`),
    ...(withdrawn.size <= asks.length ? [] : ["more questions were withdrawn than asked"]),
    ...(sent.every((frame) => JSON.stringify(frame) !== undefined) ? [] : ["a frame that cannot be written"]),
  ];
}
