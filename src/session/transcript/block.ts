// The pieces of a transcript. A block is open while it can change; only closed blocks, and the closed beginning of an open one,
// may go to the scrollback.
import type { FileChange } from "../../contract/file-change.js";
import type { NotifyLevel } from "../../contract/notices.js";

export type Block =
  | { readonly kind: "prompt"; readonly id: string; readonly text: string }
  /** What the agent says, Markdown. */
  | { readonly kind: "prose"; readonly id: string; readonly text: string }
  | { readonly kind: "thinking"; readonly id: string; readonly text: string }
  | { readonly kind: "image"; readonly id: string; readonly mimeType: string; readonly base64: string }
  | ToolBlock
  /** A question and its outcome. */
  | { readonly kind: "asked"; readonly id: string; readonly title: string; readonly outcome: string }
  | { readonly kind: "notice"; readonly id: string; readonly level: NotifyLevel; readonly text: string }
  | { readonly kind: "log"; readonly id: string; readonly text: string };

export type ToolBlock = {
  readonly kind: "tool";
  readonly id: string;
  readonly toolCallId: string;
  readonly name: string;
  readonly args: unknown;
  readonly output: string;
  readonly phase: "waiting" | "running" | "done" | "failed" | "stopped";
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** Whose it is, where it is not the agent's: a command that the user ran with "!". */
  readonly by?: "user";
  /** The files it changes or would change, when the agent tells. */
  readonly changes?: readonly FileChange[];
  /** Whether the agent marked the output as untrusted. */
  readonly trust?: "untrusted";
  /** How it was allowed, or that it was not; missing where no one was asked. */
  readonly approval?: string;
  /** The change that it made, where output and changes say it less well. */
  readonly diff?: string;
};

/** What happened to a block; a view follows the transcript by these alone. */
export type BlockChange =
  | { readonly type: "opened"; readonly block: Block }
  /** Text was added at its end; the block as a whole is not sent again. */
  | { readonly type: "grew"; readonly id: string; readonly delta: string }
  /** It is another one now: what a view kept of it is void, unless it was settled already. */
  | { readonly type: "replaced"; readonly block: Block }
  | { readonly type: "closed"; readonly block: Block };
