// What a dialog says about its keys, which depends on the typing guard: whether it waits, holds an answer key, or has to
// leave letters to a draft in the composer.
import type { GuardedAsk } from "../../../session/typing-guard.js";

export interface DialogKeys {
  readonly phase: GuardedAsk["phase"];
  /** Whether the composer holds a text that is not sent. */
  readonly draft: "empty" | "written";
  readonly heldKey: string | null;
  /** The selection was moved, or text typed into the dialog. */
  readonly engaged: boolean;
  /** Enter came before the selection was moved. */
  readonly explained: boolean;
}

/** Of a dialog that is not guarded, such as a list the person opened. */
export const ALL_KEYS: DialogKeys = {
  phase: "active",
  draft: "empty",
  heldKey: null,
  engaged: true,
  explained: false,
};

const WAITING = "waiting for you to finish typing";
/** What Enter says before the selection was moved. */
export const MOVE_FIRST = "press up or down first, then enter";

export interface ApprovalHints {
  readonly answers: number;
  /** Whether there is more to read than the dialog shows. */
  readonly isLong: boolean;
  readonly letters: "lead" | "none";
}

export function approvalHints(keys: DialogKeys, { answers, isLong, letters }: ApprovalHints): string[] {
  if (keys.phase === "held") return ["any other key takes it back"];
  if (keys.phase !== "active") return [WAITING];
  const whole = isLong ? [wholeHint(keys)] : [];
  if (keys.engaged) return ["enter choose", ...whole, "esc no"];
  if (keys.draft === "written") return ["up/down, enter choose", "esc no", ...whole];
  const lead = letters === "lead" ? ["y/n, enter"] : [];
  return [`1-${answers} choose`, ...whole, "esc no", ...lead, "up/down, enter"];
}

/** `d` types a letter, so beside a draft it takes a key that does not. */
export function wholeHint({ draft }: DialogKeys): string {
  return draft === "empty" ? "d all of it" : "ctrl+o all of it";
}

/** For what is typed into: the dialog's own hints, unless the composer has the keys. */
export function textHints(keys: DialogKeys, own: readonly string[]): readonly string[] {
  if (keys.phase !== "active") return [WAITING];
  return keys.engaged || keys.draft === "empty" ? own : ["tab to answer", "esc cancel"];
}
