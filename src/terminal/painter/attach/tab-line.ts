// The line of tabs: unread lines, failures, open asks. The active tab stays visible, with as many beside it as fit.
//
//    BUILD 2  SERVER  TESTS 1✕  claude ●  fix-parser ?1                    ?:help
import { type AttachState, isSamePlace, type TabPlace } from "../../../session/attach/attach-state.js";
import { rowWidth } from "../../../text/row.js";
import { safeLine } from "../../../text/safe.js";
import { textWidth } from "../../../text/width.js";
import type { Appearance } from "../blocks/glyphs.js";
import { fitted } from "../dialogs/dialog-rows.js";

export interface SessionMark {
  readonly id: string;
  readonly work: "working" | "idle";
  readonly asks: number;
}

interface Tab {
  readonly place: TabPlace;
  readonly text: string;
  readonly wants: "danger" | "answer" | "nothing";
}

const NAME_CELLS_MAX = 20;
const HELP = "?:help";
/** In a session "?" is typed, so the hint names another key. */
const NEXT = "tab:next";

export function tabLine(
  state: Pick<AttachState, "tabs" | "sessions" | "active">,
  marks: readonly SessionMark[],
  columns: number,
  look: Appearance,
): string {
  const tabs = [...daemonTabs(state, look), ...sessionTabs(state, marks, look)];
  const hint = state.active.kind === "session" ? NEXT : HELP;
  const roomCells = columns - textWidth(hint) - 4;
  const row = around(tabs, state.active, roomCells)
    .map((tab) => painted(tab, state.active, look))
    .join("");
  const gap = columns - 1 - rowWidth(row) - textWidth(hint) - 2;
  return gap < 0 ? row : `${row}${" ".repeat(gap)}${paintedHint(hint, state.active, look)}`;
}

function daemonTabs({ tabs }: Pick<AttachState, "tabs">, { glyphs }: Appearance): Tab[] {
  return tabs.map(({ title, unread, failures }) => {
    const name = fitted(safeLine(title), NAME_CELLS_MAX, glyphs);
    const others = unread - failures;
    const marks = [others > 0 ? String(others) : "", failures > 0 ? `${failures}${glyphs.failed}` : ""];
    return {
      place: { kind: "daemon", title },
      text: [name, ...marks.filter(Boolean)].join(" "),
      wants: failures > 0 ? "danger" : "nothing",
    };
  });
}

function sessionTabs(
  { sessions }: Pick<AttachState, "sessions">,
  marks: readonly SessionMark[],
  { glyphs }: Appearance,
): Tab[] {
  return sessions.map(({ id, name }) => {
    const { work = "idle", asks = 0 } = marks.find((mark) => mark.id === id) ?? {};
    const signs = [work === "working" ? glyphs.done : "", asks > 0 ? `${glyphs.answered}${asks}` : ""];
    return {
      place: { kind: "session", id },
      text: [fitted(safeLine(programName(name) || id), NAME_CELLS_MAX, glyphs), ...signs.filter(Boolean)].join(" "),
      wants: asks > 0 ? "answer" : "nothing",
    };
  });
}

// An unnamed session has the path of its command as name.
function programName(name: string): string {
  return name.split("/").at(-1) || name;
}

function painted({ place, text, wants }: Tab, active: TabPlace, { style }: Appearance): string {
  const cell = ` ${text} `;
  if (isSamePlace(place, active)) return style.paint(["bold", "select"], cell);
  if (wants === "nothing") return style.paint("dim", cell);
  return style.paint(wants === "danger" ? "danger" : "warn", cell);
}

function paintedHint(words: string, active: TabPlace, { style }: Appearance): string {
  return style.paint(active.kind === "help" ? ["bold", "select"] : "dim", ` ${words} `);
}

function around(tabs: readonly Tab[], active: TabPlace, widthCells: number): Tab[] {
  let from = 0;
  let to = tabs.length;
  const at = Math.max(
    0,
    tabs.findIndex(({ place }) => isSamePlace(place, active)),
  );
  const width = () => tabs.slice(from, to).reduce((sum, { text }) => sum + textWidth(text) + 2, 0);
  while (to - from > 1 && width() > widthCells) {
    if (to - 1 - at >= at - from) to -= 1;
    else from += 1;
  }
  return tabs.slice(from, to);
}
