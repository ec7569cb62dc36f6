// Runs a shell command in the workspace. Its output streams to the front end and is kept within bounds for the model;
// when it ends, by itself, by the clock or by the user, nothing of it stays behind.

import { relative, resolve } from "node:path";
import * as z from "zod";
import { shellTrim } from "../../session/permission/command-parts.js";
import { dangerOfCommand, dangerOfPath, isOutside } from "../../session/permission/danger.js";
import { commandsIn } from "../../session/permission/loose-commands.js";
import { stoppedBySandbox } from "../../session/sandbox/outside-approval.js";
import type { BoxedCommand } from "../../system/sandbox/sandbox.js";
import { SandboxError } from "../../system/sandbox/sandbox-error.js";
import { type LeaveAnswer, type Tool, type ToolContext, ToolError, type ToolResult } from "../tool.js";
import { attempt, counted } from "./attempt.js";
import {
  BASH_TIMEOUT_S_DEFAULT,
  BASH_TIMEOUT_S_MAX,
  OUTPUT_HEAD_CHARS_MAX,
  OUTPUT_STREAM_CHARS_MAX,
  OUTPUT_TAIL_CHARS_MAX,
} from "./limits.js";
import { type GroupEnd, type GroupOptions, runGroup } from "./process-group.js";
import { findPath, type WorkspacePath, workspaceRoot } from "./workspace-path.js";

const COMMAND_CHARS_MAX = 32 * 1024;

const inputSchema = z.object({
  command: z.string().min(1).max(COMMAND_CHARS_MAX).describe("Given to bash -c, in the folder of the workspace."),
  timeout_s: z
    .number()
    .positive()
    .max(BASH_TIMEOUT_S_MAX)
    .optional()
    .describe(`Seconds until it is ended; ${BASH_TIMEOUT_S_DEFAULT} when left out, ${BASH_TIMEOUT_S_MAX} at most.`),
});

export const bashTool: Tool<typeof inputSchema> = {
  name: "bash",
  description:
    "Runs a shell command and returns what it prints, standard output and errors together, and its exit code if it is not 0. " +
    "It begins in the folder of the workspace, so that no cd is needed. " +
    "It has no input and no terminal. Of long output the beginning and the end are returned. " +
    "Background processes end with it.",
  inputSchema,

  async plan({ command }, { folder }) {
    const subject = subjectOf(command);
    const root = await workspaceRoot(folder);
    const linked = await linkedPaths(subject, root);
    const dangers = linked.map(({ subject: path, reach }) => dangerOfPath({ access: "write", path, reach }));
    return {
      access: "execute",
      subject,
      // No rule about commands in general covers what a link leads to, if that could not be named without a question.
      reach: reachesOutside(subject, root) || dangers.some((danger) => danger !== null) ? "outside" : "inside",
      danger: joined([dangerOfCommand(subject, { folder: root }), ...dangers]),
      preview: { summary: subject, language: "bash" },
    };
  },

  run: ({ command, timeout_s = BASH_TIMEOUT_S_DEFAULT }, context) =>
    attempt(context, command, () => runCommand(subjectOf(command), timeout_s, context)),
};

function subjectOf(command: string): string {
  if (command.includes("\0")) throw new ToolError("The command has a NUL character in it.");
  const subject = shellTrim(command);
  if (subject === "") throw new ToolError("The command is empty.");
  return subject;
}

/** What can be seen of it: a command may reach anywhere, and only some say so. */
function reachesOutside(command: string, root: string): boolean {
  return wordsIn(command).some((path) => /^[~/.$]/.test(path) && isOutside(path, root));
}

/** Where the words lead that a link of the workspace is on the way of. */
async function linkedPaths(command: string, root: string): Promise<WorkspacePath[]> {
  const words = [...new Set(wordsIn(command))].filter((word) => word !== "" && !/^[~$]/.test(word));
  const found = await Promise.all(words.map((word) => findPath(root, word).catch(() => null)));
  return found.filter((path) => path !== null).filter(({ written, realPath }) => resolve(root, written) !== realPath);
}

