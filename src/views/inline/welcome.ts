// The first screen of an agent without a model: what Palaver is, and how to continue. It is shown above the composer until
// something happens, and is never part of the transcript.
//
//   Palaver 0.2 — one terminal UI for coding agents, daemons and scripts
//
//     agents here    palaver run claude · gemini
//     a model        set ANTHROPIC_API_KEY or OPENAI_API_KEY, or /model (Ollama works offline)
//     without one    type help, or /demo for a tour
import type { SessionState } from "../../session/engine/engine-state.js";
import { safeLine } from "../../text/safe.js";
import { shortenEnd } from "../../text/shorten.js";
import { textWidth } from "../../text/width.js";
import type { AppLook } from "./app-look.js";

export interface Welcome {
  /** Shown as long as the session has this model, or none yet. */
  readonly model: string;
  /** Each from long to short: the first that fits is shown. */
  readonly title: Texts;
  readonly ways: readonly { readonly label: string; readonly texts: Texts }[];
}

type Texts = readonly [string, ...string[]];

const INDENT = "  ";
/** Below this many rows the title goes, and then the blank row below it. */
const BLANK_ROWS = 1;

/** Whether nothing has happened yet but notices. */
export function isWelcome({ model }: Welcome, { facts, journal }: SessionState): boolean {
  return (
    (facts.model === null || facts.model === model) &&
    facts.phase !== "working" &&
    journal.blocks.every(({ kind }) => kind === "notice" || kind === "log")
  );
}

export function welcomeRows(
  { title, ways }: Welcome,
  { widthCells, rowsMax }: { readonly widthCells: number; readonly rowsMax: number },
  { style }: Pick<AppLook, "style">,
): string[] {
  const labelCells = Math.max(...ways.map(({ label }) => textWidth(label))) + 2 * INDENT.length;
  const roomCells = widthCells - INDENT.length;
  // A label costs room that a narrow window needs for what it is about.
  const hasLabels = ways.every(({ texts }) => texts.some((text) => textWidth(text) <= roomCells - labelCells));
  const textCells = Math.max(1, hasLabels ? roomCells - labelCells : roomCells);
  const rows = ways.map(({ label, texts }) => {
    const name = hasLabels ? style.paint("dim", label.padEnd(labelCells)) : "";
    return `${INDENT}${name}${fitting(texts, textCells)}`;
  });
  const head = style.paint("bold", fitting(title, widthCells));
  const blank = rows.length + 1 + BLANK_ROWS <= rowsMax ? [""] : [];
  return (rows.length < rowsMax ? [head, ...blank, ...rows] : rows).slice(0, Math.max(0, rowsMax));
}

/** The same for a reader, one line each. */
export function welcomeLines({ title, ways }: Welcome): string[] {
  return [`${title[0]}.`, ...ways.map(({ label, texts }) => safeLine(`${label}: ${texts[0]}.`))];
}

function fitting(texts: Texts, cells: number): string {
  const safe = texts.map(safeLine);
  return shortenEnd(safe.find((text) => textWidth(text) <= cells) ?? safe.at(-1) ?? "", cells);
}
