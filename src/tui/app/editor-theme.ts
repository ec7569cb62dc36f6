// How pi-tui's editor and its completion list look in our roles. The rules above and below the editor are taken away by the
// component host, so that their colour does not matter.
import type { EditorTheme } from "@earendil-works/pi-tui";
import type { Style } from "../../screen/style/style.js";

export function editorTheme(style: Style): EditorTheme {
  const dim = (text: string) => style.paint("dim", text);
  return {
    borderColor: dim,
    selectList: {
      selectedPrefix: (text) => style.paint("accent", text),
      selectedText: (text) => style.paint("bold", text),
      description: dim,
      scrollInfo: dim,
      noMatch: dim,
    },
  };
}
