// A tool as data: its words for the model, what it takes and gives, and what it does. The same list serves every transport
// and both eras of the protocol; only `server-factory.ts` knows the library that speaks it.
import type * as z from "zod";
import type { Ask, AskOutcome } from "../../contract/asks.js";

/** One call of a tool, as the tool sees it. */
export interface ToolCall {
  /** The name the client gave itself. */
  readonly client: string;
  /** Aborts when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** Puts a question to the person and waits, however long it takes. */
  ask(question: Ask["question"], options?: { timeoutMs?: number | undefined }): Promise<SettledAsk>;
}

export interface SettledAsk {
  readonly id: string;
  readonly outcome: AskOutcome;
}

/** Words for the model, and the same as data for programs. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  /** The tool did not do what it was asked for; the model should know. */
  readonly failed?: true;
}

export interface ToolHints {
  readonly reads: "only" | "may-change";
  readonly world: "open" | "closed";
}

export interface McpTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodObject;
  readonly hints: ToolHints;
  run(args: z.output<Input>, call: ToolCall): Promise<ToolAnswer> | ToolAnswer;
}

/** Keeps the arguments typed where the tool is written, and lets tools of all kinds stand in one list. */
export function defineTool<Input extends z.ZodObject>(tool: McpTool<Input>): McpTool {
  return tool as unknown as McpTool;
}

/** Thrown by a tool: the model is told these words. */
export class ToolRefusal extends Error {
  override readonly name = "ToolRefusal";
}
