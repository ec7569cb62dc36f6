// What the doctor has to say about one thing: whether it is well, in plain words, and what to do about it if it is not.

/** "unasked" is what could not be looked at here; it is neither well nor ill. */
export type Verdict = "ok" | "warn" | "problem" | "unasked";

export interface Finding {
  readonly topic: string;
  readonly verdict: Verdict;
  readonly words: string;
  /** What the person can do; null when there is nothing to do. */
  readonly advice: string | null;
}

export function fine(topic: string, words: string): Finding {
  return { topic, verdict: "ok", words, advice: null };
}

/** Something works less well than it could. */
export function warning(topic: string, words: string, advice: string): Finding {
  return { topic, verdict: "warn", words, advice };
}

/** Something does not work. */
export function problem(topic: string, words: string, advice: string): Finding {
  return { topic, verdict: "problem", words, advice };
}

export function unasked(topic: string, words: string): Finding {
  return { topic, verdict: "unasked", words, advice: null };
}
