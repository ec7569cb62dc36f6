// Finds files by their paths.

import { realpath } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { compileGlob } from "../../session/permission/glob.js";
import { type Tool, ToolError } from "../tool.js";
import { approvedPath, attempt, pathPlan } from "./attempt.js";
import { searchRoot, walkFiles } from "./file-walk.js";
import { GLOB_RESULTS_MAX, WALK_ENTRIES_MAX } from "./limits.js";
import { deniedNote, requireFolder } from "./ls-tool.js";

const inputSchema = z.object({
  pattern: z.string().min(1).max(1_000).describe("For example **/*.ts, src/**/*.{js,css}; relative to path."),
  path: z.string().optional().describe("The folder to look in; the workspace when left out."),
  include_ignored: z.boolean().optional().describe("Also look at node_modules, .git and what .gitignore leaves out."),
});

export const globTool: Tool<typeof inputSchema> = {
  name: "glob",
  description:
    `Finds files whose path matches a pattern, sorted by path, at most ${GLOB_RESULTS_MAX}. ` +
    "* stays within one name, ** goes through folders. Ignored files are left out.",
  inputSchema,

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
      return describe({ found, denied, isCut: step.done === true && step.value === "too-many" }, pattern);
    }),
};

type Findings = { readonly found: readonly string[]; readonly denied: number; readonly isCut: boolean };

function describe({ found, denied, isCut }: Findings, pattern: string) {
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
