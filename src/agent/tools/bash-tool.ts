// Runs a shell command in the workspace. Its output streams to whoever watches and is kept within bounds for the model;
// when it ends, by itself, by the clock or by the person, nothing of it stays behind.
import * as z from "zod";
import { shellTrim } from "../../core/permission/command-parts.js";
import { dangerOfCommand, isOutside } from "../../core/permission/danger.js";
import { commandsIn } from "../../core/permission/loose-commands.js";
import { type Tool, type ToolContext, ToolError, type ToolResult } from "../tool.js";
import { attempt, counted } from "./attempt.js";
import {
  BASH_TIMEOUT_S_DEFAULT,
  BASH_TIMEOUT_S_MAX,
  OUTPUT_HEAD_CHARS_MAX,
  OUTPUT_STREAM_CHARS_MAX,
  OUTPUT_TAIL_CHARS_MAX,
} from "./limits.js";
import { OutputWindow } from "./output-window.js";
import { type GroupEnd, runGroup } from "./process-group.js";
import { workspaceRoot } from "./workspace-path.js";

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
    "Runs a shell command and returns what it prints, standard output and errors together, and its exit code. " +
    "It begins in the folder of the workspace, so that no cd is needed. " +
    "It has no input and no terminal. Of long output the beginning and the end are returned. " +
    "What it leaves running in the background is ended with it.",
  inputSchema,

  async plan({ command }, { folder }) {
    const subject = subjectOf(command);
    const root = await workspaceRoot(folder);
    return {
      access: "execute",
      subject,
      reach: reachesOutside(subject, root) ? "outside" : "inside",
      danger: dangerOfCommand(subject, { folder: root }),
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
  return commandsIn(command).some(({ args, writes, reads }) =>
    [...args, ...writes, ...reads].flatMap(pathsIn).some((path) => /^[~/.$]/.test(path) && isOutside(path, root)),
  );
}

/** A path can stand behind an option or another word: --output=/x, -o/x, HEAD:x, a,b */
function pathsIn(word: string): string[] {
  return [word, ...word.split(/[=:,]/), word.replace(/^-\w+?(?=[~/.])/, "")];
}

async function runCommand(command: string, timeoutS: number, context: ToolContext): Promise<ToolResult> {
  const { folder, signal } = context;
  const window = new OutputWindow({ headCharsMax: OUTPUT_HEAD_CHARS_MAX, tailCharsMax: OUTPUT_TAIL_CHARS_MAX });
  const onOutput = (text: string) => {
    const room = OUTPUT_STREAM_CHARS_MAX - window.totalChars;
    window.add(text);
    if (room > 0) context.onOutput(text.slice(0, room));
    if (room > 0 && text.length >= room) context.onOutput("\n[more output is not shown while it runs]\n");
  };
  const end = await runGroup({ command, folder, timeoutMs: timeoutS * 1_000, signal, onOutput });
  if (end.reason === "aborted") signal.throwIfAborted();
  return {
    text: [window.text.trimEnd(), ...notesOn(end, timeoutS)].filter((part) => part !== "").join("\n"),
    outcome: end.reason === "exited" && end.code === 0 ? "done" : "failed",
    details: {
      exitCode: end.reason === "exited" ? end.code : null,
      timedOut: end.reason === "timed-out",
      outputLines: window.lines,
      outputChars: window.totalChars,
    },
  };
}

function notesOn({ code, reason, leftovers, problem }: GroupEnd, timeoutS: number): string[] {
  const notes: string[] = [];
  if (reason === "not-started") notes.push(`[it could not be started: ${problem}]`);
  if (reason === "timed-out") notes.push(`[ended after ${counted(timeoutS, "second")}; set timeout_s for more time]`);
  if (reason === "exited") notes.push(`[exit code ${code}]`);
  if (reason === "exited" && leftovers === "ended") notes.push("[what still ran in the background was ended]");
  return notes;
}
