// The surface of a daemon program. A program is written against it once and runs in a daemon (HeadlessTui) or in a test.
import type { StateEntry } from "../../contract/daemon.js";
import type { Handler } from "./handler.js";

export type TuiErrorCode =
  | "section_missing"
  | "section_unknown"
  | "section_foreign"
  | "handler_unknown"
  | "handlers_full"
  | "overloaded";

export class TuiError extends Error {
  override readonly name = "TuiError";
  readonly code: TuiErrorCode;

  constructor(code: TuiErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

// A handle is an empty object that is known by identity, so a program can neither read nor forge one.
declare const isTabSection: unique symbol;

export interface TabSection {
  readonly [isTabSection]: true;
}

export interface TabDetails {
  readonly title: string;
  readonly description: string;
}

const known = new WeakMap<object, { owner: object; details: TabDetails }>();

export function createTabSection(owner: object, details: TabDetails): TabSection {
  const handle = Object.freeze({});
  known.set(handle, { owner, details });
  return handle as TabSection;
}

/** Throws unless this owner created the handle. */
export function tabDetails(owner: object, handle: unknown): TabDetails {
  if (handle === null || handle === undefined) {
    throw new TuiError("section_missing", "no tab section was passed: pass what newTabSection returned");
  }
  const entry = typeof handle === "object" ? known.get(handle) : undefined;
  if (entry === undefined) {
    throw new TuiError("section_unknown", "this is not a tab section: pass what newTabSection returned, not its title");
  }
  if (entry.owner !== owner) {
    throw new TuiError("section_foreign", `the tab section "${entry.details.title}" belongs to another surface`);
  }
  return entry.details;
}

/**
 * - `newTabSection` gives an opaque handle; only the surface that gave it takes it back.
 * - `addHandler` derives the kind by the detection table and calls `setLog`. It throws a `TuiError` for a section that is
 *   missing, unknown or of another surface, and for an object that is no handler.
 * - `start` settles after `shutdown`.
 * - `refreshUI` reports a change. It returns at once and may be called often.
 * - `returnFocus` gives the keys back to the main view.
 * - `setActiveTab` brings a tab to the front and calls `onTabActive` of its handlers the first time.
 * - `getHandlerStates` reads every handler now, in the order of registration; null from a surface that serves no state.
 * - `dispatchAction` returns whether a handler took the key; it does not wait for the action. It throws a `TuiError` when too
 *   many actions are already running.
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
