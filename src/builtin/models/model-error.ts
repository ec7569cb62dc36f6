// Why a model did not answer, in words that say what to do about it, and whether trying again makes sense.

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

  get mayBeRetried(): boolean {
    return worthAnotherTry.has(this.kind);
  }
}
