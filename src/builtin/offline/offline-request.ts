// What the offline model understands: a request in plain English, as a pattern with examples, and a script that answers
// it. A script is a generator: it says things and calls tools, and gets their answers back. It may not do anything else,
// so that it can be played again from the conversation alone.

export type ToolOutcome = {
  readonly text: string;
  readonly isError: boolean;
  readonly details: Readonly<Record<string, unknown>>;
};

export type Step =
  | { readonly say: string }
  | { readonly think: string }
  /** `wordMs` is how long each word takes. */
  | { readonly stream: string; readonly wordMs: number }
  | { readonly calls: readonly (readonly [tool: string, input: Record<string, unknown>])[] };

/** Gets one outcome for each call of the step before. */
export type Script = Generator<Step, void, readonly ToolOutcome[]>;

/** Whether the front end shows what commands print and tools change; where it shows words alone, the agent says it. */
export type Results = "shown" | "said";

export type OfflineRequest = {
  readonly name: string;
  /** What it does, for the help; empty for what goes without saying. */
  readonly words: string;
  /** How it may be said; the first one is shown. */
  readonly examples: readonly [string, ...string[]];
  readonly patterns: readonly RegExp[];
  script(match: Readonly<Record<string, string>>, results: Results): Script;
};

const nothingFailed: ToolOutcome = { text: "", isError: false, details: {} };

/** One call, and its outcome. */
export function* calling(
  tool: string,
  input: Record<string, unknown>,
): Generator<Step, ToolOutcome, readonly ToolOutcome[]> {
  const [outcome = nothingFailed] = yield { calls: [[tool, input]] };
  return outcome;
}

export function* saying(text: string): Script {
  yield { say: text };
}
