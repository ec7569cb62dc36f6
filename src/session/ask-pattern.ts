// Regular expressions from an agent. A pattern such as `(a+)+$` would block the UI for hours, so only patterns with a short
// known worst case run here; the agent checks its answers anyway.

export type PatternVerdict = "fits" | "differs" | "unchecked";

const SOURCE_UNITS_MAX = 400;
/** Steps that the worst text may cost: a tenth of a second or less. */
const STEPS_MAX = 20_000_000;

/** Whether the pattern is found in the text; "unchecked" when finding out could take long, or it is no pattern. */
export function patternVerdict(source: string, text: string): PatternVerdict {
  const places = source.startsWith("^") && !source.includes("|") ? 1 : text.length + 1;
  if (places * waysToMatch(source, text.length) > STEPS_MAX) return "unchecked";
  const pattern = compiled(source);
  if (pattern === null) return "unchecked";
  return pattern.test(text) ? "fits" : "differs";
}

function compiled(source: string): RegExp | null {
  try {
    return new RegExp(source, "u");
  } catch {
    return null;
  }
}

/** What can be repeated: how many ways there are to match it at one place. */
interface Group {
  /** Of what stands before the last piece. */
  ways: number;
  lastWays: number;
}

// An escape, a class, the begin of a group, its end, a choice, a repetition, or any other character.
const PIECE = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?::|<[\w$]+>))?|\)|\||[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/gu;
const NOT_JUDGED = /\(\?(?!:|<[\w$]+>)|\\[1-9k]/;

/** At most how many ways lead through the pattern from one place of a text of this length; infinite when not judged. */
function waysToMatch(source: string, textUnits: number): number {
  if (source.length > SOURCE_UNITS_MAX || NOT_JUDGED.test(source)) return Number.POSITIVE_INFINITY;
  const open: Group[] = [];
  let group: Group = { ways: 1, lastWays: 1 };
  let choices = 1;
  for (const [piece] of source.matchAll(PIECE)) {
    const range = repetitionOf(piece);
    if (range !== null) group.lastWays = repeated(group.lastWays, range, textUnits);
    else if (piece === "|") choices += 1;
    else if (piece === ")") {
      const inner = group.ways * group.lastWays;
      group = open.pop() ?? { ways: Number.POSITIVE_INFINITY, lastWays: 1 };
      group.ways *= group.lastWays;
      // Which of the choices belong to which group is not followed: all of them count everywhere.
      group.lastWays = inner * choices;
    } else {
      group.ways *= group.lastWays;
      group.lastWays = 1;
      if (piece.startsWith("(")) {
        open.push(group);
        group = { ways: 1, lastWays: 1 };
      }
    }
  }
  return group.ways * group.lastWays * choices;
}

// Repeating what can itself match in several ways is where time explodes: so many ways for each of the repetitions.
function repeated(ways: number, { least, most }: Repetition, textUnits: number): number {
  const bound = Math.min(most, textUnits);
  return ways ** Math.max(least, bound) * (Math.max(0, bound - least) + 1);
}

interface Repetition {
  readonly least: number;
  readonly most: number;
}

function repetitionOf(piece: string): Repetition | null {
  if (/^[*+]/.test(piece)) return { least: piece.startsWith("+") ? 1 : 0, most: Number.POSITIVE_INFINITY };
  if (/^\?/.test(piece)) return { least: 0, most: 1 };
  const [, least, comma, most] = /^\{(\d+)(,(\d*))?\}/.exec(piece) ?? [];
  if (least === undefined) return null;
  if (comma === undefined) return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most ? Number(most) : Number.POSITIVE_INFINITY };
}
