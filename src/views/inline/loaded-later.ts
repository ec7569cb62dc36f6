// Everything that the first frame does not need, in one module, so that it is loaded in one go after it.
import { hostTui } from "../../terminal/component-host.js";
import { keyName, typedText } from "../../terminal/dialogs/key-names.js";
import type { AppLook } from "./app-look.js";
import { Composer } from "./composer.js";

export { KeyStream } from "../../terminal/device/key-stream.js";
export { imageQueueFor } from "../../terminal/pictures/image-queue.js";
export { openAppOptions } from "./app-options.js";
export { ScreenRenderer } from "./screen-renderer.js";
export { TerminalSurface } from "./terminal-surface.js";

/** By then the app is drawn, and its own work at the start is done. */
export const REHEARSAL_DELAY_MS = 250;

const SIZE = { columns: 80, rows: 24 } as const;
const SENTENCE = ["a", "b", " ", "c", "\x7f"] as const;

// The first key runs through code that has never run, and takes three times as long as those after it. So one is played
// beforehand, while nothing is typed, on a composer that is not shown.
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
