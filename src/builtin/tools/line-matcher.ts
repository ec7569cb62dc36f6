// A regular expression with a time limit. A pattern such as (a+)+b can take longer than the sun on the right line, and
// the engine cannot be interrupted from within; a script of the vm module can, so the loop over the lines runs in one.
// That keeps everything in one thread and one bundle, and costs a bad pattern one pause of the limit's length.
import { createContext, Script } from "node:vm";
import { ToolError } from "../tool.js";
import { errorCode } from "./system-problem.js";

export type LineMatcher = {
  /** The indexes of matching lines; throws a ToolError when the pattern takes too long. */
  matching(lines: readonly string[]): number[];
};

// The globals of another context are slow to reach, so the loop takes them into its own hands first.
const SEARCH = new Script(`(() => {
  const [all, wanted, found] = [lines, pattern, []];
  for (let at = 0; at < all.length; at++) if (wanted.test(all[at])) found.push(at);
  return found;
})()`);

export function lineMatcher(
  source: string,
  { letterCase, limitMs }: { letterCase: "matters" | "ignored"; limitMs: number },
): LineMatcher {
  const scope = { lines: [] as readonly string[], pattern: compiled(source, letterCase === "ignored" ? "i" : "") };
  createContext(scope);
  return {
    matching(lines) {
      scope.lines = lines;
      try {
        return [...(SEARCH.runInContext(scope, { timeout: limitMs }) as number[])];
      } catch (error) {
        if (errorCode(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
        throw new ToolError(`The pattern ${source} takes too long. Write it without repetitions inside repetitions.`);
      } finally {
        scope.lines = [];
      }
    },
  };
}

function compiled(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    const { message } = error as Error;
    throw new ToolError(
      `${message}. Write a JavaScript regular expression, with \\ before ( [ { . * + ? meant literally.`,
    );
  }
}
