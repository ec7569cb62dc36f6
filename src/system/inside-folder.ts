// Whether a path below a folder really leads there: links are followed, and none may lead outside.
import { realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";

/** Why the path, written relative to the folder, is refused; null when it is there and inside. */
export function insideProblem(folder: string, path: string): string | null {
  if (path === "" || isAbsolute(path) || path.includes("\0")) return "a path inside the folder is needed";
  try {
    const inner = relative(realpathSync(folder), realpathSync(join(folder, path)));
    const isInside = inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
    return isInside ? null : "this leads outside the folder";
  } catch {
    return "there is no such file";
  }
}
