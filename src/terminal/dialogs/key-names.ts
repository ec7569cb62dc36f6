// Keys by name, whichever protocol the terminal reports them in; and the text a key types, if it types any.
import { decodeKittyPrintable, isKeyRelease, parseKey } from "@earendil-works/pi-tui";

export { isKeyRelease };

const PASTE = /^\x1b\[200~([\s\S]*)\x1b\[201~$/;

/** "enter", "escape", "ctrl+c", "shift+tab" …; undefined for a sequence nobody knows, and for a key that goes up. */
export function keyName(sequence: string): string | undefined {
  return isKeyRelease(sequence) ? undefined : (parseKey(sequence) ?? UNPARSED[sequence]);
}

/** What tmux, screen and the Linux console send for these; the editor knows it, its parser of names does not. */
const UNPARSED: Readonly<Record<string, string>> = { "\x1b[1~": "home", "\x1b[4~": "end" };

/** What the key or the paste types; an empty string when it types nothing. */
export function typedText(sequence: string): string {
  const pasted = pastedText(sequence);
  if (pasted !== null) return pasted;
  if (isKeyRelease(sequence)) return "";
  const decoded = decodeKittyPrintable(sequence);
  if (decoded !== undefined) return decoded;
  return /^[^\x00-\x1f\x7f]+$/.test(sequence) ? sequence : "";
}

const CUT_REPORT = /^\x1b(?:\[[<?>]?[\d;:]*|\[M[\s\S]{0,2}|[\]P][^\x07\x1b]*)$/;

/** Whether it is the beginning of something that the terminal reports; what comes next is the rest of it, and no key. */
export function isCutReport(sequence: string): boolean {
  return CUT_REPORT.test(sequence);
}

/** The text of a paste; null when the sequence is none. */
export function pastedText(sequence: string): string | null {
  return PASTE.exec(sequence)?.[1] ?? null;
}

export function pasteOf(text: string): string {
  return `\x1b[200~${text}\x1b[201~`;
}

/** Esc and Ctrl+C leave any dialog. */
export function isCancel(name: string | undefined): boolean {
  return name === "escape" || name === "ctrl+c";
}
