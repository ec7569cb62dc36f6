// Closed blocks as utterances for a screen reader: the speaker or event comes first. Long output is cut to its first
// lines, or its last after a failure, and says how to hear the rest.
//
//   Tool run npm test, failed, 40 lines, 2.3 s.
//   expected "a,b" to equal "a, b"
//   38 more lines; /open reads them.
import type { NotifyLevel } from "../../../contract/notices.js";
import type { Block, ToolBlock } from "../../../session/transcript/block.js";
import { hasLineCount, isDenied, isReading, toolArgument, toolDiff } from "../../../session/transcript/tool-words.js";
import { humanCount, humanLines, humanTook } from "../../../text/humanize.js";
import { plainText } from "../../../text/row.js";
import { safeLine, safeLines, safeSgrLines } from "../../../text/safe.js";
import { pictureKilobytes, pictureParts } from "../pictures/picture-facts.js";
import { spokenDiff, spokenStat } from "./diff-speech.js";

export interface SpokenBlock {
  readonly lines: readonly string[];
  readonly isCut: boolean;
}

/** Prose and thinking are spoken while they stream. */
export type WholeBlock = Exclude<Block, { kind: "prose" | "thinking" }>;

const DIFF_LINES_FACTOR = 4;

export function spokenBlock(block: WholeBlock, outputLinesMax: number): SpokenBlock {
  switch (block.kind) {
    case "tool":
      return spokenTool(block, outputLinesMax);
    case "prompt":
      return whole(labelled("You", safeLines(block.text)));
    case "notice":
      return whole(labelled(LEVEL_WORDS[block.level], safeLines(block.text)));
    case "asked":
      return whole([`Answered: ${asQuestion(safeLine(block.title))} ${sentence(safeLine(block.outcome))}`]);
    case "log":
      return whole(safeSgrLines(block.text).map((line) => `Log: ${plainText(line)}`));
    case "image":
      return whole([`Picture, ${spokenPicture(block)}.`]);
  }
}

// Adds a colon unless the title ends like a sentence.
function asQuestion(title: string): string {
  return /[?!.:…]$/.test(title) ? title : `${title}:`;
}

export function wholeSpeech(block: Block): readonly string[] {
  if (block.kind === "prose" || block.kind === "thinking") return safeLines(block.text);
  if (block.kind === "tool" && isReading(block)) return [toolHead(block, ""), ...outputLines(block.output)];
  return spokenBlock(block, Number.MAX_SAFE_INTEGER).lines;
}

function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? `${label}: ${line}` : line));
}

function moreWords(count: number): string {
  return `${humanLines(count, "more ")}; /open reads ${count === 1 ? "it" : "them"}.`;
}

/** "run npm test" */
export function toolWords({ name, args }: ToolBlock): string {
  return [safeLine(name), toolArgument(args)].filter(Boolean).join(" ");
}

function whole(lines: readonly string[]): SpokenBlock {
  return { lines, isCut: false };
}

function spokenTool(tool: ToolBlock, linesMax: number): SpokenBlock {
  const diff = toolDiff(tool);
  if (diff !== null) {
    const stat = spokenStat(diff);
    return cut(toolHead(tool, stat), spokenDiff(diff), { max: linesMax * DIFF_LINES_FACTOR, keep: "start" });
  }
  const lines = outputLines(tool.output);
  const count = hasLineCount(tool) ? humanLines(lines.length) : "";
  const head = toolHead(tool, count);
  if (tool.phase === "done" && isReading(tool)) return { lines: [head], isCut: lines.length > 0 };
  return cut(head, lines, { max: linesMax, keep: tool.phase === "failed" ? "end" : "start" });
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
  const took = humanTook(startedAtMs, endedAtMs);
  return `${[`Tool ${toolWords(tool)}`, isDenied(tool) ? "" : phase, detail, tool.approval ?? "", took, tool.trust ?? ""].filter(Boolean).join(", ")}.`;
}

function outputLines(output: string): string[] {
  return safeSgrLines(output).map(plainText);
}

const LEVEL_WORDS: Readonly<Record<NotifyLevel, string>> = {
  error: "Error",
  warn: "Warning",
  success: "Success",
  info: "Notice",
};

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

// Screen readers handle "×" differently.
function spokenPicture(block: Extract<Block, { kind: "image" }>): string {
  const kilobytes = `${humanCount(pictureKilobytes(block.base64))} kilobytes`;
  return [...pictureParts(block).map((part) => part.replace(" × ", " by ")), kilobytes].join(", ");
}
