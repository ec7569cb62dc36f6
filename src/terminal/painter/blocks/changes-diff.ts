// Changed files as one unified diff. Making it takes time, and the same changes are drawn again and again while a tool or a
// question is on the screen, so that each list of changes is compared once.
import type { FileChange } from "../../../contract/file-change.js";
import { unifiedDiffOf } from "../diff/made-diff.js";

const made = new WeakMap<readonly FileChange[], string>();

/** An empty text when nothing changes. */
export function changesDiff(changes: readonly FileChange[]): string {
  const known = made.get(changes);
  if (known !== undefined) return known;
  const diff = changes.map(({ path, oldText, newText }) => unifiedDiffOf(oldText ?? undefined, newText, path)).join("");
  made.set(changes, diff);
  return diff;
}
