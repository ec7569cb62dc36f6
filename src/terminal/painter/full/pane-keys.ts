// The keys of the transcript on the full screen: those that scroll, and those of a search. All others go to the
// composer or dialog.
import { createKeymap, type KeyAction, type Keymap } from "../../../session/keymap.js";
import { viewerIntent } from "../viewer/viewer-keys.js";
import type { ViewerAction, ViewerState } from "../viewer/viewer-state.js";

export type PaneAction = ViewerAction | { readonly type: "follow" };

/** "mine" consumes the key; "pass" ends a search and hands the key on. */
export type PaneIntent = PaneAction | { readonly type: "mine" } | { readonly type: "pass" } | null;

const own: Readonly<Partial<Record<KeyAction, PaneAction>>> = {
  "page-up": { type: "page", direction: "back" },
  "page-down": { type: "page", direction: "forward" },
  "go-start": { type: "go", to: "start" },
  "go-end": { type: "follow" },
  find: { type: "search.begin" },
};

const usualKeys: Pick<Keymap, "actionFor"> = createKeymap({}).keymap;

const found: Readonly<Record<string, PaneAction>> = {
  n: { type: "search.again", direction: "forward" },
  N: { type: "search.again", direction: "back" },
  escape: { type: "search.cancel" },
  "ctrl+c": { type: "search.cancel" },
};

export interface PaneFocus {
  /** null while the end is followed. */
  readonly reading: ViewerState | null;
  readonly keysOf: "composer" | "dialog";
  /** The user's keys, if set. */
  readonly keymap?: Pick<Keymap, "actionFor"> | undefined;
}

/** `key` is a name such as "pageup", or the typed text. */
export function paneIntent({ reading, keysOf, keymap = usualKeys }: PaneFocus, key: string): PaneIntent {
  const phase = reading?.search.phase ?? "off";
  if (reading !== null && phase === "typing") return typing(reading, key);
  const wanted = (phase === "off" ? undefined : found[key]) ?? scrolling(keymap, keysOf, key);
  if (wanted !== undefined) return wanted;
  if (reading !== null && key === "end" && keysOf === "composer") return { type: "follow" };
  return phase === "off" ? null : { type: "pass" };
}

// Beside a dialog, which has pages of its own, only keys with a modifier scroll.
function scrolling(
  keymap: Pick<Keymap, "actionFor">,
  keysOf: PaneFocus["keysOf"],
  key: string,
): PaneAction | undefined {
  const action = keymap.actionFor(key);
  const isForDialog = keysOf === "dialog" && !key.includes("+");
  return action === null || isForDialog ? undefined : own[action];
}

// While a search is typed, no key reaches a dialog or the composer.
function typing(reading: ViewerState, key: string): PaneIntent {
  const intent = viewerIntent(reading, key);
  return intent === null || intent.type === "close" ? { type: "mine" } : intent;
}
