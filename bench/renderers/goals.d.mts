// The types of goals.mjs, for the test that calls it.
export type Figures = Readonly<Record<string, number>> | { readonly absence: string };

export interface JudgedRow {
  readonly workload: string;
  readonly what: string;
  readonly cells: Readonly<Record<string, string>>;
  readonly verdict: "met" | "missed" | "open" | "none";
  readonly goal: string;
  readonly compared: string;
}

export function judgeGoals(results: Readonly<Record<string, Readonly<Record<string, Figures>>>>): JudgedRow[];
