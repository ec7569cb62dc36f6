// The surface a daemon program talks to, whole by type: a class that leaves a method out does not compile. Programs are
// written against it once and run in a daemon (HeadlessTui) or in a test.
import type { StateEntry } from "../../contract/daemon.js";
import type { Handler } from "./handler.js";
import type { TabSection } from "./tab-section.js";

/**
 * - `newTabSection` gives an opaque handle; only the surface that gave it takes it back.
 * - `addHandler` finds the handler's kind by the detection table and hands it its log. It throws a `TuiError` for a
 *   section that is missing, is none, or belongs to another surface, and for an object that is no handler.
 * - `start` ends when `shutdown` was called or the person left.
 * - `refreshUI` says that something changed. It returns at once, and may be called from anywhere as often as one likes.
 * - `returnFocus` gives the keys back to the main view.
 * - `setActiveTab` brings a tab to the front; its handlers hear of the first time.
 * - `getHandlerStates` reads every handler now, in the order of registration; null from a surface that serves no state.
 * - `dispatchAction` says whether a handler took the key and does not wait for what the handler does. False leaves the key
 *   to the caller. It throws a `TuiError` when too many actions run already.
 */
export interface Tui {
  newTabSection(title: string, description: string): TabSection;
  addHandler(handler: Handler, color: string, section: TabSection): void;
  start(): Promise<void>;
  refreshUI(): void;
  returnFocus(): void;
  setActiveTab(section: TabSection): void;
  getHandlerStates(): readonly StateEntry[] | null;
  dispatchAction(key: string, value: string): boolean;
  shutdown(): Promise<void>;
}
