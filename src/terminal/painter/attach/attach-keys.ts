// The keys of the attached view, while no dialog and no input line has them. Any other key may be a handler's shortcut.
import type { AttachIntent } from "../../../session/attach/attach-state.js";
import { viewerIntent } from "../viewer/viewer-keys.js";
import type { Reading, ReadingAction } from "./reading.js";

export type AttachKey =
  | { readonly to: "view"; readonly intent: AttachIntent }
  | { readonly to: "text"; readonly action: ReadingAction }
  /** The key is consumed and does nothing. */
  | { readonly to: "none" };

const view = (intent: AttachIntent): AttachKey => ({ to: "view", intent });
const text = (action: ReadingAction): AttachKey => ({ to: "text", action });

/** These switch tabs everywhere, also while typing. */
const everywhere: Readonly<Record<string, AttachKey>> = {
  "ctrl+pagedown": view({ type: "tab.step", by: 1 }),
  "ctrl+pageup": view({ type: "tab.step", by: -1 }),
  "ctrl+tab": view({ type: "tab.step", by: 1 }),
  "shift+ctrl+tab": view({ type: "tab.step", by: -1 }),
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`alt+${index + 1}`, view({ type: "tab.pick", index })]),
  ),
};

const plain: Readonly<Record<string, AttachKey>> = {
  tab: view({ type: "tab.step", by: 1 }),
  "shift+tab": view({ type: "tab.step", by: -1 }),
  right: view({ type: "field.step", by: 1 }),
  left: view({ type: "field.step", by: -1 }),
  enter: view({ type: "field.act" }),
  "?": view({ type: "help.toggle" }),
  ":": view({ type: "action.enter" }),
  "ctrl+o": view({ type: "logs.toggle" }),
  "ctrl+c": view({ type: "leave" }),
  "ctrl+d": view({ type: "leave" }),
  up: text({ type: "scroll", rows: -1 }),
  down: text({ type: "scroll", rows: 1 }),
  pageup: text({ type: "page", direction: "back" }),
  pagedown: text({ type: "page", direction: "forward" }),
  home: text({ type: "go", to: "start" }),
  "ctrl+home": text({ type: "go", to: "start" }),
  end: text({ type: "follow" }),
  "ctrl+end": text({ type: "follow" }),
  "/": text({ type: "search.begin" }),
  "ctrl+f": text({ type: "search.begin" }),
};

const found: Readonly<Record<string, AttachKey>> = {
  n: text({ type: "search.again", direction: "forward" }),
  N: text({ type: "search.again", direction: "back" }),
  escape: text({ type: "search.cancel" }),
};

/** `key` is a name such as "pageup", or the typed text. */
export function attachKey(reading: Reading | null, key: string): AttachKey {
  const phase = reading?.viewer.search.phase ?? "off";
  if (reading !== null && phase === "typing") return typing(reading, key);
  const own = (phase === "off" ? undefined : found[key]) ?? everywhere[key] ?? plain[key];
  if (own !== undefined) return own;
  if (key === "escape") return backFrom(reading);
  return Array.from(key).length === 1 ? view({ type: "shortcut.press", key }) : { to: "none" };
}

/** The keys that work while another part of the view has the focus. */
export function tabKey(key: string): AttachIntent | null {
  const known = everywhere[key];
  return known?.to === "view" ? known.intent : null;
}

function backFrom(reading: Reading | null): AttachKey {
  if (reading === null) return { to: "none" };
  return reading.what === "help" ? view({ type: "help.toggle" }) : text({ type: "follow" });
}

// While a search is typed, no key reaches a shortcut.
function typing({ viewer }: Reading, key: string): AttachKey {
  const intent = viewerIntent(viewer, key);
  return intent === null || intent.type === "close" ? { to: "none" } : text(intent);
}
