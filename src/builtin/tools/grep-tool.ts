// Searches the contents of files for a regular expression. Files that policy would ask about are left out when a folder
// is searched, because no question was asked about them, and counted as left out.

import { setImmediate } from "node:timers/promises";
import { createContext, Script } from "node:vm";
import * as z from "zod";
import { compileGlob } from "../../session/permission/glob.js";
import { looksSecret } from "../../session/permission/secret-files.js";
import { type ReadSubject, type Tool, type ToolContext, ToolError } from "../tool.js";
import { approvedPath, attempt, counted, pathPlan } from "./attempt.js";
import { contentKind, SNIFF_BYTES } from "./content-kind.js";
import { searchRoot, walkFiles } from "./file-walk.js";
import {
  GREP_CONTEXT_LINES_MAX,
  GREP_FILE_BYTES_MAX,
  GREP_FILE_MS_MAX,
  GREP_LINE_CHARS_MAX,
  GREP_MATCHES_MAX,
  GREP_TEXT_CHARS_MAX,
} from "./limits.js";
import { decisionByName, kindOf, type ReadDecision, smallFileSync } from "./regular-file.js";
import { errorCode } from "./system-problem.js";
import type { WorkspacePath } from "./workspace-path.js";

const inputSchema = z.object({
  pattern: z.string().min(1).max(1_000).describe("A JavaScript regular expression, matched within one line."),
  path: z.string().optional().describe("The file or folder to search; the workspace when left out."),
  glob: z.string().max(1_000).optional().describe("Only files like this, for example *.ts or src/**/*.css."),
  ignore_case: z.boolean().optional(),
  context: z.int().min(0).max(GREP_CONTEXT_LINES_MAX).optional().describe("Lines to show around each match."),
  files_only: z.boolean().optional().describe("Only the names of the files with a match."),
  include_ignored: z.boolean().optional().describe("Also search node_modules, .git and what .gitignore leaves out."),
});

type Input = z.infer<typeof inputSchema>;

export const grepTool: Tool<typeof inputSchema> = {
  name: "grep",
  description:
    `Searches files for a regular expression and shows path:line:text, at most ${GREP_MATCHES_MAX} matches. ` +
    "Binary files, very large files, ignored files and files that look like secrets are left out.",
  inputSchema,

  async plan(input, context) {
    lineMatcher(input);
    return pathPlan("read", context, input.path ?? ".", (subject) => `search ${subject} for ${input.pattern}`);
  },

  run: (input, context) =>
    attempt(context, input.path ?? ".", async () => {
      const path = await approvedPath(input.path ?? ".", context);
      const matcher = lineMatcher(input);
      const report = new MatchReport(input.context ?? 0, input.files_only === true ? "files" : "lines");
      const kind = await requireSearchable(path);
      const end =
        kind === "file" ? searchFile(path, matcher, report) : await searchFolder(path, input, matcher, report, context);
      return { text: report.text(input.pattern, end), outcome: "done", details: report.details };
    }),
};

async function requireSearchable({ realPath, subject }: WorkspacePath): Promise<"file" | "folder"> {
  const kind = await kindOf(realPath);
  if (kind === "file" || kind === "folder") return kind;
  throw new ToolError(
    kind === "missing" ? `${subject} does not exist.` : `${subject} is a ${kind}, not a file or folder.`,
  );
}

/** How many files are searched before others get their turn. */
const GIVE_WAY_FILES = 16;

type SearchedFile = Pick<WorkspacePath, "realPath" | "subject">;
type SearchEnd = "complete" | "cut" | "too-many";

async function searchFolder(
  path: WorkspacePath,
  { glob, include_ignored }: Input,
  matcher: LineMatcher,
  report: MatchReport,
  { folder, signal, readDecision = decisionByName }: ToolContext,
): Promise<SearchEnd> {
  const { root, start } = await searchRoot(path, folder);
  const isWanted = fileFilter(glob);
  const walk = walkFiles({ root, start, ignored: include_ignored === true ? "included" : "left-out", signal });
  let searched = 0;
  for (let step = await walk.next(); ; step = await walk.next()) {
    if (step.done === true) return step.value;
    if (report.isFull) return "cut";
    if (++searched % GIVE_WAY_FILES === 0) await setImmediate(undefined, { signal });
    const { path: found, kind } = step.value;
    // A link leads to a file that is searched where it stands, or to one outside that was not approved.
    if (kind === "link") continue;
    const realPath = `${root}/${found}`;
    const subject = path.reach === "inside" ? found : realPath;
    const refusal = whyNotSearched({ subject, reach: path.reach }, readDecision);
    // All that is denied is counted, not only what the glob wants, so that a glob cannot be used to guess names.
    const isCounted = refusal === DENIED || isWanted(start === "" ? found : found.slice(start.length + 1));
    if (!isCounted) continue;
    if (refusal === null) searchFile({ realPath, subject }, matcher, report);
    else report.skip(refusal);
  }
}

const DENIED = "a rule denies reading them";

// Outside the workspace everything is asked about, and the user has agreed to this folder; what looks like a secret
// was not in that question.
function whyNotSearched(file: ReadSubject, decide: ReadDecision): string | null {
  const decision = decide(file);
  if (decision === "deny") return DENIED;
  const isAgreed = decision === "allow" || (file.reach === "outside" && !looksSecret(file.subject));
  return isAgreed ? null : "each needs an approval; read them one by one";
}

