// The eight invariants of the inline screen, numbered as in docs/ARCHITECTURE.md.
import { table } from "./table.js";

export const invariants = table("inline screen", {
  "invariant.1":
    "The boundary of the scrollback is kept by block, line and offset: it means the same line at every width.",
  "invariant.2": "The boundary never goes back.",
  "invariant.3":
    "A line is inserted only when it can no longer change; open tables, fences and running tools stay live.",
  "invariant.4": "An insertion hides the cursor, and the redraw below it, in the same frame, shows it again.",
  "invariant.5":
    "A dialog goes from pending to active only after a completed draw and a decision about the scrollback.",
  "invariant.6":
    "Whatever happens, scrollback and screen together hold every settled line once and in order, no remains of the live area, and what was there before the start.",
  "invariant.7": "A screen on which nothing changes writes no byte.",
  "invariant.8": "Code, commands, paths and tool output are copied without added line breaks and without a gutter.",
});
