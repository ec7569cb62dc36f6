// Reading a message: its prose, and what it cost. Apart from the schemas, because front ends read messages long before they
// have to judge any.

import { isRecord } from "./json-value.js";
import type { ContentBlock, Message, Usage } from "./messages.js";
import { plainWord } from "./plain-word.js";

/** The prose of a message's content, its text blocks joined; everything else has other places. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block: ContentBlock) => (block.type === "text" ? plainWord(block.text) : "")).join("");
}

const COUNTS = ["input", "output", "cache_read", "cache_write", "total_tokens"] as const;

/** What a message says it cost; null when it says nothing, or nothing that makes sense. */
export function usageOf({ usage }: Message): Usage | null {
  if (!isRecord(usage)) return null;
  const told = COUNTS.filter((name) => usage[name] !== undefined);
  if (told.some((name) => !isCount(usage[name]))) return null;
  const cost = isRecord(usage["cost"]) ? usage["cost"]["total"] : undefined;
  if (cost !== undefined && !isCount(cost)) return null;
  return usage as Usage;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
