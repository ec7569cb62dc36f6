// Why a model did not answer, in words that say what to do about it, and when to try again.

export type ModelErrorKind =
  /** The key is missing or wrong. */
  | "auth"
  /** No such model or endpoint. */
  | "not-found"
  /** The conversation is too long for the model. */
  | "too-long"
  | "rate-limit"
  | "overloaded"
  | "network"
  /** The answer broke off in the middle. */
  | "cut"
  /** Anything else the provider refuses. */
  | "refused";

const worthAnotherTry: ReadonlySet<ModelErrorKind> = new Set(["rate-limit", "overloaded", "network", "cut"]);

export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly kind: ModelErrorKind;
  /** How long the provider asks to be left alone; null when it says nothing. */
  readonly retryAfterMs: number | null;

  constructor(kind: ModelErrorKind, message: string, options: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

export const TRIES_MAX = 5;
const PAUSE_MS_FIRST = 1_000;
const PAUSE_MS_MAX = 30_000;
/** A provider that asks for a longer pause does not want another try. */
const ASKED_PAUSE_MS_MAX = 120_000;
/** By how much a pause is spread, as a part of it. */
const SPREAD = 0.25;

/**
 * How long to wait before the next try; null when there is no point. Pauses double and are spread a little, so that many
 * agents that were refused together do not come back together. `chance` is a number from 0 to 1.
 */
export function pauseBeforeRetryMs(error: ModelError, triesSoFar: number, chance: number): number | null {
  if (!worthAnotherTry.has(error.kind) || triesSoFar >= TRIES_MAX) return null;
  if (error.retryAfterMs !== null) return error.retryAfterMs > ASKED_PAUSE_MS_MAX ? null : error.retryAfterMs;
  const pauseMs = Math.min(PAUSE_MS_FIRST * 2 ** (triesSoFar - 1), PAUSE_MS_MAX);
  return Math.round(pauseMs * (1 + SPREAD * chance));
}
