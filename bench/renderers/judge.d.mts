// The types of judge.mjs, for the test that calls it.
export interface Chrome {
  readonly status: number;
  readonly borders: number;
}

export type Fault = "lost" | "doubled" | "mangled" | "misordered" | "ghosts" | "blanks" | "shellLost";

export function shellHistory(): string[];
export function judge(rows: readonly string[], expected: readonly string[], chrome: Chrome): Record<Fault, number>;
