// Runs pi-tui components on our screen. They get the parts of a `TUI` that they use, their rules and padding are
// removed, and their cursor marker becomes the cursor of our frame.
import {
  type Component,
  CURSOR_MARKER,
  type EditorTheme,
  isFocusable,
  isKeyRelease,
  type TUI,
} from "@earendil-works/pi-tui";
import { plainText, rowWidth } from "../text/row.js";
import type { Glyphs } from "./painter/blocks/glyphs.js";
import type { Frame, Size } from "./painter/frame.js";
import type { Style } from "./painter/style/style.js";

/** A rule from edge to edge, possibly with a word such as "↑ 3 more" in it. */
const RULE = /^─{3}.*─$|^─+$/u;
const DRAWN_CURSOR = /^\x1b\[7m([^\x1b]*)\x1b\[(?:0|27)?m/;
const TRAILING_SPACES = / +((?:\x1b\[[\d;]*m)*)$/;

interface HostOptions {
  readonly size: () => Size;
  /** A component changed by itself, for example because an autocompletion arrived. */
  readonly onRenderWanted: () => void;
}

/** The `TUI` for constructing components. Touching anything else in it throws. */
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

  /** The component or its theme changed without a key. */
  refresh(): void {
    this.cached = undefined;
  }

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

const THEIR_ARROW = "→";

/** Reads the style each time, because the theme can change. */
export function editorTheme(look: { readonly style: Style; readonly glyphs: Glyphs }): EditorTheme {
  const dim = (text: string) => look.style.paint("dim", text);
  // Uses our arrow instead of the component's own.
  const chosen = (text: string) =>
    text.startsWith(THEIR_ARROW)
      ? look.style.paint("accent", look.glyphs.selected) + look.style.paint("bold", text.slice(THEIR_ARROW.length))
      : look.style.paint("bold", text);
  return {
    borderColor: dim,
    selectList: {
      selectedPrefix: (text) => look.style.paint("accent", text),
      selectedText: (text) => chosen(text),
      description: dim,
      scrollInfo: dim,
      noMatch: dim,
    },
  };
}
