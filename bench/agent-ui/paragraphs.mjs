// Three hundred numbered paragraphs, or as many as wanted: always the same, of the mixed stuff that answers are made of.
import { seededDice } from "../renderers/corpus.mjs";

const WORDS =
  "the parser reads a file and then reports what it found before the next test runs again with less noise".split(" ");
const WIDE = ["漢字かな交じり文", "테스트 문장", "🚀", "naïve café", "→"];

export function paragraphOf(number) {
  const dice = seededDice(number * 7_919 + 5);
  const words = Array.from({ length: 8 + Math.floor(dice() * 10) }, () =>
    dice() < 0.06 ? WIDE[Math.floor(dice() * WIDE.length)] : WORDS[Math.floor(dice() * WORDS.length)],
  );
  return `L${String(number).padStart(6, "0")}: ${words.join(" ")}.`;
}

export function paragraphList(count) {
  return Array.from({ length: count }, (_, number) => paragraphOf(number));
}

export function paragraphs(count) {
  return `${paragraphList(count).join("\n\n")}\n`;
}
