// The text that every renderer shows: seeded, so that all get the same, and numbered, so that a lost or doubled line can
// be told by its id. The shapes are those of an agent's answer: prose, code, wide characters, emoji, very long lines.

const SEED = Number(process.env.BENCH_SEED ?? 1);
const WORDS = (
  "answer before branch build cache change check clean close column commit compare count cursor daemon default delete " +
  "draw empty every export fail file find first folder frame hold input keep large later layout line list load match " +
  "merge message missing module move next number old only open order output page parse patch person plan queue quick " +
  "read ready reason record remove report reset result return row save screen second send session settle show small " +
  "start state stop stream table tail terminal test text then token turn type under update value wait width write"
).split(" ");
const WIDE = [
  ..."端末画面行列文字幅更新差分追記設定確認履歴会話質問回答許可拒否変更한글줄바꿈화면글자너비终端滚动缓冲光标",
];
const EMOJI = [..."🚀🎉🔥📦🧪🐛🤖💡"];

/** How often each shape comes, as shares that add up to one. */
const SHAPES = [
  { upTo: 0.55, text: (dice) => `${words(dice, 6, 15)}.` },
  { upTo: 0.65, text: (dice) => `${words(dice, 3, 3)} ${wide(dice, 8, 31)} ${words(dice, 2, 2)}` },
  {
    upTo: 0.75,
    text: (dice) => `${oneOf(dice, EMOJI)} ${words(dice, 4, 4)} **bold** and \`code\` ${oneOf(dice, EMOJI)}`,
  },
  { upTo: 0.93, text: code },
  { upTo: 1, text: (dice) => `- ${words(dice, 40, 69)}` },
];

/** A seeded source of numbers from 0 up to 1 (xorshift); nearby seeds are scrambled apart first. */
export function seededDice(seed) {
  let state = Math.imul(seed ^ 0x5bd1e995, 0x2c1b3c6d) || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 6; i += 1) next();
  return next;
}

function lineOf(number) {
  const dice = seededDice(SEED * 100_003 + number * 31 + 17);
  const point = dice();
  const shape = SHAPES.find(({ upTo }) => point < upTo);
  return `${idOf(number)} ${shape.text(dice)}`;
}

export function linesOf(from, count) {
  return Array.from({ length: count }, (_, index) => lineOf(from + index));
}

/** Exactly `count` tokens of lines from number `from` on, and the lines they make; the last may be cut short. */
export function streamOf(from, count) {
  // A line has at least six tokens on average, so this is enough text.
  const tokens = tokensOf(`${linesOf(from, Math.ceil(count / 5) + 10).join("\n")}\n`).slice(0, count);
  const text = tokens.join("");
  return { tokens, lines: text.split("\n").filter((line) => line !== ""), usefulBytes: Buffer.byteLength(text) };
}

/** The same for Markdown: headings, paragraphs, lists and fenced code. Of its lines only the ids can be looked for. */
export function markdownStreamOf(from, count) {
  const dice = seededDice(SEED + 4_711);
  const blocks = [];
  let number = from;
  let sizeChars = 0;
  while (sizeChars < count * 7) {
    const block = markdownBlock(dice, () => number++);
    blocks.push(block);
    sizeChars += block.length;
  }
  const tokens = tokensOf(blocks.join("")).slice(0, count);
  const text = tokens.join("");
  return { tokens, lines: text.match(/L\d{6}:/g) ?? [], usefulBytes: Buffer.byteLength(text) };
}

function idOf(number) {
  return `L${String(number).padStart(6, "0")}:`;
}

function markdownBlock(dice, nextNumber) {
  const kind = dice();
  if (kind < 0.1) return `## Part ${idOf(nextNumber())} on ${oneOf(dice, WORDS)}\n\n`;
  if (kind < 0.4) return `${lineOf(nextNumber()).replace(/ {2,}/g, " ")}\n\n`;
  if (kind < 0.7) {
    const items = Array.from({ length: 4 }, (_, i) => `- ${idOf(nextNumber())} is **bold** with \`code ${i}\` in it\n`);
    return `${items.join("")}\n`;
  }
  const statements = Array.from({ length: 6 }, (_, i) => `const value${i} = "${idOf(nextNumber())}"; // remark\n`);
  return `\`\`\`ts\n${statements.join("")}\`\`\`\n\n`;
}

/** Cuts text into pieces of one to nine characters, as a model sends it. */
function tokensOf(text) {
  const dice = seededDice(SEED + 815);
  const characters = [...text];
  const tokens = [];
  for (let at = 0; at < characters.length; ) {
    const length = between(dice, 1, 9);
    tokens.push(characters.slice(at, at + length).join(""));
    at += length;
  }
  return tokens;
}

function code(dice) {
  const indent = "  ".repeat(between(dice, 1, 3));
  const [name, call, argument] = [oneOf(dice, WORDS), oneOf(dice, WORDS), oneOf(dice, WORDS)];
  return `${indent}const ${name}_${between(dice, 0, 98)} = ${call}(${argument}, "${words(dice, 2, 2)}"); // ${words(dice, 2, 2)}`;
}

function words(dice, countMin, countMax) {
  return Array.from({ length: between(dice, countMin, countMax) }, () => oneOf(dice, WORDS)).join(" ");
}

function wide(dice, countMin, countMax) {
  return Array.from({ length: between(dice, countMin, countMax) }, () => oneOf(dice, WIDE)).join("");
}

function oneOf(dice, choices) {
  return choices[Math.floor(dice() * choices.length)];
}

function between(dice, min, max) {
  return min + Math.floor(dice() * (max - min + 1));
}
