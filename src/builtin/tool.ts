// A tool of the built-in agent: it describes what it would do before doing it, so that policy and user can check the plan, and
// it can be stopped at any moment. The loop uses tools only through this interface.
import type * as z from "zod";
import type { PermissionRequest as PermissionQuestion } from "../sdk/exports.js";
import type { PermissionDecision, PermissionRequest } from "../session/permission/request.js";
import type { Sandbox } from "../system/sandbox/sandbox.js";

/** What kind of thing a tool does; policies are written in these words. */
export type ToolAccess = "read" | "write" | "execute";

/** A call before it happens. Nothing has been changed when a plan is handed out, and nothing of its subject looked at. */
export type ToolPlan = {
  readonly access: ToolAccess;
  /** What rules are matched against: a path as the user would write it (relative to the workspace), or the command. */
  readonly subject: string;
  /** Whether it reaches beyond the workspace, links followed. */
  readonly reach: "inside" | "outside";
  /** What is dangerous about it, in words for the user; null when nothing is. */
  readonly danger: string | null;
  /** Set when a call that writes also tells what was there, by its answer or by how it fails: then it is a read as well. */
  readonly reveals?: true;
  /** What the user sees before the question: a real diff from a dry run, or a summary. */
  readonly preview: Pick<PermissionQuestion, "path" | "language" | "diff" | "summary" | "truncated">;
  /** What the plan was made from, in the tool's own words; run() compares it with what it finds then. */
  readonly basis?: string;
};

export type ToolResult = {
  /** What the model reads, within the tool's limits. */
  readonly text: string;
  readonly outcome: "done" | "failed";
  /** More for front ends: counts, an exit code, the diff that was applied. Plain JSON. */
  readonly details?: Readonly<Record<string, unknown>>;
};

/** A file as the policy knows it: where it is, seen from the workspace. */
export type ReadSubject = Pick<PermissionRequest, "subject" | "reach">;

export type FailedInSandbox = {
  readonly command: string;
  /** Why, as the rest of a sentence. */
  readonly because: string;
};

export type LeaveAnswer =
  | { readonly type: "allowed" | "unasked" }
  /** `words` are what the user said to it, for the model; empty when nothing. */
  | { readonly type: "denied"; readonly words: string };

export type ToolContext = {
  /** The workspace, an absolute path. */
  readonly folder: string;
  /** Aborted when the user stops the turn; a tool then ends soon and leaves no process behind. */
  readonly signal: AbortSignal;
  /** The plan that was approved. With it, run() refuses when the file or the link it was about has changed since. */
  readonly plan?: ToolPlan;
  /** The id of the call, for whatever is to be told apart from other calls outside. */
  readonly callId?: string;
  /**
   * What policy says to reading one file. Searches look into those that are allowed; listings name all that are not
   * denied.
   */
  readDecision?(file: ReadSubject): PermissionDecision;
  /** Where commands run; as they are, when it is left out. */
  readonly sandbox?: Sandbox | undefined;
  /** Asks the user to let a command that failed in the sandbox run outside; "unasked" when no one can be. */
  leaveSandbox?(failed: FailedInSandbox): Promise<LeaveAnswer>;
  /** More of its output, as it comes. */
  onOutput(delta: string): void;
};

export interface Tool<Schema extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** For the model: what it does, its limits, when to use it. */
  readonly description: string;
  readonly inputSchema: Schema;
  /**
   * Says what the call is about, from its input and the links on the way alone, so that policy can decide before anything
   * is looked at. Rejects with a ToolError when the input makes no sense.
   */
  plan(input: z.infer<Schema>, context: Pick<ToolContext, "folder" | "signal">): Promise<ToolPlan>;
  /**
   * Tries it without changing anything and completes the plan: the diff for the user, the basis for run(). Called when
   * policy does not deny it. Rejects with a ToolError when it cannot work (no such file, no match); the model hears
   * those words only where it may read the file, or the user says yes.
   */
  rehearse?(
    input: z.infer<Schema>,
    plan: ToolPlan,
    context: Pick<ToolContext, "folder" | "signal" | "readDecision">,
  ): Promise<ToolPlan>;
  /** Does it. Failures of the job are results; only an abort and programmers' errors reject. */
  run(input: z.infer<Schema>, context: ToolContext): Promise<ToolResult>;
}

/** The call cannot be done as it stands; the message tells the model what to do instead. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}
