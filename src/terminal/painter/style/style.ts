// Paints text. A painted text closes exactly what it opened, so it can be nested: the outer look continues after the
// inner.
//
//     style.paint("dim", `12 lines ${style.paint("danger", "1 failed")} 2 s`)
import type { Attribute, ColourDepth, Look, Role } from "../../../text/look.js";
import type { ThemeName } from "../../../text/themes.js";
import { type RoleCodes, roleCodes } from "./role-codes.js";

export interface Style {
  readonly depth: ColourDepth;
  /** Whether `add` and `remove` have a background that other colours may stand on. */
  readonly changes: "tinted" | "coloured";
  /** "" stays "", and a look without meaning at this depth adds nothing. */
  paint(look: Look, text: string): string;
}

interface Codes {
  readonly open: string;
  readonly close: string;
}

const ATTRIBUTES: Readonly<Record<Exclude<Attribute, "mark">, string>> = {
  bold: "1",
  faint: "2",
  italic: "3",
  underline: "4",
  reverse: "7",
  strike: "9",
};

const ENDS: Readonly<Record<string, string>> = { "1": "22", "2": "22", "3": "23", "4": "24", "7": "27", "9": "29" };

const SOMETHING_ENDS = /\x1b\[(?:22|23|24|27|29|39|49)(?:;(?:22|23|24|27|29|39|49))*m/g;

export function createStyle(options: { theme: ThemeName; depth: ColourDepth }): Style {
  const roles = roleCodes(options.theme, options.depth);
  const known = new Map<string, Codes>();
  const codesOf = (look: Look): Codes => {
    const key = typeof look === "string" ? look : look.join("+");
    const found = known.get(key);
    if (found !== undefined) return found;
    const codes = codesFor(typeof look === "string" ? [look] : look, roles);
    known.set(key, codes);
    return codes;
  };
  return {
    depth: options.depth,
    changes: roles.add.includes(";48;") ? "tinted" : "coloured",
    paint: (look, text) => wrapInCodes(codesOf(look), text),
  };
}

function wrapInCodes({ open, close }: Codes, text: string): string {
  if (open === "" || text === "") return text;
  const inner = text.includes("\x1b") ? text.replace(SOMETHING_ENDS, (end) => end + open) : text;
  return open + inner + close;
}

function codesFor(parts: readonly (Role | Attribute)[], roles: RoleCodes): Codes {
  const attributes = parts.filter((part) => part in ATTRIBUTES) as Exclude<Attribute, "mark">[];
  const params = [...attributes.map((attribute) => ATTRIBUTES[attribute]), ...roleParams(parts, roles)];
  const ends = new Set(params.flatMap(endsOf));
  if (params.length === 0) return { open: "", close: "" };
  return { open: `\x1b[${[...new Set(params)].join(";")}m`, close: `\x1b[${[...ends].join(";")}m` };
}

function roleParams(parts: readonly (Role | Attribute)[], roles: RoleCodes): string[] {
  const role = parts.findLast((part): part is Role => part in roles);
  const isMarked = parts.includes("mark") && (role === "add" || role === "remove");
  const code = role === undefined ? "" : isMarked ? roles[role === "add" ? "addMark" : "removeMark"] : roles[role];
  return code === "" ? [] : [code];
}

// A role may set foreground and background.
function endsOf(param: string): string[] {
  const ends: string[] = [];
  if (/(?:^|;)(?:38;|3[0-7](?:;|$))/.test(param)) ends.push("39");
  if (/;48;[25];/.test(param)) ends.push("49");
  const first = ENDS[param.split(";")[0] ?? ""];
  if (first !== undefined) ends.push(first);
  return ends;
}

interface SwitchableStyle extends Style {
  readonly theme: ThemeName;
  /** True when the screen has to be drawn again. */
  switchTo(options: { theme?: ThemeName; depth?: ColourDepth }): boolean;
}

export function createSwitchableStyle(options: { theme: ThemeName; depth: ColourDepth }): SwitchableStyle {
  let style = createStyle(options);
  const switchable: SwitchableStyle = {
    ...style,
    theme: options.theme,
    // For those who keep the function alone.
    paint: (look, text) => style.paint(look, text),
    switchTo({ theme = switchable.theme, depth = style.depth }) {
      if (theme === switchable.theme && depth === style.depth) return false;
      style = createStyle({ theme, depth });
      Object.assign(switchable, { theme, depth, changes: style.changes });
      return true;
    },
  };
  return switchable;
}
