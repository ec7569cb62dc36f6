// pi-tui's components on our screen, unchanged: what they draw, where they want the cursor, what they ask of their TUI.
import { CURSOR_MARKER, Editor, Input, Markdown, SelectList } from "@earendil-works/pi-tui";
import { describe, expect, test } from "vitest";
import { ComponentHost, hostedFrame, hostTui } from "../../src/terminal/component-host.js";

const same = (text: string): string => text;
const selectList = { selectedPrefix: same, selectedText: same, description: same, scrollInfo: same, noMatch: same };
const theme = { borderColor: same, selectList };
const markdownTheme = {
  heading: same,
  link: same,
  linkUrl: same,
  code: same,
  codeBlock: same,
  codeBlockBorder: same,
  quote: same,
  quoteBorder: same,
  hr: same,
  listBullet: same,
  bold: same,
  italic: same,
  strikethrough: same,
  underline: same,
};

function editorHost(wanted: string[] = []): ComponentHost {
  const tui = hostTui({ size: () => ({ columns: 40, rows: 20 }), onRenderWanted: () => wanted.push("render") });
  const host = new ComponentHost(new Editor(tui, theme));
  host.focus = "focused";
  return host;
}

function type(host: ComponentHost, ...keys: string[]): void {
  for (const key of keys) host.key(key);
}

describe("a hosted editor", () => {
  test("shows its text without rules and padding, and the cursor where it types", () => {
    const host = editorHost();
    expect(host.frame(40)).toEqual({ rows: [""], cursor: { row: 0, column: 0 } });
    type(host, ..."hello");
    expect(host.frame(40)).toEqual({ rows: ["hello"], cursor: { row: 0, column: 5 } });
    type(host, "\x1b[D", "\x1b[D");
    expect(host.frame(40)).toEqual({ rows: ["hello"], cursor: { row: 0, column: 3 } });
  });

  test("has several rows, kill ring and undo", () => {
    const host = editorHost();
    type(host, ..."one two", "\x17");
    expect(host.frame(40).rows).toEqual(["one"]);
    type(host, "\x19");
    expect(host.frame(40).rows).toEqual(["one two"]);
    type(host, "\x1b[13;2u", ..."three");
    expect(host.frame(40)).toEqual({ rows: ["one two", "three"], cursor: { row: 1, column: 5 } });
  });

  test("counts wide characters as the terminal does", () => {
    const host = editorHost();
    type(host, "漢", "字");
    expect(host.frame(40)).toEqual({ rows: ["漢字"], cursor: { row: 0, column: 4 } });
  });

  test("folds a large paste", () => {
    const host = editorHost();
    type(host, `\x1b[200~${"a line\n".repeat(30)}\x1b[201~`);
    expect(host.frame(40).rows.join("")).toMatch(/paste #1 \+3\d lines/);
  });

  test("is asked again only when something could have changed", () => {
    const host = editorHost();
    const frame = host.frame(40);
    expect(host.frame(40)).toBe(frame);
    type(host, "x");
    expect(host.frame(40)).not.toBe(frame);
    expect(host.frame(20)).not.toBe(host.frame(40));
  });

  test("does not see keys being released", () => {
    const host = editorHost();
    type(host, "a", "\x1b[97;1:3u");
    expect(host.frame(40).rows).toEqual(["a"]);
  });
});

describe("other hosted components", () => {
  test("an input has its prompt and its cursor", () => {
    const host = new ComponentHost(new Input());
    host.focus = "focused";
    type(host, ..."v1.4");
    expect(host.frame(30)).toEqual({ rows: ["> v1.4"], cursor: { row: 0, column: 6 } });
  });

  test("a select list moves its mark", () => {
    const items = ["npm", "pnpm"].map((value) => ({ value, label: value }));
    const host = new ComponentHost(new SelectList(items, 5, selectList));
    expect(host.frame(30).rows[0]).toContain("→ npm");
    type(host, "\x1b[B");
    expect(host.frame(30).rows[1]).toContain("→ pnpm");
    expect(host.frame(30).cursor).toBeNull();
  });

  test("a Markdown text comes without the spaces to the right edge", () => {
    const host = new ComponentHost(new Markdown("# Title\n\nSome **bold** text", 0, 0, markdownTheme));
    const { rows } = host.frame(40);
    expect(rows.join("\n")).toContain("Some bold text");
    expect(rows.every((row) => !row.endsWith(" "))).toBe(true);
  });
});

describe("rows from a component", () => {
  test("lose rules but not text that only begins like one", () => {
    expect(hostedFrame(["────────", "─ a dash", "─── ↑ 3 more ────"]).rows).toEqual(["─ a dash"]);
  });

  test("keep styles and lose the drawn cursor", () => {
    const row = `\x1b[1mab\x1b[0m${CURSOR_MARKER}\x1b[7mc\x1b[0md   `;
    expect(hostedFrame([row])).toEqual({ rows: ["\x1b[1mab\x1b[0mcd"], cursor: { row: 0, column: 2 } });
  });

  test("a component that asks its TUI for more than it gets says so", () => {
    const tui = hostTui({ size: () => ({ columns: 1, rows: 1 }), onRenderWanted: () => undefined });
    expect(() => tui.showOverlay(new Input())).toThrow("showOverlay");
  });
});
