// Keeps files and functions short. What has to be longer stands in a list of exceptions with its size and a reason;
// the list can only shrink, because an entry that is not needed, or that was outgrown, is a finding itself.
import { type FunctionExtent, functionsOf } from "./functions.js";
import { countLines, type Finding, type SourceFile, topFolder } from "./source-file.js";

export const FILE_LINES_MAX = 500;
export const FUNCTION_LINES_MAX = 70;

export interface SizeException {
  readonly path: string;
  /** The function's name; without it the exception is for the file. */
  readonly functionName?: string;
  readonly lines: number;
  readonly reason: string;
}

interface Oversize {
  readonly path: string;
  readonly functionName?: string;
  readonly line: number;
  readonly lines: number;
}

export function checkSizes(files: readonly SourceFile[], exceptions: readonly SizeException[]): Finding[] {
  const oversizes = files.flatMap(oversizesOf);
  return [
    ...oversizes.flatMap((oversize) => judge(oversize, exceptions)),
    ...exceptions.filter((exception) => !oversizes.some((oversize) => covers(exception, oversize))).map(needless),
  ];
}

function oversizesOf(file: SourceFile): Oversize[] {
  const lines = countLines(file.text);
  const whole = lines > FILE_LINES_MAX ? [{ path: file.path, line: 1, lines }] : [];
  // A suite groups its cases in one long callback, so only the files of tests are measured.
  if (topFolder(file) === "test" || !/\.(ts|mjs)$/.test(file.path)) return whole;
  return [
    ...whole,
    ...functionsOf(file)
      .filter(tooLong)
      .map((extent) => oversizeOf(file.path, extent)),
  ];
}

function tooLong({ lines }: FunctionExtent): boolean {
  return lines > FUNCTION_LINES_MAX;
}

function oversizeOf(path: string, { name, firstLine, lines }: FunctionExtent): Oversize {
  return { path, functionName: name, line: firstLine, lines };
}

function covers(exception: SizeException, oversize: Oversize): boolean {
  return exception.path === oversize.path && exception.functionName === oversize.functionName;
}

function judge(oversize: Oversize, exceptions: readonly SizeException[]): Finding[] {
  const { path, line, lines, functionName } = oversize;
  const allowed = exceptions.find((exception) => covers(exception, oversize))?.lines;
  const limit = allowed ?? (functionName === undefined ? FILE_LINES_MAX : FUNCTION_LINES_MAX);
  if (lines <= limit) return [];
  const what = functionName === undefined ? "the file" : `function ${functionName}`;
  const advice = allowed === undefined ? "split it" : "it outgrew its exception in test/tidy/exceptions.ts; split it";
  return [{ path, line, message: `${what} has ${lines} lines, ${limit} are allowed: ${advice}` }];
}

function needless({ path, functionName }: SizeException): Finding {
  const what = functionName === undefined ? "this file" : `function ${functionName}`;
  return { path, line: 1, message: `${what} needs no exception any more: take it out of test/tidy/exceptions.ts` };
}
