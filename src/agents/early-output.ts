// Reads an agent's output before its protocol is known: keeps it for the link that takes over, recognises the protocol from
// the first frame, and detects plain programs such as `bc`, an interpreter or an installer.

import { objectOf } from "../contract/json-value.js";
import { linesOutputTable } from "../contract/lines-outputs.js";
import { plainWord } from "../contract/plain-word.js";
import { rpcNotificationSchemas, rpcRequestSchemas } from "../contract/rpc.js";
import type { WireName } from "../contract/wire-names.js";
import type { JsonObject } from "./dialects/frames/json-frame.js";
import { createLineSplitter, type RawLine } from "./dialects/frames/line-splitter.js";
import { isPresetProgram } from "./presets.js";

const NEWLINE = 0x0a;
const BEGINNING_BYTES_SHOWN = 200;

/** Lines are examined one by one; kept lines come out again as bytes, with the beginning of an incomplete line. */
export class UnreadOutput {
  sizeBytes = 0;
  private readonly splitter = createLineSplitter();
  private lines: Uint8Array[] = [];
  private beginning: Uint8Array[] = [];

  /** The completed lines. */
  push(chunk: Uint8Array): RawLine[] {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last >= 0) this.beginning = [];
    // The caller may reuse the chunk.
    this.beginning.push(chunk.slice(last + 1));
    return this.splitter.push(chunk);
  }

  /** The stream ended; text after the last newline is a line too. */
  end(): RawLine[] {
    this.beginning = [];
    return this.splitter.end();
  }

  keep(line: string): void {
    const bytes = new TextEncoder().encode(`${line}\n`);
    this.lines.push(bytes);
    this.sizeBytes += bytes.length;
  }

  /** The beginning of the incomplete line. */
  get unfinished(): string {
    return new TextDecoder().decode(
      this.beginning.find(({ length }) => length > 0)?.subarray(0, BEGINNING_BYTES_SHOWN),
    );
  }

  forgetLines(): void {
    this.lines = [];
    this.sizeBytes = 0;
  }

  drain(): Uint8Array[] {
    const all = [...this.lines, ...this.beginning].filter(({ length }) => length > 0);
    this.forgetLines();
    this.beginning = [];
    return all;
  }
}

/** How much output is examined. */
const KEPT_CHARS_MAX = 2_000;

/** `>>> `, `name? `, `$ `: an unfinished line on stderr that asks for input. */
const PROMPT = /(?:^|\n)[^\n]{0,200}[>?$#:] $/;
const COMPLAINT = /syntax error|parse error|illegal character|unexpected token|is not defined|command not found/i;

/** The program prints text instead of frames, shows a prompt, or complains about the greeting. */
export class PlainSigns {
  /** The first text line, quoted in the message. */
  words = "";
  private standing = "";
  private stderr = "";
  private stderrAfterGreeting = "";
  private state: "listening" | "greeted" = "listening";
  private hasAnsweredInText = false;

  greeted(): void {
    this.state = "greeted";
  }

  /** A text line on stdout. */
  line(text: string): void {
    this.words ||= text.trim().slice(0, 80);
    if (this.state === "greeted") this.hasAnsweredInText = true;
  }

  /** The unfinished line on stdout. */
  unfinishedLine(text: string): void {
    const start = text.slice(0, KEPT_CHARS_MAX).trimStart();
    this.standing = start.startsWith("{") ? "" : start;
  }

  stderrChunk(chunk: string): void {
    this.stderr = (this.stderr + chunk).slice(-KEPT_CHARS_MAX);
    if (this.state === "greeted") this.stderrAfterGreeting = (this.stderrAfterGreeting + chunk).slice(-KEPT_CHARS_MAX);
  }

  /** Text was printed, so nothing may be typed into the program. */
  get hasPrinted(): boolean {
    return this.words !== "" || this.standing !== "" || PROMPT.test(this.stderr);
  }

  /** It looks like no agent; a slow or talkative agent writes a frame soon. */
  get looksPlain(): boolean {
    const isAtPrompt = this.standing !== "" || PROMPT.test(this.stderr);
    return isAtPrompt || this.hasAnsweredInText || COMPLAINT.test(this.stderrAfterGreeting);
  }

  /** What it wrote to stderr, the last part of it. */
  get errors(): string {
    return this.stderr;
  }

  get quoted(): string {
    return this.words || this.standing.trim().slice(0, 80);
  }
}

/** Programs that people type into, and interpreters, which are that unless they are given a program to run. */
const INTERACTIVE = /^(?:bc|dc|ed|cat|tee|sqlite3|psql|mysql|gdb|ftp|telnet|irb|ghci)$/;
const INTERPRETER = /^(?:python|node|ruby|lua|php|perl|deno|bun|sh|bash|dash|zsh|fish|ksh)[\d.]*$/;
const REPL_FLAG = /^-[iluqsB]+$/;

/** The command line itself says that the program is no agent, so that nothing may be typed into it. */
export function isPlainProgram(command: string, args: readonly string[]): boolean {
  const name = command.replace(/^.*[\\/]/, "").replace(/\.exe$/i, "");
  return INTERACTIVE.test(name) || (INTERPRETER.test(name) && args.every((arg) => REPL_FLAG.test(arg)));
}

/** Words on a command line by which an agent waits to be greeted: of its protocol, or of a mode that has one. */
const GREETED = /(?:^|[^a-z])(?:acp|app-server|codelia)(?:$|[^a-z])/i;

/** Only a program that is started as an agent is greeted: nothing is typed into any other. */
export function isStartedAsAgent(command: string, args: readonly string[]): boolean {
  return [command, ...args].some((word) => GREETED.test(word)) || isPresetProgram(command);
}

const bareMethods: ReadonlySet<unknown> = new Set(
  [...rpcRequestSchemas, ...rpcNotificationSchemas].map(({ shape }) => shape.method.value),
);

/** Types that only Claude Code writes. */
const claudeTypes: ReadonlySet<unknown> = new Set(["system", "control_request", "control_response", "stream_event"]);

/**
 * The wire of an agent by its first frame: null when it fits several. Agents on our own wire write first; ACP agents answer our
 * greeting, and others refuse it in a recognisable way.
 */
export function spokenIn(frame: JsonObject): WireName | null {
  const { type, jsonrpc, method } = frame;
  if (jsonrpc === "2.0") return isOfCodelia(frame) ? "codelia" : "acp";
  if (type === "response" && "success" in frame) return "pi";
  if (claudeTypes.has(type)) return "claude";
  if (type !== undefined) return linesOutputTable.get(plainWord(type)) === undefined ? null : "lines";
  // The same greeting again, without a version of JSON-RPC.
  if ("codexHome" in objectOf(frame.result)) return "codex";
  return bareMethods.has(method) ? "rpc" : null;
}

// Both answer `initialize`; ACP writes its fields in camel case.
function isOfCodelia({ result, method }: JsonObject): boolean {
  if (method === "agent.event" || /^ui\.\w+\.request$/.test(plainWord(method))) return true;
  return "protocol_version" in objectOf(result);
}
