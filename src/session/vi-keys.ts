// Vi's normal mode for the composer, as a pure step: a text with a cursor and one key in, the same out. Insert mode is the
// editor's own. It is a subset: h j k l w b e 0 $ x dd dw cw i a A I o u p; other keys do nothing.
//
//   fix the te|st   dw →   fix the te|        p →   fix the test|
export interface ViText {
  readonly text: string;
  /** In UTF-16 units; never within a character. */
  readonly at: number;
}

export interface ViState {
  readonly mode: "insert" | "normal";
  /** An operator that waits for its motion. */
  readonly pending: "" | "d" | "c";
  /** What was deleted last; whole lines end in a line feed. */
  readonly register: string;
}

export interface ViStep {
  readonly state: ViState;
  readonly written: ViText;
  /** The editor has the earlier texts. */
  readonly undo?: true;
}

export const viInsert: ViState = { mode: "insert", pending: "", register: "" };

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

export function enterNormal(state: ViState, { text, at }: ViText): ViStep {
  const start = lineStart(text, at);
  return {
    state: { ...state, mode: "normal", pending: "" },
    written: { text, at: at > start ? before(text, at) : at },
  };
}

/** A key in normal mode. */
export function viKey(state: ViState, written: ViText, key: string): ViStep {
  const { pending } = state;
  const rest = { ...state, pending: "" } as const;
  if (pending !== "") return operated(rest, written, pending, key);
  if (key === "d" || key === "c") return { state: { ...state, pending: key }, written };
  if (key === "u") return { state: rest, written, undo: true };
  const moved = motions[key]?.(written);
  if (moved !== undefined) return { state: rest, written: { ...written, at: onCharacter(written.text, moved) } };
  return edits[key]?.(rest, written) ?? { state: rest, written };
}

const motions: Readonly<Record<string, (written: ViText) => number>> = {
  h: ({ text, at }) => (at > lineStart(text, at) ? before(text, at) : at),
  l: ({ text, at }) => (at < lineEnd(text, at) ? after(text, at) : at),
  j: (written) => vertical(written, 1),
  k: (written) => vertical(written, -1),
  w: ({ text, at }) => wordStart(text, at),
  b: ({ text, at }) => earlierWord(text, at),
  e: ({ text, at }) => wordEnd(text, at),
  "0": ({ text, at }) => lineStart(text, at),
  $: ({ text, at }) => lineEnd(text, at),
};

type Edit = (state: ViState, written: ViText) => ViStep;

const edits: Readonly<Record<string, Edit>> = {
  i: (state, written) => insertAt(state, written, written.at),
  a: (state, { text, at }) => insertAt(state, { text, at }, at < lineEnd(text, at) ? after(text, at) : at),
  A: (state, { text, at }) => insertAt(state, { text, at }, lineEnd(text, at)),
  I: (state, { text, at }) => insertAt(state, { text, at }, lineStart(text, at)),
  o: (state, { text, at }) => {
    const end = lineEnd(text, at);
    return insertAt(state, { text: `${text.slice(0, end)}\n${text.slice(end)}`, at }, end + 1);
  },
  x: (state, { text, at }) => (at < lineEnd(text, at) ? cut(state, text, at, after(text, at)) : same(state, text, at)),
  p: (state, { text, at }) => put(state, text, at),
};

function operated(state: ViState, { text, at }: ViText, operator: "d" | "c", key: string): ViStep {
  const mode = operator === "c" ? "insert" : "normal";
  if (key === operator) return wholeLine({ ...state, mode }, text, at);
  if (key !== "w") return same(state, text, at);
  // cw changes to the end of the word, dw takes the blanks behind it; neither reaches into the next line.
  const to = Math.min(lineEnd(text, at), operator === "c" ? changedTo(text, at) : wordStart(text, at));
  const end = operator === "d" && to < at + 1 ? Math.min(lineEnd(text, at), at + 1) : to;
  const step = cut({ ...state, mode: "normal" }, text, at, end);
  return mode === "normal" ? step : { state: { ...step.state, mode }, written: { text: step.written.text, at } };
}

