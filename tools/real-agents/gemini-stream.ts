// One step as the events of a Gemini answer that is streamed.
import { type ModelStep, piecesOf, usageOf } from "../../test/rigs/model-server/model-step.js";

export function geminiEvents(step: ModelStep, model: string): string[] {
  const { input, output } = usageOf(step);
  const usageMetadata = { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output };
  const event = (parts: readonly object[], finish: object = {}) => {
    const candidates = [{ index: 0, content: { role: "model", parts }, ...finish }];
    return `data: ${JSON.stringify({ candidates, modelVersion: model, responseId: "r1", usageMetadata })}\n\n`;
  };
  const thoughts = piecesOf(step.think ?? "", step.pieceChars).map((text) => event([{ text, thought: true }]));
  const spoken = piecesOf(step.text ?? "", step.pieceChars).map((text) => event([{ text }]));
  if (step.ending !== undefined) return [...thoughts, ...spoken];
  const calls = (step.calls ?? []).map(({ name, args }, place) =>
    event([{ functionCall: { id: `call_${place + 1}`, name, args }, thoughtSignature: "c2lnbmVk" }]),
  );
  return [...thoughts, ...spoken, ...calls, event([{ text: "" }], { finishReason: "STOP" })];
}

export function geminiError(status: number, message: string): unknown {
  return { error: { code: status, message, status: status === 401 ? "UNAUTHENTICATED" : "INTERNAL" } };
}
