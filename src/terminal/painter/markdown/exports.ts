// Markdown by itself, for whoever measures it or shows it without the rest: loaded after the first frame, because the
// parser and the grammars take their time.
export { createStyle } from "../style/style.js";
export { createMarkdownStream } from "./markdown-stream.js";
