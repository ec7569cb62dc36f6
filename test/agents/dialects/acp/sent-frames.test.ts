// We are strict in what we send: every frame fits the schema that the protocol itself publishes.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { verifies } from "../../../verifies.js";
import { greeting, options, readyStage, SESSION, Stage } from "./stage.js";

type Published = { $defs: Record<string, object> };

const path = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");
// The word "not" only keeps the open end of a union apart from its known members; the reader of schemas cannot read it.
const published = JSON.parse(readFileSync(path, "utf8"), (key, value) =>
  key === "not" ? undefined : value,
) as Published;

function definition(name: string): z.ZodType {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $ref: `#/$defs/${name}`,
    $defs: published.$defs,
  };
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
}

const requests: Readonly<Record<string, string>> = {
  initialize: "InitializeRequest",
  authenticate: "AuthenticateRequest",
  "session/new": "NewSessionRequest",
  "session/load": "LoadSessionRequest",
  "session/list": "ListSessionsRequest",
  "session/close": "CloseSessionRequest",
  "session/set_mode": "SetSessionModeRequest",
  "session/set_config_option": "SetSessionConfigOptionRequest",
  "session/prompt": "PromptRequest",
  "session/cancel": "CancelNotification",
  "$/cancel_request": "CancelRequestNotification",
};

const responses: Readonly<Record<string, string>> = {
  "session/request_permission": "RequestPermissionResponse",
  "fs/read_text_file": "ReadTextFileResponse",
  "fs/write_text_file": "WriteTextFileResponse",
  "terminal/create": "CreateTerminalResponse",
  "terminal/output": "TerminalOutputResponse",
  "terminal/wait_for_exit": "WaitForTerminalExitResponse",
  "terminal/kill": "KillTerminalResponse",
  "terminal/release": "ReleaseTerminalResponse",
  "elicitation/create": "CreateElicitationResponse",
};

// A conversation in which we have a reason to say everything that we can say.
function wholeConversation(): { stage: Stage; asked: Map<string | number, string> } {
  const mcpServers = [{ name: "front", command: "palaver", args: ["mcp"], env: [] }];
  const hello = { ...greeting, authMethods: [{ id: "web", name: "Web" }] };
  const stage = new Stage({ mcpServers })
    .replies("initialize", hello)
    .fails("session/new", { code: -32000, message: "who?" });
  stage.answers("web").replies("authenticate", {});
  const modes = { currentModeId: "a", availableModes: [{ id: "a" }, { id: "b" }] };
  stage.replies("session/new", {
    sessionId: SESSION,
    modes,
    configOptions: [{ id: "web", type: "boolean", currentValue: false }],
  });
  stage.wants({ type: "set_config", key: "mode", value: "b" }).wants({ type: "set_config", key: "web", value: true });
  stage.wants({ type: "list_sessions" }).wants({ type: "start_session", session_file: "old" }).prompt("see @a.png @b");
  const file = { name: "a.png", path: "/a.png", uri: "file:///a.png", sizeBytes: 1 };
  stage.performs("mentions.find", [
    { ...file, picture: { data: "iVBO", mimeType: "image/png" } },
    { ...file, name: "b" },
  ]);
  const asked = new Map<string | number, string>();
  const asks = (method: string, params: object) => asked.set(stage.asks(method, { ...params }), method);
  asks("session/request_permission", { toolCall: { toolCallId: "t", title: "ls", kind: "execute" }, options });
  stage.answers({ choiceId: "yes-9" });
  asks("fs/read_text_file", { path: "a" });
  stage.performs("file.read", { text: "a" });
  asks("fs/write_text_file", { path: "/a", content: "b" });
  stage.inspects("a").answers({ choiceId: "once" });
  stage.performs("file.write", null);
  asks("terminal/create", { command: "ls" });
  stage.answers({ choiceId: "once" });
  const { id } = stage.effect("terminal.run");
  stage.progressed(id, { kind: "started" }).progressed(id, { kind: "output", text: "out" });
  asks("terminal/wait_for_exit", { terminalId: "term-1" });
  stage.performed(id, { ok: true, value: { exitCode: null, signal: "SIGTERM" } });
  for (const verb of ["output", "kill", "release"]) asks(`terminal/${verb}`, { terminalId: "term-1" });
  asks("elicitation/create", {
    mode: "form",
    message: "?",
    requestedSchema: { properties: { n: { type: "number" } } },
  });
  stage.answers({ n: 3 });
  asks("elicitation/create", { mode: "url", message: "?", url: "https://a.b", elicitationId: "e" });
  stage.answers(false);
  asks("session/request_permission", { toolCall: { toolCallId: "u", title: "rm" }, options });
  stage.wants({ type: "abort" }).passes(10_000).wants({ type: "close_session", session_id: SESSION });
  return { stage, asked };
}

describe("every frame we send", () => {
  test.each(Object.entries(requests))("%s fits the published %s", (method, name) => {
    verifies("wires.sent-frames-fit");
    const { stage } = wholeConversation();
    const schema = definition(name);
    const frames = stage.sent.filter((frame) => frame["method"] === method);
    expect(frames.length).toBeGreaterThan(0);
    for (const frame of frames) expect(schema.safeParse(frame["params"]).error).toBeUndefined();
  });

  test.each(Object.entries(responses))("the answer to %s fits the published %s", (method, name) => {
    const { stage, asked } = wholeConversation();
    const schema = definition(name);
    const ids = [...asked].filter(([, askedMethod]) => askedMethod === method).map(([id]) => id);
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) expect(schema.safeParse(stage.answerTo(id)?.["result"]).error).toBeUndefined();
  });

  test("nothing is sent that is in neither list, but for the older call that changes models", () => {
    const { stage } = wholeConversation();
    for (const method of stage.methods()) expect(Object.keys(requests)).toContain(method);
    expect(readyStage().methods()).toEqual(["initialize", "session/new"]);
  });

  test("the schema would notice a frame that does not fit", () => {
    expect(definition("NewSessionRequest").safeParse({ cwd: 7 }).success).toBe(false);
    expect(definition("RequestPermissionResponse").safeParse({ outcome: { outcome: "maybe" } }).success).toBe(false);
  });
});
