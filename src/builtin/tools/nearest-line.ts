// The line of a text that is most like what somebody looked for and did not find: usually the one they meant.

export type NearestLine = {
  readonly line: number;
  readonly text: string;
  readonly likeness: "but-for-white-space" | "similar";
};

const LINES_MAX = 20_000;
const LINE_CHARS_MAX = 300;
const LIKENESS_MIN = 0.5;

export function nearestLine(text: string, wanted: string): NearestLine | undefined {
  const goal = squeezed(wanted.split(/\r?\n/).find((line) => line.trim() !== "") ?? "");
  if (goal === "") return undefined;
  const pairs = pairsOf(goal);
  const lines = text.split(/\r?\n/, LINES_MAX);
  let best: NearestLine | undefined;
  let bestLikeness = LIKENESS_MIN;
  for (const [at, line] of lines.entries()) {
    const candidate = squeezed(line);
    const found = { line: at + 1, text: line.trim().slice(0, LINE_CHARS_MAX) };
    if (candidate === goal) return { ...found, likeness: "but-for-white-space" };
    const likeness = candidate === "" ? 0 : overlap(pairs, pairsOf(candidate));
    if (likeness > bestLikeness) {
      bestLikeness = likeness;
      best = { ...found, likeness: "similar" };
    }
  }
  return best;
}

function squeezed(line: string): string {
  return line.trim().replace(/\s+/g, " ").slice(0, LINE_CHARS_MAX);
}

function pairsOf(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at < text.length - 1; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

/** 1 for the same pairs of letters, 0 for none in common. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common++;
  return a.size + b.size === 0 ? 0 : (2 * common) / (a.size + b.size);
}
