// How the parts of code look. The grammars name some fifty scopes; they share the eleven roles that everything else on
// the screen uses, so that code in any language fits the theme.

import type { Look } from "../style/look.js";

const LOOKS: Readonly<Record<string, Look>> = {
  keyword: "accent",
  built_in: "info",
  type: "info",
  literal: "info",
  number: "info",
  symbol: "info",
  variable: "user",
  property: "user",
  attr: "user",
  attribute: "user",
  params: "text",
  operator: "text",
  punctuation: "text",
  subst: "text",
  title: "user",
  section: ["accent", "bold"],
  string: "ok",
  char: "ok",
  regexp: "warn",
  link: "info",
  comment: "dim",
  doctag: "dim",
  quote: "dim",
  meta: "dim",
  prompt: "dim",
  tag: "accent",
  name: "accent",
  "selector-tag": "accent",
  "selector-id": "user",
  "selector-class": "user",
  "selector-attr": "user",
  "selector-pseudo": "user",
  "template-tag": "accent",
  "template-variable": "user",
  bullet: "accent",
  code: "info",
  emphasis: "italic",
  strong: "bold",
  addition: "add",
  deletion: "remove",
};

/** The look of the innermost scope that has one. `title.function.invoke` is a kind of `title`. Plain code has none. */
export function lookOfScopes(scopes: readonly string[]): Look | undefined {
  for (let i = scopes.length - 1; i >= 0; i--) {
    const family = (scopes[i] ?? "").split(".")[0] ?? "";
    const look = Object.hasOwn(LOOKS, family) ? LOOKS[family] : undefined;
    if (look !== undefined) return look === "text" ? undefined : look;
  }
  return undefined;
}
