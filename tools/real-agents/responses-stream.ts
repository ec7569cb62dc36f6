// One step as the events of an OpenAI response that is streamed, which is the API that codex uses.
import { idOf, type ModelStep, piecesOf, usageOf } from "../../test/rigs/model-server/model-step.js";

let responses = 0;

export function responsesEvents(step: ModelStep, model: string): string[] {
  responses += 1;
  const { input, output } = usageOf(step);
  const id = `resp_${responses}`;
  const messageId = `msg_${responses}`;
  const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const message = (text: string) => ({
    type: "message",
    id: messageId,
    role: "assistant",
    content: text === "" ? [] : [{ type: "output_text", text, annotations: [] }],
  });
  const text = step.text ?? "";
  const spoken = [
    event("response.created", { response: { id, object: "response", model, status: "in_progress", output: [] } }),
    event("response.output_item.added", { output_index: 0, item: message("") }),
    ...piecesOf(text, step.pieceChars).map((delta) =>
      event("response.output_text.delta", { item_id: messageId, output_index: 0, content_index: 0, delta }),
    ),
  ];
  if (step.ending !== undefined) return spoken;
  const calls = (step.calls ?? []).map((call, place) => {
    const [name, namespace] = call.name.split("/").reverse();
    const item = { type: "function_call", id: `fc_${responses}_${place}`, call_id: idOf(call, place), name };
    const done = { ...item, ...(namespace === undefined ? {} : { namespace }), arguments: JSON.stringify(call.args) };
    return event("response.output_item.done", { output_index: place + 1, item: done });
  });
  const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
  return [
    ...spoken,
    event("response.output_item.done", { output_index: 0, item: message(text) }),
    ...calls,
    event("response.completed", {
      response: { id, object: "response", model, status: "completed", output: [], usage },
    }),
  ];
}
