// Exact replacements in a text, one after the other. Pure: text and edits in, text or the reason why not out. A failed
// edit says enough that the next try can work.
import { ToolError } from "../tool.js";
import { EDIT_BYTES_MAX } from "./limits.js";

export type TextEdit = {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean | undefined;
};

type EditedText = { readonly text: string; readonly replacements: number };

const LINES_NAMED_MAX = 5;

export function applyEdits(before: string, edits: readonly TextEdit[]): EditedText {
  let text = before;
  let replacements = 0;
  edits.forEach((edit, at) => {
    const which = edits.length === 1 ? "" : `Edit ${at + 1} of ${edits.length}: `;
    const done = applyEdit(text, edit, which);
    text = done.text;
    replacements += done.replacements;
  });
  if (text === before) throw new ToolError("The edits change nothing.");
  return { text, replacements };
}

function applyEdit(text: string, edit: TextEdit, which: string): EditedText {
  if (edit.old_text === "") throw new ToolError(`${which}old_text is empty. Use write to make a whole file.`);
  if (edit.old_text === edit.new_text) throw new ToolError(`${which}old_text and new_text are the same.`);
  const { old_text, new_text } = inLineEndsOf(text, edit);
  const places = placesOf(text, old_text);
  if (places.length === 0) throw new ToolError(`${which}old_text is not in the file. ${hint(text, edit.old_text)}`);
  if (places.length > 1 && edit.replace_all !== true) {
    throw new ToolError(
      `${which}old_text is in the file ${places.length} times, at ${namedLines(text, places)}. ` +
        "Add the lines around the one you mean, or set replace_all.",
    );
  }
  if (text.length + places.length * (new_text.length - old_text.length) > EDIT_BYTES_MAX) {
    throw new ToolError(`${which}the file would become too large.`);
  }
  // Split and join, because a replacement may contain $ and must be taken literally.
  return { text: text.split(old_text).join(new_text), replacements: places.length };
}

// Models write \n. In a file with CRLF that means the file's own line ends, unless the text is there as it was written.
function inLineEndsOf(text: string, { old_text, new_text }: TextEdit): Pick<TextEdit, "old_text" | "new_text"> {
  if (!text.includes("\r\n") || /\r/.test(old_text)) return { old_text, new_text };
  const isMixed = /(?<!\r)\n/.test(text);
  if (isMixed && old_text.includes("\n") && text.includes(old_text)) return { old_text, new_text };
  const isPlain = isMixed && !old_text.includes("\n");
  return { old_text: withCrlf(old_text), new_text: isPlain || new_text.includes("\r") ? new_text : withCrlf(new_text) };
}

export function withCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

/** Whether every line of it ends with CRLF, and there is one. */
export function hasCrlfOnly(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}

function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function namedLines(text: string, places: readonly number[]): string {
  const lines = places.slice(0, LINES_NAMED_MAX).map((at) => text.slice(0, at).split("\n").length);
  return `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${places.length > lines.length ? ", …" : ""}`;
}

function hint(text: string, wanted: string): string {
  const near = nearestLine(text, wanted);
  if (near === undefined) return "Nothing in it is similar; read the file again.";
  const what = near.likeness === "but-for-white-space" ? "The same but for white space is" : "The nearest is";
  return `${what} line ${near.line}: ${near.text}`;
}

// The line of a text that is most like what was not found: usually the one that was meant.
type NearestLine = {
  readonly line: number;
  readonly text: string;
  readonly likeness: "but-for-white-space" | "similar";
};

const LINES_MAX = 20_000;
const LINE_CHARS_MAX = 300;
const LIKENESS_MIN = 0.5;

function nearestLine(text: string, wanted: string): NearestLine | undefined {
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
