// Whether a path is written as one inside a folder. Where its links lead is judged on the machine that has the folder.

const PATH_UNITS_MAX = 4_096;

export const NOT_INNER = "paths must be relative and stay inside the folder";

export function isInnerPath(path: unknown): path is string {
  if (typeof path !== "string" || path === "" || path.length > PATH_UNITS_MAX || path.includes("\0")) return false;
  return !/^[/\\]|^[A-Za-z]:/.test(path) && !path.split(/[/\\]/).includes("..");
}
