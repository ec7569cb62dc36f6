// Finds tests that wait for a length of time instead of for the thing itself. A helper whose name says what it waits
// for (waitFor…, until…, eventually…) may pause between two looks.
import { type FunctionExtent, functionsOf } from "./functions.js";
import { type Finding, lineAt, type SourceFile } from "./source-file.js";

export const NAP_MS_MIN = 100;
const WAITING_HELPER = /^(?:wait|until|eventually|poll|deadline|timeLimit|within)/i;
const TIMER = /(?<![\w$.])setTimeout\s*\(\s*(?:[\w$]+|\(\s*\)\s*=>\s*[\w$]+\s*\([^()]*\))\s*,\s*(\d[\d_]*)\s*\)/g;
const NAP = /(?<![\w$.])(?:sleep|nap|pause|delay|wait|setTimeout)(?:Ms)?\s*\(\s*(\d[\d_]*)\s*[,)]/g;

export function checkNaps(file: SourceFile): Finding[] {
  if (!file.path.startsWith("test/") || !file.path.endsWith(".ts")) return [];
  const helpers = functionsOf(file).filter(({ name }) => WAITING_HELPER.test(name));
  return [...file.code.matchAll(TIMER), ...file.code.matchAll(NAP)]
    .filter((match) => durationMs(match) >= NAP_MS_MIN && !helpers.some((helper) => holds(helper, match.index)))
    .map((match) => ({
      path: file.path,
      line: lineAt(file.text, match.index),
      message: `sleeps for ${durationMs(match)} ms: wait for the thing itself, or use a helper that names it`,
    }));
}

function durationMs(match: RegExpExecArray): number {
  return Number((match[1] ?? "0").replaceAll("_", ""));
}

function holds({ bodyStart, bodyEnd }: FunctionExtent, offset: number): boolean {
  return bodyStart < offset && offset < bodyEnd;
}
