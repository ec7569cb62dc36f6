// A block of a transcript as the page shows it: the same signs and words as in the terminal.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { isDiff } from "../../session/file-diff.js";
import type { Block as BlockData, ToolBlock } from "../../session/transcript/block.js";
import {
  isDenied,
  isReading,
  isUsers,
  toolArgument,
  toolDiff,
  toolName,
  withInnerPaths,
} from "../../session/transcript/tool-words.js";
import { diffStatOf } from "../../text/diff/diff-stat.js";
import { humanLines, humanSeconds, humanTook } from "../../text/humanize.js";
import { safeLine, safeLines, splitLines } from "../../text/safe.js";
import { GrowingMarkdown } from "../blocks/markdown-nodes.js";
import { now } from "../state/page.js";
import type { BlockCell } from "../state/session-follower.js";
import { Diff } from "./diff.jsx";
import { StatWords } from "./parts.jsx";

interface BlockProps {
  readonly cell: BlockCell;
  readonly folder: string;
  /** A search has found it: what is folded may have the words. */
  readonly isFound: boolean;
}

export function Block({ cell, folder, isFound }: BlockProps) {
  const block = cell.block.value;
  switch (block.kind) {
    case "prompt":
      return (
        <div class="block prompt">
          <Folded text={block.text} linesMax={PROMPT_LINES_MAX} isOpen={isFound} class="words" />
        </div>
      );
    case "prose":
      return (
        <div class={`block prose ${block.text.length > LONG_UNITS ? "long" : ""}`}>
          <Markdown text={block.text} isLive={cell.isLive.value} />
        </div>
      );
    case "thinking":
      return <Thinking text={block.text} isLive={cell.isLive.value} isFound={isFound} />;
    case "tool":
      return <Tool tool={withInnerPaths(block, folder)} isFound={isFound} />;
    case "image":
      return <Picture block={block} />;
    case "asked":
      return (
        <p class="block asked">
          <span class="sign l-info">?</span> {safeLine(block.title)} <span class="dim">{safeLine(block.outcome)}</span>
        </p>
      );
    case "notice":
      return <Notice block={block} />;
    case "log":
      return (
        <div class="block log dim">
          <Folded text={block.text} linesMax={OUTPUT_LINES_MAX} isOpen={isFound} class="output" />
        </div>
      );
  }
}

/** In a longer text the browser lays out only what is in sight. */
const LONG_UNITS = 30_000;
const PROMPT_LINES_MAX = 20;
const OUTPUT_LINES_MAX = 6;
const FAILED_LINES_MAX = 12;
const RUNNING_LINES_MAX = 3;
const RUNNING_UNITS_MAX = 8_192;
const DIFF_LINES_MAX = 40;

function Markdown({ text, isLive }: { text: string; isLive: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useState(() => new GrowingMarkdown())[0];
  useLayoutEffect(() => drawing.show(place.current, text, isLive), [text, isLive]);
  useEffect(() => () => drawing.stop(), []);
  return <div ref={place} />;
}

function Thinking({ text, isLive, isFound }: { text: string; isLive: boolean; isFound: boolean }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen((before) => before || isFound), [isFound]);
  const first = safeLine(text.trimStart().slice(0, 200).split("\n")[0] ?? "");
  return (
    <div class="block thinking dim">
      <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="sign">∴</span> {isLive ? "thinking" : "thought"}{" "}
        <span class="one-line">{isOpen ? "" : first}</span>
      </button>
      {isOpen && <Markdown text={text} isLive={isLive} />}
    </div>
  );
}

const TOOL_SIGNS: Readonly<Record<ToolBlock["phase"], readonly [sign: string, look: string]>> = {
  waiting: ["◌", "dim"],
  running: ["", "l-accent spinner"],
  done: ["●", "l-ok"],
  failed: ["✕", "l-danger"],
  stopped: ["✕", "l-warn"],
};

