// How pi-tui's editor and its completion list look in our roles. The rules above and below the editor are taken away by the
// component host, so that their colour does not matter.
import type { EditorTheme } from "@earendil-works/pi-tui";
import type { Style } from "../../screen/style/style.js";

/** The style is asked for anew each time: the person may change it. */
export function editorTheme(look: { readonly style: Style }): EditorTheme {
  const dim = (text: string) => look.style.paint("dim", text);
  return {
    borderColor: dim,
    selectList: {
      selectedPrefix: (text) => look.style.paint("accent", text),
      selectedText: (text) => look.style.paint("bold", text),
      description: dim,
      scrollInfo: dim,
      noMatch: dim,
    },
  };
}
