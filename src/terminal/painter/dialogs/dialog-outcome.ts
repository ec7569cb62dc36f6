// What can come of a key, or of a typed line, in a dialog. An answer and a cancel end the question; the others are wishes
// that whoever shows the dialog fulfils before the question goes on.

export type DialogOutcome =
  | { readonly type: "answered"; readonly value: unknown }
  | { readonly type: "cancelled" }
  | DialogRequest
  | null;

/** The question stays open meanwhile. */
export type DialogRequest =
  /** The person wants to read all of it: show `AskDialog.whole()`, then come back. */
  | { readonly type: "whole" }
  /** The person wants to write this in an editor of their own; what it became goes to `AskDialog.replaceText`. */
  | { readonly type: "external-editor"; readonly text: string };

/** Whether the view can fulfil this request: all of them unless it says otherwise. */
export function mayWish(
  { fulfils }: { readonly fulfils?: readonly DialogRequest["type"][] },
  wish: DialogRequest["type"],
): boolean {
  return fulfils === undefined || fulfils.includes(wish);
}

/** What a dialog is about, in full. The source is as the agent sent it: `wholeRows` makes it harmless. */
export interface WholeText {
  readonly title: string;
  readonly source: string;
  readonly kind: "diff" | "text";
  readonly path?: string;
  /** Lines that stand before the source: what is dangerous, inputs besides the diff, who performs it. */
  readonly notes?: readonly string[];
}