/** As people mean it: *.ts in any folder, src/*.ts only there. */
function fileFilter(glob: string | undefined): (path: string) => boolean {
  if (glob === undefined) return () => true;
  const bare = glob.replace(/^\.\//, "");
  return compileGlob(bare.includes("/") ? bare : `**/${bare}`).matches;
}

function searchFile(path: SearchedFile, matcher: LineMatcher, report: MatchReport): "complete" {
  const text = searchableText(path);
  if (typeof text !== "string") report.skip(text.skipped);
  else {
    const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
    if (lines.at(-1) === "") lines.pop();
    report.add(path.subject, lines, matcher(lines));
  }
  return "complete";
}

// One file that vanished or may not be opened does not end the search.
function searchableText({ realPath }: SearchedFile): string | { skipped: string } {
  const bytes = smallFileSync(realPath, GREP_FILE_BYTES_MAX);
  if (bytes === "no-file") return { skipped: "cannot be opened" };
  if (bytes === "too-large") return { skipped: `larger than ${GREP_FILE_BYTES_MAX / 1024 / 1024} MB` };
  return contentKind(bytes.subarray(0, SNIFF_BYTES)).kind === "text" ? bytes.toString("utf8") : { skipped: "binary" };
}

// What was found, as lines for the model, within limits.
//
//   src/a.ts:12:a line that matches
//   src/a.ts-13-a line of context
//   --
//   src/b.ts:3:another
class MatchReport {
  private readonly contextLines: number;
  private readonly show: "lines" | "files";
  private readonly lines: string[] = [];
  private chars = 0;
  private matches = 0;
  private files = 0;
  private isCut = false;
  private readonly skipped = new Map<string, number>();

  constructor(contextLines: number, show: "lines" | "files") {
    this.contextLines = contextLines;
    this.show = show;
  }

  get isFull(): boolean {
    return this.matches >= GREP_MATCHES_MAX || this.chars >= GREP_TEXT_CHARS_MAX;
  }

  skip(reason: string): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1);
  }

  add(path: string, lines: readonly string[], found: readonly number[]): void {
    if (found.length === 0) return;
    this.files++;
    if (this.show === "files") {
      this.matches++;
      this.push(path);
    } else this.addLines(path, lines, found);
  }

  private addLines(path: string, lines: readonly string[], found: readonly number[]): void {
    const { contextLines } = this;
    const hits = new Set(found);
    let shownTo = -1;
    for (const hit of found) {
      if (this.isFull) {
        this.isCut = true;
        return;
      }
      this.matches++;
      const first = Math.max(shownTo + 1, hit - contextLines);
      if (contextLines > 0 && first > shownTo + 1 && this.lines.length > 0) this.push("--");
      const last = Math.min(lines.length - 1, hit + contextLines);
      for (let at = first; at <= last; at++) {
        // The context of one match ends where the next match begins, which is counted by itself.
        if (at > hit && hits.has(at)) break;
        this.push(lineOf(path, at, lines[at] ?? "", hits.has(at) ? ":" : "-"));
        shownTo = at;
      }
    }
  }

  private push(line: string): void {
    this.lines.push(line);
    this.chars += line.length + 1;
  }

  text(pattern: string, end: "complete" | "cut" | "too-many"): string {
    const notes: string[] = [];
    if (end === "cut" || this.isCut)
      notes.push(`the first ${counted(this.matches, "match", "matches")}; search for less to see others`);
    if (end === "too-many") notes.push("not everything was searched: too many files; give a folder as path");
    for (const [reason, count] of this.skipped) notes.push(`${counted(count, "file")} left out: ${reason}`);
    const body = this.lines.length === 0 ? [`Nothing matches ${pattern}.`] : this.lines;
    return [...body, ...notes.map((note) => `[${note}]`)].join("\n");
  }

  get details(): { matches: number; files: number } {
    return { matches: this.matches, files: this.files };
  }
}

function lineOf(path: string, at: number, text: string, mark: ":" | "-"): string {
  const shown = text.length > GREP_LINE_CHARS_MAX ? `${text.slice(0, GREP_LINE_CHARS_MAX)}…` : text;
  return `${path}${mark}${at + 1}${mark}${shown}`;
}

// A regular expression with a time limit. A pattern such as (a+)+b can take longer than the sun on the right line, and
// the engine cannot be interrupted from within; a script of the vm module can, so the loop over the lines runs in one.
// That keeps everything in one thread and one bundle, and costs a bad pattern one pause of the limit's length.
/** The indexes of matching lines; throws a ToolError when the pattern takes too long. */
type LineMatcher = (lines: readonly string[]) => number[];

// The globals of another context are slow to reach, so the loop copies them into variables first.
const SEARCH = new Script(`(() => {
  const [all, wanted, found] = [lines, pattern, []];
  for (let at = 0; at < all.length; at++) if (wanted.test(all[at])) found.push(at);
  return found;
})()`);

function lineMatcher({ pattern: source, ignore_case }: Pick<Input, "pattern" | "ignore_case">): LineMatcher {
  const scope = { lines: [] as readonly string[], pattern: compiled(source, ignore_case === true ? "i" : "") };
  createContext(scope);
  return (lines) => {
    scope.lines = lines;
    try {
      return [...(SEARCH.runInContext(scope, { timeout: GREP_FILE_MS_MAX }) as number[])];
    } catch (error) {
      if (errorCode(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new ToolError(`The pattern ${source} takes too long. Write it without repetitions inside repetitions.`);
    } finally {
      scope.lines = [];
    }
  };
}

function compiled(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    const { message } = error as Error;
    throw new ToolError(
      `${message}. Write a JavaScript regular expression, with \\ before ( [ { . * + ? meant literally.`,
    );
  }
}