function joined(dangers: readonly (string | null)[]): string | null {
  const all = new Set(dangers.flatMap((danger) => danger?.split("; ") ?? []));
  return all.size === 0 ? null : [...all].join("; ");
}

function wordsIn(command: string): string[] {
  return commandsIn(command).flatMap(({ args, writes, reads }) => [...args, ...writes, ...reads].flatMap(pathsIn));
}

/** A path can stand behind an option or another word: --output=/x, -o/x, HEAD:x, a,b */
function pathsIn(word: string): string[] {
  return [word, ...word.split(/[=:,]/), word.replace(/^-\w+?(?=[~/.])/, "")];
}

// In the sandbox first. What fails there because of it may run again outside, if the user says so to this very command.
async function runCommand(command: string, timeoutS: number, context: ToolContext): Promise<ToolResult> {
  const { sandbox, leaveSandbox } = context;
  if (sandbox === undefined) return runOnce(command, timeoutS, context, "outside");
  const inside = await runOnce(command, timeoutS, context, "inside");
  const because =
    inside.outcome === "done" ? null : stoppedBySandbox({ command, output: inside.text, hidden: sandbox.hidden });
  if (because === null) return inside;
  const answer = (await leaveSandbox?.({ command, because })) ?? { type: "unasked" };
  context.signal.throwIfAborted();
  if (answer.type !== "allowed") return withNote(inside, `${STOPPED}: ${because}. ${refusals[answer.type]}`, answer);
  context.onOutput("\n[outside the sandbox]\n");
  const outside = await runOnce(command, timeoutS, context, "outside");
  return { ...outside, text: `[run outside the sandbox, as the user allowed]\n${outside.text}` };
}

const STOPPED = "The command ran in the sandbox, which is probably why it failed";
const refusals = {
  unasked: "It cannot leave the sandbox, because no one can be asked. Do without, or say what the user has to run.",
  denied: "The user denied running it outside.",
} as const;

function withNote(result: ToolResult, note: string, answer: LeaveAnswer): ToolResult {
  const said = answer.type === "denied" && answer.words !== "" ? ` They said: ${answer.words}` : "";
  return { ...result, text: `${result.text}\n[${note}${said}]` };
}

/** Paths that come and go, of other programs, can make several starts fail in a row. */
const START_TRIES_MAX = 5;

async function runOnce(
  command: string,
  timeoutS: number,
  context: ToolContext,
  where: "inside" | "outside",
  tries = START_TRIES_MAX,
): Promise<ToolResult> {
  const { folder, signal } = context;
  const window = new OutputWindow({ headCharsMax: OUTPUT_HEAD_CHARS_MAX, tailCharsMax: OUTPUT_TAIL_CHARS_MAX });
  const onOutput = (text: string) => {
    const room = OUTPUT_STREAM_CHARS_MAX - window.totalChars;
    window.add(text);
    if (room > 0) context.onOutput(text.slice(0, room));
    if (room > 0 && text.length >= room) context.onOutput("\n[more output is not shown while it runs]\n");
  };
  const options = { command, folder, timeoutMs: timeoutS * 1_000, signal, onOutput };
  let masked: readonly string[] = [];
  const wrap: GroupOptions["wrap"] = async (line, env) => {
    const boxed = await wrapped(line, env, context);
    masked = boxed.masked;
    return boxed;
  };
  const end = await runGroup(where === "outside" ? options : { ...options, wrap });
  // A path may go away while it is being mounted; then the command has not run.
  if (end.reason === "not-started" && where === "inside") {
    if (tries > 1) return runOnce(command, timeoutS, context, where, tries - 1);
    throw new ToolError(`The sandbox could not be set up, so the command did not run: ${end.problem}`);
  }
  if (end.reason === "aborted") signal.throwIfAborted();
  const output = window.text.trimEnd();
  const notes = [...notesOn(end, timeoutS, output), ...notesOnMasked(command, folder, masked)];
  return {
    text: [output, ...notes].filter((part) => part !== "").join("\n"),
    outcome: end.reason === "exited" && end.code === 0 ? "done" : "failed",
    details: {
      exitCode: end.reason === "exited" ? end.code : null,
      timedOut: end.reason === "timed-out",
      outputLines: window.lines,
      outputChars: window.totalChars,
    },
  };
}

