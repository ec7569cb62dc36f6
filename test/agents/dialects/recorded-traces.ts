// The recordings that tests play: small ones typed after real agents and after the published schemas, which lie beside the
// tests, and those of a folder that PALAVER_TRACES names.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { protocolOf, readTrace, type TraceEntry, type TraceProtocol } from "../../rigs/trace-replay/trace.js";

export type RecordedTrace = { name: string; protocol: TraceProtocol; entries: TraceEntry[] };

const fixtures = fileURLToPath(new URL("../../fixtures/", import.meta.url));

export const ownTraces: readonly RecordedTrace[] = ["acp", "claude", "codex", "lines", "pi"].flatMap((name) =>
  tracesIn(join(fixtures, name)),
);

/** Of every dialect, with much in them that nobody understands. */
export const oddTraces: readonly RecordedTrace[] = tracesIn(join(fixtures, "odd"));

const foreign = process.env["PALAVER_TRACES"];

export const foreignTraces: readonly RecordedTrace[] = foreign === undefined ? [] : tracesIn(foreign);

function tracesIn(folder: string): RecordedTrace[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return names.flatMap((name) => {
    const entries = readTrace(readFileSync(join(folder, name), "utf8"));
    const protocol = protocolOf(entries);
    return protocol === null ? [] : [{ name, protocol, entries }];
  });
}
