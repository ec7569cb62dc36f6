// The title and message of a question as something to open on a screen of its own, when they are too long for a dialog.
import { mayWish, type WholeText } from "../painter/dialogs/dialog-outcome.js";
import type { DialogHead } from "../painter/dialogs/dialog-rows.js";
import type { DialogParts } from "./ask-dialog.js";

const SHORT_UNITS = 80;

/** null for words that a dialog can hold itself, and where nobody could show them. */
export function messageWhole(
  { title, message }: Pick<DialogHead, "title" | "message">,
  parts: DialogParts,
): WholeText | null {
  if (!mayWish(parts, "whole")) return null;
  const isShort = title.length + message.length <= SHORT_UNITS && !message.includes("\n");
  if (isShort) return null;
  return { title, source: message === "" ? title : `${title}\n\n${message}`, kind: "text" };
}
