// The first key runs through code that has never run, and takes three times as long as those after it. So one is played
// beforehand, while nobody types, on a composer that nobody sees.
import { hostTui } from "../../terminal/component-host.js";
import { keyName, typedText } from "../../terminal/dialogs/key-names.js";
import type { AppLook } from "./app-look.js";
import { Composer } from "./composer.js";

/** By then the app stands there, and what it does of itself at the start is done. */
export const REHEARSAL_DELAY_MS = 250;

const SIZE = { columns: 80, rows: 24 } as const;
const SENTENCE = ["a", "b", " ", "c", "\x7f"] as const;

export function rehearseTyping(look: AppLook): void {
  const nothing = () => undefined;
  const composer = new Composer({
    look,
    tui: hostTui({ size: () => SIZE, onRenderWanted: nothing }),
    folder: "",
    files: () => Promise.resolve([]),
    history: { load: () => [], append: nothing },
    nowMs: () => 0,
    quietMs: 0,
    onSubmit: nothing,
    onTaken: nothing,
  });
  for (const key of SENTENCE) {
    typedText(key);
    keyName(key);
    composer.key(key);
    composer.frame(SIZE.columns, "shown");
  }
}
