// Previews that were shown before a permission, while the prompt runs: a result does not repeat the same diff, and a second
// "ready" of a call is ignored.
import type { SessionEvent } from "../../contract/session-events.js";

export type PreflightMemory = {
  /** Whole diffs by the id of their tool call, or by the tool's name when the agent gives no id. */
  readonly diffs: ReadonlyMap<string, string>;
  readonly readied: readonly string[];
};

export const emptyPreflight: PreflightMemory = { diffs: new Map(), readied: [] };

const DIFFS_MAX = 32;
/** A larger diff is shown twice rather than kept. */
const DIFF_UNITS_MAX = 1_000_000;
const READIED_MAX = 256;

type Previewed = Extract<SessionEvent, { type: "permission.previewed" }>;
type Readied = Extract<SessionEvent, { type: "permission.readied" }>;

// A preview that was cut has not shown everything: then the result is worth seeing.
export function withPreview(
  memory: PreflightMemory,
  { tool, toolCallId, diff, truncated }: Previewed,
): PreflightMemory {
  if (diff === undefined || truncated || diff.length > DIFF_UNITS_MAX) return memory;
  const diffs = new Map(memory.diffs).set(toolCallId ?? nameKey(tool), diff);
  for (const key of diffs.keys()) {
    if (diffs.size <= DIFFS_MAX) break;
    diffs.delete(key);
  }
  return { ...memory, diffs };
}

/** null when this call was said to be ready before. */
export function withReady(memory: PreflightMemory, { toolCallId }: Readied): PreflightMemory | null {
  if (toolCallId === undefined) return memory;
  if (memory.readied.includes(toolCallId)) return null;
  return { ...memory, readied: [...memory.readied, toolCallId].slice(-READIED_MAX) };
}

/** The diff that the person has seen for this call. */
export function previewedDiff(
  { diffs }: PreflightMemory,
  { toolCallId, tool }: { toolCallId: string | undefined; tool: string },
): string | null {
  return (toolCallId === undefined ? undefined : diffs.get(toolCallId)) ?? diffs.get(nameKey(tool)) ?? null;
}

function nameKey(tool: string): string {
  return `tool ${tool}`;
}
