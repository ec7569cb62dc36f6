// A tool call as it is shown: a verb, its subject, output, and changed files. Agents describe calls by title, kind, locations,
// raw input and raw output, and leave out any of them.

import type { FileChange } from "../../../contract/file-change.js";
import { objectOf } from "../../../contract/json-value.js";
import type { ContentBlock } from "../../../contract/messages.js";
import { plainWord } from "../../../contract/plain-word.js";
import type { AcpToolCall } from "./acp-frames.js";
import { contentText, readContent } from "./content-text.js";
import { shownPath } from "./paths.js";
import { argvLine } from "./run-line.js";

/** What is known of a call: the last value of each field. */
export type ToolFacts = {
  readonly title: string;
  readonly name: string | null;
  readonly kind: string;
  readonly content: readonly ToolContent[];
  readonly paths: readonly string[];
  readonly rawInput: unknown;
  readonly rawOutput: unknown;
};

export type ToolContent = NonNullable<AcpToolCall["content"]>[number];

export const blankFacts: ToolFacts = {
  title: "",
  name: null,
  kind: "",
  content: [],
  paths: [],
  rawInput: null,
  rawOutput: null,
};

/** Later values win; absent and empty ones change nothing. */
export function laterFacts(known: ToolFacts, update: AcpToolCall): ToolFacts {
  const content = update.content ?? known.content;
  const rawInput = hasFields(update.rawInput) ? update.rawInput : known.rawInput;
  return {
    title: update.title || known.title,
    name: update.name || known.name,
    kind: update.kind || known.kind,
    content,
    paths: update.locations?.length ? update.locations.map(({ path }) => path) : known.paths,
    rawInput: rawInput ?? argumentsIn(content),
    rawOutput: update.rawOutput ?? known.rawOutput,
  };
}

/** Fills only unknown fields: a permission request describes the call in other words, and its texts are no output. */
export function filledFacts(known: ToolFacts, request: AcpToolCall): ToolFacts {
  const asked = laterFacts(blankFacts, request);
  return {
    title: known.title || asked.title,
    name: known.name ?? asked.name,
    kind: known.kind || asked.kind,
    content: known.content.length > 0 ? known.content : asked.content.filter(({ type }) => type === "diff"),
    paths: known.paths.length > 0 ? known.paths : asked.paths,
    rawInput: known.rawInput ?? asked.rawInput,
    rawOutput: known.rawOutput,
  };
}

const verbs: ReadonlyMap<string, string> = new Map([
  ["read", "read"],
  ["edit", "edit"],
  ["delete", "delete"],
  ["move", "move"],
  ["search", "search"],
  ["execute", "run"],
  ["fetch", "fetch"],
]);

/** The verb, and the arguments; the most telling one gets a name that front ends look for. */
export function toolWords(facts: ToolFacts, cwd: string): { name: string; args: Readonly<Record<string, unknown>> } {
  const verb = verbs.get(facts.kind);
  const title = facts.title.trim();
  if (verb === undefined) return { name: title || facts.name || "tool", args: objectOf(facts.rawInput) };
  const about = tellingArgument(facts, cwd);
  const isSaid = isBareWord(title) || Object.values(about).includes(title);
  const input = hasFields(facts.rawInput) ? { input: facts.rawInput } : {};
  return { name: verb, args: { ...about, ...(isSaid ? {} : { title }), ...input } };
}

export function hasVerb(kind: string | null | undefined): boolean {
  return verbs.has(kind ?? "");
}

export function isVerb(name: string): boolean {
  return [...verbs.values()].includes(name);
}

function tellingArgument(facts: ToolFacts, cwd: string): Readonly<Record<string, string>> {
  const { kind } = facts;
  const title = facts.title.trim();
  if (kind === "execute") {
    const command = commandOf(facts) ?? (SHELL_NAME.test(title) ? "" : title);
    return command === "" ? {} : { command };
  }
  const [path] = pathsOf(facts);
  const input = objectOf(facts.rawInput);
  const asked = ["pattern", "query", "url", "path"].map((key) => input[key]).find((word) => typeof word === "string");
  const shown = isBareWord(title) ? undefined : title;
  if (kind === "fetch") return named("url", asked ?? shown);
  if (kind === "search") return named("pattern", asked ?? shown);
  return named("path", path === undefined ? shown : shownPath(path, cwd));
}

/** Titles that only name a shell tool. */
const SHELL_NAME = /^(?:bash|shell|sh|terminal|command|run|execute|exec|)$/i;

// "Write" only names the tool; "Writing a.ts" has a subject.
function isBareWord(title: string): boolean {
  return /^[\w-]*$/.test(title);
}

