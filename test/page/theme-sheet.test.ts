// Every theme of the page can be read: WCAG AA for all text, on the background and on the tints of a diff.
import { expect, test } from "vitest";
import { contrast, themeSheet } from "../../src/page/theme-sheet.js";
import { THEMES } from "../../src/text/themes.js";

const TEXT = ["text", "dim", "accent", "user", "ok", "warn", "danger", "info", "add", "remove"];

test.each(Object.keys(THEMES))("%s has enough contrast", (name) => {
  const rule = themeSheet()
    .split("\n")
    .find((line) => line.includes(`"${name}"`));
  const value = (variable: string) =>
    new RegExp(`--${variable}: (#[0-9a-f]{6});`).exec(rule ?? "")?.[1] as `#${string}`;
  for (const ground of ["ground", "tint-add", "tint-remove"]) {
    for (const role of TEXT)
      expect(contrast(value(role), value(ground)), `${role} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  }
  expect(contrast(value("text"), value("select"))).toBeGreaterThanOrEqual(4.5);
});
