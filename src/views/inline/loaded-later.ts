// What the first frame does not need, in one module, so that it is loaded in one go behind it.

export { KeyStream } from "../../terminal/device/key-stream.js";
export { imageQueueFor } from "../../terminal/pictures/image-queue.js";
export { openAppOptions } from "./app-options.js";
export { REHEARSAL_DELAY_MS, rehearseTyping } from "./rehearsal.js";
export { ScreenRenderer } from "./screen-renderer.js";
export { TerminalSurface } from "./terminal-surface.js";
