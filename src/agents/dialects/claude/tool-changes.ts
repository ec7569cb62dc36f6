// What Claude's file tools would change, or did: out of the tool's input before it ran, and out of its result after, which
// knows the whole file. Anything of another shape changes nothing that could be shown.
import type { FileChange } from "../../../contract/file-change.js";
import type { JsonObject } from "../frames/json-frame.js";

/** Before it ran: of an edit only the replaced piece is known, of a written file only what will be in it. */
export function plannedChanges(tool: string, input: JsonObject): FileChange[] {
  const path = textOf(input.file_path) ?? textOf(input.notebook_path);
  if (path === null) return [];
  if (tool === "MultiEdit" && Array.isArray(input.edits)) {
    return input.edits.flatMap((edit) => pieceOf(path, edit as JsonObject));
  }
  if (tool === "Edit") return pieceOf(path, input);
  const written = tool === "Write" ? textOf(input.content) : tool === "NotebookEdit" ? textOf(input.new_source) : null;
  return written === null ? [] : [{ path, oldText: null, newText: written }];
}

/** After it ran, from the structured result. */
export function madeChanges(result: unknown): FileChange[] {
  if (typeof result !== "object" || result === null) return [];
  const { filePath, originalFile, content, oldString, newString, replaceAll } = result as JsonObject;
  const path = textOf(filePath);
  const before = textOf(originalFile);
  if (path === null) return [];
  const [from, to] = [textOf(oldString), textOf(newString)];
  if (from !== null && to !== null) {
    if (before === null) return [{ path, oldText: from === "" ? null : from, newText: to }];
    // A function as replacement, so that a dollar sign in the text stays one.
    const after = replaceAll === true ? before.replaceAll(from, () => to) : before.replace(from, () => to);
    return [{ path, oldText: before, newText: after }];
  }
  const written = textOf(content);
  const isWrite = "originalFile" in (result as JsonObject);
  return written === null || !isWrite ? [] : [{ path, oldText: before, newText: written }];
}

function pieceOf(path: string, edit: JsonObject): FileChange[] {
  const [from, to] = [textOf(edit?.old_string), textOf(edit?.new_string)];
  return from === null || to === null ? [] : [{ path, oldText: from === "" ? null : from, newText: to }];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
