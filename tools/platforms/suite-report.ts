// What the output of a whole suite says in the end: how many passed and failed, and the names of those that failed.

export interface SuiteReport {
  readonly passed: number;
  readonly failed: number;
  readonly names: readonly string[];
}

const COLOUR = /\x1b\[[\d;]*m/g;

/** An output without a closing line counts as a failure: something ended before it could say so. */
export function suiteReport(output: string): SuiteReport {
  const text = output.replace(COLOUR, "");
  const counts = [...text.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
  const names = [...text.matchAll(/^ *FAIL +(.+)$/gm)].map(([, name = ""]) => name.trim().replace(/ +/g, " "));
  return { passed: Number(counts?.[1] ?? 0), failed: Number(counts?.[2] ?? 1), names: [...new Set(names)] };
}
