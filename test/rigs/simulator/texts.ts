// The texts of a simulated conversation: what models, tools and people write, with everything that has ever confused a
// terminal in it. Each text carries a number, so that a line that appears twice is seen to be the same line.

import type { SeededRandom } from "./seeded-random.js";

const WORDS =
  "the screen keeps every line once and draws a frame below it while tokens arrive from an agent that builds tests".split(
    " ",
  );
const WIDE = ["漢字", "日本語", "界面は", "한국어", "🚀", "✅", "端末", "、"];
const SINGLE = ["ñ", "½", "ﬁ", "✓", "→", "│"];
const CLUSTERS = ["e\u0301", "👨‍👩‍👧", "🇩🇪", "👍🏽", "क्षि", "❤️"];
const LANGUAGES = ["ts", "sh", "python", "json", ""];

/** "clusters" are characters made of several: those that this emulator confuses when it reflows them. */
export type Alphabet = "latin" | "wide" | "mixed" | "clusters";

export class Texts {
  private readonly random: SeededRandom;
  private readonly alphabet: Alphabet;
  private count = 0;

  constructor(random: SeededRandom, alphabet: Alphabet) {
    this.random = random;
    this.alphabet = alphabet;
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(" ");
  }

  /** One line with a number, of any length that occurs in practice. */
  line(): string {
    const words = this.random.weighted([
      [10, this.random.integer(0, 6)],
      [8, this.random.integer(6, 25)],
      [3, this.random.integer(25, 80)],
      [1, 0],
    ]);
    this.count += 1;
    if (this.random.chance(0.02)) return `#${this.count} ${"=".repeat(this.random.integer(50, 1500))}`;
    return `#${this.count} ${this.words(words)}`.trimEnd();
  }

  lines(count: number): string {
    return Array.from({ length: count }, () => (this.random.chance(0.04) ? "" : this.toolLine())).join("\n");
  }

  /** A piece of an answer, cut anywhere: that is how tokens arrive. */
  markdown(): string {
    const block = this.random.weighted<() => string>([
      [6, () => `${this.line()}\n\n`],
      [6, () => `${this.line()} `],
      [2, () => `${this.line()}\n`],
      [2, () => `${"#".repeat(this.random.integer(1, 4))} ${this.line()}\n\n`],
      [3, () => this.list()],
      [3, () => this.fence()],
      [2, () => this.table()],
      [1, () => `> ${this.line()}\n> ${this.line()}\n\n`],
      [1, () => "---\n\n"],
      [1, () => `**${this.words(3)}** \`${this.words(1)}\` [${this.words(2)}](https://example.org/${this.count}) `],
    ])();
    const from = this.random.chance(0.2) ? this.random.integer(0, Math.min(5, block.length)) : 0;
    const to = this.random.chance(0.5) ? block.length : this.random.integer(1, block.length);
    return whole(block.slice(from, Math.max(from + 1, to)));
  }

  plain(): string {
    const end = this.random.weighted([
      [5, " "],
      [3, "\n"],
      [1, "\n\n"],
      [1, ""],
    ]);
    return this.line() + end;
  }

  private toolLine(): string {
    const line = this.line();
    if (this.random.chance(0.12)) return `\x1b[${this.random.pick([1, 31, 42, 7])}m${line}\x1b[0m`;
    if (this.random.chance(0.05)) return `\t${line}\tend`;
    return line;
  }

  private list(): string {
    const mark = this.random.pick(["-", "1.", "- [ ]", "  *"]);
    const items = Array.from({ length: this.random.integer(1, 5) }, () => `${mark} ${this.line()}\n`);
    return items.join("") + this.random.pick(["", "\n"]);
  }

  private fence(): string {
    const code = Array.from(
      { length: this.random.integer(1, 12) },
      () => `${"  ".repeat(this.random.integer(0, 3))}${this.line()}\n`,
    );
    return `\`\`\`${this.random.pick(LANGUAGES)}\n${code.join("")}\`\`\`\n\n`;
  }

  private table(): string {
    const columns = this.random.integer(1, 4);
    const row = () =>
      `| ${Array.from({ length: columns }, () => this.words(this.random.integer(1, 5))).join(" | ")} |\n`;
    const rows = Array.from({ length: this.random.integer(1, 5) }, row);
    this.count += 1;
    return `| #${this.count} ${row().slice(2)}|${" --- |".repeat(columns)}\n${rows.join("")}\n`;
  }

  private word(): string {
    const { random, alphabet } = this;
    if (alphabet === "latin" || random.chance(alphabet === "wide" ? 0.3 : 0.8)) return random.pick(WORDS);
    if (alphabet === "clusters") return random.pick(CLUSTERS);
    return random.chance(0.2) ? random.pick(SINGLE) : random.pick(WIDE).repeat(random.integer(1, 3));
  }
}

/** The text without halves of surrogate pairs at its ends: decoders hold those back. */
export function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
