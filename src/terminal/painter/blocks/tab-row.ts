// The line of open sessions: number, name, unread events, open asks.
//
//   1 parser  2 docs +3  3 release ?1
//   …  6 release  7 docs  … ?1            more to both sides, and a question among them
import type { SessionList } from "../../../session/session-list.js";
import { safeLine } from "../../../text/safe.js";
import { shortenEnd } from "../../../text/shorten.js";
import { textWidth } from "../../../text/width.js";
import type { Appearance, Glyphs } from "./glyphs.js";

const NAME_CELLS_MAX = 20;

const GAP = "  ";

export function tabRows(
  list: SessionList,
  asks: ReadonlyMap<string, number>,
  widthCells: number,
  { style, glyphs }: Appearance,
): string[] {
  if (list.sessions.length < 2) return [];
  const row: Row = { list, asks, glyphs };
  const { from, to } = around(row, widthCells - 2);
  const cells = list.sessions.slice(from, to).map(({ id }, nth) => {
    const look =
      id === list.active
        ? (["bold", "accent"] as const)
        : askedIn(row, from + nth, from + nth + 1) > 0
          ? "warn"
          : "dim";
    return style.paint(look, tabText(row, from + nth));
  });
  const beyond = (start: number, end: number) => {
    const words = beyondWords(row, start, end);
    return words === "" ? [] : [style.paint(askedIn(row, start, end) > 0 ? "warn" : "dim", words)];
  };
  return [`  ${[...beyond(0, from), ...cells, ...beyond(to, list.sessions.length)].join(GAP)}`];
}

interface Row {
  readonly list: SessionList;
  readonly asks: ReadonlyMap<string, number>;
  readonly glyphs: Glyphs;
}

function tabText({ list, asks, glyphs }: Row, index: number): string {
  const { id = "", name = "", unread = 0, cwd = null } = list.sessions[index] ?? {};
  const label = `${index + 1} ${shortenEnd(safeLine(name || folderName(cwd) || id), NAME_CELLS_MAX)}`;
  const asked = asks.get(id) ?? 0;
  const marks = [unread > 0 ? `+${unread}` : "", asked > 0 ? `${glyphs.answered}${asked}` : ""].filter(Boolean);
  return [label, ...marks].join(" ");
}

function askedIn({ list, asks }: Row, from: number, to: number): number {
  if (asks.size === 0) return 0;
  return list.sessions.slice(from, to).reduce((sum, { id }) => sum + (asks.get(id) ?? 0), 0);
}

function beyondWords(row: Row, from: number, to: number): string {
  if (from >= to) return "";
  const asked = askedIn(row, from, to);
  return [row.glyphs.more, asked > 0 ? `${row.glyphs.answered}${asked}` : ""].filter(Boolean).join(" ");
}

// The active session and as many beside it as fit. Others are not laid out: there may be hundreds, and this runs every
// frame.
function around(row: Row, widthCells: number): { from: number; to: number } {
  const { sessions, active } = row.list;
  const at = Math.max(
    0,
    sessions.findIndex(({ id }) => id === active),
  );
  let [from, to] = [at, at + 1];
  let cells = textWidth(tabText(row, at));
  while (to - from < sessions.length) {
    const isLeft = to === sessions.length || (from > 0 && at - from <= to - 1 - at);
    const wider = isLeft ? { from: from - 1, to } : { from, to: to + 1 };
    cells += GAP.length + textWidth(tabText(row, isLeft ? wider.from : to));
    const ends = [beyondWords(row, 0, wider.from), beyondWords(row, wider.to, sessions.length)].filter(Boolean);
    if (cells + textWidth(ends.map((words) => GAP + words).join("")) > widthCells) break;
    ({ from, to } = wider);
  }
  return { from, to };
}

function folderName(cwd: string | null): string {
  return cwd?.split("/").filter(Boolean).at(-1) ?? "";
}
