// Searches the contents of files for a regular expression. Files that policy would ask about are left out when a folder
// is searched, because nobody was asked about them, and named as left out.
import { setImmediate } from "node:timers/promises";
import * as z from "zod";
import { dangerOfPath } from "../../session/permission/danger.js";
import { compileGlob } from "../../session/permission/glob.js";
import { looksSecret } from "../../session/permission/secret-files.js";
import { type ReadSubject, type Tool, type ToolContext, ToolError } from "../tool.js";
import { approvedPath, attempt } from "./attempt.js";
import { contentKind, SNIFF_BYTES } from "./content-kind.js";
import { walkFiles } from "./file-walk.js";
import { GREP_CONTEXT_LINES_MAX, GREP_FILE_BYTES_MAX, GREP_FILE_MS_MAX, GREP_MATCHES_MAX } from "./limits.js";
import { type LineMatcher, lineMatcher } from "./line-matcher.js";
import { MatchReport } from "./match-report.js";
import { decisionByName, kindOf, type ReadDecision, smallFileSync } from "./regular-file.js";
import { searchRoot } from "./search-root.js";
import { findPath, type WorkspacePath } from "./workspace-path.js";

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

  async plan({ pattern, path: written = ".", ignore_case }, { folder }) {
    matcherFor({ pattern, ignore_case });
    const { subject, reach } = await findPath(folder, written);
    const danger = dangerOfPath({ access: "read", path: subject, reach });
    const summary = `search ${subject} for ${pattern}`;
    return { access: "read", subject, reach, danger, preview: { file_path: subject, summary } };
  },

  run: (input, context) =>
    attempt(context, input.path ?? ".", async () => {
      const path = await approvedPath(input.path ?? ".", context);
      const matcher = matcherFor(input);
      const report = new MatchReport({
        contextLines: input.context ?? 0,
        matchesMax: GREP_MATCHES_MAX,
        show: input.files_only === true ? "files" : "lines",
      });
      const kind = await requireSearchable(path);
      const end =
        kind === "file" ? searchFile(path, matcher, report) : await searchFolder(path, input, matcher, report, context);
      return { text: report.text(input.pattern, end), outcome: "done", details: report.details };
    }),
};

function matcherFor({ pattern, ignore_case }: Pick<Input, "pattern" | "ignore_case">): LineMatcher {
  return lineMatcher(pattern, { letterCase: ignore_case === true ? "ignored" : "matters", limitMs: GREP_FILE_MS_MAX });
}

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
    // A link leads to a file that is searched where it stands, or to one outside that nobody agreed to.
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

// Outside the workspace everything is asked about, and the person has agreed to this folder; what looks like a secret
// was not in that question.
function whyNotSearched(file: ReadSubject, decide: ReadDecision): string | null {
  const decision = decide(file);
  if (decision === "deny") return DENIED;
  const isAgreed = decision === "allow" || (file.reach === "outside" && !looksSecret(file.subject));
  return isAgreed ? null : "not to be read without asking; read them one by one";
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
    report.add(path.subject, lines, matcher.matching(lines));
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
