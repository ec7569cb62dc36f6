// From what a program prints to what a log line says about it.
import { describe, expect, test } from "vitest";
import type { MessageKind } from "../../../src/contract/handler-types.js";
import { handlerLog, messageKindOf, readMessage } from "../../../src/server/handlers/handler.js";
import { LogHub } from "../../../src/server/logs/log-hub.js";

describe("the kind of a message", () => {
  test.each<[string, MessageKind]>([
    ["Build FAILED: x is undefined", "error"],
    ["go: exit status 1", "error"],
    ["warning: unused import", "warning"],
    ["success, but with an error", "error"],
    ["tests completed", "success"],
    ["Starting the server", "info"],
    ["debug: 3 files", "debug"],
    ["rebuilt 3 files", "normal"],
    ["0 failed, 212 passed", "normal"],
    ["done, no errors and 0 warnings", "success"],
    ["1 failed, 0 errors", "error"],
  ])("%s", (message, kind) => {
    expect(messageKindOf(message)).toBe(kind);
  });
});

describe("a message", () => {
  test("is its parts with a space between them, whatever they are", () => {
    expect(readMessage(["rebuilt", 3, "files", { in: "0.2 s" }, null]).content).toBe(
      "rebuilt 3 files { in: '0.2 s' } null",
    );
    expect(readMessage(["error:", new Error("no disk")]).content).toBe("error: no disk");
    expect(readMessage([]).content).toBe("");
  });

  test.each([
    ["[... compiling", "compiling", "opens"],
    ["...] compiled", "compiled", "closes"],
    ["compiled [...", "compiled [...", "none"],
  ])("%s opens, closes or is no progress", (message, content, progress) => {
    expect(readMessage([message])).toEqual({ content, progress });
  });

  test("of a handler says where it comes from and whether it streams, and never throws", () => {
    const hub = new LogHub();
    const log = handlerLog(hub, { tabTitle: "BUILD", name: "watch", color: "#0af", isStreaming: () => true });
    log("[...", "compiling");
    const broken = () => {
      throw new Error("no answer");
    };
    handlerLog(hub, { tabTitle: "BUILD", name: "watch", color: "", isStreaming: broken })("...] done");
    expect(hub.lineAt(0)?.entry).toMatchObject({ content: "compiling", is_progress: true, streaming: true, type: 0 });
    expect(hub.lineAt(1)?.entry).toMatchObject({ content: "done", is_complete: true, type: 4 });
    expect(hub.lineAt(1)?.entry).not.toHaveProperty("streaming");
  });
});
