// The transcript as a file to keep or to send. Secrets are taken out first, whatever the format; what is left is made
// harmless by the format itself.
import type { Block } from "../../../session/transcript/block.js";
import { createRedactor, type Redactor } from "../../../text/redact.js";
import { safeLine } from "../../../text/safe.js";
import { partsOf } from "./export-part.js";
import { htmlExport } from "./html-export.js";
import { markdownExport } from "./markdown-export.js";
import { textExport } from "./text-export.js";

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
  const older = dropped === 0 ? "" : `${dropped} older blocks are not in it`;
  const day = exportedAt.slice(0, 16).replace("T", " ");
  return [safeLine(model ?? ""), day, `Palaver ${palaver}`, older].filter((fact) => fact !== "");
}

/** By the end of a file's name: `.md`, `.json`, `.html`, `.txt`; null for any other. */
export function formatOfName(name: string): ExportFormat | null {
  const end = /\.(md|markdown|json|html?|txt)$/i.exec(name)?.[1]?.toLowerCase();
  if (end === undefined) return null;
  return end.startsWith("m") ? "markdown" : end.startsWith("h") ? "html" : end === "txt" ? "text" : "json";
}
