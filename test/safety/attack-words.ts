// One text with every kind of attack in it, and a judge of bytes: whether anything but Palaver's own sequences was written. The
// parameters are ones that Palaver never writes, so that a sequence of the attack can be told from one of its own.

/** Each of them does something to a terminal that obeys it. */
export const deeds: Readonly<Record<string, string>> = {
  "moves the cursor": "\x1b[7;77H",
  "moves it up": "\x1b[77A",
  "erases the screen": "\x1b[2;7J",
  "takes the alternate screen": "\x1b[?1049;47h",
  "hides the cursor": "\x1b[?25;77l",
  "tracks the mouse": "\x1b[?1003;1006h",
  "scrolls a region": "\x1b[3;7r",
  "resets the terminal": "\x1bc",
  "draws lines": "\x1b(0",
  "sets the title": "\x1b]0;gotcha\x07",
  "sets it with a string terminator": "\x1b]2;gotcha\x1b\\",
  "writes the clipboard": "\x1b]52;c;Z290Y2hh\x07",
  "opens a link": "\x1b]8;;https://evil.example/\x07",
  "calls the user": "\x1b]777;notify;gotcha;x\x07",
  "asks where the cursor is": "\x1b[6;77n",
  "asks for a setting": "\x1bP$q77m\x1b\\",
  "sends an 8-bit sequence": "\x9b7;77H",
  "sends an 8-bit string": "\x9d0;gotcha\x9c",
  rings: "\x07",
  "goes back": "\b\x08\b\b\b\b\b\b\b",
  "turns the text around": "\u202e",
  "sets the keyboard": "\x1b[>77u",
  "never ends": "\x1b]0;gotcha",
};

/** All of them in one word, and behind each a letter that has to survive. */
export const ATTACK: string = Object.values(deeds)
  .map((bytes) => `${bytes}w`)
  .join("");

/** What Palaver itself writes between its words. */
const OWN = new RegExp(
  [
    // Colours and weight; cursor, erasures and scrolling by a count; places; modes of its own.
    "\\x1b\\[[0-9;:]*m",
    "\\x1b\\[[0-9]*[ABCDEFGKJLMPSTX@]",
    "\\x1b\\[[0-9]*(?:;[0-9]*)?H",
    "\\x1b\\[\\?(?:25|7|1004|2004|2026|1000|1002|1006|1049|2027|2031|2048)[hl]",
    "\\x1b\\[[<>=]?[0-9;]*u",
    "\\x1b\\[r",
    "\\x1b[78DM]",
    "\\x1b\\[[0-9] q",
    // Marks of a prompt, links to addresses that were written, and their end.
    "\\x1b\\]133;[A-Z](?:;[\\w=;]*)?(?:\\x07|\\x1b\\\\)",
    "\\x1b\\]8;[\\w=:-]*;[\\x20-\\x7e]*(?:\\x07|\\x1b\\\\)",
    "[\\r\\n\\b]",
  ].join("|"),
  "g",
);

/** What is left of these bytes that is neither a word nor Palaver's own; empty when all is well. */
export function strangeBytes(bytes: string): string[] {
  const found = Object.entries(deeds)
    .filter(([, deed]) => bytes.includes(deed))
    .map(([name]) => `the attack that ${name}`);
  const rest =
    bytes.replace(OWN, "").match(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069].{0,12}/gsu) ?? [];
  return [...found, ...rest.slice(0, 5).map((piece) => JSON.stringify(piece))];
}

/** The same for text that goes to a pipe or a file: there only line ends and tabs are no words. */
export function strangeText(text: string): string[] {
  const rest = text.match(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069].{0,12}/gsu) ?? [];
  return rest.slice(0, 5).map((piece) => JSON.stringify(piece));
}
