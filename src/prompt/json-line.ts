// One value as one line of JSON that may reach a terminal: JSON itself escapes the control characters of ASCII, and this
// escapes the others that a terminal obeys or that programs take for line breaks.

const UNSAFE = /[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

export function jsonLine(value: unknown): string {
  return harmless(JSON.stringify(value) ?? "null");
}

/** The same over many lines, for people who read JSON. */
export function jsonPage(value: unknown): string {
  return harmless(JSON.stringify(value, null, 2) ?? "null");
}

function harmless(json: string): string {
  return `${json.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
}
