// When to try a model again, and after which pause. Pauses double and are spread a little, so that many agents that were
// turned away together do not come back together; what the provider asks for is honoured, up to what a person bears.
import type { ModelError } from "../models/model-error.js";

export const TRIES_MAX = 5;
const PAUSE_MS_FIRST = 1_000;
const PAUSE_MS_MAX = 30_000;
/** A provider that wants a longer pause than this wants us to stop. */
const ASKED_PAUSE_MS_MAX = 120_000;
/** By how much a pause is spread, as a part of it. */
const SPREAD = 0.25;

/** How long to wait before the next try; null when there is no point. `chance` is a number from 0 to 1. */
export function pauseBeforeRetryMs(error: ModelError, triesSoFar: number, chance: number): number | null {
  if (!error.mayBeRetried || triesSoFar >= TRIES_MAX) return null;
  if (error.retryAfterMs !== null) return error.retryAfterMs > ASKED_PAUSE_MS_MAX ? null : error.retryAfterMs;
  const pauseMs = Math.min(PAUSE_MS_FIRST * 2 ** (triesSoFar - 1), PAUSE_MS_MAX);
  return Math.round(pauseMs * (1 + SPREAD * chance));
}
