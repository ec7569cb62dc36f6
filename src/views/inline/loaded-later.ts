// What the first frame does not need, in one module, so that it is loaded in one go behind it.

export { KeyStream } from "../../terminal/device/key-stream.js";
export { albumFor } from "../../terminal/pictures/picture-album.js";
export { REHEARSAL_DELAY_MS, rehearseTyping } from "./rehearsal.js";
export { ScreenFace } from "./screen-face.js";
export { TalkSession } from "./talk-session.js";
export { TerminalApp } from "./terminal-app.js";
