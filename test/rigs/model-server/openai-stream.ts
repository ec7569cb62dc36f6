// One step as the events of an OpenAI chat completion that is streamed.
import { idOf, type ModelStep, piecesOf, usageOf } from "./model-step.js";

export function openaiEvents(step: ModelStep, model: string): string[] {
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    event({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason }],
    });
  const spoken = [
    chunk({ role: "assistant", content: "" }),
    ...piecesOf(step.think ?? "", step.pieceChars).map((piece) => chunk({ reasoning_content: piece })),
    ...piecesOf(step.text ?? "", step.pieceChars).map((piece) => chunk({ content: piece })),
  ];
  if (step.ending !== undefined) return spoken;
  const calls = (step.calls ?? []).flatMap((call, index) => [
    chunk({
      tool_calls: [{ index, id: idOf(call, index), type: "function", function: { name: call.name, arguments: "" } }],
    }),
    ...piecesOf(JSON.stringify(call.args)).map((piece) =>
      chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
    ),
  ]);
  const finish = calls.length > 0 ? "tool_calls" : (step.finish ?? "stop");
  return [...spoken, ...calls, chunk({}, finish), usageEvent(step, model), "data: [DONE]\n\n"];
}

function usageEvent(step: ModelStep, model: string): string {
  const { input, output, cacheRead } = usageOf(step);
  const usage = {
    prompt_tokens: input + cacheRead,
    completion_tokens: output,
    total_tokens: input + cacheRead + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  };
  return event({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model, choices: [], usage });
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

export function openaiError(status: number, message: string): unknown {
  return { error: { message, type: "error", code: status } };
}
