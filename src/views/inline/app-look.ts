// The appearance, in one object that all parts of the UI share: when the user chooses another theme, its fields change, and
// the next frame uses them.
import type { Settings } from "../../session/settings/setting-table.js";
import type { Glyphs } from "../../terminal/painter/blocks/glyphs.js";
import type { Style } from "../../terminal/painter/style/style.js";

export interface AppLook {
  style: Style;
  glyphs: Glyphs;
  /** "auto": by the terminal where it reflows, else at words. */
  wrap: "auto" | "words" | "terminal";
  /** The keys of the composer; those of emacs and readline if missing. */
  editing?: "emacs" | "vi";
  thinking: "shown" | "hidden" | "collapsed";
  motion: "full" | "reduced";
  /** How many lines of a tool's output stay in the scrollback. */
  outputLinesMax: number;
  /** Whether pictures are shown as such where the terminal can; "auto" when nothing is said. */
  images?: "auto" | "off";
  /** Whose the mouse is on the full screen; the wheel is ours when nothing is said. */
  mouse?: "wheel" | "off";
}

/** The fields that the settings decide. */
export function lookOf(settings: Settings): Omit<AppLook, "style" | "glyphs"> {
  const { wrap, editing, thinking, motion, output_lines: outputLinesMax, images, mouse } = settings;
  return { wrap, editing, thinking, motion, outputLinesMax, images, mouse };
}
