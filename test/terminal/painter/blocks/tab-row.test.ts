// The line of open sessions: the active one is always there, what is asked elsewhere is said, and hundreds cost what a few do.
import { describe, expect, test } from "vitest";
import type { OpenSession, SessionList } from "../../../../src/session/session-list.js";
import { unicodeGlyphs } from "../../../../src/terminal/painter/blocks/glyphs.js";
import { tabRows } from "../../../../src/terminal/painter/blocks/status-rows.js";
import { plainText, rowWidth } from "../../../../src/text/row.js";
import { colourless } from "../visible.js";

const look = { style: colourless, glyphs: unicodeGlyphs };
const none = new Map<string, number>();

function listOf(count: number, active: number): SessionList {
  const sessions = Array.from({ length: count }, (_, at) => ({ id: `s${at}`, name: `one${at}`, unread: 0, cwd: null }));
  return { sessions, active: `s${active}` };
}

const shown = (list: SessionList, asks: ReadonlyMap<string, number>, width: number) =>
  tabRows(list, asks, width, look).map(plainText);

describe("the line of sessions", () => {
  test("is not there for one, and shows all of a few", () => {
    expect(shown(listOf(1, 0), none, 80)).toEqual([]);
    expect(shown(listOf(3, 1), none, 80)).toEqual(["  1 one0  2 one1  3 one2"]);
  });

  test("keeps the active one in its middle, and says what is beyond and asked there", () => {
    expect(shown(listOf(9, 4), none, 34)).toEqual(["  …  4 one3  5 one4  6 one5  …"]);
    expect(shown(listOf(9, 0), none, 24)).toEqual(["  1 one0  2 one1  …"]);
    expect(shown(listOf(9, 8), new Map([["s1", 2]]), 26)).toEqual(["  … ?2  8 one7  9 one8"]);
  });

  test.each([3, 8, 12, 20, 33, 47, 80])("fits %i cells, or is the active one alone", (width) => {
    for (const active of [0, 1, 7, 14]) {
      const [row = ""] = shown(listOf(15, active), new Map([["s3", 1]]), width);
      expect(row).toContain(`${active + 1} one${active}`);
      const names = row.match(/one\d+/g) ?? [];
      if (names.length > 1) expect(rowWidth(row)).toBeLessThanOrEqual(width);
    }
  });

  test("reads only the names it shows", () => {
    let reads = 0;
    const { sessions } = listOf(500, 250);
    const counted = sessions.map(
      (one): OpenSession => ({
        ...one,
        get name() {
          reads += 1;
          return one.name;
        },
      }),
    );
    tabRows({ sessions: counted, active: "s250" }, none, 80, look);
    expect(reads).toBeLessThan(40);
  });
});
