// What the first frame does not need, in one module, so that it is loaded in one go behind it.

export { albumFor } from "../pictures/picture-album.js";
export { KeyStream } from "../terminal/key-stream.js";
export { REHEARSAL_DELAY_MS, rehearseTyping } from "./rehearsal.js";
export { ScreenFace } from "./screen-face.js";
export { TalkSession } from "./talk-session.js";
export { TerminalApp } from "./terminal-app.js";
