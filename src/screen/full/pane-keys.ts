// What keys mean to the transcript on the full screen, while the person writes below it: the few that scroll, and those of a
// search while one is going on. All others are the composer's, or the dialog's.
import { viewerIntent } from "../viewer/viewer-keys.js";
import type { ViewerAction, ViewerState } from "../viewer/viewer-state.js";

export type PaneAction = ViewerAction | { readonly type: "follow" };

/** "mine" is a key that does nothing and is nobody else's; "pass" ends a search and goes on to whoever writes. */
export type PaneIntent = PaneAction | { readonly type: "mine" } | { readonly type: "pass" } | null;

const always: Readonly<Record<string, PaneAction>> = {
  "shift+pageup": { type: "page", direction: "back" },
  "shift+pagedown": { type: "page", direction: "forward" },
  "ctrl+home": { type: "go", to: "start" },
  "ctrl+end": { type: "follow" },
  "ctrl+f": { type: "search.begin" },
};

/** Dialogs have pages of their own. */
const besideComposer: Readonly<Record<string, PaneAction>> = {
  pageup: { type: "page", direction: "back" },
  pagedown: { type: "page", direction: "forward" },
};

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
}

/** `key` is a name such as "pageup", or the typed text itself. */
export function paneIntent({ reading, keysOf }: PaneFocus, key: string): PaneIntent {
  const phase = reading?.search.phase ?? "off";
  if (reading !== null && phase === "typing") return typing(reading, key);
  const own = (phase === "off" ? undefined : found[key]) ?? always[key] ?? pages(keysOf, key);
  if (own !== undefined) return own;
  if (reading !== null && key === "end" && keysOf === "composer") return { type: "follow" };
  return phase === "off" ? null : { type: "pass" };
}

function pages(keysOf: PaneFocus["keysOf"], key: string): PaneAction | undefined {
  return keysOf === "composer" ? besideComposer[key] : undefined;
}

// While one types what to look for, no key gets through to a question or a message.
function typing(reading: ViewerState, key: string): PaneIntent {
  const intent = viewerIntent(reading, key);
  return intent === null || intent.type === "close" ? { type: "mine" } : intent;
}
