// A workspace on disk with an outside next to it, and the two steps in which the loop uses a tool.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type * as z from "zod";
import type { Tool, ToolContext, ToolPlan, ToolResult } from "../../../src/builtin/tool.js";

export type Workspace = {
  readonly folder: string;
  /** A folder beside the workspace. */
  readonly outside: string;
  put(path: string, content: string | Uint8Array): string;
  plan<S extends z.ZodType>(tool: Tool<S>, input: z.infer<S>): Promise<ToolPlan>;
  /** Runs it as the loop would: with its own plan unless another one, or none, is given. */
  run<S extends z.ZodType>(
    tool: Tool<S>,
    input: z.infer<S>,
    context?: Partial<ToolContext> & { unplanned?: true },
  ): Promise<ToolResult>;
  remove(): void;
};

export function makeWorkspace(): Workspace {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "palaver-tools-")));
  const folder = join(top, "ws");
  const outside = join(top, "outside");
  for (const each of [folder, outside]) mkdirSync(each);
  chmodSync(top, 0o755);
  const idle = new AbortController().signal;
  const plan: Workspace["plan"] = async (tool, input) => {
    const made = await tool.plan(input, { folder, signal: idle });
    return (await tool.rehearse?.(input, made, { folder, signal: idle })) ?? made;
  };
  return {
    folder,
    outside,
    put(path, content) {
      const whole = join(folder, path);
      mkdirSync(dirname(whole), { recursive: true });
      writeFileSync(whole, content);
      return whole;
    },
    plan,
    async run(tool, input, { unplanned, ...context } = {}) {
      const made = unplanned === true || context.plan !== undefined ? {} : { plan: await plan(tool, input) };
      return tool.run(input, { folder, signal: idle, onOutput: () => {}, ...made, ...context });
    },
    remove: () => rmSync(top, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Does something without the rights of root, when the tests have them. */
export async function withoutRoot<T>(job: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return job();
  process.seteuid?.(65_534);
  try {
    return await job();
  } finally {
    process.seteuid?.(0);
  }
}
