// Closed blocks as utterances: who speaks or what happened stands first, so that nobody has to look for a sign or a colour.
// Long outputs are cut to their first lines, or their last where something failed, and say how to hear the rest.
//
//   Tool run npm test, failed, 40 lines, 2.3 s.
//   expected "a,b" to equal "a, b"
//   38 more lines; /open reads them.
import type { NotifyLevel } from "../../../contract/notices.js";
import type { Block, PreviewBlock, ToolBlock } from "../../../session/transcript/block.js";
import { humanCount, humanDuration } from "../../../text/humanize.js";
import { plainText } from "../../../text/row.js";
import { safeLine, safeLines, safeSgrLines } from "../../../text/safe.js";
import { changesDiff } from "../blocks/changes-diff.js";
import { toolArgument } from "../blocks/tool-rows.js";
import { diffFingerprint } from "../diff/diff-fingerprint.js";
import { pictureKilobytes, pictureParts } from "../pictures/picture-words.js";
import { spokenDiff, spokenStat } from "./diff-speech.js";

export interface SpokenBlock {
  /** One utterance a line. */
  readonly lines: readonly string[];
  /** Whether there is more to hear than was said. */
  readonly isCut: boolean;
}

/** Prose and thinking are said while they come. */
export type WholeBlock = Exclude<Block, { kind: "prose" | "thinking" }>;

/** What was only looked at is not said again. */
const LOOKING = /^(?:read|view|open|cat)(?:$|[_\W])/i;
const DIFF_START = /^\s*(?:diff --git |--- [^\n]+\n\+\+\+ |@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)/;
const DIFF_UNITS_MAX = 1_000_000;
/** A change is worth more lines than other output. */
const DIFF_LINES_FACTOR = 4;

export function spokenBlock(block: WholeBlock, outputLinesMax: number): SpokenBlock {
  switch (block.kind) {
    case "tool":
      return spokenTool(block, outputLinesMax);
    case "preview":
      return spokenPreview(block, outputLinesMax);
    case "prompt":
      return whole(labelled("You", safeLines(block.text)));
    case "notice":
      return whole(labelled(levelWord(block.level), safeLines(block.text)));
    case "asked":
      return whole([`Answered: ${asQuestion(safeLine(block.title))} ${sentence(safeLine(block.outcome))}`]);
    case "log":
      return whole(safeSgrLines(block.text).map((line) => `Log: ${plainText(line)}`));
    case "image":
      return whole([`Picture, ${spokenPicture(block)}.`]);
  }
}

// A title that ends like a sentence needs nothing; after any other one hears where the answer begins.
function asQuestion(title: string): string {
  return /[?!.:…]$/.test(title) ? title : `${title}:`;
}

/** All there is to hear about a block, for whoever asks. */
export function wholeSpeech(block: Block): readonly string[] {
  if (block.kind === "prose" || block.kind === "thinking") return safeLines(block.text);
  if (block.kind === "tool" && LOOKING.test(block.name)) return [toolHead(block, ""), ...outputLines(block.output)];
  return spokenBlock(block, Number.MAX_SAFE_INTEGER).lines;
}

/** "Label: first line", and the other lines as they are. */
function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? `${label}: ${line}` : line));
}

function moreWords(count: number): string {
  return `${humanCount(count)} more ${count === 1 ? "line" : "lines"}; /open reads ${count === 1 ? "it" : "them"}.`;
}

/** "run npm test" */
export function toolWords({ name, args }: ToolBlock): string {
  return [safeLine(name), toolArgument(args)].filter(Boolean).join(" ");
}

function whole(lines: readonly string[]): SpokenBlock {
  return { lines, isCut: false };
}

function spokenTool(tool: ToolBlock, linesMax: number): SpokenBlock {
  const diff = diffOf(tool);
  if (diff !== null) {
    const stat = spokenStat(diff);
    if (isPreviewed(tool, diff)) return whole([toolHead(tool, `${stat}, as previewed`)]);
    return cut(toolHead(tool, stat), spokenDiff(diff), { max: linesMax * DIFF_LINES_FACTOR, keep: "start" });
  }
  const lines = outputLines(tool.output);
  const count = lines.length === 0 ? "" : `${humanCount(lines.length)} ${lines.length === 1 ? "line" : "lines"}`;
  const head = toolHead(tool, count);
  if (tool.phase === "done" && LOOKING.test(tool.name)) return { lines: [head], isCut: lines.length > 0 };
  return cut(head, lines, { max: linesMax, keep: tool.phase === "failed" ? "end" : "start" });
}

function diffOf(tool: ToolBlock): string | null {
  if (tool.output.length <= DIFF_UNITS_MAX && DIFF_START.test(tool.output)) return tool.output;
  const made = tool.phase === "failed" || tool.changes === undefined ? "" : changesDiff(tool.changes);
  return made === "" ? null : made;
}

function isPreviewed({ previewDiff }: ToolBlock, diff: string): boolean {
  const seen = previewDiff === undefined ? undefined : diffFingerprint(previewDiff);
  return seen !== undefined && seen === diffFingerprint(diff);
}

function spokenPreview(preview: PreviewBlock, linesMax: number): SpokenBlock {
  const subject = safeLine([preview.tool, preview.filePath].filter(Boolean).join(" "));
  if (preview.diff === null) {
    return cut(`Preview: ${subject} would do this.`, safeLines(preview.summary ?? ""), {
      max: linesMax,
      keep: "start",
    });
  }
  const head = `Preview: ${subject} would change this, ${spokenStat(preview.diff)}.`;
  const rest = preview.truncated ? ["The rest was not sent."] : [];
  return cut(head, [...spokenDiff(preview.diff), ...rest], { max: linesMax * DIFF_LINES_FACTOR, keep: "start" });
}

function cut(
  head: string,
  lines: readonly string[],
  { max, keep }: { max: number; keep: "start" | "end" },
): SpokenBlock {
  const hidden = lines.length - max;
  if (hidden <= 0) return whole([head, ...lines]);
  const more = moreWords(hidden);
  const shown = keep === "start" ? [...lines.slice(0, max), more] : [more, ...lines.slice(-max)];
  return { lines: [head, ...shown], isCut: true };
}

function toolHead(tool: ToolBlock, detail: string): string {
  const { startedAtMs, endedAtMs, phase } = tool;
  const took = startedAtMs === null || endedAtMs === null ? "" : humanDuration(endedAtMs - startedAtMs);
  return `${[`Tool ${toolWords(tool)}`, phase, detail, took, tool.trust ?? ""].filter(Boolean).join(", ")}.`;
}

function outputLines(output: string): string[] {
  return safeSgrLines(output).map(plainText);
}

function levelWord(level: NotifyLevel): string {
  switch (level) {
    case "error":
      return "Error";
    case "warn":
      return "Warning";
    case "success":
      return "Success";
    case "info":
      return "Notice";
  }
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

// "×" is read in many ways, or not at all.
function spokenPicture(block: Extract<Block, { kind: "image" }>): string {
  const kilobytes = `${humanCount(pictureKilobytes(block.base64))} kilobytes`;
  return [...pictureParts(block).map((part) => part.replace(" × ", " by ")), kilobytes].join(", ");
}