// A file that policy would ask about, or denies, is not readable in there.
async function wrapped(
  line: readonly string[],
  env: NodeJS.ProcessEnv,
  { sandbox, readDecision }: ToolContext,
): Promise<BoxedCommand> {
  try {
    if (sandbox === undefined) throw new SandboxError("it was closed");
    if (readDecision === undefined) return await sandbox.wrap(line, env);
    const mayRead = (path: string) => readDecision({ subject: path, reach: "inside" }) === "allow";
    return await sandbox.wrap(line, env, { mayRead });
  } catch (error) {
    if (error instanceof SandboxError)
      throw new ToolError(`The sandbox could not be set up, so the command did not run: ${error.message}.`);
    throw error;
  }
}

/** Of the hidden files that the command names; an empty one would look like the truth. */
function notesOnMasked(command: string, folder: string, masked: readonly string[]): string[] {
  const words = masked.length === 0 ? [] : wordsIn(command).map((word) => resolve(folder, word));
  const named = masked.filter((path) => words.some((word) => word === path || word.startsWith(`${path}/`)));
  return named.map((path) => `[the sandbox hid ${relative(folder, path)} from this command, which saw it empty]`);
}

// An output without a note is that of a command that did well.
function notesOn({ code, reason, leftovers, problem }: GroupEnd, timeoutS: number, output: string): string[] {
  const notes: string[] = [];
  if (reason === "not-started") notes.push(`[it could not be started: ${problem}]`);
  if (reason === "timed-out") notes.push(`[ended after ${counted(timeoutS, "second")}; set timeout_s for more time]`);
  if (reason === "exited" && (code !== 0 || output === "")) notes.push(`[exit code ${code}]`);
  if (reason === "exited" && leftovers === "ended") notes.push("[background processes were ended]");
  return notes;
}

// Output of any length in a bounded place: its beginning, its end, and how much was left out between them. The beginning
// says what was going on, the end says how it went.
//
//   [ head ............ ][ … 1,204,551 characters left out … ][ ............ tail ]
export type OutputLimits = { readonly headCharsMax: number; readonly tailCharsMax: number };

export class OutputWindow {
  private readonly limits: OutputLimits;
  private head = "";
  private tail = "";
  private total = 0;
  private newlines = 0;
  private endsWithNewline = true;

  constructor(limits: OutputLimits) {
    this.limits = limits;
  }

  add(text: string): void {
    if (text === "") return;
    this.total += text.length;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.newlines++;
    this.endsWithNewline = text.endsWith("\n");
    const room = this.limits.headCharsMax - this.head.length;
    this.head += text.slice(0, room);
    this.keepTail(text.slice(room));
  }

  // Cutting at every chunk would copy the tail again and again; it may grow to twice its size in between.
  private keepTail(text: string): void {
    this.tail += text.slice(-2 * this.limits.tailCharsMax);
    if (this.tail.length > 2 * this.limits.tailCharsMax) this.tail = this.tail.slice(-this.limits.tailCharsMax);
  }

  get totalChars(): number {
    return this.total;
  }

  get lines(): number {
    return this.newlines + (this.endsWithNewline ? 0 : 1);
  }

  get text(): string {
    const tail = this.tail.slice(-this.limits.tailCharsMax);
    const left = this.total - this.head.length - tail.length;
    return left <= 0 ? this.head + tail : `${this.head}\n[… ${counted(left, "character")} left out …]\n${tail}`;
  }
}
