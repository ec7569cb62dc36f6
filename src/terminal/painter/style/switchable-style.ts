// A style that can become another while everybody keeps holding it: whoever paints next paints in the new one. What is in
// the scrollback already keeps its colours, as paper does; whoever keeps painted rows has to paint them again.
import type { ColourDepth } from "./look.js";
import { createStyle, type Style } from "./style.js";
import type { ThemeName } from "./themes.js";

export interface SwitchableStyle extends Style {
  readonly theme: ThemeName;
  /** True when anything changed, and what is shown has to be drawn again. */
  switchTo(options: { theme?: ThemeName; depth?: ColourDepth }): boolean;
}

export function createSwitchableStyle(options: { theme: ThemeName; depth: ColourDepth }): SwitchableStyle {
  let now = { ...options };
  let style = createStyle(now);
  return {
    get theme() {
      return now.theme;
    },
    get depth() {
      return style.depth;
    },
    get changes() {
      return style.changes;
    },
    paint: (look, text) => style.paint(look, text),
    switchTo(wish) {
      const next = { ...now, ...wish };
      if (next.theme === now.theme && next.depth === now.depth) return false;
      now = next;
      style = createStyle(next);
      return true;
    },
  };
}
