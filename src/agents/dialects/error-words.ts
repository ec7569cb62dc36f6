// A readable message from an agent's error. Agents put the reason into the message, into data, or into JSON text inside
// either; the innermost sentence is used.
import { objectOf } from "../../contract/json-value.js";
import type { RpcReply } from "./json-rpc-peer.js";

type Failure = Extract<RpcReply, { ok: false }>;

const WORDS_CHARS_MAX = 2_000;
const LEVELS_MAX = 6;

export function errorWords({ message, data, code }: Pick<Failure, "message" | "data" | "code">): string {
  const outer = sentenceIn(message, LEVELS_MAX) ?? message;
  const inner = sentenceIn(data, LEVELS_MAX);
  const isGeneric = /^internal error$|^server error$|^$/i.test(outer.trim());
  const words = inner === null || outer.includes(inner) ? outer : isGeneric ? inner : `${outer}: ${inner}`;
  return words.slice(0, WORDS_CHARS_MAX) || `no reason was given (code ${code})`;
}

const tellingKeys = ["message", "details", "detail", "error", "reason", "title"] as const;

function sentenceIn(value: unknown, levels: number): string | null {
  if (levels === 0) return null;
  if (typeof value === "string") return sentenceInText(value, levels);
  const fields = objectOf(value);
  for (const key of tellingKeys) {
    const found = sentenceIn(fields[key], levels - 1);
    if (found !== null) return found;
  }
  return null;
}

function sentenceInText(text: string, levels: number): string | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{")) return trimmed === "" ? null : trimmed;
  try {
    return sentenceIn(JSON.parse(trimmed), levels - 1) ?? trimmed;
  } catch {
    return trimmed;
  }
}
