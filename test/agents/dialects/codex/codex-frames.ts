// Frames of codex's app-server, for tests: a talk that has a thread, and one that is in the middle of a turn.
import { createCodexDialect } from "../../../../src/agents/dialects/codex/codex-dialect.js";
import type { DialectOptions } from "../../../../src/agents/dialects/dialect.js";
import type { JsonObject } from "../../../../src/agents/dialects/frames/json-frame.js";
import { DialectTalk } from "../dialect-talk.js";

export const FOLDER = "/home/ada/parser";

export const callOf = (talking: DialectTalk, method: string) =>
  talking.sent.findLast((frame) => frame.method === method) ?? {};

export function answer(talking: DialectTalk, method: string, result: unknown) {
  return talking.hear({ id: callOf(talking, method).id, result });
}

export function refuse(talking: DialectTalk, method: string, message: string) {
  return talking.hear({ id: callOf(talking, method).id, error: { code: -32600, message } });
}

const models = [
  {
    model: "m1",
    displayName: "M 1",
    supportedReasoningEfforts: [{ reasoningEffort: "low" }, { reasoningEffort: "high" }],
  },
  { model: "m2", description: "small" },
  { model: "secret", hidden: true },
];

export function greeted(options: Partial<DialectOptions> = {}): DialectTalk {
  const talking = new DialectTalk(createCodexDialect({ clientVersion: "1.2.3", workspace: FOLDER, ...options }));
  answer(talking, "initialize", { userAgent: "codex", codexHome: "/home/ada/.codex" });
  answer(talking, "model/list", { data: models });
  return talking;
}

export const thread = (id: string) => ({
  thread: { id, cwd: FOLDER },
  model: "m1",
  cwd: FOLDER,
  reasoningEffort: "low",
});

export function talk(options: Partial<DialectOptions> = {}): DialectTalk {
  const talking = greeted(options);
  answer(talking, "thread/start", thread("t1"));
  return talking;
}

export function running(): DialectTalk {
  const talking = talk();
  talking.say({ type: "prompt", text: "go" });
  answer(talking, "turn/start", { turn: { id: "u1", status: "inProgress" } });
  return talking;
}

export const notice = (method: string, params: JsonObject) => ({ method, params: { threadId: "t1", ...params } });
export const started = (type: string, item: JsonObject) => notice("item/started", { item: { type, ...item } });
export const completed = (type: string, item: JsonObject) => notice("item/completed", { item: { type, ...item } });
export const ended = (status: string, fields: JsonObject = {}) =>
  notice("turn/completed", { turn: { id: "u1", status, ...fields } });
export const request = (id: number | string, method: string, params: JsonObject) => ({
  id,
  method,
  params: { threadId: "t1", turnId: "u1", itemId: "c1", ...params },
});
