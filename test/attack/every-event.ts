// One of every event that a front end can hear, and one of every question, with foreign text in each field that an agent
// may fill. The compiler sees to it that none is missing.
import type { Ask } from "../../src/contract/asks.js";
import type { Message } from "../../src/contract/messages.js";
import type { SessionEvent } from "../../src/contract/session-events.js";

/** Gives another text at each call. */
export type Foreign = () => string;

type EventOf<Type extends SessionEvent["type"]> = Extract<SessionEvent, { type: Type }>;
type Every = { readonly [Type in SessionEvent["type"]]: readonly Omit<EventOf<Type>, "type" | "sessionId">[] };
type EveryQuestion = { readonly [Kind in Ask["question"]["kind"]]: Extract<Ask["question"], { kind: Kind }>["params"] };

const sessionId = null;

export function everyEvent(text: Foreign): SessionEvent[] {
  return Object.entries(bodies(text)).flatMap(([type, list]) =>
    list.map((body) => ({ type, sessionId, ...body }) as SessionEvent),
  );
}

export function everyAsk(text: Foreign): Ask[] {
  return Object.entries(everyQuestion(text)).map(([kind, params], index) => ({
    id: `q${index}`,
    sessionId,
    turnId: null,
    origin: { kind: "tool", name: text() },
    question: { kind, params } as Ask["question"],
    deadlineMs: null,
  }));
}

function message(text: Foreign): Message {
  return {
    role: "assistant",
    content: [
      { type: "text", text: `prose ${text()}` },
      { type: "thinking", thinking: text() },
      { type: "tool_call", id: "t1", name: text(), arguments: { command: text() } },
      { type: "image", data: "AAAA", mime_type: text() },
      { type: text(), [text()]: text() },
    ],
    model: text(),
    error_message: text(),
  };
}

function bodies(text: Foreign): Every {
  const output = { content: [{ type: "text" as const, text: `${text()}\n${text()}` }], details: { note: text() } };
  const changes = [{ path: text(), oldText: text(), newText: text() }];
  const tool = { toolCallId: "t2", name: text() };
  const option = { value: text(), label: text(), description: text() };
  return {
    "agent.readied": [{ ui: true, protocolVersion: text(), model: text() }],
    "session.started": [{ cwd: text() }],
    "session.activated": [{}],
    "session.cleared": [{ replacedBy: text() }],
    "prompt.started": [{}],
    "turn.started": [{}],
    "message.started": [{ message: { role: "assistant", content: [] } }],
    "message.grew": [{ index: 0, kind: "text", delta: text() }],
    "message.updated": [{ message: message(text) }],
    "message.finished": [
      { message: message(text) },
      { message: { role: "user", content: text() } },
      { message: { role: text(), content: text() } },
    ],
    "tool.started": [{ ...tool, args: { command: text(), [text()]: text() }, changes }],
    "tool.updated": [{ ...tool, output, changes }],
    "tool.finished": [
      { ...tool, output, isError: false, changes },
      { toolCallId: "t3", name: text(), output: text(), isError: true },
    ],
    "plan.changed": [{ entries: [{ text: text(), status: "in_progress" }] }],
    "commands.changed": [{ commands: [{ name: text(), summary: text(), hint: text() }] }],
    "settings.changed": [
      { settings: [{ key: "model", label: text(), kind: "model", value: text(), options: [option] }] },
    ],
    "usage.changed": [{ usage: { total_tokens: 1e30, cost: { total: -1 } }, context: { used: 5, size: 0 } }],
    "permission.previewed": [
      {
        tool: text(),
        filePath: text(),
        language: text(),
        diff: `@@ -1 +1 @@\n-${text()}\n+${text()}`,
        truncated: true,
      },
      { tool: text(), summary: text(), truncated: false },
    ],
    "permission.readied": [{ tool: text() }],
    "ask.raised": [],
    "ask.withdrawn": [{ askId: text(), reason: "agent_cancelled" }],
    "notice.shown": [
      { level: "warn", message: text() },
      { level: "error", message: text() },
    ],
    "status.changed": [{ key: text(), text: text() }],
    "widget.changed": [
      { key: text(), lines: [text(), text()], placement: "above" },
      { key: text(), lines: [text()], placement: "below" },
    ],
    "working.changed": [{ message: text() }],
    "title.changed": [{ title: text() }],
    "editor-text.changed": [{ text: text() }],
    "command.answered": [{ command: "stats", answer: { stats: { [text()]: text() } } }],
    "command.failed": [{ message: text() }],
    "agent.failed": [{ message: text() }],
    "log.written": [
      { text: text(), stream: "stdout" },
      { text: text(), stream: "stderr" },
    ],
    "events.missed": [{ count: 3 }],
    "fault.reported": [{ fault: { name: "malformed", message: text(), excerpt: text() } }],
    "turn.finished": [{}],
    "prompt.finished": [{ usage: { total_tokens: 3 } }],
    "session.closed": [],
  };
}

function everyQuestion(text: Foreign): EveryQuestion {
  const option = { label: text(), value: text(), description: text() };
  const field = { label: text(), description: text(), placeholder: text(), validate: text() };
  const diff = `--- a/${text()}\n+++ b/${text()}\n@@ -1,2 +1,2 @@ ${text()}\n ${text()}\n-${text()}\n+${text()}`;
  const approval = { command: text(), path: text(), rule: text(), scope: text(), danger: text() };
  return {
    select: { title: text(), message: text(), options: [option, { label: text(), value: text() }] },
    confirm: {
      title: text(),
      message: text(),
      opts: { ...approval, diff, tool: text(), confirm_label: text(), cancel_label: text(), allow_remember: true },
    },
    input: { title: text(), message: text(), placeholder: text(), opts: { default: text(), validate: text() } },
    editor: { title: text(), message: text(), prefill: text() },
    form: {
      title: text(),
      message: text(),
      fields: [
        { name: "a", kind: "text", ...field, default: text() },
        { name: "b", kind: "select", ...field, options: [option] },
        { name: "c", kind: "confirm", ...field },
      ],
    },
    files: {
      title: text(),
      message: text(),
      folder: text(),
      host: text(),
      opts: { multiple: true, default: [text()] },
    },
    permission: {
      title: text(),
      tool: text(),
      message: text(),
      ...approval,
      diff,
      changes: [{ path: text(), oldText: text(), newText: text() }],
      choices: [
        { id: text(), label: text(), choice: "allow_once", description: text() },
        { id: text(), label: text(), choice: "reject_once" },
      ],
    },
  };
}
