// The files of a patch as changes. codex sends a new or deleted file as its text, and a changed one as hunks of a diff; each
// hunk becomes a change of its own. What cannot be read as hunks is shown as it came, so that nothing is left out.
import type { CodexPatch } from "../../../contract/codex.js";
import type { FileChange } from "../../../contract/file-change.js";
import type { InputDetail } from "../tool-inputs.js";

export function changesIn(patches: readonly CodexPatch[]): FileChange[] {
  return patches.flatMap(({ path, kind, diff }): FileChange[] => {
    if (kind.type === "add") return [{ path, oldText: null, newText: diff }];
    if (kind.type === "delete") return [{ path, oldText: diff, newText: "" }];
    return hunksIn(diff)?.map((hunk) => ({ path, ...hunk })) ?? [];
  });
}

/** What the changes do not say: that a file goes, where it goes, and what could not be read as hunks. */
export function patchDetails(patches: readonly CodexPatch[]): InputDetail[] {
  return patches.flatMap(({ path, kind, diff }) => [
    ...(kind.type === "delete" ? [{ name: "delete", value: path }] : []),
    ...(kind.move_path === undefined
      ? []
      : [
          { name: "move", value: path },
          { name: "to", value: kind.move_path },
        ]),
    ...(kind.type !== "add" && kind.type !== "delete" && diff !== "" && hunksIn(diff) === null
      ? [{ name: `diff of ${path}`, value: diff }]
      : []),
  ]);
}

type Hunk = { oldText: string; newText: string };

// Null when a line is none that a hunk can have.
function hunksIn(diff: string): Hunk[] | null {
  const hunks: Hunk[] = [];
  for (const line of diff.split(/(?<=\n)/)) {
    const hunk = hunks.at(-1);
    const text = line.slice(1);
    if (line.startsWith("@@")) hunks.push({ oldText: "", newText: "" });
    else if (hunk === undefined) return null;
    else if (line.startsWith("-")) hunk.oldText += text;
    else if (line.startsWith("+")) hunk.newText += text;
    else if (line.startsWith(" ")) {
      hunk.oldText += text;
      hunk.newText += text;
    } else if (line === "\n") {
      hunk.oldText += line;
      hunk.newText += line;
    } else if (!line.startsWith("\\")) return null;
  }
  return hunks.length === 0 ? null : hunks;
}
