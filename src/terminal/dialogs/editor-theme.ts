// How pi-tui's editor and its completion list look in our roles. The rules above and below the editor are taken away by the
// component host, so that their colour does not matter.
import type { EditorTheme } from "@earendil-works/pi-tui";
import type { Glyphs } from "../painter/blocks/glyphs.js";
import type { Style } from "../painter/style/style.js";

const THEIR_ARROW = "→";

/** The style is asked for anew each time: the person may change it. */
export function editorTheme(look: { readonly style: Style; readonly glyphs: Glyphs }): EditorTheme {
  const dim = (text: string) => look.style.paint("dim", text);
  // The same arrow as in every other list; the component has one of its own before the words.
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
