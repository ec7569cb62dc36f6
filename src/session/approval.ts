// What is being approved, as data for every front end: what the agent says, the whole command, the diff, what is dangerous
// about it, and the names that only look like others.
import { parseUnifiedDiff } from "../text/diff/unified-diff.js";
import { lookAlikes } from "../text/look-alike.js";

export interface Approval {
  readonly title: string;
  readonly message: string;
  readonly messageIs?: "text" | "markdown";
  readonly command: string;
  readonly diff: string;
  readonly path: string;
  /** Where the agent works; paths in it are shown without it. */
  readonly folder?: string;
  /** The danger in words, or "". */
  readonly danger: string;
  /** What "always" would allow. */
  readonly rule: string;
  /** Further inputs that change what runs. */
  readonly details: readonly ApprovalDetail[];
  readonly performedBy: "palaver" | "agent" | undefined;
}

export interface ApprovalDetail {
  readonly name: string;
  readonly value: string;
}

const OUTSIDE = "runs outside Palaver, so Palaver cannot check it";

/** Lines beyond this are counted, not laid out. */
const LINES_LAID_OUT_MAX = 200;
const LINE_UNITS_MAX = 20_000;
const INDENT = "  ";

/** One line per input; a value of several lines stands below its name. */
export function detailLines({ details }: Approval): string[] {
  return details.flatMap(({ name, value }) => {
    const [first = "", ...rest] = value.replace(/\r?\n$/, "").split(/\r?\n/);
    return rest.length === 0 ? [`${name}: ${first}`] : [`${name}:`, ...[first, ...rest].map((line) => INDENT + line)];
  });
}

export function performerLines({ performedBy }: Approval): string[] {
  return performedBy === "agent" ? [OUTSIDE] : [];
}

/** Warnings about names written with letters of another alphabet. */
export function disguisesIn(approval: Approval): string[] {
  const { title, command, diff, path, rule } = approval;
  const files = diff === "" ? [] : parseUnifiedDiff(firstLines(diff).text).map((file) => file.path);
  return lookAlikes([title, command, path, rule, ...files, ...detailLines(approval)].join("\n"));
}

/** Everything besides the title, each part once. */
export function approvalParts(approval: Approval): string[] {
  const { command, diff } = approval;
  const inputs = detailLines(approval).join("\n");
  return [ownMessage(approval), command, ...unsaidPaths(approval), inputs, diff].filter((part) => part !== "");
}

// Titles may be the agent's words: a path is left out only when the title is a known verb and that path.
export function unsaidPaths({ title, path, diff, folder = "" }: Approval): string[] {
  const files = diff === "" ? [] : parseUnifiedDiff(firstLines(diff).text);
  // With several files, their rows begin with the names.
  const inDiff = innerPath(files.length === 1 ? (files[0]?.path ?? "") : "", folder);
  const paths = isEndOf(path, inDiff) ? [path] : isEndOf(inDiff, path) ? [inDiff] : [path, inDiff];
  return paths.filter((one) => one !== "" && !isTitle(title, one));
}

/** Whether it is the same path from a folder on: "x.ts" is no end of "index.ts". */
function isEndOf(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`);
}

/** The approval with the paths in the folder as they are there. Commands stay as they run. */
export function inFolder(approval: Approval, folder: string): Approval {
  const [verb = "", ...rest] = approval.title.split(" ");
  const subject = innerPath(rest.join(" "), folder);
  const isShort = VERBS.has(verb) && approval.command === "" && subject !== "";
  const title = isShort ? `${verb} ${subject}` : approval.title;
  return { ...approval, title, path: innerPath(approval.path, folder), folder };
}

/** "" for the folder itself. A path with dots between its slashes may lead elsewhere and stays whole. */
function innerPath(path: string, folder: string): string {
  if (folder === "" || !`${path}/`.startsWith(`${folder}/`)) return path;
  const inner = path.slice(folder.length + 1);
  return /(?:^|\/)\.{1,2}(?:\/|$)/.test(inner) ? path : inner;
}

// Agents for older front ends repeat these fields in the message.
export function ownMessage({ title, message, danger, command }: Approval): string {
  let rest = message;
  for (const said of [danger, command]) if (said !== "") rest = rest.replace(said, () => "");
  const own = rest.replace(/^(?:[ \t]*\r?\n)+|\s+$/g, "");
  return own === "The agent says:" || own === title ? "" : own;
}

/** The title of what runs a command: the command stands alone below it, so that a title that repeats it keeps the verb only. */
export function withoutCommand(title: string, command: string): string {
  if (command.trim() === "") return title;
  const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
  const [verb = "", ...rest] = title.split(" ");
  if (repeats(oneLine(title), oneLine(command))) return UNNAMED_COMMAND;
  return VERBS.has(verb) && repeats(oneLine(rest.join(" ")), oneLine(command)) ? verb : title;
}

const UNNAMED_COMMAND = "run";

/** Whether it is the command, or its beginning and end with "…" for what is left out. */
function repeats(said: string, command: string): boolean {
  const [begin = "", end, ...more] = said.split("…");
  if (end === undefined) return said === command;
  return more.length === 0 && begin !== "" && command.startsWith(begin) && command.endsWith(end);
}

const VERBS: ReadonlySet<string> = new Set(
  "run bash read edit write delete move search fetch Bash Read Edit Write MultiEdit NotebookEdit Grep Glob".split(" "),
);

// A title is one line: the lines of a command would stand side by side in it, where a "#" hides the ones behind it.
function isTitle(title: string, subject: string): boolean {
  if (/[\r\n]/.test(subject)) return false;
  const [verb = "", ...rest] = title.split(" ");
  return title === subject || (VERBS.has(verb) && rest.join(" ") === subject);
}

export function firstLines(text: string): { text: string; lines: string[]; beyond: number } {
  const all = text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
  let units = 0;
  let count = 0;
  for (const line of all) {
    units += line.length;
    if (count === LINES_LAID_OUT_MAX || (units > LINE_UNITS_MAX && count > 0)) break;
    count += 1;
  }
  const lines = all.slice(0, count).map((line) => line.slice(0, LINE_UNITS_MAX));
  const isCutInside = all[0] !== undefined && all[0].length > LINE_UNITS_MAX;
  return { text: lines.join("\n"), lines, beyond: all.length - count + (isCutInside ? 1 : 0) };
}
