// A style for what is said in a low voice, the agent's thinking: whatever it would colour is dim. Weight, slant and lines
// stay. Code stands upright in the slanted text around it, so that it is still told apart.
//
//   the separator is set in join, line 42         join is dim and upright, everything else dim and italic

import { type Attribute, type Look, ROLES, type Role } from "./look.js";
import type { Style } from "./style.js";

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
  // Code has the colour of a link and no line under it.
  const isCode = parts.includes("info") && !parts.includes("underline");
  return ["dim", ...attributes.filter((attribute) => !isCode || attribute !== "italic")];
}
