// The style of thinking: everything that would be coloured is dim and italic. Code is upright, so that it is still told
// apart.

import { type Attribute, type Look, ROLES, type Role } from "../../../text/look.js";
import type { MarkdownOptions } from "../markdown/row-blocks.js";
import type { Style } from "../style/style.js";

export function thinkingVoice(style: Style): Pick<MarkdownOptions, "style" | "base"> {
  return { style: quietStyle(style), base: ["dim", "italic"] };
}

/** Also dims code without a grammar. */
export function lowered(rows: readonly string[], style: Style): string[] {
  return rows.map((row) => style.paint("dim", row));
}

const ROLE_NAMES: ReadonlySet<string> = new Set(ROLES);

export function quietStyle(style: Style): Style {
  const known = new Map<string, Look>();
  const quiet = (look: Look): Look => {
    const key = typeof look === "string" ? look : look.join("+");
    const found = known.get(key) ?? quietLook(typeof look === "string" ? [look] : look);
    known.set(key, found);
    return found;
  };
  return {
    get depth() {
      return style.depth;
    },
    changes: "coloured",
    paint: (look, text) => style.paint(quiet(look), text),
  };
}

function quietLook(parts: readonly (Role | Attribute)[]): Look {
  const attributes = parts.filter((part): part is Attribute => !ROLE_NAMES.has(part) && part !== "mark");
  // Code has the colour of a link but no underline.
  const isCode = parts.includes("info") && !parts.includes("underline");
  return ["dim", ...attributes.filter((attribute) => !isCode || attribute !== "italic")];
}
