// What differs between the wires that have questions and answers beside their stream of events: which frame of a recorded client
// is which command of a front end, and which of its answers belongs to which question.

import { createClaudeDialect } from "../../../src/agents/dialects/claude/claude-dialect.js";
import { createCodeliaDialect } from "../../../src/agents/dialects/codelia/codelia-dialect.js";
import { createCodexDialect } from "../../../src/agents/dialects/codex/codex-dialect.js";
import type { Dialect } from "../../../src/agents/dialects/dialect.js";
import { createLinesDialect } from "../../../src/agents/dialects/lines/lines-dialect.js";
import { createPiDialect } from "../../../src/agents/dialects/pi/pi-dialect.js";
import { createBareRpcDialect } from "../../../src/agents/dialects/rpc/rpc-dialect.js";
import type { Ask } from "../../../src/contract/asks.js";
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import { fieldsOf } from "./replayed.js";

export type Frame = Readonly<Record<string, unknown>>;

export type Channel = {
  create(): Dialect;
  /** What a client asks for, as a word that its own requests and ours have in common; null when it asks nothing. */
  wish(frame: Frame): string | null;
  requestId(frame: Frame): unknown;
  /** The same response, to another request. */
  answering(frame: Frame, id: (theirs: unknown) => unknown): Frame;
  command(frame: Frame): LinesCommand | null;
  /** The question that the agent puts to the user, and the answer of the recorded client. */
  question(frame: Frame): string | null;
  answer(frame: Frame): { readonly id: string; readonly result: (ask: Ask) => unknown } | null;
};

export const claude: Channel = {
  create: createClaudeDialect,
  wish: ({ type, request }) => (type === "control_request" ? String(fieldsOf(request)["subtype"]) : null),
  requestId: ({ request_id }) => request_id,
  answering(frame, id) {
    if (frame["type"] !== "control_response") return frame;
    const response = fieldsOf(frame["response"]);
    return { ...frame, response: { ...response, request_id: id(response["request_id"]) } };
  },
  command({ type, message, request }) {
    const { subtype, model, mode } = fieldsOf(request);
    if (type === "user") return { type: "prompt", text: promptText(fieldsOf(message)["content"]) };
    if (subtype === "interrupt") return { type: "abort" };
    if (subtype === "set_model") return { type: "set_config", key: "model", value: model };
    return subtype === "set_permission_mode" ? { type: "set_config", key: "mode", value: mode } : null;
  },
  question({ type, request_id, request }) {
    const asks = ["can_use_tool", "elicitation"].includes(String(fieldsOf(request)["subtype"]));
    return type === "control_request" && asks ? String(request_id) : null;
  },
  answer({ type, response }) {
    if (type !== "control_response") return null;
    const { request_id, response: inner } = fieldsOf(response);
    const { behavior, action, content } = fieldsOf(inner);
    const isYes = behavior === "allow" || action === "accept";
    return { id: String(request_id), result: (ask) => answerTo(ask, isYes, content) };
  },
};

const blockingDialogs: readonly unknown[] = ["select", "confirm", "input", "editor"];

export const pi: Channel = {
  create: createPiDialect,
  wish: ({ type }) => (type === "extension_ui_response" ? null : String(type)),
  requestId: ({ id }) => id,
  answering: (frame, id) => (frame["type"] === "response" ? { ...frame, id: id(frame["id"]) } : frame),
  command({ type, message }) {
    if (type === "prompt" || type === "steer" || type === "follow_up") return { type: "prompt", text: String(message) };
    if (type === "abort") return { type: "abort" };
    return type === "get_session_stats" ? { type: "stats" } : null;
  },
  question: ({ type, id, method }) =>
    type === "extension_ui_request" && blockingDialogs.includes(method) ? String(id) : null,
  answer({ type, id, value, confirmed }) {
    return type === "extension_ui_response" ? { id: String(id), result: () => value ?? confirmed ?? null } : null;
  },
};

