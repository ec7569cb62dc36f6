// The first screen without a model: whole in a wide window, the ways alone in a narrow one, and gone when something happens.
import { expect, test } from "vitest";
import { plainText } from "../../../src/text/row.js";
import type { Welcome } from "../../../src/views/inline/welcome.js";
import { welcomeRows } from "../../../src/views/inline/welcome.js";
import { colourless } from "../../terminal/painter/visible.js";
import { ENTER, Stage } from "./stage.js";

const welcome: Welcome = {
  model: "palaver:offline",
  title: ["Palaver 9 — one terminal UI for coding agents, daemons and scripts", "Palaver 9"],
  ways: [
    {
      label: "agents here",
      texts: ["palaver run claude · gemini    palaver agents lists more", "palaver run claude · gemini"],
    },
    {
      label: "a model",
      texts: ["set ANTHROPIC_API_KEY or OPENAI_API_KEY, or /model", "set ANTHROPIC_API_KEY, or /model"],
    },
    { label: "without one", texts: ["type help, or /demo for a tour"] },
  ],
};

test.each<[widthCells: number, rowsMax: number, rows: string[]]>([
  [
    99,
    20,
    [
      "Palaver 9 — one terminal UI for coding agents, daemons and scripts",
      "",
      "  agents here    palaver run claude · gemini    palaver agents lists more",
      "  a model        set ANTHROPIC_API_KEY or OPENAI_API_KEY, or /model",
      "  without one    type help, or /demo for a tour",
    ],
  ],
  [
    39,
    5,
    [
      "Palaver 9",
      "",
      "  palaver run claude · gemini",
      "  set ANTHROPIC_API_KEY, or /model",
      "  type help, or /demo for a tour",
    ],
  ],
  [39, 3, ["  palaver run claude · gemini", "  set ANTHROPIC_API_KEY, or /model", "  type help, or /demo for a tour"]],
  [20, 2, ["  palaver run claud…", "  set ANTHROPIC_API…"]],
])("fits %i cells and %i rows", (widthCells, rowsMax, rows) => {
  const made = welcomeRows(welcome, { widthCells, rowsMax }, { style: colourless });
  expect(made.map((row) => plainText(row).trimEnd())).toEqual(rows);
});

test("stands above the composer until a prompt is sent, and is no part of the transcript", async () => {
  const stage = new Stage(100, 20);
  stage.renderer.welcome(welcome);
  stage.wait(60);
  expect(await stage.screen()).toMatch(/^\nPalaver 9 — [\s\S]*\/demo for a tour\n\n› message/);
  stage.ready();
  stage.type("hello");
  stage.type(ENTER);
  const after = await stage.screen();
  expect(after).toContain("› hello");
  expect(after).not.toContain("Palaver 9");
});
