// Where the app draws: the inline screen, or the same frames in full screen. The app settles lines and provides the live rows,
// and does not know which of the two it has.
import { keyName, pastedText, typedText } from "../../terminal/dialogs/key-names.js";
import { type PaneFocus, type PaneIntent, paneIntent } from "../../terminal/painter/full/pane-keys.js";
import type { InlineScreen } from "../../terminal/painter/inline-screen.js";
import { safeLine } from "../../text/safe.js";

export type Surface = Pick<
  InlineScreen,
  | "size"
  | "settle"
  | "setView"
  | "requestFrame"
  | "resize"
  | "drained"
  | "hold"
  | "release"
  | "suspend"
  | "resume"
  | "close"
  | "clear"
  | "confirm"
  | "activateConfirm"
  | "setProfile"
> & {
  /** Whether a wider window rewraps settled lines; false if missing. */
  readonly reflows?: boolean;
  /** Draws the frame that waits, if its moment has come. */
  drawDue?(): void;
  /** Keys of the surface's own, such as scrolling; true when it took the key. */
  key?(sequence: string): boolean;
  /** The user sends something and wants to see what follows, whatever was being read. */
  followEnd?(): void;
};

/** What a key means to a transcript in a pane. A paste is text, whatever it reads like. */
export function paneIntentOf(sequence: string, focus: PaneFocus): PaneIntent {
  const pasted = pastedText(sequence);
  if (pasted === null) return paneIntent(focus, typedText(sequence) || (keyName(sequence) ?? "").toLowerCase());
  const search = focus.reading?.search;
  if (search?.phase === "typing") return { type: "search.edit", query: search.query + safeLine(pasted) };
  return search === undefined || search.phase === "off" ? null : { type: "pass" };
}
