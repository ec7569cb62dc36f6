// Recorded conversations of real agents, played to our machine again: whatever is in them becomes a transcript, every
// request of the agent is answered once, and every turn ends. A folder of recordings is named with PALAVER_TRACES; the
// few that are always played are typed after real ones and lie beside the tests.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { replayAcpTrace } from "../../../src/testing/trace-replay/acp-replay.js";
import { blockWords, problemsOf, replayReport } from "../../../src/testing/trace-replay/replay-report.js";
import { isAcpTrace, readTrace, type TraceEntry } from "../../../src/testing/trace-replay/trace.js";

const own = fileURLToPath(new URL("../../fixtures/acp/", import.meta.url));
const foreign = process.env["PALAVER_TRACES"];

function tracesIn(folder: string): { name: string; entries: TraceEntry[] }[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const traces = names.map((name) => ({ name, entries: readTrace(readFileSync(join(folder, name), "utf8")) }));
  return traces.filter(({ entries }) => isAcpTrace(entries));
}

function expectSense(entries: readonly TraceEntry[]): void {
  const replayed = replayAcpTrace(entries);
  const prompts = entries.filter(({ from, frame }) => from === "client" && frame?.["method"] === "session/prompt");
  expect(problemsOf(replayed)).toEqual([]);
  expect(replayed.events.filter(({ type }) => type === "prompt.finished")).toHaveLength(prompts.length);
  expect(prompts.length === 0 || replayed.blocks.length > 0).toBe(true);
}

describe("a recorded session of an agent", () => {
  test.each(tracesIn(own))("$name becomes a transcript with an end", ({ entries }) => {
    expectSense(entries);
  });

  test("shows what the person saw, in the order in which it happened", () => {
    const traces = new Map(tracesIn(own).map(({ name, entries }) => [name, entries]));
    const seen = (name: string) => {
      const { blocks, asks } = replayAcpTrace(traces.get(name) ?? []);
      return { blocks: blocks.map(blockWords), asks: asks.map(({ question }) => question.params.title) };
    };
    expect(seen("permission-before-tool-call.jsonl")).toEqual({
      blocks: ["prose I will write it.", "done edit", "failed run", "prose Then not."],
      asks: ["edit notes.md", "run cat notes.md"],
    });
    expect(seen("client-terminal.jsonl")).toEqual({ blocks: ["done run notes.md"], asks: ["run ls"] });
    expect(seen("old-session-and-stop.jsonl")).toEqual({
      blocks: ["prompt hello", "prose Hi.", "stopped run", "notice bad key"],
      asks: ["run rm -r build"],
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
    expect(replayReport(trace.join("\n"))?.problems).toEqual([
      "unknown notification: odd/thing",
      "the agent was never ready",
    ]);
    expect(replayReport('{"dir":"client→agent","msg":{"type":"user"}}')).toBeNull();
  });

  test.skipIf(foreign === undefined).each(foreign === undefined ? [{ name: "none", entries: [] }] : tracesIn(foreign))(
    "$name of the folder PALAVER_TRACES becomes a transcript with an end",
    ({ entries }) => {
      expectSense(entries);
    },
  );
});
