// What a fuzzer tries to break: one decoder, the inputs it begins with, and a check that throws when a promise is broken.
// A check depends on its input alone, so that a failing input can be made smaller and played again.

export interface FuzzTarget {
  readonly name: string;
  /** Whether inputs are lines of JSON, whose fields can be changed one by one, or just text. */
  readonly shape: "json-lines" | "text";
  /** Throws, or rejects, when something promised does not hold for these bytes. */
  check(bytes: Uint8Array): void | Promise<void>;
}

export interface Corpus {
  /** Whole inputs, as they would arrive. */
  readonly inputs: readonly Uint8Array[];
}

/** A promise that was broken, in words. */
export function broken(words: string): never {
  throw new Error(words);
}

export function expectSame(what: string, one: unknown, other: unknown): void {
  const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
  if (first !== second) broken(`${what} differs:\n  ${first?.slice(0, 2_000)}\n  ${second?.slice(0, 2_000)}`);
}
