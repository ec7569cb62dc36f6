// The first frame of an agent gives away which wire it speaks; a frame that could be anybody's decides nothing.
import { describe, expect, test } from "vitest";
import { spokenIn } from "../../../src/agents/early-output.js";

describe("the first frame of an agent", () => {
  test.each([
    ["lines", { type: "ready", protocol_version: "1" }],
    ["lines", { type: "ui_request", id: "q", method: "confirm", params: { title: "?" } }],
    ["acp", { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } }],
    ["acp", { jsonrpc: "2.0", id: 0, error: { code: -32603, message: "not now" } }],
    ["acp", { jsonrpc: "2.0", method: "_auth/status_update", params: {} }],
    ["codelia", { jsonrpc: "2.0", id: "1", result: { protocol_version: "0", server: {} } }],
    ["codelia", { jsonrpc: "2.0", id: "1", method: "ui.confirm.request", params: {} }],
    ["codex", { id: 0, result: { userAgent: "codex", codexHome: "/home/ada/.codex" } }],
    ["claude", { type: "system", subtype: "init", session_id: "s" }],
    ["pi", { type: "response", command: "parse", success: false, error: "unknown command" }],
    ["rpc", { id: 1, method: "confirm", params: { title: "?" } }],
    ["rpc", { method: "notify", params: { message: "hello" } }],
  ])("speaks %s", (wire, frame) => {
    expect(spokenIn(frame)).toBe(wire);
  });

  test.each([[{}], [{ type: "hello" }], [{ type: 7 }], [{ id: 1, result: true }], [{ method: "dance" }]])(
    "that could be anybody's decides nothing: %j",
    (frame) => {
      expect(spokenIn(frame)).toBeNull();
    },
  );
});
