// Keys by name, whichever protocol the terminal reports them in; and the text a key types, if it types any.
import { decodeKittyPrintable, parseKey } from "@earendil-works/pi-tui";

const PASTE = /^\x1b\[200~([\s\S]*)\x1b\[201~$/;

/** "enter", "escape", "ctrl+c", "shift+tab" …; undefined for a sequence nobody knows. */
export function keyName(sequence: string): string | undefined {
  return parseKey(sequence);
}

/** What the key or the paste types; an empty string when it types nothing. */
export function typedText(sequence: string): string {
  const paste = PASTE.exec(sequence);
  if (paste !== null) return paste[1] ?? "";
  const decoded = decodeKittyPrintable(sequence);
  if (decoded !== undefined) return decoded;
  return /^[^\x00-\x1f\x7f]+$/.test(sequence) ? sequence : "";
}
