// The lines that are streamed: short and long, narrow and wide, each with its number at both ends so that a judge can tell
// what became of it. None of them holds a character that the live area uses.

import type { SeededRandom } from "./seeded-random.js";

const NARROW: readonly string[] = Array.from("abcdefghijklmnopqrstuvwxyz0123456789");
const IDEOGRAPHS: readonly string[] = Array.from("終端滾動回顯測試數據流式輸出窗口大小改變行號內容驗證かなカナ한국어");
const EMOJI: readonly string[] = Array.from("😀🚀🎉🔥🐱🍎🌍🧪");
const WIDE = /[^\x20-\x7e]/gu;

/** Lines that end near the edge of a common window are where wrapping goes wrong first. */
const EDGE_WIDTHS: readonly number[] = [40, 60, 80, 100, 120];

export function transcriptLines(random: SeededRandom, count: number, text: "wide" | "ascii"): string[] {
  const lines = Array.from({ length: count }, (_, index) => transcriptLine(random, index));
  return text === "wide" ? lines : lines.map((line) => line.replace(WIDE, "xy"));
}

export function lineHead(index: number): string {
  return `T${idOf(index)}:`;
}

export function lineEnd(index: number): string {
  return `:${idOf(index)}E`;
}

function idOf(index: number): string {
  return String(index).padStart(4, "0");
}

function transcriptLine(random: SeededRandom, index: number): string {
  const head = lineHead(index);
  const end = lineEnd(index);
  const bodyCells = lineWidth(random) - head.length - end.length;
  const flavour = random.next();
  let body = "";
  let cells = 0;
  while (cells < bodyCells) {
    const character = body.endsWith(" ") ? random.oneOf(NARROW) : someCharacter(random, flavour);
    body += character;
    cells += /[\x20-\x7e]/.test(character) ? 1 : 2;
  }
  return head + body.replace(/ $/, "x") + end;
}

function lineWidth(random: SeededRandom): number {
  const kind = random.next();
  if (kind < 0.08) return random.oneOf(EDGE_WIDTHS);
  if (kind < 0.6) return random.between(20, 80);
  if (kind < 0.88) return random.between(80, 160);
  return random.between(160, 360);
}

function someCharacter(random: SeededRandom, flavour: number): string {
  if (flavour < 0.25 && random.next() < 0.7) return random.oneOf(IDEOGRAPHS);
  if (flavour > 0.9 && random.next() < 0.3) return random.oneOf(EMOJI);
  return random.next() < 0.15 ? " " : random.oneOf(NARROW);
}
