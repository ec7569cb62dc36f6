// The help tab: keys, and every shortcut and action of the daemon. In a narrow window the words wrap below themselves.
// Also the signs for keys, with ASCII versions.
//
//   | ctrl+o           every line of the log, |
//   |                  or the newest of each  |
import type { AttachState, DaemonTab, FieldShortcut } from "../../../session/attach/attach-state.js";
import { safeLine } from "../../../text/safe.js";
import { textWidth } from "../../../text/width.js";
import { wrapRow } from "../../../text/wrap.js";
import type { Appearance, Glyphs } from "../blocks/glyphs.js";

type HelpRow = readonly [key: string, words: string];

const KEY_CELLS_MAX = 24;

/** With less room than this, words go below their key. */
const WORDS_CELLS_MIN = 16;

export function helpLines({ tabs }: Pick<AttachState, "tabs">, columns: number, look: Appearance): string[] {
  const shortcuts = tabs.flatMap((tab) => shortcutRows(tab, (key) => isOneKey(key)));
  const actions = tabs.flatMap((tab) => [...actionRows(tab), ...shortcutRows(tab, (key) => !isOneKey(key))]);
  return [
    ...section("Keys", keyRows(look), columns, look),
    ...section("Shortcuts, from every tab", shortcuts, columns, look),
    ...section('Actions, after ":" or with palaver action', actions, columns, look),
  ];
}

/** A single key; longer names are actions to type. */
export function isOneKey(key: string): boolean {
  return Array.from(key).length === 1;
}

function keyRows({ glyphs }: Appearance): HelpRow[] {
  const { upDown, leftRight } = keySigns(glyphs);
  return [
    ["tab, shift+tab", "next or previous tab; alt+1 to alt+9 jump to one"],
    [`${leftRight}, enter`, "choose a field; change, run or read it"],
    [`${upDown}, wheel`, "scroll the log; end: follow it again"],
    ["/, then n and N", "search the log, next match, previous match"],
    ["ctrl+o", "all lines of the log, or the newest of each handler"],
    [":", "any action by its key"],
    ["?", "this help"],
    ["ctrl+c", "quit; the daemon keeps running"],
    ["in a session", "ctrl+d quits; ctrl+c stops the agent first"],
  ];
}

function shortcutRows({ title, fields }: DaemonTab, wanted: (key: string) => boolean): HelpRow[] {
  return fields.flatMap(({ label, shortcuts }) =>
    shortcuts
      .filter(({ key }) => wanted(key))
      .map(({ key, meaning }: FieldShortcut): HelpRow => {
        // Often the meaning repeats the label.
        return [key, meaning === label ? `${label} in ${title}` : `${meaning}, ${label} in ${title}`];
      }),
  );
}

function actionRows({ title, fields }: DaemonTab): HelpRow[] {
  return fields
    .filter(({ kind }) => kind !== "display")
    .map(({ key, label, kind }): HelpRow => [kind === "execution" ? key : `${key} VALUE`, `${label} in ${title}`]);
}

function section(title: string, rows: readonly HelpRow[], columns: number, { style }: Appearance): string[] {
  if (rows.length === 0) return [];
  const safe = rows.map(([key, words]): HelpRow => [safeLine(key), safeLine(words)]);
  const keyCells = Math.min(KEY_CELLS_MAX, Math.max(...safe.map(([key]) => textWidth(key))));
  const wordsAt = 3 + keyCells + 2;
  const hangingIndentCells = columns - wordsAt < WORDS_CELLS_MIN ? 5 : wordsAt;
  const lines = safe.flatMap(([key, words]) => {
    const gap = " ".repeat(Math.max(0, keyCells - textWidth(key)) + 2);
    return wrapRow(`   ${style.paint("accent", key)}${gap}${words}`, columns, { at: "words", hangingIndentCells });
  });
  const head = wrapRow(` ${style.paint("bold", title)}`, columns, { at: "words", hangingIndentCells: 1 });
  return [...head, ...lines, ""];
}

interface KeySigns {
  readonly enter: string;
  readonly upDown: string;
  readonly leftRight: string;
}

const unicodeSigns: KeySigns = { enter: "⏎", upDown: "↑↓", leftRight: "←→" };
const asciiSigns: KeySigns = { enter: "<enter>", upDown: "up/down", leftRight: "left/right" };

export function keySigns({ live }: Glyphs): KeySigns {
  return /^[\x20-\x7e]+$/.test(live) ? asciiSigns : unicodeSigns;
}
