// The transcript as a file to keep or to send. Secrets are taken out first, whatever the format; what is left is made
// harmless by the format itself.
import type { Block } from "../../../session/transcript/block.js";
import { createRedactor, type Redactor } from "../../../text/redact.js";
import { safeLine } from "../../../text/safe.js";
import { type ExportMeta, type ExportPart, partsOf } from "./export-part.js";
import { htmlExport } from "./html-export.js";

export const exportFormats = ["markdown", "json", "html", "text"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportFacts {
  readonly agent: string;
  readonly model?: string | null;
  /** ISO 8601. */
  readonly exportedAt: string;
  readonly palaver: string;
  /** How many older blocks are not kept any more. */
  readonly dropped?: number;
}

export function exportTranscript(
  blocks: readonly Block[],
  format: ExportFormat,
  facts: ExportFacts,
  redactor: Redactor = createRedactor(),
): string {
  const clean = blocks.map((block) => redactor.value(block) as Block);
  if (format === "json") return jsonExport({ transcript: 1, ...facts, blocks: clean });
  const parts = clean.flatMap(partsOf);
  if (format === "text") return textExport(parts);
  const meta = { title: `Conversation with ${safeLine(facts.agent)}`, details: detailsOf(facts) };
  return format === "html" ? htmlExport(parts, meta) : markdownExport(parts, meta);
}

// JSON lets the 8-bit controls and those that turn text around stand as they are; a terminal would obey them.
function jsonExport(value: object): string {
  const escaped = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `${JSON.stringify(value, null, 2).replace(/[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, escaped)}\n`;
}

function detailsOf({ model, exportedAt, palaver, dropped = 0 }: ExportFacts): string[] {
  const older = dropped === 0 ? "" : `${dropped} older blocks are left out`;
  const day = exportedAt.slice(0, 16).replace("T", " ");
  return [safeLine(model ?? ""), day, `Palaver ${palaver}`, older].filter((fact) => fact !== "");
}

// Plain text for a terminal or a pipe: the same signs as on the screen, no colours, nothing that moves.
const SIGNS: Readonly<Record<ExportPart["from"], string>> = {
  person: "› ",
  agent: "",
  thinking: "∴ ",
  tool: "● ",
  notice: "ℹ ",
  question: "? ",
  log: "",
  picture: "ℹ ",
};

function textExport(parts: readonly ExportPart[]): string {
  const texts = parts.map((part) => {
    const sign = part.head === "" && part.from === "tool" ? "" : signOf(part);
    const first = part.head === "" ? part.body : part.head;
    const rest = part.head === "" ? "" : part.body;
    const indent = part.from === "person" ? "  " : "";
    return [sign + first.split("\n").join(`\n${indent}`), rest].filter(Boolean).join("\n");
  });
  return texts.length === 0 ? "" : `${texts.filter(Boolean).join("\n\n")}\n`;
}

function signOf({ from, mood }: ExportPart): string {
  if (mood === "bad") return "✕ ";
  return from === "notice" && mood === "warning" ? "▲ " : SIGNS[from];
}

// What the agent wrote is Markdown already and stays as it is; everything else is put into quotes and fences that it
// cannot break out of.
function markdownExport(parts: readonly ExportPart[], meta: ExportMeta): string {
  const head = [`# ${plainInline(meta.title)}`, `${meta.details.map(plainInline).join(" · ")}`];
  return `${[...head, ...turnTexts(parts)].filter((text) => text !== "").join("\n\n")}\n`;
}

const AGENTS: ReadonlySet<ExportPart["from"]> = new Set(["agent", "thinking", "tool"]);

/** Each turn of the user and of the agent has a heading. */
function turnTexts(parts: readonly ExportPart[]): string[] {
  let speaker: "You" | "Agent" | null = null;
  return parts.flatMap((part) => {
    const speaks = part.from === "person" ? "You" : AGENTS.has(part.from) ? "Agent" : speaker;
    const isNew = part.from === "person" || speaks !== speaker;
    speaker = speaks;
    return isNew && speaks !== null ? [`## ${speaks}`, partText(part)] : [partText(part)];
  });
}

function partText({ from, mood, head, body, form }: ExportPart): string {
  switch (from) {
    case "person":
      return quoted(body);
    case "agent":
      return withClosedFence(body);
    case "thinking":
      return quoted(`*thinking*\n\n${body}`);
    case "notice":
      return quoted([moodWord(mood), plainInline(head), body].filter(Boolean).join(" "));
    case "question":
      return `**?** ${plainInline(head)}`;
    case "picture":
      return `*${plainInline(head)}*`;
    case "tool":
    case "log": {
      const title = head === "" ? "" : `${mood === "bad" ? "✕" : "●"} ${codeSpan(head)}`;
      return [title, body === "" ? "" : fenced(body, form === "diff" ? "diff" : "")].filter(Boolean).join("\n\n");
    }
  }
}

function moodWord(mood: ExportPart["mood"]): string {
  return mood === "bad" ? "**error**" : mood === "warning" ? "**warning**" : "";
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** A fence longer than any run of backticks in the text. */
function fenced(text: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function codeSpan(text: string): string {
  const ticks = "`".repeat(longestRun(text) + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${space}${text}${space}${ticks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function plainInline(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, "\\$&");
}

// A fence that was never closed would swallow everything after it.
function withClosedFence(text: string): string {
  let open = "";
  for (const line of text.split("\n")) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence === null) continue;
    const [, marks = "", rest = ""] = fence;
    if (open === "") open = marks;
    else if (marks.startsWith(open) && rest.trim() === "") open = "";
  }
  return open === "" ? text : `${text}\n${open}`;
}
