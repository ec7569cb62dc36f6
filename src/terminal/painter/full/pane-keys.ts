// What keys mean to the transcript on the full screen, while the person writes below it: the few that scroll, and those of a
// search while one is going on. All others are the composer's, or the dialog's. Which keys scroll is in the keymap.
import { createKeymap, type KeyAction, type Keymap } from "../../../session/keymap.js";
import { viewerIntent } from "../viewer/viewer-keys.js";
import type { ViewerAction, ViewerState } from "../viewer/viewer-state.js";

export type PaneAction = ViewerAction | { readonly type: "follow" };

/** "mine" is a key that does nothing and is nobody else's; "pass" ends a search and goes on to whoever writes. */
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
  /** Where the transcript is read; null while its end is followed. */
  readonly reading: ViewerState | null;
  readonly keysOf: "composer" | "dialog";
  /** The person's own keys; the usual ones without. */
  readonly keymap?: Pick<Keymap, "actionFor"> | undefined;
}

/** `key` is a name such as "pageup", or the typed text itself. */
export function paneIntent({ reading, keysOf, keymap = usualKeys }: PaneFocus, key: string): PaneIntent {
  const phase = reading?.search.phase ?? "off";
  if (reading !== null && phase === "typing") return typing(reading, key);
  const wanted = (phase === "off" ? undefined : found[key]) ?? scrolling(keymap, keysOf, key);
  if (wanted !== undefined) return wanted;
  if (reading !== null && key === "end" && keysOf === "composer") return { type: "follow" };
  return phase === "off" ? null : { type: "pass" };
}

// Dialogs have pages of their own: beside one, only a key that is held with another scrolls the transcript.
function scrolling(
  keymap: Pick<Keymap, "actionFor">,
  keysOf: PaneFocus["keysOf"],
  key: string,
): PaneAction | undefined {
  const action = keymap.actionFor(key);
  const isForDialog = keysOf === "dialog" && !key.includes("+");
  return action === null || isForDialog ? undefined : own[action];
}

// While one types what to look for, no key gets through to a question or a message.
function typing(reading: ViewerState, key: string): PaneIntent {
  const intent = viewerIntent(reading, key);
  return intent === null || intent.type === "close" ? { type: "mine" } : intent;
}
