// What the bench and the end-to-end tests start from, besides the screen: pi-tui's components and what hosts them. It
// is loaded after the first frame; the terminal port comes alone, because it is needed before.

export { Editor, type EditorTheme } from "@earendil-works/pi-tui";
export { ComponentHost, hostTui } from "../terminal/component-host.js";
export { KeyStream } from "../terminal/device/key-stream.js";
