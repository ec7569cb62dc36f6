// The low voice of thinking: no colour in it is brighter than dim.
import { describe, expect, test } from "vitest";
import { quietStyle } from "../../../../src/terminal/painter/blocks/thinking-voice.js";
import { createStyle } from "../../../../src/terminal/painter/style/style.js";
import { type Look, ROLES } from "../../../../src/text/look.js";

const loud = createStyle({ theme: "harbour", depth: "truecolor" });
const quiet = quietStyle(loud);

describe("a quiet style", () => {
  test.each(ROLES)("paints %s dim", (role) => {
    expect(quiet.paint(role, "x")).toBe(loud.paint("dim", "x"));
  });

  test.each<[string, Look, Look]>([
    ["weight and slant stay", ["dim", "italic", "bold"], ["dim", "italic", "bold"]],
    ["code stands upright", ["dim", "italic", "info"], "dim"],
    ["a link keeps its line and its slant", ["dim", "italic", "info", "underline"], ["dim", "italic", "underline"]],
    ["a changed word is no brighter", ["add", "mark"], "dim"],
  ])("%s", (_, look, same) => {
    expect(quiet.paint(look, "x")).toBe(loud.paint(same, "x"));
  });
});
