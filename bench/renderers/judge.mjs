// Judges what is left in the terminal when a renderer is done: every line that was shown must be there once, whole and
// in order, with nothing of the live area left behind and nothing of the shell's own history gone.
//
//   | shell-00 …      |  shellLost: one of these is gone
//   | L000000: …      |  lost, doubled, misordered, or mangled: the id is there, its text is not
//   |                 |  blanks: an empty row between two lines
//   | §STATUS§ …      |  ghosts: a status, border or overlay row more than the renderer shows at rest
//   | L000001: …      |
//   | > ▏             |
//   | §STATUS§ …      |
import { OVERLAY_MARK, STATUS_MARK } from "./marks.mjs";

const ID = /L\d{6}:/g;
const BORDER = /^[╭╰┌└─━]{10,}/;
const SHELL_LINES = 40;

/** What stands in the terminal before a renderer starts. */
export function shellHistory() {
  return Array.from({ length: SHELL_LINES }, (_, index) => `${shellMark(index)} $ something typed earlier`);
}

/**
 * @param rows every row of the terminal, scrollback first
 * @param expected the logical lines that were shown, or only their ids
 * @param chrome how many status and border rows the renderer rightly shows at rest
 */
export function judge(rows, expected, chrome) {
  const text = rows.map(withoutSpaces).join("");
  return { ...judgeLines(text, expected), ...judgeSurroundings(rows, chrome) };
}

// Where rows break and how they are padded is the renderer's own affair, so spaces do not count.
function judgeLines(text, expected) {
  const offsets = offsetsOfIds(text);
  const found = { lost: 0, doubled: 0, mangled: 0, misordered: 0 };
  let latest = -1;
  for (const line of expected) {
    const id = line.match(ID)?.[0];
    if (id === undefined) continue;
    const places = offsets.get(id);
    if (places === undefined) {
      found.lost += 1;
      continue;
    }
    found.doubled += places.length - 1;
    const body = withoutSpaces(line);
    if (!places.some((place) => text.startsWith(body, place))) found.mangled += 1;
    if (places[0] < latest) found.misordered += 1;
    latest = Math.max(latest, places[0]);
  }
  return found;
}

function judgeSurroundings(rows, { status, borders }) {
  const count = (mark) => rows.reduce((sum, row) => sum + row.split(mark).length - 1, 0);
  const borderRows = rows.filter((row) => BORDER.test(row.trim())).length;
  const transcript = rows.slice(
    rows.findIndex((row) => row.search(ID) >= 0),
    rows.findLastIndex((row) => row.search(ID) >= 0),
  );
  const text = rows.join("\n");
  return {
    ghosts: Math.max(0, count(STATUS_MARK) - status) + count(OVERLAY_MARK) + Math.max(0, borderRows - borders),
    blanks: transcript.filter((row) => row.trim() === "").length,
    shellLost: Array.from({ length: SHELL_LINES }, (_, index) => shellMark(index)).filter((m) => !text.includes(m))
      .length,
  };
}

function offsetsOfIds(text) {
  const offsets = new Map();
  for (const match of text.matchAll(ID)) {
    const places = offsets.get(match[0]);
    if (places === undefined) offsets.set(match[0], [match.index]);
    else places.push(match.index);
  }
  return offsets;
}

function shellMark(index) {
  return `shell-${String(index).padStart(2, "0")}`;
}

function withoutSpaces(text) {
  return text.replace(/\s+/g, "");
}
