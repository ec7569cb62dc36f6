// One value as one line of JSON that may reach a terminal: JSON itself escapes the control characters of ASCII, and this
// escapes the others that a terminal obeys, that are not seen, or that programs take for line breaks.

// Every format control and whatever else is drawn as nothing. What chooses between two looks of an emoji may stay.
const UNSAFE = /(?!\p{Variation_Selector})[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

export function jsonLine(value: unknown): string {
  return harmless(JSON.stringify(value) ?? "null");
}

/** The same over many lines, for people who read JSON. */
export function jsonPage(value: unknown): string {
  return harmless(JSON.stringify(value, null, 2) ?? "null");
}

function harmless(json: string): string {
  return `${json.replace(UNSAFE, escaped)}\n`;
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
