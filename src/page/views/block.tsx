// A block of a transcript as the page shows it: the same signs and words as in the terminal.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
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
import { safeLine, safeLines } from "../../text/safe.js";
import { MarkdownNodes } from "../blocks/markdown-nodes.js";
import { now } from "../state/page.js";
import type { BlockCell } from "../state/session-follower.js";
import { Diff } from "./diff.jsx";
import { StatWords } from "./parts.jsx";

export function Block({ cell, folder }: { cell: BlockCell; folder: string }) {
  const block = cell.block.value;
  switch (block.kind) {
    case "prompt":
      return (
        <div class="block prompt">
          <Folded text={block.text} linesMax={PROMPT_LINES_MAX} class="words" />
        </div>
      );
    case "prose":
      return (
        <div class={`block prose ${block.text.length > LONG_UNITS ? "long" : ""}`}>
          <Markdown text={block.text} isLive={cell.isLive.value} />
        </div>
      );
    case "thinking":
      return <Thinking text={block.text} isLive={cell.isLive.value} />;
    case "tool":
      return <Tool tool={withInnerPaths(block, folder)} />;
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
          <Folded text={block.text} linesMax={OUTPUT_LINES_MAX} class="output" />
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

// The text only grows, unless the block was replaced: then it is drawn again.
function Markdown({ text, isLive }: { text: string; isLive: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<{ nodes: MarkdownNodes; text: string; isFinished: boolean } | null>(null);
  useLayoutEffect(() => {
    let known = drawn.current;
    if (known === null || !text.startsWith(known.text) || (known.isFinished && text !== known.text)) {
      known = { nodes: new MarkdownNodes(), text: "", isFinished: false };
      place.current?.replaceChildren(known.nodes.element);
    }
    const delta = text.slice(known.text.length);
    if (delta !== "") known.nodes.append(delta);
    if (!isLive && !known.isFinished) known.nodes.finish();
    drawn.current = { nodes: known.nodes, text, isFinished: known.isFinished || !isLive };
  }, [text, isLive]);
  return <div ref={place} />;
}

function Thinking({ text, isLive }: { text: string; isLive: boolean }) {
  const [isOpen, setOpen] = useState(false);
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

function Tool({ tool }: { tool: ToolBlock }) {
  const diff = toolDiff(tool);
  const [sign, look] = TOOL_SIGNS[tool.phase];
  const isRunning = tool.phase === "running";
  const lines = isDiff(tool.output) || isRunning ? [] : safeLines(tool.output);
  const isQuiet = isReading(tool) && tool.phase === "done";
  const details = [
    tool.phase === "stopped" ? "stopped" : "",
    lines.length === 0 || diff !== null || isDenied(tool) || isQuiet ? "" : humanLines(lines.length),
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
      {lines.length > 0 && !isRunning && (
        <Folded
          text={tool.output}
          linesMax={isQuiet ? 0 : tool.phase === "failed" ? FAILED_LINES_MAX : OUTPUT_LINES_MAX}
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
  readonly end?: "first" | "last";
  readonly class: string;
}

/** So many lines are opened at once; more of them would be slow to lay out. */
const OPENED_LINES = 2_000;

function Folded({ text, linesMax, end = "first", class: className }: FoldedProps) {
  const [shown, setShown] = useState(linesMax);
  const lines = safeLines(text);
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
      {few.length > 0 && <pre class={className}>{few.join("\n")}</pre>}
      {end === "first" && more}
    </>
  );
}

const NOTICE_SIGNS = {
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
