// What the agent knows of a language model: it is given a conversation and tools, and it streams parts. Adapters hide who
// is behind it; the loop knows nothing else. A stream ends with one `finish` part, or rejects with a ModelError.
import type { Usage } from "../../contract/messages.js";
import type { ModelPrice } from "../../session/settings/presets.js";
import type { HistoryMessage } from "../session/history.js";

export type ToolDescription = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Record<string, unknown>;
};

export type ModelRequest = {
  readonly system: string;
  readonly messages: readonly HistoryMessage[];
  readonly tools: readonly ToolDescription[];
  readonly signal: AbortSignal;
};

export type FinishReason = "stop" | "length" | "tool_use" | "refused";

export type ModelPart =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thinking"; readonly delta: string }
  /** Belongs to the thought before it, and must be shown to the provider again. */
  | { readonly type: "signature"; readonly signature: unknown }
  /** `input` is whatever the model wrote as arguments; the loop checks it against the tool's schema. */
  | { readonly type: "tool-call"; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: FinishReason };

export interface Model {
  readonly provider: string;
  readonly id: string;
  /** How many tokens a conversation may have. */
  readonly contextTokens: number;
  /** What the person says it costs; what is published counts when it is left out. */
  readonly price?: ModelPrice | null;
  /** Whether it can be asked to sum up a conversation; one that cannot forgets the oldest part instead. */
  readonly compaction: "summary" | "forget";
  stream(request: ModelRequest): AsyncIterable<ModelPart>;
}

export function modelName({ provider, id }: Pick<Model, "provider" | "id">): string {
  return `${provider}:${id}`;
}
