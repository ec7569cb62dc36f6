// The Markdown renderer by itself, for benchmarks and end-to-end tests.
export { createStyle } from "../style/style.js";
export { createMarkdownStream } from "./markdown-stream.js";
