// Syntax highlighting, loaded with the first code block: the grammars are larger than the rest of the page.
import { signal } from "@preact/signals";

type Highlight = typeof import("../../text/code/highlight.js");

/** Null until it is loaded, and where it cannot be loaded: code is readable without. */
export const highlight = signal<Highlight | null>(null);

let phase: "idle" | "asked" = "idle";

export function loadHighlighter(): void {
  if (phase === "asked") return;
  phase = "asked";
  import("../../text/code/highlight.js").then(
    (module) => {
      highlight.value = module;
    },
    () => {
      phase = "idle";
    },
  );
}
