// Light or dark, from whatever the terminal tells; and styles that change under those who hold them.
import { describe, expect, test } from "vitest";
import { createSwitchableStyle } from "../../../../src/terminal/painter/style/style.js";
import {
  BACKGROUND_QUERY,
  colourDepthOf,
  GROUND_REPORTS_OFF,
  GROUND_REPORTS_ON,
  groundOf,
  hintIn,
  luminance,
  themeFor,
} from "../../../../src/terminal/painter/style/theme-choice.js";
import { Emulator } from "../../../rigs/emulator.js";

describe("the ground", () => {
  test.each([
    ["rgb:0000/0000/0000", "dark"],
    ["rgb:ffff/ffff/ffff", "light"],
    ["rgb:1e/1e/2e", "dark"],
    ["rgb:fdf6/e3e3/0000", "light"],
    ["rgb:f/f/f", "light"],
    ["rgba:0000/0000/0000/ffff", "dark"],
    ["#fdf6ec", "light"],
    ["#0f151c", "dark"],
    ["rgb:xyz", null],
    ["", null],
  ])("a background of %s is %s", (background, ground) => {
    expect(groundOf({ background })).toBe(ground);
  });

  test.each([
    ["15;0", "dark"],
    ["0;15", "light"],
    ["0;7", "light"],
    ["7;8", "dark"],
    ["0;default;15", "light"],
    ["15;default", null],
    ["nonsense", null],
    [undefined, null],
  ])("COLORFGBG=%s is %s", (colorfgbg, ground) => {
    expect(groundOf({ colorfgbg })).toBe(ground);
  });

  test("what the terminal reports now beats what it answered, which beats the variable", () => {
    expect(groundOf({ reported: "light", background: "#000000", colorfgbg: "15;0" })).toBe("light");
    expect(groundOf({ background: "#ffffff", colorfgbg: "15;0" })).toBe("light");
    expect(groundOf({ reported: null, background: null, colorfgbg: "15;0" })).toBe("dark");
  });

  test("the middle grey has about as much contrast to black as to white", () => {
    const grey = luminance([118, 118, 118]);
    expect(Math.abs(1.05 / (grey + 0.05) - (grey + 0.05) / 0.05)).toBeLessThan(0.2);
  });
});

describe("questions and answers", () => {
  test("the background is asked for with OSC 11, which answers what it was asked", async () => {
    const emulator = new Emulator({ columns: 20, rows: 5 });
    await emulator.write(BACKGROUND_QUERY);
    expect(emulator.allRows().join("").trim()).toBe("");
    expect(hintIn("\x1b]11;rgb:0f0f/1515/1c1c\x1b\\")).toEqual({ background: "rgb:0f0f/1515/1c1c" });
    expect(hintIn("\x1b]11;rgb:ff/ff/ff\x07")).toEqual({ background: "rgb:ff/ff/ff" });
    expect(hintIn("\x1b]10;rgb:ff/ff/ff\x07")).toBeNull();
  });

  test("reports of a change are dark or light, and are switched off as they were switched on", () => {
    expect(hintIn("\x1b[?997;1n")).toEqual({ reported: "dark" });
    expect(hintIn("\x1b[?997;2n")).toEqual({ reported: "light" });
    expect(hintIn("\x1b[?997;3n")).toBeNull();
    expect(GROUND_REPORTS_OFF).toBe(GROUND_REPORTS_ON.replace("h", "l"));
  });
});

describe("the theme", () => {
  test("follows the ground when it is left to the terminal, and nothing when it is named", () => {
    expect(themeFor("auto", { background: "#101010" })).toBe("harbour");
    expect(themeFor("auto", { background: "#f0f0f0" })).toBe("paper");
    expect(themeFor("moss", { background: "#f0f0f0" })).toBe("moss");
  });

  test("on an unknown ground is the palette of the terminal, which can be read on it", () => {
    expect(themeFor("auto", {})).toBe("terminal");
  });
});

describe("a style that is switched", () => {
  test("paints in the new theme for everybody who holds it", () => {
    const style = createSwitchableStyle({ theme: "harbour", depth: "truecolor" });
    const { paint } = style;
    expect(paint("accent", "x")).toBe("\x1b[38;2;108;182;255mx\x1b[39m");
    expect(style.switchTo({ theme: "ember" })).toBe(true);
    expect(paint("accent", "x")).toBe("\x1b[38;2;255;157;102mx\x1b[39m");
    expect(style.switchTo({ depth: "none" })).toBe(true);
    expect([style.theme, style.depth, style.changes]).toEqual(["ember", "none", "coloured"]);
    expect(paint("accent", "x")).toBe("\x1b[1mx\x1b[22m");
  });

  test("says when there is nothing to draw again", () => {
    const style = createSwitchableStyle({ theme: "dawn", depth: "256" });
    expect(style.switchTo({ theme: "dawn" })).toBe(false);
  });
});

describe("the number of colours", () => {
  test("is what the user set, else what the environment says", () => {
    const rich = { TERM: "xterm-256color", COLORTERM: "truecolor" };
    expect(colourDepthOf(rich)).toBe("truecolor");
    expect(colourDepthOf({ ...rich, NO_COLOR: "1" })).toBe("none");
    expect(colourDepthOf({ ...rich, NO_COLOR: "1" }, "true")).toBe("truecolor");
    expect(colourDepthOf(rich, "never")).toBe("none");
    expect(colourDepthOf(rich, "256")).toBe("256");
    expect(colourDepthOf({ TERM: "xterm" }, "auto")).toBe("16");
  });
});
