// Handles of tabs. A handle is an empty object: what it stands for is known here alone, by identity, so that a program can
// neither read nor forge one, and a handle that came to the wrong surface is told apart from an object that never was one.
import { TuiError } from "./tui-error.js";

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

/** What a handle stands for; throws unless this owner gave it out. */
export function tabDetails(owner: object, handle: unknown): TabDetails {
  if (handle === null || handle === undefined) {
    throw new TuiError("section_missing", "there is no tab section here: pass what newTabSection returned");
  }
  const entry = typeof handle === "object" ? known.get(handle) : undefined;
  if (entry === undefined) {
    throw new TuiError("section_unknown", "this is no tab section: pass what newTabSection returned, not its title");
  }
  if (entry.owner !== owner) {
    throw new TuiError("section_foreign", `the tab section "${entry.details.title}" belongs to another surface`);
  }
  return entry.details;
}
