// The line of open sessions, when there is more than one: number, name, what happened there unseen, what is asked there.
//
//   1 parser  2 docs +3  3 release ?1
import type { SessionList } from "../../core/session-list.js";
import { safeLine } from "../../text/safe.js";
import { shortenEnd } from "../../text/shorten.js";
import { textWidth } from "../../text/width.js";
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
    return { text, isActive: id === list.active, isWaiting: asked > 0 };
  });
  const shown = around(tabs, widthCells - 2);
  const cells = shown.map(({ text, isActive, isWaiting }) =>
    style.paint(isActive ? ["bold", "accent"] : isWaiting ? "warn" : "dim", text),
  );
  return [`  ${cells.join("  ")}`];
}

type Tab = { readonly text: string; readonly isActive: boolean; readonly isWaiting: boolean };

// When it gets narrow the active one stays, and as many beside it as there is room for.
function around(tabs: readonly Tab[], widthCells: number): Tab[] {
  let from = 0;
  let to = tabs.length;
  const active = tabs.findIndex(({ isActive }) => isActive);
  const width = () =>
    textWidth(
      tabs
        .slice(from, to)
        .map(({ text }) => text)
        .join("  "),
    );
  while (to - from > 1 && width() > widthCells) {
    if (to - 1 - active >= active - from) to -= 1;
    else from += 1;
  }
  return tabs.slice(from, to);
}

function folderName(cwd: string | null): string {
  return cwd?.split("/").filter(Boolean).at(-1) ?? "";
}