function wholeLine(state: ViState, text: string, at: number): ViStep {
  const [from, end] = [lineStart(text, at), lineEnd(text, at)];
  const register = `${text.slice(from, end)}\n`;
  if (state.mode === "insert")
    return { state: { ...state, register }, written: { text: text.slice(0, from) + text.slice(end), at: from } };
  const isLast = end === text.length;
  const left = isLast ? text.slice(0, Math.max(0, from - 1)) : text.slice(0, from) + text.slice(end + 1);
  const place = lineStart(left, Math.min(from, left.length));
  return { state: { ...state, register }, written: { text: left, at: place } };
}

function put(state: ViState, text: string, at: number): ViStep {
  const { register } = state;
  if (register === "") return same(state, text, at);
  if (register.endsWith("\n")) {
    const end = lineEnd(text, at);
    return {
      state,
      written: { text: `${text.slice(0, end)}\n${register.slice(0, -1)}${text.slice(end)}`, at: end + 1 },
    };
  }
  const place = at < lineEnd(text, at) ? after(text, at) : at;
  const next = text.slice(0, place) + register + text.slice(place);
  return { state, written: { text: next, at: onCharacter(next, place + register.length - 1) } };
}

function cut(state: ViState, text: string, from: number, to: number): ViStep {
  if (to <= from) return same(state, text, from);
  const left = text.slice(0, from) + text.slice(to);
  return { state: { ...state, register: text.slice(from, to) }, written: { text: left, at: onCharacter(left, from) } };
}

function insertAt(state: ViState, { text }: ViText, at: number): ViStep {
  return { state: { ...state, mode: "insert" }, written: { text, at } };
}

function same(state: ViState, text: string, at: number): ViStep {
  return { state, written: { text, at } };
}

function vertical({ text, at }: ViText, by: 1 | -1): number {
  const start = lineStart(text, at);
  const target = by < 0 ? start - 1 : lineEnd(text, at) + 1;
  if (target < 0 || target > text.length) return at;
  const from = lineStart(text, target);
  return Math.min(from + (at - start), lineEnd(text, from));
}

type Kind = "word" | "sign" | "blank";

function kindAt(text: string, at: number): Kind {
  const character = text.charAt(at);
  if (character === "" || /\s/.test(character)) return "blank";
  return /[\p{L}\p{N}_\ud800-\udfff]/u.test(character) || /[\ud800-\udfff]/.test(character) ? "word" : "sign";
}

function runEnd(text: string, at: number): number {
  let to = at;
  const kind = kindAt(text, at);
  while (to < text.length && kindAt(text, to) === kind) to += 1;
  return to;
}

function wordStart(text: string, at: number): number {
  let to = kindAt(text, at) === "blank" ? at : runEnd(text, at);
  while (to < text.length && kindAt(text, to) === "blank") to += 1;
  return to;
}

function changedTo(text: string, at: number): number {
  return at < text.length ? runEnd(text, at) : at;
}

function wordEnd(text: string, at: number): number {
  let to = at + 1;
  while (to < text.length && kindAt(text, to) === "blank") to += 1;
  return to >= text.length ? Math.max(at, text.length - 1) : runEnd(text, to) - 1;
}

function earlierWord(text: string, at: number): number {
  let to = at;
  while (to > 0 && kindAt(text, to - 1) === "blank") to -= 1;
  const kind = kindAt(text, to - 1);
  while (to > 0 && kindAt(text, to - 1) === kind && kind !== "blank") to -= 1;
  return to;
}

function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function before(text: string, at: number): number {
  return graphemes.segment(text).containing(at - 1)?.index ?? 0;
}

function after(text: string, at: number): number {
  const here = graphemes.segment(text).containing(at);
  return here === undefined ? text.length : here.index + here.segment.length;
}

/** In normal mode the cursor stands on a character, not behind the last one of a line. */
function onCharacter(text: string, at: number): number {
  const place = at >= lineEnd(text, Math.min(at, text.length)) && at > lineStart(text, at) ? at - 1 : at;
  return place >= text.length ? text.length : (graphemes.segment(text).containing(place)?.index ?? 0);
}
