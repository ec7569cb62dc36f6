// Names of keys in any keyboard protocol, and the text a key types.
import { decodeKittyPrintable, isKeyRelease, parseKey } from "@earendil-works/pi-tui";

export { isKeyRelease };

const PASTE = /^\x1b\[200~([\s\S]*)\x1b\[201~$/;

/** "enter", "escape", "ctrl+c", "shift+tab" …; undefined for unknown sequences and key releases. */
export function keyName(sequence: string): string | undefined {
  return isKeyRelease(sequence) ? undefined : (NAMED_HERE[sequence] ?? parseKey(sequence));
}

/** pi-tui's parser lacks the keys that tmux, screen and the Linux console send, and takes two letters with Alt for arrows. */
const NAMED_HERE: Readonly<Record<string, string>> = {
  "\x1b[1~": "home",
  "\x1b[4~": "end",
  "\x1bn": "alt+n",
  "\x1bp": "alt+p",
};

/** The text of a key or paste; "" when it types nothing. */
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