export const codelia: Channel = {
  create: createCodeliaDialect,
  wish: ({ id, method }) => (id === undefined || typeof method !== "string" ? null : method),
  requestId: ({ id }) => id,
  answering: (frame, id) => (frame["method"] === undefined ? { ...frame, id: id(frame["id"]) } : frame),
  command({ method, params }) {
    const { input, session_id, name } = fieldsOf(params);
    if (method === "run.start") return { type: "prompt", text: String(fieldsOf(input)["text"]) };
    if (method === "run.cancel") return { type: "abort" };
    if (method === "session.list") return { type: "list_sessions" };
    if (method === "session.history") return { type: "start_session", session_file: String(session_id) };
    return method === "model.set" ? { type: "set_config", key: "model", value: name } : null;
  },
  question: ({ id, method }) => (id !== undefined && /^ui\./.test(String(method)) ? numberedId(id) : null),
  answer({ id, method, result }) {
    if (method !== undefined || id === undefined) return null;
    const { value, ids, ...confirmed } = fieldsOf(result);
    return { id: numberedId(id), result: () => value ?? ids ?? confirmed };
  },
};

export const codex: Channel = {
  create: createCodexDialect,
  wish: ({ id, method }) => (id === undefined || typeof method !== "string" ? null : method),
  requestId: ({ id }) => id,
  answering: (frame, id) => (frame["method"] === undefined ? { ...frame, id: id(frame["id"]) } : frame),
  command({ method, params }) {
    const { input, threadId } = fieldsOf(params);
    if (method === "turn/start") return { type: "prompt", text: promptText(input) };
    if (method === "turn/interrupt") return { type: "abort" };
    if (method === "thread/list") return { type: "list_sessions" };
    return method === "thread/read" ? { type: "start_session", session_file: String(threadId) } : null;
  },
  question: ({ id, method }) => (id !== undefined && method !== undefined ? numberedId(id) : null),
  answer({ id, method, result }) {
    if (method !== undefined || id === undefined) return null;
    const { decision, action, content } = fieldsOf(result);
    const word = typeof decision === "object" ? Object.keys(decision ?? {})[0] : decision;
    return {
      id: numberedId(id),
      result: (ask) => (word === undefined ? answerTo(ask, action === "accept", content) : { choiceId: word }),
    };
  },
};

const rpcDialogs: readonly unknown[] = [...blockingDialogs, "form"];

export const rpc: Channel = {
  create: createBareRpcDialect,
  wish: () => null,
  requestId: ({ id }) => id,
  answering: (frame) => frame,
  command: () => null,
  question: ({ id, method }) => (id !== undefined && rpcDialogs.includes(method) ? numberedId(id) : null),
  answer: ({ id, method, result }) =>
    method === undefined && id !== undefined ? { id: numberedId(id), result: () => result ?? null } : null,
};

// The commands of the recorded client are ours already.
export const lines: Channel = {
  create: createLinesDialect,
  wish: () => null,
  requestId: () => null,
  answering: (frame) => frame,
  command: (frame) => (frame["type"] === "ui_response" ? null : (frame as LinesCommand)),
  question: ({ type, id }) => (type === "ui_request" ? String(id) : null),
  answer: ({ type, id, result }) => (type === "ui_response" ? { id: String(id), result: () => result ?? null } : null),
};

// 1 and "1" are two ids; a front end knows the first as "#1".
function numberedId(id: unknown): string {
  return typeof id === "number" ? `#${id}` : String(id);
}

function promptText(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => String(fieldsOf(part)["text"] ?? "")).join("\n") : "";
}

function answerTo({ question }: Ask, isYes: boolean, content: unknown): unknown {
  if (question.kind === "permission") return { choiceId: isYes ? "allow" : "reject" };
  if (question.kind === "form") return isYes ? (content ?? {}) : null;
  return isYes;
}
