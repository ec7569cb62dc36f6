// What a dialog says about its keys, which depends on the typing guard: whether it waits, holds an answer key, or has to
// leave letters to a draft in the composer.
import type { Engagement, EnterRefusal, GuardedAsk } from "../../../session/typing-guard.js";

export interface DialogKeys {
  readonly phase: GuardedAsk["phase"];
  /** Whether the composer holds a text that is not sent. */
  readonly draft: "empty" | "written";
  readonly heldKey: string | null;
  readonly engaged: Engagement;
  /** Why the last Enter did nothing. */
  readonly explained: EnterRefusal | null;
  /** A dialog that has just appeared leaves moves and answer keys to the composer. */
  readonly age: "new" | "seen";
}

/** Of a dialog that is not guarded, such as a list the person opened. */
export const ALL_KEYS: DialogKeys = {
  phase: "active",
  draft: "empty",
  heldKey: null,
  engaged: "typed",
  explained: null,
  age: "seen",
};

/** Gives the keys to a dialog beside a draft; the composer has no use for it. */
export const FOCUS_KEY = "ctrl+x";

/** What a dialog says that leaves its keys to the composer. */
export function waitingHint({ draft }: Pick<DialogKeys, "draft">): string {
  return draft === "written" ? "waiting for you to finish typing" : "ready in a moment";
}

/** What Enter says where it did nothing. */
export function enterProblem({ explained }: DialogKeys, first = "up or down"): string {
  if (explained === null) return "";
  return explained === "too-soon" ? "that was quick: press enter again" : `press ${first} first, then enter`;
}

export interface ApprovalHints {
  readonly answers: number;
  /** Whether there is more to read than the dialog shows. */
  readonly isLong: boolean;
  readonly letters: "lead" | "none";
}

export function approvalHints(keys: DialogKeys, { answers, isLong, letters }: ApprovalHints): string[] {
  if (keys.phase === "held") return ["any other key takes it back"];
  if (isWaiting(keys)) return [waitingHint(keys)];
  const whole = isLong ? [wholeHint(keys)] : [];
  if (keys.engaged === "moved" || keys.engaged === "typed") return ["enter choose", ...whole, "esc no"];
  if (isBesideDraft(keys)) return [`${FOCUS_KEY} to answer`, "esc no", ...whole];
  if (isNew(keys)) return [waitingHint(keys), "esc no"];
  const lead = letters === "lead" ? ["y/n, enter"] : [];
  return [`1-${answers} choose`, ...whole, "esc no", ...lead, "up/down, enter"];
}

/** `d` types a letter, so beside a draft it takes a key that does not. */
export function wholeHint({ draft }: DialogKeys): string {
  return draft === "empty" ? "d all of it" : "ctrl+o all of it";
}

/** For what is typed into: the dialog's own hints, unless the composer has the keys. */
export function textHints(keys: DialogKeys, own: readonly string[]): readonly string[] {
  if (isWaiting(keys)) return [waitingHint(keys)];
  return isBesideDraft(keys) ? [`${FOCUS_KEY} to answer`, "esc cancel"] : own;
}

/** For a list, which a move has to choose from. */
export function listHints(keys: DialogKeys, own: readonly string[]): readonly string[] {
  return isNew(keys) ? [waitingHint(keys)] : textHints(keys, own);
}

function isWaiting({ phase }: DialogKeys): boolean {
  return phase === "pending" || phase === "waiting";
}

function isNew({ age, engaged, draft }: DialogKeys): boolean {
  return age === "new" && engaged === "none" && draft === "empty";
}

function isBesideDraft({ engaged, draft }: DialogKeys): boolean {
  return engaged === "none" && draft === "written";
}
