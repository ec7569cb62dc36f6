// The same lines and the same window changes, but plainly printed into a second emulator. What is damaged there is the
// terminal's own doing: no program could have kept it.

import type { Size } from "../../../src/terminal/painter/frame.js";
import { checkTranscript } from "./fidelity.js";
import type { Ledger } from "./ledger.js";
import { Window } from "./window.js";

/** Whether plain printing comes through unharmed where our screen did not. */
export function plainPrinting(start: Size, ledger: Ledger): "unharmed" | "harmed" {
  const window = new Window(start);
  let changes = 0;
  const resizeUpTo = (printedCount: number): void => {
    for (; (ledger.sizeChanges[changes]?.at ?? Number.POSITIVE_INFINITY) <= printedCount; changes++) {
      window.resize(ledger.sizeChanges[changes]?.size ?? start);
    }
  };
  ledger.printed.forEach((entry, index) => {
    resizeUpTo(index);
    if (entry.kind === "line") window.read(`${entry.text}\x1b[m\r\n`);
  });
  resizeUpTo(ledger.printed.length);
  try {
    checkTranscript(window, window.cursor().row, ledger.printed, Number.POSITIVE_INFINITY);
    return "unharmed";
  } catch {
    return "harmed";
  } finally {
    window.dispose();
  }
}
