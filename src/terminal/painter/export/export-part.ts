// A block of the transcript as something to export: its origin, one line that says what it is, and its text, without
// anything that could act on a terminal where the file is printed. Each format only decides how that looks.
import { changesDiff } from "../../../session/file-diff.js";
import type { Block, ToolBlock } from "../../../session/transcript/block.js";
import { isDenied } from "../../../session/transcript/tool-words.js";
import { humanTook } from "../../../text/humanize.js";
import { safeLine } from "../../../text/safe.js";
import { pictureWords } from "../pictures/picture-facts.js";

export interface ExportPart {
  readonly from: "person" | "agent" | "thinking" | "tool" | "notice" | "question" | "log" | "picture";
  /** How it went, where that means anything. */
  readonly mood: "plain" | "good" | "warning" | "bad";
  /** One line; empty when the text says it all. */
  readonly head: string;
  readonly body: string;
  readonly form: "markdown" | "plain" | "output" | "diff";
  readonly picture?: { readonly mimeType: string; readonly base64: string };
}

/** What an export says about itself before its first block. */
export interface ExportMeta {
  readonly title: string;
  /** Short facts in their order: the model, the date, the version. */
  readonly details: readonly string[];
}

const DIFF = /^(?:diff --git |--- |@@ )/m;
const nothing = { mood: "plain", head: "", body: "", form: "plain" } as const;

/** One part for a block, and one more for the files that a tool changed. */
export function partsOf(block: Block): ExportPart[] {
  const diff = block.kind === "tool" ? (block.diff ?? changesDiff(block.changes ?? [])) : "";
  const change = { ...nothing, from: "tool", body: cleanText(diff), form: "diff" } as const;
  return change.body === "" ? [partOf(block)] : [partOf(block), change];
}

function partOf(block: Block): ExportPart {
  switch (block.kind) {
    case "prompt":
      return { ...nothing, from: "person", body: cleanText(block.text) };
    case "prose":
      return { ...nothing, from: "agent", body: cleanText(block.text), form: "markdown" };
    case "thinking":
      return { ...nothing, from: "thinking", body: cleanText(block.text), form: "markdown" };
    case "tool":
      return toolPart(block);
    case "asked":
      return { ...nothing, from: "question", head: `${safeLine(block.title)}: ${safeLine(block.outcome)}` };
    case "notice": {
      const mood = ({ info: "plain", success: "good", warn: "warning", error: "bad" } as const)[block.level];
      return { ...nothing, from: "notice", mood, body: cleanText(block.text) };
    }
    case "log":
      return { ...nothing, from: "log", body: cleanText(block.text), form: "output" };
    case "image": {
      const { mimeType, base64 } = block;
      return { ...nothing, from: "picture", head: pictureWords(block), picture: { mimeType, base64 } };
    }
    default:
      return otherPart(block);
  }
}

// A kind of block that is newer than this file is still worth keeping: its fields as they are.
function otherPart(block: { readonly kind: string }): ExportPart {
  const { kind, ...fields } = block;
  return {
    ...nothing,
    from: "notice",
    head: safeLine(kind),
    body: cleanText(JSON.stringify(fields, null, 2)),
    form: "output",
  };
}

function toolPart(tool: ToolBlock): ExportPart {
  const took = humanTook(tool.startedAtMs, tool.endedAtMs);
  const phase = tool.phase === "done" || isDenied(tool) ? "" : tool.phase;
  const details = [phase, tool.approval ?? "", took, tool.trust ?? ""].filter(Boolean).join(", ");
  const name = [safeLine(tool.name), argumentsOf(tool.args)].filter(Boolean).join(" ");
  return {
    from: "tool",
    mood: tool.phase === "failed" ? "bad" : tool.phase === "stopped" ? "warning" : "good",
    head: details === "" ? name : `${name} (${details})`,
    body: cleanText(tool.output),
    form: DIFF.test(tool.output) ? "diff" : "output",
  };
}

/** All of them: an export is for reading later, when nothing can be opened any more. */
function argumentsOf(args: unknown): string {
  if (args === null || args === undefined) return "";
  if (typeof args !== "object") return safeLine(String(args));
  const entries = Object.entries(args);
  const [only] = entries;
  if (only !== undefined && entries.length === 1 && typeof only[1] === "string") return safeLine(only[1]);
  return entries.length === 0 ? "" : safeLine(JSON.stringify(args));
}

/** Harmless text with its line breaks and its tabs: a Makefile has to stay one. */
function cleanText(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .split("\n")
    .map((line) => line.split("\t").map(safeLine).join("\t"))
    .join("\n")
    .trimEnd();
}
