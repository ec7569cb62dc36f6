// Inline Markdown as nodes: the same reader as in the terminal, and only the elements that are named here.
import type { Spans } from "../../text/markdown/inline-reader.js";
import { element, linkOrText } from "./element.js";

export type Nodes = readonly Node[];

const TAGS = { bold: "strong", italic: "em", strike: "del" } as const;

export const nodeSpans: Spans<Nodes> = {
  text: (text) => [document.createTextNode(text)],
  marked: (mark, inner) => [element(TAGS[mark], "", ...inner)],
  code: (text) => [element("code", "", text)],
  link: ({ href, target, inner }) => {
    const link = linkOrText(href, ...inner);
    return target === "" ? [link] : [link, element("span", "target dim", ` (${target})`)];
  },
  // Nothing is loaded from elsewhere: a picture is a link to it.
  image: (href, name) => [linkOrText(href, document.createTextNode(`[image: ${name}]`))],
  get lineBreak() {
    return [document.createElement("br")];
  },
  joined: (parts) => parts.flat(),
};
