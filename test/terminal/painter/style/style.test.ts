// Roles become colours, weights or nothing, depending on theme and depth; painted text nests and ends what it began.
import { describe, expect, test } from "vitest";
import { colour256, rgbOf } from "../../../../src/terminal/painter/style/role-codes.js";
import { createStyle } from "../../../../src/terminal/painter/style/style.js";
import { ROLES } from "../../../../src/text/look.js";
import { tokens } from "../../../../src/text/row.js";
import { applySgr } from "../../../../src/text/sgr.js";
import { type Hex, THEMES, type Theme, type ThemeName } from "../../../../src/text/themes.js";

const DEPTHS = ["none", "16", "256", "truecolor"] as const;
const NAMES: readonly ThemeName[] = ["harbour", "ember", "moss", "paper", "dawn", "terminal"];
const themes: readonly (Theme & { name: string })[] = Object.entries(THEMES).map(([name, theme]) => ({
  name,
  ...theme,
}));

/** The style that is left open at the end of a row. */
function styleAtEnd(row: string): string {
  return tokens(row).reduce((style, token) => (token.kind === "sgr" ? applySgr(style, token.params) : style), "");
}

describe("painting", () => {
  test("a role is a colour of the theme where there are colours", () => {
    const paint = (depth: (typeof DEPTHS)[number], theme: ThemeName = "harbour") =>
      createStyle({ theme, depth }).paint("accent", "x");
    expect(paint("truecolor")).toBe("\x1b[38;2;108;182;255mx\x1b[39m");
    expect(paint("256")).toBe("\x1b[38;5;75mx\x1b[39m");
    expect(paint("16")).toBe("\x1b[36mx\x1b[39m");
    expect(paint("truecolor", "terminal")).toBe("\x1b[36mx\x1b[39m");
    expect(paint("none")).toBe("\x1b[1mx\x1b[22m");
  });

  test("a painted text ends with exactly what it began, in every theme and depth", () => {
    for (const theme of NAMES) {
      for (const depth of DEPTHS) {
        const style = createStyle({ theme, depth });
        for (const role of ROLES) {
          expect(styleAtEnd(style.paint(role, "x")), `${theme} ${depth} ${role}`).toBe("");
          expect(styleAtEnd(style.paint([role, "bold", "underline", "mark"], "x")), `${theme} ${depth} ${role}`).toBe(
            "",
          );
        }
      }
    }
  });

  test("where an inner text ends, the outer look goes on", () => {
    const style = createStyle({ theme: "harbour", depth: "16" });
    const row = style.paint(["danger", "bold"], `a ${style.paint("faint", "b")} c`);
    expect(row).toBe("\x1b[1;31ma \x1b[2mb\x1b[22m\x1b[1;31m c\x1b[22;39m");
    expect(styleAtEnd(row)).toBe("");
  });

  test("an empty text and a look without meaning add no bytes", () => {
    const style = createStyle({ theme: "paper", depth: "none" });
    expect(style.paint("accent", "")).toBe("");
    expect(style.paint("info", "x")).toBe("x");
    expect(style.paint([], "x")).toBe("x");
  });

  test("without colour only weight, dimness and reverse are used", () => {
    const style = createStyle({ theme: "ember", depth: "none" });
    const codes = ROLES.flatMap((role) =>
      [...style.paint(role, "x").matchAll(/\x1b\[(\d+)m/g)].map((match) => match[1]),
    );
    expect(new Set(codes)).toEqual(new Set(["1", "2", "7", "22", "27"]));
  });

  test("changed words stand out from the line that they are in at every depth", () => {
    for (const depth of DEPTHS) {
      const style = createStyle({ theme: "moss", depth });
      expect(style.paint(["add", "mark"], "x")).not.toBe(style.paint("add", "x"));
      expect(style.paint(["remove", "mark"], "x")).not.toBe(style.paint("remove", "x"));
    }
  });
});

describe("contrast", () => {
  const read = (theme: Theme) =>
    ROLES.filter((role) => role !== "select" && role !== "dim").map((role) => theme.colours[role]);

  test.each(themes)("$name can be read on its background", (theme) => {
    for (const colour of read(theme)) expect(contrast(colour, theme.background), colour).toBeGreaterThanOrEqual(4.5);
    expect(contrast(theme.colours.dim, theme.background)).toBeGreaterThanOrEqual(3);
    expect(contrast(theme.colours.text, theme.colours.select)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(themes)("$name can be read on the tints of changes", (theme) => {
    for (const tint of [theme.tints.add, theme.tints.remove]) {
      for (const colour of read(theme))
        expect(contrast(colour, tint), `${colour} on ${tint}`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(theme.colours.dim, tint), `dim on ${tint}`).toBeGreaterThanOrEqual(3);
    }
    for (const tint of [theme.tints.addMark, theme.tints.removeMark]) {
      expect(contrast(theme.colours.text, tint), tint).toBeGreaterThanOrEqual(4.5);
    }
  });

  test("a light theme has a light background and a dark one a dark background", () => {
    for (const theme of themes) expect(luminance(theme.background) > 0.5 ? "light" : "dark").toBe(theme.ground);
  });
});

describe("the 256 colours", () => {
  test("keep what they can represent exactly", () => {
    expect(colour256("#ff0000")).toBe(196);
    expect(colour256("#ffffff")).toBe(231);
    expect(colour256("#000000")).toBe(16);
    expect(colour256("#808080")).toBe(244);
  });
});

function contrast(a: Hex, b: Hex): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: Hex): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(hex).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
