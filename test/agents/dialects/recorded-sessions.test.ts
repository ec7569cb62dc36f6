// Recorded conversations of agents, played again: whatever is in them becomes a transcript, every request of the agent is
// answered once, and every turn ends. Damaged ones may complain, but nothing throws and nothing stays open.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { damagedTrace, diceOf } from "../../rigs/trace-replay/damaged-trace.js";
import { damageProblems, replayFolder } from "../../rigs/trace-replay/replay-folder.js";
import {
  blockWords,
  problemsOf,
  replayReport,
  replayTrace,
  reportedIn,
} from "../../rigs/trace-replay/replay-report.js";
import type { TraceProtocol } from "../../rigs/trace-replay/trace.js";
import { verifies } from "../../verifies.js";
import { foreignTraces, oddTraces, ownTraces, type RecordedTrace } from "./recorded-traces.js";

const prompting: Readonly<Record<TraceProtocol, readonly string[]>> = {
  acp: ["session/prompt"],
  claude: ["user"],
  pi: ["prompt"],
  codelia: ["run.start"],
  codex: ["turn/start"],
  lines: ["prompt"],
  rpc: [],
};

function promptsIn({ protocol, entries }: RecordedTrace) {
  const wanted = prompting[protocol];
  return entries.filter(
    ({ from, frame }) => from === "client" && wanted.includes(String(frame?.["method"] ?? frame?.["type"])),
  );
}

/** Our own recordings hold nothing that nobody knows; others may, and then it is reported. */
function expectSense(trace: RecordedTrace, strange: "none" | "reported"): void {
  const replayed = replayTrace(trace.protocol, trace.entries);
  const prompts = promptsIn(trace);
  expect(problemsOf(replayed)).toEqual([]);
  if (strange === "none") expect(reportedIn(replayed)).toEqual([]);
  expect(replayed.events.filter(({ type }) => type === "prompt.finished")).toHaveLength(prompts.length);
  expect(prompts.length === 0 || replayed.blocks.length > 0).toBe(true);
}

function seen(name: string): { blocks: string[]; asks: string[] } {
  const trace = ownTraces.find((candidate) => candidate.name === name);
  if (trace === undefined) throw new Error(`no recording ${name}`);
  const { blocks, asks } = replayTrace(trace.protocol, trace.entries);
  return { blocks: blocks.map(blockWords), asks: asks.map(({ question }) => question.params.title) };
}

describe("a recorded session of an agent", () => {
  test.each([...ownTraces])("$name becomes a transcript with an end", (trace) => {
    expectSense(trace, "none");
  });

  test("shows what the user saw, in the order in which it happened", () => {
    verifies("wires.recordings-replay");
    expect(seen("permission-before-tool-call.jsonl")).toEqual({
      blocks: ["prose I will write it.", "done edit", "failed run", "prose Then not."],
      asks: ["edit notes.md", "run a command"],
    });
    expect(seen("client-terminal.jsonl")).toEqual({ blocks: ["done run notes.md"], asks: ["run ls"] });
    expect(seen("old-session-and-stop.jsonl")).toEqual({
      blocks: ["prompt hello", "prose Hi.", "stopped run", "notice bad key"],
      asks: ["run rm -r build"],
    });
    expect(seen("allow-then-deny.jsonl")).toEqual({
      blocks: ["prose First the file.", "done Write", "failed Bash", "prose Then we are done."],
      asks: ["Write /home/ada/notes.md", "Bash cat notes.md"],
    });
    expect(seen("write-then-run.jsonl")).toEqual({
      blocks: [
        "prompt write and count",
        "thinking First the file.",
        "done edit",
        "prose Now I count.",
        "done run 1 notes.md",
      ],
      asks: ["edit notes.md", "run wc -l notes.md"],
    });
    expect(seen("stopped-at-a-command.jsonl")).toEqual({
      blocks: ["prompt count the lines", "failed run"],
      asks: ["run wc -l notes.md"],
    });
    expect(seen("stopped-at-a-question.jsonl").asks).toEqual(["Bash rm -r build"]);
    expect(seen("asks-before-a-command.jsonl")).toEqual({
      blocks: ["prompt clean up", "prose One moment.", "done bash gone"],
      asks: ["Really?"],
    });
  });

  test("that is not understood says so in its report, and one of another protocol has none", () => {
    const client = (msg: object) => JSON.stringify({ dir: "client→agent", msg: { jsonrpc: "2.0", ...msg } });
    const agent = (msg: object) => JSON.stringify({ dir: "agent→client", msg: { jsonrpc: "2.0", ...msg } });
    const greeting = { id: 0, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } };
    const trace = [
      client(greeting),
      agent({ id: 0, result: { protocolVersion: 9 } }),
      agent({ method: "odd/thing" }),
      "junk",
    ];
    expect(replayReport(trace.join("\n"))).toMatchObject({
      reported: ["unknown notification: odd/thing"],
      problems: ["the agent was never ready"],
    });
    expect(replayReport('{"dir":"client→agent","msg":{"jsonrpc":"2.0","method":"no.such.thing"}}')).toBeNull();
    const printed: string[] = [];
    const options = { fuzz: { rounds: 0, seed: 1 }, print: (line: string) => void printed.push(line) };
    expect(replayFolder([{ name: "odd.jsonl", text: trace.join("\n") }], options)).toBe(1);
    expect(printed).toContain("  ? reported: unknown notification: odd/thing");
    expect(printed).toContain("  ✕ the agent was never ready");
  });

  test("that is damaged in any way still ends, and nothing throws", () => {
    // On our own wire it is the front end that knows what the end of an agent means for its turns.
    const others = [...ownTraces, ...oddTraces].filter(({ protocol }) => protocol !== "lines");
    const anyTrace = fc.constantFrom(...others);
    fc.assert(
      fc.property(anyTrace, fc.nat(), ({ protocol, entries }, seed) => {
        expect(damageProblems(protocol, damagedTrace(entries, diceOf(seed)))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test.skipIf(foreignTraces.length === 0).each(foreignTraces.length === 0 ? ownTraces.slice(0, 1) : [...foreignTraces])(
    "$name of the folder PALAVER_TRACES becomes a transcript with an end",
    (trace) => {
      expectSense(trace, "reported");
    },
  );
});
