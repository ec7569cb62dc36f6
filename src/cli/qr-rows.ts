// A QR code as rows of a terminal: two modules in one cell, as half blocks. Scanners want dark on light, so that the colours are
// set outright; where none are wanted, the light modules are drawn, which is right on a dark screen.
//
//   ▀ upper light   ▄ lower light   █ both
import { encode } from "uqr";

const BORDER_MODULES = 2;
const BLACK_ON_WHITE = "\x1b[38;5;16;48;5;231m";
const RESET = "\x1b[0m";

export function qrRows(text: string, colour: "colour" | "plain"): string[] {
  const { data, size } = encode(text, { border: BORDER_MODULES, ecc: "L" });
  const isDark = (row: number, column: number) => data[row]?.[column] === true;
  const rows: string[] = [];
  for (let row = 0; row < size; row += 2) {
    const cells = Array.from({ length: size }, (_, column) => {
      const upper = isDark(row, column);
      const lower = row + 1 < size && isDark(row + 1, column);
      return colour === "colour" ? cell(upper, lower) : cell(!upper, row + 1 < size && !lower);
    });
    rows.push(colour === "colour" ? `${BLACK_ON_WHITE}${cells.join("")}${RESET}` : cells.join(""));
  }
  return rows;
}

function cell(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}
