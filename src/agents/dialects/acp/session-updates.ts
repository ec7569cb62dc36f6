// Updates that an agent sends while it works, as session events. An update of an unknown kind is reported. In one with invalid
// fields, the protocol wants those fields and list items ignored and the rest used:
//
//   { toolCallId: "c1", title: "Read", locations: [{ path: 7 }, { path: "/a" }] }
//   { toolCallId: "c1", title: "Read", locations: [{ path: "/a" }] }

import { objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import { badPaths, type SchemaError } from "../../../contract/schema-problem.js";
import type { SessionEvent } from "../../../contract/session-events.js";
import { type JsonObject, whatIsWrong } from "../frames/json-frame.js";
import { type AcpUpdate, acpUpdateTable } from "./acp-frames.js";
import { contentText, type ReadContent, readContent } from "./content-text.js";
import type { AcpContext } from "./context.js";
import type { Session } from "./session.js";
import { usageIn } from "./turns.js";

const SUMMARY_CHARS_MAX = 2_000;

/** Updates that belong to the history of a session, not to its state. */
const toldKinds: ReadonlySet<string> = new Set([
  "agent_message_chunk",
  "agent_thought_chunk",
  "user_message_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
]);

export function takeUpdate(context: AcpContext, session: Session, told: JsonObject): void {
  const { out } = context;
  const raw = withTextIds(told);
  const kind = plainWord(raw["sessionUpdate"]);
  if (session.history === "told-again" && toldKinds.has(kind)) return;
  const checked = acpUpdateTable.get(kind)?.check(raw);
  if (checked === undefined) out.unknown("session update", kind, raw, session.id);
  else if ("error" in checked) takeRest(context, session, raw, checked.error);
  else apply(context, session, checked.frame);
}

/** Some agents send numbers as tool call ids. */
export function withTextIds(fields: JsonObject): JsonObject {
  const { toolCallId } = fields;
  return typeof toolCallId === "number" ? { ...fields, toolCallId: String(toolCallId) } : fields;
}

// Reports the fault and applies what is left, if that is enough. A fault that costs only a field is reported once.
function takeRest(context: AcpContext, session: Session, raw: JsonObject, error: SchemaError): void {
  const kind = plainWord(raw["sessionUpdate"]);
  const fault = whatIsWrong(kind, error, raw);
  const checked = acpUpdateTable.get(kind)?.check(withoutBadFields(raw, badPaths(error)));
  if (checked === undefined || "error" in checked) {
    context.out.event({ type: "fault.reported", sessionId: session.id, fault });
    return;
  }
  context.out.faultOnce(session.id, fault.message, () => fault);
  apply(context, session, checked.frame);
}

function apply(context: AcpContext, session: Session, update: AcpUpdate): void {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
    case "user_message_chunk":
      takeChunk(context, session, update);
      return;
    case "tool_call":
    case "tool_call_update":
      if (update.sessionUpdate === "tool_call_update" && session.tools.isTooLate(update)) return;
      if (session.tools.factsOf(update.toolCallId) === null) {
        session.messages.finish();
        session.tools.endRejected();
      }
      session.tools.update(update);
      return;
    case "current_mode_update":
      session.settings.takeMode(update.currentModeId);
      context.out.event(settingsChanged(session));
      return;
    case "config_option_update":
      session.settings.takeOptions(update.configOptions);
      context.out.event(settingsChanged(session));
      return;
    case "usage_update": {
      const { used, size, cost } = update;
      session.context = { used, size };
      session.cost = cost?.amount ?? session.cost;
      const usage = cost ? { usage: { cost: { total: cost.amount } } } : {};
      context.out.event({ type: "usage.changed", sessionId: session.id, context: { used, size }, ...usage });
      return;
    }
    default:
      context.out.event(...eventsOf(session, update));
  }
}

export function settingsChanged(session: Session): SessionEvent {
  return { type: "settings.changed", sessionId: session.id, settings: session.settings.list() };
}

type ChunkKind = "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk";
type Chunk = Extract<AcpUpdate, { sessionUpdate: ChunkKind }>;

function takeChunk(context: AcpContext, session: Session, update: Chunk): void {
  const { out } = context;
  const { messages } = session;
  const read = readContent(update.content);
  if (update.sessionUpdate === "agent_message_chunk" && read.kind === "text" && isModeEcho(read.text, session)) return;
  const messageId = update.messageId ?? null;
  const usage = usageIn(objectOf(update["_meta"])["usage"]);
  if (usage !== null) out.event({ type: "usage.changed", sessionId: session.id, usage });
  if (read.kind === "unknown") out.unknown("kind of content", update.content.type, update, session.id);
  else if (update.sessionUpdate === "user_message_chunk") {
    personSaid(session, update, read);
  } else {
    session.tools.endRejected();
    const kind = update.sessionUpdate === "agent_thought_chunk" ? "thinking" : "text";
    if (read.kind === "picture") messages.agentShowed(read);
    else messages.agentSaid(kind, read.text, messageId);
  }
  endStrayMessage(context, session);
}

