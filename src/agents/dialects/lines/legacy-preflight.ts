// Agents without permission events announce a tool in one of three known texts. These texts become permission events, unless
// the agent has announced the events in its answer to `initialize`.
import type { Message } from "../../../contract/messages.js";
import type { SessionEvent } from "../../../contract/session-events.js";

export interface LegacyPreflight {
  /** Also learns from the answer to `initialize` whether the agent has the events. */
  read(events: readonly SessionEvent[]): SessionEvent[];
}

export type LegacyText =
  | { readonly type: "arguments"; readonly tool: string; readonly text: string }
  | { readonly type: "preview"; readonly tool: string; readonly text: string }
  | { readonly type: "ready"; readonly tool: string };

const ARGUMENTS = /^Permission request raw args \(([^)\n]+)\):[ \t]*\n?([\s\S]*)$/;
const PREVIEW = /^Planned ([^\n]+?) diff preview:[ \t]*\n?([\s\S]*)$/;
const READY = /^Permission preflight ready for ([^\n]+?)\.?\s*$/;
const CUT = /\n?^(?:\.\.\.|…)\s*$(?![\s\S]*\S)/m;
const DIFF_LINE = /^(?:@@|--- |\+\+\+ |diff --git |[+-])/m;

/** Null for any other text. */
export function readLegacyText(text: string): LegacyText | null {
  if (!text.startsWith("P")) return null;
  const [, readyTool] = READY.exec(text) ?? [];
  if (readyTool !== undefined) return { type: "ready", tool: readyTool };
  const [, previewTool, preview = ""] = PREVIEW.exec(text) ?? [];
  if (previewTool !== undefined) return { type: "preview", tool: previewTool, text: preview };
  const [, argumentsTool, args = ""] = ARGUMENTS.exec(text) ?? [];
  return argumentsTool === undefined ? null : { type: "arguments", tool: argumentsTool, text: args };
}

/** Arguments that wait for a preview, one per session; the oldest is released when there are too many. */
const HELD_MAX = 64;

export function createLegacyPreflight(): LegacyPreflight {
  let agreed: "events" | "texts" = "texts";
  const held = new Map<string | null, { tool: string; text: string }>();

  function release(sessionId: string | null): SessionEvent[] {
    const args = held.get(sessionId);
    held.delete(sessionId);
    return args === undefined ? [] : [previewed(sessionId, args.tool, { summary: args.text, truncated: false })];
  }

  // Arguments are shown only without a preview of the same call.
  function tell(sessionId: string | null, legacy: LegacyText): SessionEvent[] {
    if (legacy.type === "arguments") {
      const [oldest] = held.size >= HELD_MAX ? held.keys() : [];
      const before = [...release(sessionId), ...(oldest === undefined ? [] : release(oldest))];
      held.set(sessionId, legacy);
      return before;
    }
    if (legacy.type === "ready") {
      return [...release(sessionId), { type: "permission.readied", sessionId, tool: legacy.tool }];
    }
    if (held.get(sessionId)?.tool === legacy.tool) held.delete(sessionId);
    const isCut = CUT.test(legacy.text);
    const text = legacy.text.replace(CUT, "");
    const body = DIFF_LINE.test(text) ? { diff: text } : { summary: text };
    return [...release(sessionId), previewed(sessionId, legacy.tool, { ...body, truncated: isCut })];
  }

  function readOne(event: SessionEvent): SessionEvent[] {
    const text = wholeText(event);
    const legacy = text === null ? null : readLegacyText(text);
    if (legacy === null) return held.has(event.sessionId) ? [...release(event.sessionId), event] : [event];
    // Only a complete message becomes an event; until then it is held back.
    const isComplete = event.type === "message.finished" || event.type === "notice.shown";
    return isComplete ? tell(event.sessionId, legacy) : [];
  }

  return {
    read: (events) =>
      events.flatMap((event) => {
        if (event.type === "command.answered" && event.command === "initialized") {
          agreed = announcesEvents(event.answer) ? "events" : "texts";
        }
        return agreed === "events" ? [event] : readOne(event);
      }),
  };
}

function previewed(
  sessionId: string | null,
  tool: string,
  body: { diff?: string; summary?: string; truncated: boolean },
): SessionEvent {
  return { type: "permission.previewed", sessionId, tool, ...body };
}

function announcesEvents({ server_capabilities }: Readonly<Record<string, unknown>>): boolean {
  const bits = server_capabilities as { supports_permission_preflight_events?: unknown } | null | undefined;
  return bits?.supports_permission_preflight_events === true;
}

/** The text of an event that has nothing but text of the agent. */
function wholeText(event: SessionEvent): string | null {
  switch (event.type) {
    case "notice.shown":
      return event.message;
    case "message.started":
    case "message.updated":
    case "message.finished":
      return event.message.role === "assistant" ? onlyText(event.message) : null;
    default:
      return null;
  }
}

// Called for every token, so it does not copy the message.
function onlyText({ content }: Message): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content) || content.length !== 1) return null;
  const [block] = content;
  return block?.type === "text" && typeof block.text === "string" ? block.text : null;
}
