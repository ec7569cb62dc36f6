// One step as the events of an Anthropic message that is streamed.
import { idOf, type ModelStep, piecesOf, usageOf } from "./model-step.js";

export function anthropicEvents(step: ModelStep, model: string): string[] {
  const { input, output, cacheRead } = usageOf(step);
  const usage = {
    input_tokens: input,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
  };
  const head = { id: "msg_1", type: "message", role: "assistant", model, content: [], stop_reason: null, usage };
  const blocks = blocksOf(step);
  const start = event("message_start", { message: head });
  const spoken = blocks.flatMap(({ begin, deltas }, index) => [
    event("content_block_start", { index, content_block: begin }),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    ...(step.ending === undefined ? [event("content_block_stop", { index })] : []),
  ]);
  if (step.ending !== undefined) return [start, ...spoken];
  const stop_reason = (step.calls ?? []).length > 0 ? "tool_use" : step.finish === "length" ? "max_tokens" : "end_turn";
  const end = event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } });
  return [start, ...spoken, end, event("message_stop", {})];
}

type Block = { begin: unknown; deltas: unknown[] };

function blocksOf(step: ModelStep): Block[] {
  const blocks: Block[] = [];
  if (step.think !== undefined) {
    const thoughts = piecesOf(step.think, step.pieceChars).map((thinking) => ({ type: "thinking_delta", thinking }));
    const signed = { type: "signature_delta", signature: "signed-by-the-stand-in" };
    blocks.push({ begin: { type: "thinking", thinking: "", signature: "" }, deltas: [...thoughts, signed] });
  }
  if (step.text !== undefined) {
    const deltas = piecesOf(step.text, step.pieceChars).map((text) => ({ type: "text_delta", text }));
    blocks.push({ begin: { type: "text", text: "" }, deltas });
  }
  if (step.ending !== undefined) return blocks;
  for (const [place, call] of (step.calls ?? []).entries()) {
    const deltas = piecesOf(JSON.stringify(call.args)).map((partial_json) => ({
      type: "input_json_delta",
      partial_json,
    }));
    blocks.push({ begin: { type: "tool_use", id: idOf(call, place), name: call.name, input: {} }, deltas });
  }
  return blocks;
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

export function anthropicError(message: string): unknown {
  return { type: "error", error: { type: "error", message } };
}
