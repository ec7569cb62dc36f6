// Where a search begins: the folder it was given, seen from the top whose ignore files and relative paths count. Inside
// the workspace the workspace is the top, outside of it the folder itself is.
import { type WorkspacePath, workspaceRoot } from "./workspace-path.js";

export type SearchRoot = { readonly root: string; readonly start: string };

export async function searchRoot(path: WorkspacePath, folder: string): Promise<SearchRoot> {
  if (path.reach === "outside") return { root: path.realPath, start: "" };
  return { root: await workspaceRoot(folder), start: path.subject === "." ? "" : path.subject };
}
