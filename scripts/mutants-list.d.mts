// The types of mutants-list.mjs, which has no build step.
export type Mutant = readonly [file: string, before: string, after: string, tests: string, product?: "build"];
export const MUTANTS: readonly Mutant[];
