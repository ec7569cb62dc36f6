// Where a path really leads. The string that a model writes proves nothing: links are followed by hand, name by name,
// also when the last ones do not exist yet, because a dangling link decides where a new file would be made.
//
//   written          on disk                      real path         reach
//   src/a.ts         a file                       /ws/src/a.ts      inside
//   ../x             anything                     /x                outside
//   notes            a link to /etc               /etc              outside
//   new/a.ts         nothing yet                  /ws/new/a.ts      inside
//   log              a link to /var/missing       /var/missing      outside
import { lstat, readlink, realpath } from "node:fs/promises";
import { userInfo } from "node:os";
import { isAbsolute, join, relative, sep } from "node:path";
import { homeFolder, NO_HOME } from "../../session/user-folders.js";
import { ToolError } from "../tool.js";
import { systemProblem } from "./system-problem.js";

const LINKS_MAX = 40;
const PATH_CHARS_MAX = 4_096;

export type WorkspacePath = {
  /** As it was written. */
  readonly written: string;
  /** Absolute, without any link in it. */
  readonly realPath: string;
  /** What rules and people read: relative to the workspace when inside, else absolute. */
  readonly subject: string;
  readonly reach: "inside" | "outside";
};

export async function findPath(folder: string, written: string): Promise<WorkspacePath> {
  if (written === "") throw new ToolError('The path is empty. Use "." for the workspace itself.');
  if (written.includes("\0")) throw new ToolError("The path has a NUL character in it.");
  if (written.length > PATH_CHARS_MAX) throw new ToolError(`The path is longer than ${PATH_CHARS_MAX} characters.`);
  const root = await workspaceRoot(folder);
  const realPath = await followLinks(absolute(root, written));
  return { written, realPath, ...placeOf(root, realPath) };
}

/** The workspace without links. */
export async function workspaceRoot(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    throw new ToolError(systemProblem(error, `The workspace ${folder}`));
  }
}

/** Where an absolute path without links stands, seen from a workspace without links. */
function placeOf(root: string, realPath: string): Pick<WorkspacePath, "subject" | "reach"> {
  const inner = relative(root, realPath);
  const isInside = inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
  if (!isInside) return { subject: realPath, reach: "outside" };
  return { subject: inner === "" ? "." : inner.split(sep).join("/"), reach: "inside" };
}

function absolute(root: string, written: string): string {
  if (written === "~" || written.startsWith("~/")) return home() + written.slice(1);
  return isAbsolute(written) ? written : `${root}/${written}`;
}

function home(): string {
  const folder = homeFolder(process.env, () => userInfo().homedir);
  if (folder === null) throw new ToolError(NO_HOME);
  return folder;
}

// The names still to go are a stack, so that the target of a link is simply put in front of them. `..` is applied after
// a link was followed, as the system does it.
async function followLinks(path: string): Promise<string> {
  const open = path.split("/").reverse();
  let done = "/";
  let links = 0;
  let isMissing = false;
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === "" || name === ".") continue;
    const next = join(done, name);
    // Behind a missing folder there is nothing to look at, until `..` leads back.
    if (name === "..") isMissing = false;
    const target = isMissing || name === ".." ? undefined : await linkTarget(next);
    if (target === undefined) done = next;
    else if (target === "missing" || ++links > LINKS_MAX) {
      isMissing = true;
      done = next;
    } else {
      if (isAbsolute(target.to)) done = "/";
      open.push(...target.to.split("/").reverse());
    }
  }
  return done;
}

// Where the way ends is not told here: that may be something the model must not know. Looking there fails the same way.
async function linkTarget(path: string): Promise<{ to: string } | "missing" | undefined> {
  try {
    const stat = await lstat(path);
    return stat.isSymbolicLink() ? { to: await readlink(path) } : undefined;
  } catch {
    return "missing";
  }
}
