// The agent's answers to commands, as lines for the user.
import { isRecord, objectOf } from "../contract/json-value.js";
import { humanCost, humanCount } from "../text/humanize.js";
import { safeLine } from "../text/safe.js";
import type { SavedSession } from "./saved-session.js";

export type CommandReply = Readonly<Record<string, unknown>>;

/** Lines to show; none for an answer that needs no words. */
export function answerWords(command: string, answer: CommandReply): string[] {
  switch (command) {
    case "initialized":
    case "active_session":
    case "session_started":
      return [];
    case "pong":
      return ["the agent responds"];
    case "stats":
      return fieldLines(objectOf(answer["stats"]));
    case "save_result":
      return [saved(answer)];
    default:
      return fieldLines(answer);
  }
}

export function savedSessions(answer: CommandReply, agent: string): SavedSession[] {
  return list(answer["sessions"]).map((session) => {
    const path = text(session["path"]);
    const id = text(session["id"]);
    return {
      ...{ agent, id, ref: path || id, title: text(session["title"]) || text(session["name"]) },
      ...{ cwd: text(session["cwd"]) || null, atMs: momentMs(session["timestamp"]) },
    };
  });
}

/** Agents write milliseconds, or a date. */
function momentMs(moment: unknown): number | null {
  const ms = typeof moment === "number" ? moment : Date.parse(text(moment));
  return Number.isFinite(ms) ? ms : null;
}

export interface KnownModel {
  readonly id: string;
  readonly label: string;
}

/** `provider:id`, as `set_config` takes it. */
export function knownModels(answer: CommandReply): KnownModel[] {
  return list(answer["providers"]).flatMap((provider) =>
    list(provider["models"]).map((model) => ({
      id: `${text(provider["id"])}:${text(model["id"])}`,
      label: [text(model["name"]), needWords(provider)].filter(Boolean).join("  "),
    })),
  );
}

function needWords({ needs }: CommandReply): string {
  return text(needs) === "" ? "" : `needs ${text(needs)}`;
}

function saved({ ok, path, error }: CommandReply): string {
  if (ok !== true) return `not saved: ${text(error) || "the agent does not say why"}`;
  return text(path) === "" ? "saved" : `saved as ${text(path)}`;
}

function fieldLines(fields: CommandReply, depth = 0): string[] {
  // Cleaned first: replacing characters by blanks could form an escape sequence.
  const named = Object.entries(fields).map(([name, value]) => ({ words: safeLine(name).replaceAll("_", " "), value }));
  if (named.length === 0) return depth === 0 ? ["no statistics yet"] : [];
  const width = named.reduce((widest, { words }) => Math.max(widest, words.length), 0);
  return named.flatMap(({ words, value }) => {
    const indent = "  ".repeat(depth);
    const price = words === "cost" ? totalOf(value) : undefined;
    if (typeof price === "number") return [`${indent}${words.padEnd(width)}  ${humanCost(price)}`];
    if (isRecord(value)) {
      return [`${indent}${words}`, ...fieldLines(value, depth + 1)];
    }
    return [`${indent}${words.padEnd(width)}  ${NAMING.test(words) ? nameWords(value) : valueWords(value)}`];
  });
}

/** A cost is a number, or an object whose parts add up to its total. */
function totalOf(value: unknown): unknown {
  return isRecord(value) ? value["total"] : value;
}

/** Ids and ports are names, so they get no thousands separators. */
const NAMING = /(?:^|[ _])(?:pid|id|port)$|(?:Pid|Id|Port)$/;

function nameWords(value: unknown): string {
  return typeof value === "number" ? String(value) : valueWords(value);
}

function valueWords(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? humanCount(value) : String(Number(value.toFixed(4)));
  if (typeof value === "string") return value;
  return JSON.stringify(value) ?? "";
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function list(value: unknown): CommandReply[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}
