// The same rows with one letter for each cell: what its colour and weight say. For the scenes in which they say something.
//
//   ▌ ❯ npm     lock file found      →      a A BBB     dddd dddd ddddd
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { type IBufferCell, Terminal } from "@xterm/headless";
import { THEMES } from "../../src/text/themes.js";
import type { SceneSize } from "./scene.js";

const { colours, tints } = THEMES.harbour;

/** Backgrounds say more than what stands on them. */
const GROUNDS: ReadonlyMap<number, string> = new Map([
  [colourOf(tints.addMark), "#"],
  [colourOf(tints.removeMark), "="],
  [colourOf(tints.add), "+"],
  [colourOf(tints.remove), "-"],
  [colourOf(colours.select), "s"],
]);

const INKS: ReadonlyMap<number, string> = new Map([
  [colourOf(colours.text), "."],
  [colourOf(colours.dim), "d"],
  [colourOf(colours.accent), "a"],
  [colourOf(colours.user), "u"],
  [colourOf(colours.ok), "o"],
  [colourOf(colours.warn), "w"],
  [colourOf(colours.danger), "x"],
  [colourOf(colours.info), "n"],
]);

/** The terminal's own palette, where there are sixteen colours. */
const PALETTE: ReadonlyMap<number, string> = new Map([
  [1, "x"],
  [2, "o"],
  [3, "w"],
  [5, "u"],
  [6, "a"],
]);

const LEGEND: readonly (readonly [letter: string, meaning: string])[] = [
  [".", "plain"],
  ["b", "bold"],
  ["d", "dim"],
  ["t", "dim italic"],
  ["i", "italic"],
  ["l", "underlined"],
  ["r", "reverse"],
  ["k", "struck out"],
  ["a", "accent"],
  ["u", "user"],
  ["o", "ok"],
  ["w", "warn"],
  ["x", "danger"],
  ["n", "info"],
  ["s", "select"],
  ["+", "added"],
  ["#", "added, changed words"],
  ["-", "removed"],
  ["=", "removed, changed words"],
];

/** `bytes` is everything that was written since the terminal was empty. */
export async function roleText(bytes: string, { columns, rows }: SceneSize): Promise<string> {
  const terminal = new Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = "11";
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  const letters = letterRows(terminal);
  terminal.dispose();
  while (letters.at(-1) === "") letters.pop();
  const used = new Set(letters.join("").toLowerCase());
  const legend = LEGEND.flatMap(([letter, meaning]) => (used.has(letter) ? [`${letter} ${meaning}`] : []));
  const isBold = /[A-Z]/.test(letters.join(""));
  return [...letters, `─── ${[...legend, ...(isBold ? ["capitals bold"] : [])].join(" · ")} ───`].join("\n");
}

function letterRows(terminal: Terminal): string[] {
  const { active } = terminal.buffer;
  return Array.from({ length: active.length }, (_, at) => {
    const line = active.getLine(at);
    let letters = "";
    for (let column = 0; column < terminal.cols; column += 1) {
      const cell = line?.getCell(column);
      // The second cell of a wide character has no width of its own.
      if (cell !== undefined && cell.getWidth() > 0) letters += letterOf(cell).repeat(cell.getWidth());
    }
    return letters.trimEnd();
  });
}

function letterOf(cell: IBufferCell): string {
  const ground = cell.isBgRGB() ? known(GROUNDS, cell.getBgColor()) : null;
  if (ground !== null) return ground;
  if (cell.getChars().trim() === "" && cell.isInverse() === 0) return " ";
  const ink = cell.isFgDefault() ? "." : known(cell.isFgRGB() ? INKS : PALETTE, cell.getFgColor());
  if (cell.isInverse() !== 0) return ink === "o" ? "#" : ink === "x" ? "=" : "r";
  const isDim = ink === "d" || cell.isDim() !== 0;
  if (isDim) return cell.isItalic() === 0 ? "d" : "t";
  if (ink === ".") return plainLetter(cell);
  return cell.isBold() === 0 ? ink : ink.toUpperCase();
}

function plainLetter(cell: IBufferCell): string {
  if (cell.isBold() !== 0) return "b";
  if (cell.isItalic() !== 0) return "i";
  if (cell.isStrikethrough() !== 0) return "k";
  return cell.isUnderline() === 0 ? "." : "l";
}

function known(letters: ReadonlyMap<number, string>, colour: number): string {
  const letter = letters.get(colour);
  if (letter === undefined) throw new Error(`no role has the colour ${colour.toString(16)}`);
  return letter;
}

function colourOf(hex: string): number {
  return Number.parseInt(hex.slice(1), 16);
}
