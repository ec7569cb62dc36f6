// Shows rows in tests with names instead of escape sequences: `<accent,bold>`, `</>` for a return to plain, `<link …>`.
// Only sequences that our own style writes have names; anything else shows as it is, so that a golden row betrays it.

import { roleCodes, truecolour } from "../../../src/terminal/painter/style/role-codes.js";
import { createStyle, type Style } from "../../../src/terminal/painter/style/style.js";
import { ROLES } from "../../../src/text/look.js";
import { type Token, tokens } from "../../../src/text/row.js";
import { applySgr } from "../../../src/text/sgr.js";
import { THEMES } from "../../../src/text/themes.js";

/** What most goldens are drawn with. */
export const harbour: Style = createStyle({ theme: "harbour", depth: "truecolor" });
export const colourless: Style = createStyle({ theme: "harbour", depth: "none" });

const CODES = roleCodes("harbour", "truecolor");
const ATTRIBUTES: readonly (readonly [params: string, name: string])[] = [
  ["1", "bold"],
  ["2", "faint"],
  ["3", "italic"],
  ["4", "underline"],
  ["7", "reverse"],
  ["9", "strike"],
];
// Several roles share a colour; the first of them gives its name.
const NAMES: readonly (readonly [params: string, name: string])[] = [
  [CODES.addMark, "add,mark"],
  [CODES.removeMark, "remove,mark"],
  ...[...ROLES].reverse().map((role) => [CODES[role], role] as const),
  [truecolour("48", THEMES.harbour.tints.add), "on-add"],
  [truecolour("48", THEMES.harbour.tints.remove), "on-remove"],
];

export function visible(row: string): string {
  let shown = "";
  let style = "";
  let named = "";
  const name = () => {
    if (style !== named) shown += styleName(style);
    named = style;
  };
  for (const token of tokens(row)) {
    if (token.kind === "sgr") style = applySgr(style, token.params);
    else if (token.kind === "link") shown += linkName(token);
    else {
      name();
      shown += token.text;
    }
  }
  name();
  return shown;
}

export function visibleRows(rows: readonly string[]): string[] {
  return rows.map(visible);
}

function linkName(token: Token & { kind: "link" }): string {
  return token.uri === "" ? "<unlink>" : `<link ${token.uri}>`;
}

function styleName(style: string): string {
  if (style === "") return "</>";
  let rest = `;${style};`;
  const names: string[] = [];
  const take = (params: string, name: string) => {
    if (params === "" || !rest.includes(`;${params};`)) return;
    rest = rest.replace(`;${params};`, ";");
    names.push(name);
  };
  for (const [params, name] of NAMES) take(params, name);
  for (const [params, name] of ATTRIBUTES) take(params, name);
  return `<${[...names, ...rest.split(";").filter((part) => part !== "")].join(",")}>`;
}
