// What pi's file tools would change, out of their arguments: a written file whole, of an edit the pieces it replaces.
import type { FileChange } from "../../../contract/file-change.js";

type Fields = Readonly<Record<string, unknown>>;

export function changesOf(tool: string, args: unknown): FileChange[] {
  if (!isFields(args) || typeof args.path !== "string") return [];
  const { path } = args;
  if (tool === "write" && typeof args.content === "string") return [{ path, oldText: null, newText: args.content }];
  if (tool !== "edit") return [];
  const edits = Array.isArray(args.edits) ? args.edits.filter(isFields) : [args];
  return edits.flatMap(({ oldText, newText }) =>
    typeof oldText === "string" && typeof newText === "string" ? [{ path, oldText, newText }] : [],
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
