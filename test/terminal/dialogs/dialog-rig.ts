// A dialog as a person meets it: rows without styles, keys by name, and what came of them. No terminal is involved.
import type { Ask } from "../../../src/contract/asks.js";
import { hostTui } from "../../../src/terminal/component-host.js";
import { type AskDialog, type DialogParts, openAskDialog } from "../../../src/terminal/dialogs/ask-dialog.js";
import { type Glyphs, unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import type { DialogOutcome } from "../../../src/terminal/painter/dialogs/dialog-keys.js";
import { richRows } from "../../../src/terminal/painter/dialogs/rich-rows.js";
import { plainText, rowWidth } from "../../../src/text/row.js";
import { colourless } from "../painter/visible.js";

const KEYS: Readonly<Record<string, string>> = {
  enter: "\r",
  escape: "\x1b",
  "ctrl+c": "\x03",
  "ctrl+g": "\x07",
  "ctrl+o": "\x0f",
  "ctrl+s": "\x13",
  "ctrl+u": "\x15",
  tab: "\t",
  "shift+tab": "\x1b[Z",
  up: "\x1b[A",
  down: "\x1b[B",
  left: "\x1b[D",
  right: "\x1b[C",
  home: "\x1b[H",
  end: "\x1b[F",
  pageUp: "\x1b[5~",
  pageDown: "\x1b[6~",
  "shift+enter": "\x1b[13;2u",
  "enter released": "\x1b[13;1:3u",
  backspace: "\x7f",
};

export const paste = (text: string): string => `\x1b[200~${text}\x1b[201~`;

export interface RigOptions {
  readonly aside?: string;
  readonly glyphs?: Glyphs;
  readonly parts?: Partial<DialogParts>;
}

/** An ask as the agent's wire delivers it. */
export function askOf(question: Ask["question"]): Ask {
  return { id: "q1", sessionId: null, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null };
}

export class DialogRig {
  readonly dialog: AskDialog;

  constructor(question: Ask["question"], { aside = "", glyphs = unicodeGlyphs, parts = {} }: RigOptions = {}) {
    const tui = hostTui({ size: () => ({ columns: 80, rows: 24 }), onRenderWanted: () => undefined });
    this.dialog = openAskDialog(askOf(question), {
      look: { style: colourless, glyphs },
      rich: richRows,
      tui,
      aside: () => aside,
      ...parts,
    });
  }

  /** Keys by name, anything else typed letter by letter; what came of the last. */
  press(...keys: string[]): DialogOutcome {
    let outcome: DialogOutcome = null;
    for (const key of keys) {
      const named = KEYS[key];
      const sequences = named === undefined ? (key.startsWith("\x1b") ? [key] : [...key]) : [named];
      for (const sequence of sequences) outcome = this.dialog.key(sequence);
    }
    return outcome;
  }

  /** What is on the screen, with the cursor drawn in; a row that is too wide or one too many fails the test. */
  rows(columns = 80, rowsMax = 12): string[] {
    const { rows, cursor } = this.dialog.frame(columns - 1, rowsMax);
    const wide = rows.filter((row) => rowWidth(row) > columns - 1);
    if (wide.length > 0) throw new Error(`wider than ${columns - 1} cells: ${wide.map(plainText).join(" / ")}`);
    if (rows.length > rowsMax) throw new Error(`${rows.length} rows where ${rowsMax} were allowed`);
    return rows.map((row, index) => {
      const plain = plainText(row);
      if (cursor?.row !== index) return plain.trimEnd();
      return `${plain.padEnd(cursor.column).slice(0, cursor.column)}▏${plain.slice(cursor.column)}`.trimEnd();
    });
  }

  screen(columns?: number, rowsMax?: number): string {
    return `\n${this.rows(columns, rowsMax).join("\n")}\n`;
  }
}