// gemini repeats a change of its mode as text. Another mode stays a message and is not shown as the mode: the model can write such
// a text, too, and would pass for an agent that asks.
function isModeEcho(text: string, { settings }: Session): boolean {
  const mode = /^\[MODE_UPDATE\] (\S+)$/.exec(text.trim())?.[1];
  return mode !== undefined && (mode === settings.find("mode")?.value || mode === settings.askedMode);
}

// Attachments are mentioned in the history; in a turn the user has just attached them.
function personSaid({ messages, history }: Session, { content, messageId }: Chunk, read: ReadContent): void {
  if (read.kind === "text" && (content.type === "text" || history === "being-told")) {
    if (!isForModel(read.text)) messages.personSaid(read.text, messageId ?? null);
  } else if (read.kind === "picture" && history === "being-told") {
    messages.personSaid(`(picture, ${read.mimeType})`, messageId ?? null);
  }
}

// Agents put text for the model into user messages: text that is wrapped in one tag, or the name of a tool that has answered.
function isForModel(text: string): boolean {
  if (/^\[Function Response: [^\]\n]*\]$/.test(text.trim())) return true;
  return /^\s*<([a-z]+[-_][a-z_-]+)>[\s\S]*<\/\1>\s*$/.test(text);
}

// Outside a turn, a pause ends the message.
function endStrayMessage({ effects, limits }: AcpContext, session: Session): void {
  const isStray = () => session.turn === "none" && session.history === "told" && session.messages.isOpen;
  if (!isStray() || session.strayTimer) return;
  session.strayTimer = true;
  effects.after(limits.strayMessageMs, () => {
    session.strayTimer = false;
    if (isStray()) session.messages.finish();
  });
}

function eventsOf(session: Session, update: AcpUpdate): SessionEvent[] {
  const sessionId = session.id;
  switch (update.sessionUpdate) {
    case "plan": {
      session.messages.finish();
      const entries = update.entries.map(({ content, status }) => ({ text: content, status: planStatus(status) }));
      return [{ type: "plan.changed", sessionId, entries }];
    }
    case "available_commands_update": {
      const commands = update.availableCommands.map(({ name, description, input }) => {
        return { name, summary: description ?? "", ...(input?.hint ? { hint: input.hint } : {}) };
      });
      return [{ type: "commands.changed", sessionId, commands }];
    }
    case "session_info_update":
      return update.title ? [{ type: "title.changed", sessionId, title: update.title }] : [];
    case "notice": {
      const level = update.severity === "error" ? "error" : update.severity === "warning" ? "warn" : "info";
      const message = [update.title, update.description].filter(Boolean).join("\n");
      return [{ type: "notice.shown", sessionId, level, message }];
    }
    case "compaction_update":
      return compactionEvents(sessionId, update);
    default:
      return [];
  }
}

function compactionEvents(
  sessionId: string,
  { status, error, summary }: Extract<AcpUpdate, { sessionUpdate: "compaction_update" }>,
): SessionEvent[] {
  if (status === "in_progress") {
    return [{ type: "working.changed", sessionId, message: "compacting the conversation" }];
  }
  const over: SessionEvent = { type: "working.changed", sessionId, message: null };
  if (status === "completed") {
    const said = contentText(summary ?? []).slice(0, SUMMARY_CHARS_MAX);
    const message = ["conversation compacted", said].filter(Boolean).join("\n");
    return [over, { type: "notice.shown", sessionId, level: "info", message }];
  }
  const message = `the conversation could not be compacted: ${error ?? status}`;
  return [over, { type: "notice.shown", sessionId, level: "warn", message }];
}

function planStatus(status: string | null | undefined): "pending" | "in_progress" | "completed" {
  return status === "in_progress" || status === "completed" ? status : "pending";
}

type Path = readonly PropertyKey[];

function withoutBadFields(frame: JsonObject, bad: readonly Path[]): JsonObject {
  const left: JsonObject = { ...frame };
  for (const [field, ...rest] of fromTheEnd(bad)) {
    if (typeof field !== "string") continue;
    const [index] = rest;
    const list = left[field];
    if (typeof index === "number" && Array.isArray(list)) left[field] = list.toSpliced(index, 1);
    else delete left[field];
  }
  return left;
}

// Later items first, so that earlier indexes stay valid; an item with two faults is removed once.
function fromTheEnd(bad: readonly Path[]): Path[] {
  const places = new Map(bad.map((path) => [JSON.stringify(path.slice(0, 2).map(String)), path]));
  const indexOf = ([, index]: Path) => (typeof index === "number" ? index : -1);
  return [...places.values()].sort((a, b) => indexOf(b) - indexOf(a));
}
