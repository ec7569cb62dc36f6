// A language model as the agent sees it: it gets a conversation and tools, and streams parts. Adapters hide the provider. A
// stream ends with one `finish` part, or rejects with a ModelError.
import type { Usage } from "../../contract/messages.js";
import type { ModelPrice } from "../../session/settings/presets.js";
import type { HistoryMessage } from "../session/history.js";

export type ToolDescription = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Record<string, unknown>;
};

export type ModelRequest = {
  readonly system: string;
  readonly messages: readonly HistoryMessage[];
  readonly tools: readonly ToolDescription[];
  readonly signal: AbortSignal;
};

export type FinishReason = "stop" | "length" | "tool_use" | "refused";

export type ModelPart =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thinking"; readonly delta: string }
  /** Belongs to the thought before it, and must be shown to the provider again. */
  | { readonly type: "signature"; readonly signature: unknown }
  /** `input` is whatever the model wrote as arguments; the loop checks it against the tool's schema. */
  | { readonly type: "tool-call"; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: FinishReason };

export interface Model {
  readonly provider: string;
  readonly id: string;
  /** How many tokens a conversation may have. */
  readonly contextTokens: number;
  /** What the user says it costs; what is published counts when it is left out. */
  readonly price?: ModelPrice | null;
  /** Whether it can be asked to sum up a conversation; one that cannot forgets the oldest part instead. */
  readonly compaction: "summary" | "forget";
  stream(request: ModelRequest): AsyncIterable<ModelPart>;
}

export function modelName({ provider, id }: Pick<Model, "provider" | "id">): string {
  return `${provider}:${id}`;
}

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
