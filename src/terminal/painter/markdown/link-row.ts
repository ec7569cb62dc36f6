// Links. The text carries the target as a hyperlink of the terminal, and the target is also written out when it is not
// what the text says, so that nobody follows a link without having seen where it leads.

import { linkBytes } from "../../../text/row.js";
import { safeLine } from "../../../text/safe.js";

/** Other schemes are shown but do not become clickable: some run programs or open files. */
const CLICKABLE = /^(?:https?|mailto|ftp):/i;

/** The text as a hyperlink; a line break inside it ends and begins the link anew. */
export function linked(row: string, href: string): string {
  if (row === "" || !CLICKABLE.test(href)) return row;
  return `${linkBytes(href)}${row}${linkBytes("")}`;
}

/** What to write behind the text of a link, or undefined when the text already says it. */
export function shownTarget(text: string, href: string): string | undefined {
  const target = safeLine(href).trim();
  if (target === "" || bare(target) === bare(text)) return undefined;
  return target;
}

function bare(address: string): string {
  return address
    .trim()
    .replace(/^(?:https?:\/\/|mailto:)/i, "")
    .replace(/\/$/, "");
}
