// Ids of log lines: decimal numbers that grow from line to line, and over restarts too, because they begin at the moment at
// which the daemon began, in nanoseconds. The place of a line in the log can be read back from its id, so that a client
// that comes back gets exactly what it missed.

const NANOS_PER_MS = 1_000_000n;
const ID_LIKE = /^\d{1,30}$/;

export interface LineNumbers {
  idOf(seq: number): string;
  /** The place of a line in this log; null for an id of another daemon's log, or for something that is none. */
  seqOf(id: string): number | null;
}

export function createLineNumbers(startedAtMs: number): LineNumbers {
  const base = BigInt(Math.floor(startedAtMs)) * NANOS_PER_MS;
  return {
    idOf: (seq) => String(base + BigInt(seq)),
    seqOf(id) {
      if (!ID_LIKE.test(id)) return null;
      const seq = BigInt(id) - base;
      return seq >= 0n && seq <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(seq) : null;
    },
  };
}
