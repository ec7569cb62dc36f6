// Lets pi-tui components live on our screen unchanged. They get the little of a `TUI` that they use (a wish for a redraw and
// the size of the terminal), and their rows lose what does not survive a resize: full-width padding and rules. Their
// cursor marker becomes the cursor of our frame.

import { type Component, CURSOR_MARKER, isFocusable, isKeyRelease, type TUI } from "@earendil-works/pi-tui";
import { plainText, rowWidth } from "../text/row.js";
import type { Frame, Size } from "./painter/frame.js";

/** A rule from edge to edge, possibly with a word such as "↑ 3 more" in it. */
const RULE = /^─{3}.*─$|^─+$/u;
const DRAWN_CURSOR = /^\x1b\[7m([^\x1b]*)\x1b\[(?:0|27)?m/;
const TRAILING_SPACES = / +((?:\x1b\[[\d;]*m)*)$/;

interface HostOptions {
  readonly size: () => Size;
  /** A component changed by itself: an autocompletion arrived, a timer ran. */
  readonly onRenderWanted: () => void;
}

/** The `TUI` that components are constructed with. What they do not use throws when it is touched. */
export function hostTui({ size, onRenderWanted }: HostOptions): TUI {
  const terminal = {
    get rows(): number {
      return size().rows;
    },
    get columns(): number {
      return size().columns;
    },
  };
  const used: Readonly<Record<string, unknown>> = { terminal, requestRender: () => onRenderWanted() };
  return new Proxy({} as TUI, {
    get(_, name) {
      const value = used[String(name)];
      if (value === undefined) throw new Error(`A hosted component asked its TUI for ${String(name)}.`);
      return value;
    },
  });
}

export class ComponentHost {
  readonly component: Component;
  private cached: { columns: number; frame: Frame } | undefined;

  constructor(component: Component) {
    this.component = component;
  }

  set focus(state: "focused" | "blurred") {
    if (isFocusable(this.component)) this.component.focused = state === "focused";
    this.refresh();
  }

  key(sequence: string): void {
    if (isKeyRelease(sequence) && !this.component.wantsKeyRelease) return;
    this.component.handleInput?.(sequence);
    this.refresh();
  }

  /** The component changed behind our back, or its theme did. */
  refresh(): void {
    this.cached = undefined;
  }

  /** Rows and cursor at this width; computed again only after something could have changed. */
  frame(columns: number): Frame {
    if (this.cached?.columns !== columns) this.cached = { columns, frame: hostedFrame(this.component.render(columns)) };
    return this.cached.frame;
  }
}

/**
 *     ──────────────────────
 *     hello▯                            hello
 *     ──────────────────────     →      → one        (a completion list stays)
 *     → one
 */
export function hostedFrame(rendered: readonly string[]): Frame {
  const rows: string[] = [];
  let cursor: Frame["cursor"] = null;
  for (const row of rendered) {
    if (RULE.test(plainText(row))) continue;
    const at = row.indexOf(CURSOR_MARKER);
    if (at < 0) {
      rows.push(trimmed(row));
      continue;
    }
    const before = row.slice(0, at);
    cursor = { row: rows.length, column: rowWidth(before) };
    rows.push(trimmed(before + row.slice(at + CURSOR_MARKER.length).replace(DRAWN_CURSOR, "$1")));
  }
  return { rows, cursor };
}

function trimmed(row: string): string {
  return row.replace(TRAILING_SPACES, "$1");
}
