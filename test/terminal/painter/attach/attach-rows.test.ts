// The parts of the attached view's window on their own: colours of handlers, tabs that do not fit, fields that do not fit.
import { describe, expect, test } from "vitest";
import { reduceAttach } from "../../../../src/session/attach/attach-reducer.js";
import { type AttachState, activeTab, attachedAt } from "../../../../src/session/attach/attach-state.js";
import { fieldRows } from "../../../../src/terminal/painter/attach/attach-frame.js";
import { helpLines } from "../../../../src/terminal/painter/attach/help-text.js";
import { roleOfColour } from "../../../../src/terminal/painter/attach/log-lines.js";
import { tabLine } from "../../../../src/terminal/painter/attach/tab-line.js";
import { unicodeGlyphs } from "../../../../src/terminal/painter/blocks/glyphs.js";
import { plainText, rowWidth } from "../../../../src/text/row.js";
import { entry } from "../../../session/attach/daemon-samples.js";
import { colourless, harbour, visible } from "../visible.js";

const plain = { style: colourless, glyphs: unicodeGlyphs };
const coloured = { style: harbour, glyphs: unicodeGlyphs };

function stateWith(entries: readonly ReturnType<typeof entry>[]): AttachState {
  const connected = reduceAttach(attachedAt(0), { type: "connected" }, 0).state;
  return reduceAttach(connected, { type: "state.loaded", entries }, 0).state;
}

test.each([
  ["#6cb6ff", "accent"],
  ["#0af", "accent"],
  ["#7ee787", "ok"],
  ["#e3b341", "warn"],
  ["#FF0000", "danger"],
  ["#ff0066", "danger"],
  ["#a371f7", "user"],
  ["#00c8c8", "info"],
  ["#888888", "text"],
  ["#000", "text"],
  ["", "text"],
  ["red; \x1b[31m", "text"],
])("the colour %j of a handler becomes the role %s", (color, role) => {
  expect(roleOfColour(color)).toBe(role);
});

describe("the line of tabs", () => {
  const many = stateWith(Array.from({ length: 12 }, (_, index) => entry(`TAB${index + 1}`, `h${index}`, 0)));

  test("keeps the tab in front and its neighbours when it gets narrow", () => {
    const at7 = Array.from({ length: 6 }, () => null).reduce(
      (state) => reduceAttach(state, { type: "tab.step", by: 1 }, 0).state,
      many,
    );
    expect(plainText(tabLine(many, [], 40, plain))).toMatch(/^ TAB1 {2}TAB2 /);
    for (const columns of [10, 20, 40, 80]) {
      const row = tabLine(at7, [], columns, plain);
      expect(row).toContain("TAB7");
      expect(rowWidth(row)).toBeLessThanOrEqual(Math.max(columns, 6));
    }
  });

  test("sessions say that they work and ask, under the name of their program", () => {
    const sessions = [{ id: "s", name: "/usr/bin/claude", state: "running" }] as const;
    const state = { ...stateWith([entry("BUILD", "Mode", 1)]), sessions };
    const row = tabLine(state, [{ id: "s", work: "working", asks: 2 }], 60, coloured);
    expect(visible(row)).toContain("<warn> claude ● ?2 </>");
  });
});

describe("fields", () => {
  const fields = stateWith(
    Array.from({ length: 9 }, (_, index) => entry("T", `Field ${index + 1}`, 1, { value: "on" })),
  );

  test("take no more rows than they may, and the one with the focus is among them", () => {
    let state = fields;
    for (let step = 1; step <= 9; step += 1) {
      const tab = activeTab(state);
      if (tab === null) throw new Error("there is no tab");
      const rows = fieldRows(tab, state, { columns: 40, rowsMax: 2 }, plain);
      expect(rows.length).toBeLessThanOrEqual(2);
      expect(plainText(rows.join("\n"))).toContain(`❯ Field ${step}`);
      state = reduceAttach(state, { type: "field.step", by: 1 }, 0).state;
    }
  });

  test("a value with line breaks stays on its row, and a long one says that there is more", () => {
    const state = stateWith([entry("T", "Log", 0, { value: `one\ntwo\n${"x".repeat(100)}` })]);
    const tab = activeTab(state);
    if (tab === null) throw new Error("there is no tab");
    const [row = ""] = fieldRows(tab, state, { columns: 100, rowsMax: 3 }, plain);
    expect(plainText(row)).toMatch(/^❯ Log {2}one two x+…$/);
  });
});

describe("the help", () => {
  const state = stateWith([entry("BUILD", "Mode", 1), entry("TESTS", "a handler with quite a long name", 2)]);
  const linesAt = (columns: number) => helpLines(state, columns, plain).map(plainText);
  const wordsIn = (columns: number) => linesAt(columns).flatMap((line) => line.split(/\s+/).filter(Boolean));

  test.each([30, 40, 60, 80])("breaks no word in a window of %i columns, and no line is wider", (columns) => {
    expect(wordsIn(columns)).toEqual(wordsIn(400));
    for (const line of linesAt(columns)) expect(rowWidth(line)).toBeLessThanOrEqual(columns);
  });

  test("goes on below its words, and below its key where there is no room beside it", () => {
    const about = (columns: number) => {
      const lines = linesAt(columns);
      const at = lines.findIndex((line) => line.includes("ctrl+o"));
      return lines.slice(at, at + 2);
    };
    expect(about(46)).toEqual([
      "   ctrl+o           all lines of the log, or",
      "                    the newest of each handler",
    ]);
    expect(about(30)).toEqual(["   ctrl+o           all lines", "     of the log, or the newest"]);
  });
});
