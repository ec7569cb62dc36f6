// What pi's file tools would change, out of their arguments: a written file whole, of an edit the pieces it replaces.

import type { FileChange } from "../../../contract/file-change.js";
import { isRecord } from "../../../contract/json-value.js";

export function changesOf(tool: string, args: unknown): FileChange[] {
  if (!isRecord(args) || typeof args.path !== "string") return [];
  const { path } = args;
  if (tool === "write" && typeof args.content === "string") return [{ path, oldText: null, newText: args.content }];
  if (tool !== "edit") return [];
  const edits = Array.isArray(args.edits) ? args.edits.filter(isRecord) : [args];
  return edits.flatMap(({ oldText, newText }) =>
    typeof oldText === "string" && typeof newText === "string" ? [{ path, oldText, newText }] : [],
  );
}
