// The keys of the viewer: those of a pager. Keys come as names, so that any keyboard protocol will do.
import type { ViewerAction, ViewerState } from "./viewer-state.js";

/** null: the key has no meaning here. */
export type ViewerIntent = ViewerAction | { readonly type: "close" } | null;

const reading: Readonly<Record<string, ViewerAction | { readonly type: "close" }>> = {
  up: { type: "scroll", rows: -1 },
  k: { type: "scroll", rows: -1 },
  down: { type: "scroll", rows: 1 },
  j: { type: "scroll", rows: 1 },
  enter: { type: "scroll", rows: 1 },
  pageup: { type: "page", direction: "back" },
  b: { type: "page", direction: "back" },
  pagedown: { type: "page", direction: "forward" },
  space: { type: "page", direction: "forward" },
  " ": { type: "page", direction: "forward" },
  home: { type: "go", to: "start" },
  g: { type: "go", to: "start" },
  end: { type: "go", to: "end" },
  G: { type: "go", to: "end" },
  "[": { type: "jump", direction: "back" },
  "]": { type: "jump", direction: "forward" },
  "/": { type: "search.begin" },
  n: { type: "search.again", direction: "forward" },
  N: { type: "search.again", direction: "back" },
  q: { type: "close" },
  escape: { type: "close" },
  "ctrl+c": { type: "close" },
};

/** `key` is a name such as "pageup", or the typed character. */
export function viewerIntent(state: ViewerState, key: string): ViewerIntent {
  if (state.search.phase !== "typing") return reading[key] ?? null;
  const { query } = state.search;
  if (key === "enter") return { type: "search.accept" };
  if (key === "escape" || key === "ctrl+c") return { type: "search.cancel" };
  if (key === "backspace") {
    return query === ""
      ? { type: "search.cancel" }
      : { type: "search.edit", query: Array.from(query).slice(0, -1).join("") };
  }
  if (key === "space") return { type: "search.edit", query: `${query} ` };
  return Array.from(key).length === 1 ? { type: "search.edit", query: query + key } : null;
}