function named(key: string, word: unknown): Readonly<Record<string, string>> {
  return typeof word === "string" ? { [key]: word } : {};
}

/** The command line in the structured input; null when there is none. */
export function commandOf({ kind, rawInput }: ToolFacts): string | null {
  if (typeof rawInput === "string") return kind === "execute" && rawInput !== "" ? rawInput : null;
  if (isArgv(rawInput)) return argvLine(rawInput);
  const { command, cmd, script, args } = objectOf(rawInput);
  const said = command ?? cmd ?? script;
  if (Array.isArray(said)) return argvLine(said.map(plainWord));
  if (typeof said !== "string" || said === "") return null;
  return isArgv(args) ? argvLine([said, ...args]) : said;
}

function isArgv(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string");
}

const pathKeys = [
  ...["file_path", "filePath", "filepath", "fileName", "path", "absolute_path", "abs_path", "notebook_path"],
] as const;

export function isPathKey(name: string): boolean {
  return pathKeys.some((key) => key === name);
}

export function pathsOf(facts: ToolFacts): string[] {
  const input = objectOf(facts.rawInput);
  const named = pathKeys.map((key) => input[key]).filter((path): path is string => typeof path === "string");
  const changed = changesOf(facts).map(({ path }) => path);
  return [...new Set([...changed, ...facts.paths, ...named])];
}

export function changesOf({ content }: ToolFacts): FileChange[] {
  return content.flatMap((item): FileChange[] => {
    const { type, path, oldText, newText } = item;
    if (type !== "diff" || typeof path !== "string" || typeof newText !== "string") return [];
    return [{ path, oldText: typeof oldText === "string" && oldText !== "" ? oldText : null, newText }];
  });
}

/** The file that an edit would write, if its input is exactly a path and the content. */
export function wholeFileOf(facts: ToolFacts): { readonly path: string; readonly content: string } | null {
  const input = objectOf(facts.rawInput);
  const { content } = input;
  const [path, ...others] = pathsOf(facts);
  const isWhole = Object.keys(input).every((key) => key === "content" || isPathKey(key));
  if (facts.kind !== "edit" || !isWhole || typeof content !== "string" || path === undefined) return null;
  return others.length > 0 || changesOf(facts).length > 0 ? null : { path, content };
}

/** A diff in the input, as some agents send it with a permission request. */
export function diffOf({ rawInput }: ToolFacts): string | null {
  const { diff } = objectOf(rawInput);
  return typeof diff === "string" && diff !== "" ? diff : null;
}

// Some agents stream the arguments of a call as if they were its output; complete, they are the input.
function argumentsIn(content: readonly ToolContent[]): unknown {
  const text = content.length === 1 ? plainText(content) : "";
  if (!text.startsWith("{") || !text.endsWith("}")) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether the content is the arguments being streamed, not output. */
export function showsArguments({ content, rawInput }: ToolFacts): boolean {
  const text = plainText(content);
  return text.startsWith('{"') && (rawInput === null || text === JSON.stringify(rawInput));
}

function plainText(content: readonly ToolContent[]): string {
  return content.map((item) => (item.type === "content" ? contentText([contentIn(item)]) : "")).join("");
}

/** The text of the content, with terminals in their places; otherwise the raw output. */
export function outputText(facts: ToolFacts, terminalText: (terminalId: string) => string): string {
  const shown = facts.content.map((item) => {
    if (item.type === "content") return contentText([contentIn(item)]);
    return item.type === "terminal" ? terminalText(plainWord(item["terminalId"])) : "";
  });
  const text = shown.filter(Boolean).join("\n");
  return text === "" ? rawOutputText(facts.rawOutput) : text;
}

export function picturesOf({ content }: ToolFacts): ContentBlock[] {
  return content.flatMap((item): ContentBlock[] => {
    const read = item.type === "content" ? readContent(contentIn(item)) : null;
    return read?.kind === "picture" ? [{ type: "image", data: read.data, mime_type: read.mimeType }] : [];
  });
}

function contentIn(item: ToolContent): { type: string } {
  const content = objectOf(item["content"]);
  return { ...content, type: plainWord(content["type"]) };
}

const outputKeys = ["output", "stdout", "text", "content", "message", "error"] as const;

function rawOutputText(rawOutput: unknown): string {
  if (typeof rawOutput === "string") return rawOutput;
  const output = objectOf(rawOutput);
  const said = outputKeys.map((key) => output[key]).find((word) => typeof word === "string" && word !== "");
  return typeof said === "string" ? said : "";
}

function hasFields(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value !== undefined && value !== null;
  return Object.keys(value).length > 0;
}
