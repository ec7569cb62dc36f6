// What the app shows itself on: the inline screen, or the same frames on a screen of their own. The app settles lines, says
// what is alive below them, and does not know which of the two it has.
import type { InlineScreen } from "../../terminal/painter/inline-screen.js";

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
  /** Draws the frame that waits, if its moment has come. */
  drawDue?(): void;
  /** Keys of the face's own, such as scrolling; true when it took the key. */
  key?(sequence: string): boolean;
  /** Whoever sends something wants to see what becomes of it, wherever he has been reading. */
  followEnd?(): void;
};
