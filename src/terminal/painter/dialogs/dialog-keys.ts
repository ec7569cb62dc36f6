// What a key may lead to, and the hints of a dialog, which depend on the typing guard: waiting, holding an answer key,
// or leaving letters to the composer.
import type { Engagement, EnterRefusal, GuardedAsk } from "../../../session/typing-guard.js";
import type { DialogHead } from "./dialog-rows.js";

export interface DialogKeys {
  readonly phase: GuardedAsk["phase"];
  /** Whether the composer holds unsent text. */
  readonly draft: "empty" | "written";
  readonly heldKey: string | null;
  readonly engaged: Engagement;
  /** Why the last Enter did nothing. */
  readonly explained: EnterRefusal | null;
  /** A new dialog leaves moves and answer keys to the composer. */
  readonly age: "new" | "seen";
}

/** For an unguarded dialog, such as a list the user opened. */
export const ALL_KEYS: DialogKeys = {
  phase: "active",
  draft: "empty",
  heldKey: null,
  engaged: "typed",
  explained: null,
  age: "seen",
};

/** Moves the focus to a dialog beside a draft. */
export const FOCUS_KEY = "ctrl+x";

export function waitingHint({ draft }: Pick<DialogKeys, "draft">): string {
  return draft === "written" ? "waiting for you to finish typing" : "ready in a moment";
}

/** What Enter means where something is filled in: an agent's default needs a move or a typed key first. */
export function enterUse({ author }: { readonly author?: "user" }, filled: "filled" | "empty"): "send" | "enter" {
  return filled === "empty" || author === "user" ? "send" : "enter";
}

export function enterProblem({ explained }: DialogKeys, first = "up or down"): string {
  if (explained === null) return "";
  return explained === "too-soon" ? "that was quick: press enter again" : `press ${first} first, then enter`;
}

interface ApprovalHints {
  readonly isLong: boolean;
  readonly letters: "lead" | "none";
  /** "twice": a second Esc stops the agent. */
  readonly stop: "twice" | "none";
}

export function approvalHints(keys: DialogKeys, { isLong, letters, stop }: ApprovalHints): string[] {
  if (keys.phase === "held") return ["any other key takes it back"];
  if (isWaiting(keys)) return [waitingHint(keys)];
  const whole = isLong ? [wholeHint(keys)] : [];
  const no = stop === "twice" ? "esc no, twice stop" : "esc no";
  if (keys.engaged === "moved" || keys.engaged === "typed") return ["enter choose", ...whole, no];
  if (isBesideDraft(keys)) return [`${FOCUS_KEY} to answer`, no, ...whole];
  if (isNew(keys)) return [waitingHint(keys), no];
  return letters === "lead" ? ["y/n or up/down, enter", ...whole, no] : [...whole, no, "up/down, enter"];
}

/** Beside a draft `d` would be typed, so another key opens it. */
export function wholeHint({ draft }: DialogKeys): string {
  return draft === "empty" ? "d full view" : "ctrl+o full view";
}

/** For text fields: their own hints, unless the composer has the keys. */
export function textHints(keys: DialogKeys, own: readonly string[]): readonly string[] {
  if (isWaiting(keys)) return [waitingHint(keys)];
  return isBesideDraft(keys) ? [`${FOCUS_KEY} to answer`, "esc cancel"] : own;
}

/** For lists, where a move must come first. */
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

export type DialogOutcome =
  | { readonly type: "answered"; readonly value: unknown }
  | { readonly type: "cancelled" }
  | DialogRequest
  | null;

/** Fulfilled by the view while the ask stays open. */
export type DialogRequest =
  /** Show `AskDialog.whole()`, then come back. */
  | { readonly type: "whole" }
  /** Open this text in the user's editor; the result goes to `AskDialog.replaceText`. */
  | { readonly type: "external-editor"; readonly text: string };

/** Everything a dialog is about. The source is unsafe: `wholeRows` makes it safe. */
export interface WholeText {
  readonly title: string;
  readonly source: string;
  readonly kind: "diff" | "text";
  readonly path?: string;
  /** Lines before the source: dangers, other inputs, who performs it. */
  readonly notes?: readonly string[];
}

/** Requests that a view can fulfil, all by default. */
interface Fulfilling {
  readonly fulfils?: readonly DialogRequest["type"][];
}

export function canFulfil({ fulfils }: Fulfilling, request: DialogRequest["type"]): boolean {
  return fulfils === undefined || fulfils.includes(request);
}

const SHORT_UNITS = 80;

/** null for a short message, and where the view cannot show one. */
export function messageWhole(
  { title, message }: Pick<DialogHead, "title" | "message">,
  parts: Fulfilling,
): WholeText | null {
  if (!canFulfil(parts, "whole")) return null;
  const isShort = title.length + message.length <= SHORT_UNITS && !message.includes("\n");
  if (isShort) return null;
  return { title, source: message === "" ? title : `${title}\n\n${message}`, kind: "text" };
}
