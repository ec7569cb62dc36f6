// The tools that name what is there: ls lists one folder, glob finds files by their paths.

import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { compileGlob } from "../../session/permission/glob.js";
import { type ReadSubject, type Tool, ToolError } from "../tool.js";
import { approvedPath, attempt, counted, pathPlan } from "./attempt.js";
import { humanBytes } from "./content-kind.js";
import { byName, searchRoot, walkFiles } from "./file-walk.js";
import { GLOB_RESULTS_MAX, LS_ENTRIES_MAX, WALK_ENTRIES_MAX } from "./limits.js";
import { kindOf, kindOfStat } from "./regular-file.js";
import type { WorkspacePath } from "./workspace-path.js";

// Lists one folder: folders first, then files with their sizes, links with where they lead.
const lsSchema = z.object({
  path: z.string().optional().describe("The folder, relative to the workspace; the workspace itself when left out."),
});

export const lsTool: Tool<typeof lsSchema> = {
  name: "ls",
  description: `Lists what is in a folder, at most ${LS_ENTRIES_MAX} entries. Folders end with a slash.`,
  inputSchema: lsSchema,

  plan: ({ path = "." }, context) => pathPlan("read", context, path, (subject) => `list ${subject}`),

  run: ({ path: written = "." }, context) =>
    attempt(context, written, async () => {
      const path = await approvedPath(written, context);
      await requireFolder(path);
      const all = (await readdir(path.realPath)).sort(byName);
      const names = all.filter((name) => context.readDecision?.(entrySubject(path, name)) !== "deny");
      const lines: Entry[] = [];
      for (const name of names.slice(0, LS_ENTRIES_MAX)) {
        context.signal.throwIfAborted();
        lines.push(await entryOf(path.realPath, name));
      }
      lines.sort((a, b) => a.order - b.order);
      const more = names.length - lines.length;
      const notes = more > 0 ? [`[${counted(more, "entry", "entries")} more; use glob with a pattern]`] : [];
      if (names.length < all.length) notes.push(deniedNote(all.length - names.length, "entry", "entries"));
      const text = all.length === 0 ? "[the folder is empty]" : [...lines.map(({ line }) => line), ...notes].join("\n");
      return { text, outcome: "done", details: { entries: names.length } };
    }),
};

function entrySubject({ subject, reach }: WorkspacePath, name: string): ReadSubject {
  return { subject: subject === "." ? name : join(subject, name), reach };
}

function deniedNote(count: number, one: string, many?: string): string {
  return `[${counted(count, one, many)} left out: a rule denies reading them]`;
}

async function requireFolder({ realPath, subject }: WorkspacePath): Promise<void> {
  const kind = await kindOf(realPath);
  if (kind === "missing") throw new ToolError(`${subject} does not exist.`);
  if (kind !== "folder") throw new ToolError(`${subject} is a ${kind}, not a folder.`);
}

type Entry = { readonly line: string; readonly order: 0 | 1 };

async function entryOf(folder: string, name: string): Promise<Entry> {
  const path = join(folder, name);
  try {
    const stat = await lstat(path);
    const kind = kindOfStat(stat);
    if (kind === "folder") return { line: `${name}/`, order: 0 };
    if (kind === "link") return { line: `${name} -> ${await readlink(path)}`, order: 1 };
    return { line: `${name}  ${kind === "file" ? humanBytes(stat.size) : kind}`, order: 1 };
  } catch {
    return { line: `${name}  (cannot be looked at)`, order: 1 };
  }
}

const globSchema = z.object({
  pattern: z.string().min(1).max(1_000).describe("For example **/*.ts, src/**/*.{js,css}; relative to path."),
  path: z.string().optional().describe("The folder to look in; the workspace when left out."),
  include_ignored: z.boolean().optional().describe("Also look at node_modules, .git and what .gitignore leaves out."),
});

export const globTool: Tool<typeof globSchema> = {
  name: "glob",
  description:
    `Finds files whose path matches a pattern, sorted by path, at most ${GLOB_RESULTS_MAX}. ` +
    "* stays within one name, ** goes through folders. Ignored files are left out.",
  inputSchema: globSchema,

  async plan({ pattern, path = "." }, context) {
    refuseClimbing(pattern);
    return pathPlan("read", context, path, (subject) => `find ${pattern} in ${subject}`);
  },

  run: ({ pattern, path: written = ".", include_ignored }, context) =>
    attempt(context, written, async () => {
      refuseClimbing(pattern);
      const path = await approvedPath(written, context);
      await requireFolder(path);
      const { root, start } = await searchRoot(path, context.folder);
      const { matches } = compileGlob(pattern.replace(/^\.\//, ""));
      const isDenied = (found: string) => {
        const subject = path.reach === "inside" ? found : `${root}/${found}`;
        return context.readDecision?.({ subject, reach: path.reach }) === "deny";
      };
      const from = await beginning(root, start, pattern, isDenied);
      const ignored = include_ignored === true ? "included" : "left-out";
      const walk = walkFiles({ root, start: from, ignored, signal: context.signal });
      const found: string[] = [];
      let denied = 0;
      let step = await walk.next();
      for (; step.done !== true && found.length <= GLOB_RESULTS_MAX; step = await walk.next()) {
        const inner = start === "" ? step.value.path : step.value.path.slice(start.length + 1);
        // All that is denied is counted, not only what matches, so that a pattern cannot be used to guess names.
        if (isDenied(step.value.path)) denied += 1;
        else if (matches(inner)) found.push(path.reach === "inside" ? step.value.path : `${root}/${step.value.path}`);
      }
      return foundText({ found, denied, isCut: step.done === true && step.value === "too-many" }, pattern);
    }),
};

type Findings = { readonly found: readonly string[]; readonly denied: number; readonly isCut: boolean };

function foundText({ found, denied, isCut }: Findings, pattern: string) {
  const shown = found.slice(0, GLOB_RESULTS_MAX);
  const notes: string[] = [];
  if (found.length > shown.length)
    notes.push(`[the first ${GLOB_RESULTS_MAX} files; use a narrower pattern for others]`);
  if (isCut) notes.push(`[stopped after ${WALK_ENTRIES_MAX} entries; give a folder as path]`);
  if (denied > 0) notes.push(deniedNote(denied, "file"));
  const text = found.length === 0 ? [`No file matches ${pattern}.`] : shown;
  const details = { files: shown.length, truncated: found.length > shown.length || isCut };
  return { text: [...text, ...notes].join("\n"), outcome: "done", details } as const;
}

function refuseClimbing(pattern: string): void {
  if (!pattern.startsWith("/") && !pattern.split("/").includes("..")) return;
  throw new ToolError("A pattern stays below its folder: give the folder as path, and the pattern without / or .. .");
}

// A link among those folders would lead the walk to a place that was not approved; then it begins at the top.
async function beginning(
  root: string,
  start: string,
  pattern: string,
  isDenied: (path: string) => boolean,
): Promise<string> {
  const from = [start, fixedFolders(pattern)].filter((part) => part !== "").join("/");
  if (from !== start && isDenied(from)) return start;
  const wanted = join(root, from);
  return (await realpath(wanted).catch(() => undefined)) === wanted ? from : start;
}

/** The folders that a pattern names outright, so that the walk can begin there: src/session for src/session/*.ts */
function fixedFolders(pattern: string): string {
  const names = pattern.replace(/^\.\//, "").split("/").slice(0, -1);
  const end = names.findIndex((name) => /[*?[{\\]/.test(name) || name === "" || name === ".");
  return names.slice(0, end < 0 ? names.length : end).join("/");
}
