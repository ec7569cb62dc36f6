// The public API `palaver/screen`: the inline screen and its parts. Text must be made safe before it is passed in.
export type { CellPosition, Frame, Size } from "./frame.js";
export { FullScreen, type FullView } from "./full-screen.js";
export { RESCUE_BYTES } from "./handover.js";
export {
  type ApplyTerminalEffects,
  InlineScreen,
  type InlineScreenOptions,
  type LiveView,
  type ScreenClock,
  type ScreenStats,
} from "./inline-screen.js";
export { type Environment, type Profile, profileFor, type TerminalAnswers } from "./profile.js";
export { StreamTail } from "./stream-tail.js";
