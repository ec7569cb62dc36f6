// Streamed text may end in the first characters of a secret that cannot be recognised yet. They are held back; a later event
// has the complete text.
import type { SessionEvent } from "../../contract/session-events.js";

type Unfinished = (text: string) => string;

/** Fields of the protocol, never text of the agent. */
const NAMES: ReadonlySet<string> = new Set(["type", "role", "id", "name", "mime_type", "tool_call_id"]);

export function withoutOpenEnds(event: SessionEvent, unfinished: Unfinished): SessionEvent {
  switch (event.type) {
    case "message.started":
    case "message.updated": {
      if (event.message.role !== "assistant") return event;
      return { ...event, message: { ...event.message, content: closedContent(event.message.content, unfinished) } };
    }
    case "tool.updated":
      return { ...event, output: closedOutput(event.output, unfinished) };
    default:
      return event;
  }
}

type Content = Extract<SessionEvent, { type: "message.updated" }>["message"]["content"];
type Output = Extract<SessionEvent, { type: "tool.updated" }>["output"];

function closedOutput(output: Output, unfinished: Unfinished): Output {
  if (output === null) return null;
  if (typeof output === "string") return unfinished(output);
  return { ...output, content: closedContent(output.content, unfinished) ?? "" };
}

// Only the last block is unfinished, and an image comes whole.
function closedContent<Any extends Content>(content: Any, unfinished: Unfinished): Any {
  if (typeof content === "string") return unfinished(content) as Any;
  if (!Array.isArray(content) || content.length === 0) return content;
  const last: { readonly type?: unknown } | undefined = content.at(-1);
  if (last?.type === "image") return content;
  return [...content.slice(0, -1), closedDeep(last, unfinished)] as Any;
}

function closedDeep(value: unknown, unfinished: Unfinished): unknown {
  if (typeof value === "string") return unfinished(value);
  if (Array.isArray(value)) return value.map((item) => closedDeep(item, unfinished));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, NAMES.has(name) ? item : closedDeep(item, unfinished)]),
  );
}
