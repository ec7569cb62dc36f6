// What is approved, as rows of a dialog.
import { expect, test } from "vitest";
import { permissionQuestion } from "../../../../src/session/approval-answers.js";
import { unicodeGlyphs } from "../../../../src/terminal/painter/blocks/glyphs.js";
import { approvalBody } from "../../../../src/terminal/painter/dialogs/approval-body.js";
import { richRows } from "../../../../src/terminal/painter/dialogs/rich-rows.js";
import { plainText } from "../../../../src/text/row.js";
import { colourless } from "../visible.js";

const look = { style: colourless, glyphs: unicodeGlyphs };

function rowsOf(message: string, more: { readonly markdown?: boolean } = {}): string[] {
  const { approval } = permissionQuestion({ title: "Start this plan?", tool: "plan", choices: [], message, ...more });
  return approvalBody(approval, 40, look, richRows).rows.map(plainText);
}

test("a message that is Markdown is drawn as it, with its blank lines; any other is shown as it came", () => {
  const plan = "# Plan\n\n1. Read **it**.\n\n```js\nx\n```";
  expect(rowsOf(plan, { markdown: true })).toEqual(["Plan", "", "1. Read it.", "", "x"]);
  expect(rowsOf(plan)).toEqual(["# Plan", "1. Read **it**.", "```js", "x", "```"]);
});

test("no letter of a Markdown message is hidden by a sequence for the terminal", () => {
  expect(rowsOf("a\u001b[8mb", { markdown: true }).join("")).not.toContain("\u001b");
});

test("a Markdown message hides nothing: invisible letters are spelt out, and no row is wider than the dialog", () => {
  const rows = rowsOf("a\u200bb \u202ec\n\n    code %\n\n```\n%\n```".replaceAll("%", "x".repeat(100)), {
    markdown: true,
  });
  expect(rows.join("\n")).toContain("U+200B");
  expect(rows.join("\n")).toContain("U+202E");
  expect(rows.join("").match(/x/g)).toHaveLength(200);
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(40);
});
