// Inline Markdown as a styled row; a newline in it is a hard line break.
import type { Look, Looks } from "../../../text/look.js";
import type { InlineReader, Spans } from "../../../text/markdown/inline-reader.js";
import { linkBytes } from "../../../text/row.js";
import type { Style } from "../style/style.js";

export type RowReader = InlineReader<string>;

export function rowSpans(style: Style): Spans<string> {
  const paint = (looks: Looks, text: string) => (looks.length === 0 ? text : style.paint(looks as Look, text));
  return {
    text: (text, looks) => paint(looks, text),
    marked: (_, inner) => inner,
    // Code is coloured and copies without its ticks; without colours the ticks stay.
    code: (text, looks) => (style.depth === "none" ? paint(looks, `\`${text}\``) : paint([...looks, "info"], text)),
    link({ href, target, inner }, looks) {
      const parts = inner.split("\n").map((part) => linked(part, href));
      const row = parts.join("\n");
      if (target === "") return row;
      return `${row}${row === "" ? "" : paint(looks, " ")}${paint([...looks, "dim"], `(${target})`)}`;
    },
    image: (href, name, looks) => linked(paint([...looks, "dim"], `[image: ${name}]`), href),
    lineBreak: "\n",
    joined: (parts) => parts.join(""),
  };
}

/** Other schemes may run programs or open files, so they are not clickable. */
const CLICKABLE = /^(?:https?|mailto|ftp):/i;

export function linked(row: string, href: string): string {
  if (row === "" || !CLICKABLE.test(href)) return row;
  return `${linkBytes(href)}${row}${linkBytes("")}`;
}
