// The line of open sessions, when there is more than one: number, name, what happened there unseen, what is asked there.
//
//   1 parser  2 docs +3  3 release ?1
//   …  6 release  7 docs  … ?1            more to both sides, and a question among them
import type { SessionList } from "../../core/session-list.js";
import { safeLine } from "../../text/safe.js";
import { shortenEnd } from "../../text/shorten.js";
import { textWidth } from "../../text/width.js";
import type { Glyphs } from "./glyphs.js";
import type { StatusLook } from "./status-rows.js";

const NAME_CELLS_MAX = 20;

/** `asks` counts the open questions by session. */
export function tabRows(
  list: SessionList,
  asks: ReadonlyMap<string, number>,
  widthCells: number,
  { style, glyphs }: StatusLook,
): string[] {
  if (list.sessions.length < 2) return [];
  const tabs = list.sessions.map(({ id, name, unread, cwd }, index) => {
    const label = `${index + 1} ${shortenEnd(safeLine(name || folderName(cwd) || id), NAME_CELLS_MAX)}`;
    const asked = asks.get(id) ?? 0;
    const marks = [unread > 0 ? `+${unread}` : "", asked > 0 ? `${glyphs.answered}${asked}` : ""].filter(Boolean);
    const text = [label, ...marks].join(" ");
    return { text, isActive: id === list.active, asked };
  });
  const { from, to } = around(tabs, widthCells - 2, glyphs);
  const cells = tabs
    .slice(from, to)
    .map(({ text, isActive, asked }) => style.paint(isActive ? ["bold", "accent"] : asked > 0 ? "warn" : "dim", text));
  const beyond = (some: readonly Tab[]) => {
    const words = beyondWords(some, glyphs);
    return words === "" ? [] : [style.paint(some.some(({ asked }) => asked > 0) ? "warn" : "dim", words)];
  };
  return [`  ${[...beyond(tabs.slice(0, from)), ...cells, ...beyond(tabs.slice(to))].join("  ")}`];
}

type Tab = { readonly text: string; readonly isActive: boolean; readonly asked: number };

/** That there are more sessions than there is room for, and what is asked in them. */
function beyondWords(tabs: readonly Tab[], { more, answered }: Glyphs): string {
  const asked = tabs.reduce((sum, tab) => sum + tab.asked, 0);
  return tabs.length === 0 ? "" : [more, asked > 0 ? `${answered}${asked}` : ""].filter(Boolean).join(" ");
}

// When it gets narrow the active one stays, and as many beside it as there is room for.
function around(tabs: readonly Tab[], widthCells: number, glyphs: Glyphs): { from: number; to: number } {
  let from = 0;
  let to = tabs.length;
  const active = tabs.findIndex(({ isActive }) => isActive);
  const width = () => {
    const texts = tabs.slice(from, to).map(({ text }) => text);
    const ends = [beyondWords(tabs.slice(0, from), glyphs), beyondWords(tabs.slice(to), glyphs)];
    return textWidth([...texts, ...ends.filter(Boolean)].join("  "));
  };
  while (to - from > 1 && width() > widthCells) {
    if (to - 1 - active >= active - from) to -= 1;
    else from += 1;
  }
  return { from, to };
}

function folderName(cwd: string | null): string {
  return cwd?.split("/").filter(Boolean).at(-1) ?? "";
}
