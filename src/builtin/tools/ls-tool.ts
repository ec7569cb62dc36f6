// Lists one folder: folders first, then files with their sizes, links with where they lead.
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { type ReadSubject, type Tool, ToolError } from "../tool.js";
import { approvedPath, attempt, counted, pathPlan } from "./attempt.js";
import { humanBytes } from "./content-kind.js";
import { LS_ENTRIES_MAX } from "./limits.js";
import { kindOf, kindOfStat } from "./regular-file.js";
import type { WorkspacePath } from "./workspace-path.js";

const inputSchema = z.object({
  path: z.string().optional().describe("The folder, relative to the workspace; the workspace itself when left out."),
});

export const lsTool: Tool<typeof inputSchema> = {
  name: "ls",
  description: `Lists what is in a folder, at most ${LS_ENTRIES_MAX} entries. Folders end with a slash.`,
  inputSchema,

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

export function deniedNote(count: number, one: string, many?: string): string {
  return `[${counted(count, one, many)} left out: a rule denies reading them]`;
}

export async function requireFolder({ realPath, subject }: WorkspacePath): Promise<void> {
  const kind = await kindOf(realPath);
  if (kind === "missing") throw new ToolError(`${subject} does not exist.`);
  if (kind !== "folder") throw new ToolError(`${subject} is a ${kind}, not a folder.`);
}

/** The same order everywhere, whatever the language of the machine. */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
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