function Tool({ tool, isFound }: { tool: ToolBlock; isFound: boolean }) {
  const diff = toolDiff(tool);
  const [sign, look] = TOOL_SIGNS[tool.phase];
  const isRunning = tool.phase === "running";
  const lineCount = isDiff(tool.output) || isRunning ? 0 : splitLines(tool.output).length;
  const isQuiet = isReading(tool) && tool.phase === "done";
  const details = [
    tool.phase === "stopped" ? "stopped" : "",
    lineCount === 0 || diff !== null || isDenied(tool) || isQuiet ? "" : humanLines(lineCount),
    tool.approval ?? "",
    humanTook(tool.startedAtMs, tool.endedAtMs),
    tool.trust ?? "",
    isUsers(tool) ? "goes with your next message" : "",
  ];
  return (
    <div class={`block tool ${tool.phase}`}>
      <p class="tool-head">
        <span class={`sign ${look}`} aria-hidden="true">
          {sign}
        </span>{" "}
        <b>{toolName(tool.name)}</b> <span class="argument">{toolArgument(tool.args, ARGUMENT_CELLS_MAX)}</span>
        {diff !== null && <StatWords stat={diffStatOf(diff)} />}
        {details.filter(Boolean).map((detail) => (
          <span key={detail} class="detail">
            {safeLine(detail)}
          </span>
        ))}
        {isRunning && <RunningFor sinceMs={tool.startedAtMs} />}
      </p>
      {diff !== null && <Diff text={diff} letters="safe" linesMax={DIFF_LINES_MAX} />}
      {isRunning && <RunningOutput output={tool.output} />}
      {lineCount > 0 && (
        <Folded
          text={tool.output}
          linesMax={isQuiet ? 0 : tool.phase === "failed" ? FAILED_LINES_MAX : OUTPUT_LINES_MAX}
          isOpen={isFound}
          end={tool.phase === "failed" ? "last" : "first"}
          class="output"
        />
      )}
    </div>
  );
}

const ARGUMENT_CELLS_MAX = 240;

function RunningFor({ sinceMs }: { sinceMs: number | null }) {
  return sinceMs === null ? null : <span class="dim"> {humanSeconds(now.value - sinceMs)}</span>;
}

function RunningOutput({ output }: { output: string }) {
  const lines = safeLines(output.slice(-RUNNING_UNITS_MAX)).slice(-RUNNING_LINES_MAX);
  return lines.length === 0 ? null : <pre class="output dim">{lines.join("\n")}</pre>;
}

interface FoldedProps {
  readonly text: string;
  readonly linesMax: number;
  readonly isOpen: boolean;
  readonly end?: "first" | "last";
  readonly class: string;
}

/** So many lines are opened at once; more of them would be slow to lay out. */
const OPENED_LINES = 2_000;

function Folded({ text, linesMax, isOpen, end = "first", class: className }: FoldedProps) {
  const [shown, setShown] = useState(linesMax);
  useLayoutEffect(() => {
    if (isOpen) setShown((before) => Math.max(before, OPENED_LINES));
  }, [isOpen]);
  const lines = useMemo(() => splitLines(text), [text]);
  const few = lines.length <= shown ? lines : end === "first" ? lines.slice(0, shown) : lines.slice(-shown);
  const hidden = lines.length - few.length;
  const more = hidden > 0 && (
    <button type="button" class="quiet more" onClick={() => setShown(shown + OPENED_LINES)}>
      … {humanLines(hidden, linesMax === 0 && shown === 0 ? "" : "more ")}
    </button>
  );
  return (
    <>
      {end === "last" && more}
      {few.length > 0 && <pre class={className}>{safeLines(few.join("\n")).join("\n")}</pre>}
      {end === "first" && more}
    </>
  );
}

export const NOTICE_SIGNS = {
  error: ["✕", "l-danger"],
  warn: ["▲", "l-warn"],
  success: ["●", "l-ok"],
  info: ["ℹ", "l-info"],
} as const;

function Notice({ block: { level, text } }: { block: Extract<BlockData, { kind: "notice" }> }) {
  const [sign, look] = NOTICE_SIGNS[level];
  return (
    <p class={`block notice ${level}`}>
      <span class={`sign ${look}`}>{sign}</span> <span class="pre">{safeLines(text).join("\n")}</span>
    </p>
  );
}

/** Formats that are pixels and nothing else: an SVG is a document that can act. */
const PIXELS = /^image\/(?:png|jpeg|gif|webp)$/;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

function Picture({ block: { mimeType, base64 } }: { block: Extract<BlockData, { kind: "image" }> }) {
  const [url, setUrl] = useState("");
  useEffect(() => {
    if (!PIXELS.test(mimeType) || !BASE64.test(base64)) return;
    const made = URL.createObjectURL(new Blob([bytesOf(base64)], { type: mimeType }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [mimeType, base64]);
  if (url === "") return <p class="block dim">ℹ a picture that cannot be shown: {safeLine(mimeType)}</p>;
  return (
    <p class="block">
      <img src={url} alt={`picture, ${safeLine(mimeType)}`} />
    </p>
  );
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64.replace(/\s/g, ""));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
