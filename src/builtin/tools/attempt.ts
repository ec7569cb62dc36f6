// What every tool call shares: the path is resolved again, a failure becomes a result that the model can read, and an abort
// stays an abort.
import { dangerOfPath } from "../../session/permission/danger.js";
import { type ToolContext, ToolError, type ToolPlan, type ToolResult } from "../tool.js";
import { errorCode, systemProblem } from "./system-problem.js";
import { findPath, type WorkspacePath } from "./workspace-path.js";

export async function attempt(
  { signal }: Pick<ToolContext, "signal">,
  written: string,
  job: () => Promise<ToolResult>,
): Promise<ToolResult> {
  signal.throwIfAborted();
  try {
    return await job();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolError) return failed(error.message);
    if (errorCode(error) !== undefined) return failed(systemProblem(error, written));
    throw error;
  }
}

/** The path as it is now; refused when it leads elsewhere than in the plan that was approved. */
export async function approvedPath(
  written: string,
  { folder, plan }: Pick<ToolContext, "folder" | "plan">,
): Promise<WorkspacePath> {
  const path = await findPath(folder, written);
  if (plan !== undefined && (plan.subject !== path.subject || plan.reach !== path.reach)) {
    throw new ToolError(`${written} led to ${plan.subject} when it was approved and leads to ${path.subject} now.`);
  }
  return path;
}

/** The plan of a call that is about one path. */
export async function pathPlan(
  access: "read" | "write",
  { folder }: Pick<ToolContext, "folder">,
  written: string,
  summary?: (subject: string) => string,
): Promise<ToolPlan> {
  const { subject, reach } = await findPath(folder, written);
  const danger = dangerOfPath({ access, path: subject, reach });
  const preview = { path: subject, ...(summary === undefined ? {} : { summary: summary(subject) }) };
  return { access, subject, reach, danger, preview };
}

function failed(text: string): ToolResult {
  return { text, outcome: "failed" };
}

/** 1 file · 2 files */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
