// A tool call in words: its name, its most informative argument, and the change it made. All front ends use the same words.
import { safeLine } from "../../text/safe.js";
import { shortenEnd } from "../../text/shorten.js";
import { changesDiff, isDiff } from "../file-diff.js";
import type { ToolBlock } from "./block.js";

export const ARGUMENT_CELLS_MAX = 72;
const READING = /^(?:read|view|open|cat|ls|glob|grep|plan)(?:$|[_\W])/i;

/** The change a tool made: as it was approved or reported, its output where that is a diff, else the files it changed. */
export function toolDiff({ diff, output, phase, changes }: ToolBlock): string | null {
  if (diff !== undefined) return diff;
  if (isDiff(output)) return output;
  return phase === "failed" || changes === undefined ? null : changesDiff(changes) || null;
}

/** Whether a tool only looks or plans. Its output is not shown: the files are still there, and so is the plan. */
export function isReading({ name }: ToolBlock): boolean {
  return READING.test(name);
}

/** Whether the user ran it, in a shell of their own. */
export function isUsers({ by }: ToolBlock): boolean {
  return by === "user";
}

/** Whether the lines of its output say something. Those of a plan are for the model; the plan itself is on the screen. */
export function hasLineCount(tool: ToolBlock): boolean {
  return tool.output !== "" && !isDenied(tool) && !(tool.phase === "done" && tool.name === "plan");
}

/** Its output is the user's reason. */
export function isDenied({ approval }: ToolBlock): boolean {
  return approval === "denied";
}

// The first of these that is present is shown: for a search, the pattern before the path.
const tellingKeys = [
  "command",
  "pattern",
  "query",
  "file_path",
  "path",
  "url",
  "name",
  "title",
  "question",
  "prompt",
  "description",
] as const;

/** Names and arguments are cut before cleaning, which runs every frame. */
const SHOWN_UNITS_MAX = 1_000;

export function toolName(name: string): string {
  return safeLine(name.slice(0, SHOWN_UNITS_MAX));
}

/** The most telling argument, or all of them, shortened. */
export function toolArgument(args: unknown, cellsMax = ARGUMENT_CELLS_MAX): string {
  return shortenEnd(safeLine(tellingWords(args).slice(0, SHOWN_UNITS_MAX)), cellsMax);
}

/** The same as it came, whole.
 *
 *   { path: "src", pattern: "import" }  →  import
 *   { depth: 2, flat: true }            →  depth 2, flat true
 */
export function tellingWords(args: unknown): string {
  if (args === null || args === undefined) return "";
  if (typeof args !== "object") return String(args);
  const named = args as Readonly<Record<string, unknown>>;
  const telling = tellingKeys.map((key) => named[key]).find((value) => typeof value === "string");
  return typeof telling === "string" ? telling : fieldWords(named);
}

const PATHS: ReadonlySet<string> = new Set(["path", "file_path", "filePath", "notebook_path", "directory"]);

/** The tool with the paths in its arguments and its name relative to the folder. Commands stay as they run. */
export function withInnerPaths(tool: ToolBlock, folder: string): ToolBlock {
  const start = `${folder}/`;
  const name = tool.name.includes(` ${start}`) ? tool.name.replaceAll(` ${start}`, " ") : tool.name;
  if (typeof tool.args !== "object" || tool.args === null || Array.isArray(tool.args)) return { ...tool, name };
  const args = Object.entries(tool.args).map(([key, value]) => {
    const isInside = PATHS.has(key) && typeof value === "string" && value.startsWith(start) && value !== start;
    return [key, isInside ? value.slice(start.length) : value];
  });
  return { ...tool, name, args: Object.fromEntries(args) };
}

const FIELDS_SHOWN_MAX = 40;

// No known argument: names and values without JSON syntax.
function fieldWords(named: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(named)
    .slice(0, FIELDS_SHOWN_MAX)
    .map(([key, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return Array.isArray(named) ? text : `${key} ${text}`;
    });
  return words.join(", ");
}
