// The fields of a tab, one beside the other, in as many rows as there is room for; the one with the focus is always among
// them. A value that was sent and is not the daemon's yet has the sign for waiting.
//
//   ❯ Mode  [ development ]   Browser  [ off ]   Restart ⏎
import type { AttachState, DaemonTab } from "../../../session/attach/attach-state.js";
import type { Field } from "../../../session/attach/field.js";
import { shownValue } from "../../../session/attach/field-actions.js";
import { rowWidth } from "../../../text/row.js";
import { safeLine } from "../../../text/safe.js";
import { fitted } from "../dialogs/dialog-rows.js";
import { type AttachLook, keySigns } from "./attach-look.js";
import { isOneKey } from "./help-text.js";

/** A longer value is read whole with Enter. */
const VALUE_CELLS_MAX = 40;
const MARK_CELLS = 2;
/** Together with the place for the mark, three cells. */
const GAP = " ";

export function fieldRows(
  tab: DaemonTab,
  state: Pick<AttachState, "pending" | "running">,
  { columns, rowsMax }: { columns: number; rowsMax: number },
  look: AttachLook,
): string[] {
  const rows: string[] = [];
  let focusedRow = 0;
  for (const field of tab.fields) {
    const isFocused = field.key === tab.focus;
    const text = fitted(marked(field, isFocused ? "focused" : "other", state, look), columns, look.glyphs);
    const last = rows.at(-1);
    const beside = last === undefined ? null : `${last}${GAP}${text}`;
    if (beside === null || rowWidth(beside) > columns) rows.push(text);
    else rows[rows.length - 1] = beside;
    if (isFocused) focusedRow = rows.length - 1;
  }
  const from = Math.max(0, Math.min(focusedRow - rowsMax + 1, rows.length - rowsMax));
  return rows.slice(from, from + rowsMax).map((row) => row.trimEnd());
}

function marked(
  field: Field,
  focus: "focused" | "other",
  state: Pick<AttachState, "pending" | "running">,
  look: AttachLook,
): string {
  const { style, glyphs } = look;
  const mark = focus === "focused" ? style.paint("accent", glyphs.selected) : " ";
  const label = safeLine(field.label);
  const name = focus === "focused" ? style.paint("bold", label) : label;
  return `${mark}${" ".repeat(MARK_CELLS - 1)}${name}${contentOf(field, state, look)}`;
}

function contentOf(field: Field, state: Pick<AttachState, "pending" | "running">, look: AttachLook): string {
  const { style, glyphs } = look;
  const value = fitted(safeLine(shownValue(state, field)), VALUE_CELLS_MAX, glyphs);
  const waiting = state.pending.has(field.key) || state.running.has(field.key);
  if (field.kind === "display") return `  ${value}`;
  if (field.kind === "execution") {
    const keys = field.shortcuts.filter(({ key }) => isOneKey(key)).map(({ key }) => safeLine(key));
    const signs = [waiting ? glyphs.waiting : keySigns(glyphs).enter, ...keys].join(" ");
    return ` ${style.paint("dim", signs)}`;
  }
  // A conversation has no value while nobody has begun it.
  if (field.kind === "interactive" && value === "" && !waiting) return ` ${style.paint("dim", glyphs.more)}`;
  const sign = waiting ? ` ${style.paint("warn", glyphs.waiting)}` : "";
  return `  ${style.paint("dim", "[")} ${style.paint("accent", value)}${sign} ${style.paint("dim", "]")}`;
}
