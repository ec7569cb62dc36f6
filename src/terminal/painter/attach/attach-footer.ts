// The last row of the attached view: where one is and what one can do, or what is the matter with the connection. What one
// can do goes first when it gets narrow, what is the matter never.
//
//    1/3  ↑↓ logs · ←→ fields · tab next · ctrl+c leave (it keeps running)
import { type AttachState, activeTab } from "../../../session/attach/attach-state.js";
import { humanCount, humanDuration } from "../../../text/humanize.js";
import { safeLine } from "../../../text/safe.js";
import { textWidth } from "../../../text/width.js";
import { fitted } from "../dialogs/dialog-rows.js";
import type { Frame } from "../frame.js";
import { type AttachLook, keySigns } from "./attach-look.js";
import type { Reading } from "./reading.js";

export interface FooterParts {
  readonly state: AttachState;
  readonly reading: Reading | null;
  readonly linesBelow: number;
  /** Lines that following the end does not show. */
  readonly linesHidden: number;
}

export function footer(parts: FooterParts, columns: number, look: AttachLook): Frame {
  const search = parts.reading?.viewer.search;
  if (search?.phase === "typing") {
    const row = fitted(` find ${safeLine(search.query)}`, Math.max(1, columns - 1), look.glyphs);
    return { rows: [row], cursor: { row: 0, column: textWidth(row) } };
  }
  const { style, glyphs } = look;
  const trouble = connectionWords(parts.state, look);
  const words = [...trouble, ...hints(parts, look)];
  const separator = ` ${glyphs.separator} `;
  while (words.length > 1 && textWidth(words.join(separator)) + 1 > columns) words.pop();
  const row = fitted(` ${words.join(separator)}`, columns, glyphs);
  return { rows: [style.paint(trouble.length > 0 ? "warn" : "dim", row)], cursor: null };
}

function connectionWords({ connection }: AttachState, { glyphs }: AttachLook): string[] {
  if (connection.phase === "connected") return [];
  if (connection.phase === "connecting") return [`${glyphs.waiting} connecting`];
  return [`${glyphs.warning} the daemon is gone; again in ${humanDuration(connection.retryInMs)}`];
}

function hints(parts: FooterParts, look: AttachLook): string[] {
  const { state, reading } = parts;
  if (state.editing !== null) return editingHints(state.editing);
  return reading === null ? followingHints(parts, look) : readingHints(reading, parts, look);
}

function editingHints(editing: NonNullable<AttachState["editing"]>): string[] {
  if (editing.kind === "wizard" && editing.phase === "waiting") return ["waiting for the next question", "esc cancel"];
  return ["enter send", "esc cancel"];
}

function followingHints({ state, linesHidden }: FooterParts, { glyphs }: AttachLook): string[] {
  const { upDown, leftRight } = keySigns(glyphs);
  const fields = activeTab(state)?.fields ?? [];
  const at = fields.findIndex(({ key }) => key === activeTab(state)?.focus);
  const position = fields.length === 0 ? "" : `${at + 1}/${fields.length}  `;
  const log = linesHidden > 0 ? `${upDown} logs (${humanCount(linesHidden)} more)` : `${upDown} logs`;
  return [
    `${position}${log}`,
    ...(fields.length === 0 ? ["/ search"] : [`${leftRight} fields`]),
    "tab next",
    "ctrl+c leave (it keeps running)",
  ];
}

function readingHints({ what, viewer }: Reading, { linesBelow }: FooterParts, { glyphs }: AttachLook): string[] {
  const { search } = viewer;
  const below = `${glyphs.more} ${humanCount(linesBelow)} ${linesBelow === 1 ? "line" : "lines"} below`;
  const more = linesBelow === 0 ? [] : [below];
  const found = search.phase === "missing" ? [`no "${safeLine(search.query)}"`] : more;
  if (search.phase === "found") return [...found, "n next", "N back", "esc done"];
  if (search.phase !== "off") return [...found, "esc done"];
  if (what !== "log") return [...found, "esc back", "/ search", "tab next"];
  return [...found, "end follows", "/ search", "tab next"];
}
