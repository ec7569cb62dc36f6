// The three old permission texts: they become permission events where the agent has none, and stay texts where it has.
import { describe, expect, test } from "vitest";
import { readLegacyText } from "../../../src/agents/dialects/lines/legacy-preflight.js";
import { createLinesDialect } from "../../../src/agents/dialects/lines/lines-dialect.js";
import { linesOutputSchema } from "../../../src/contract/lines-outputs.js";
import { namedEvent } from "../../../src/contract/lines-version-1.js";
import { type SessionEvent, sessionEventSchema } from "../../../src/contract/session-events.js";

function read(...frames: object[]): SessionEvent[] {
  const dialect = createLinesDialect();
  return frames.flatMap((frame) => dialect.read({ kind: "frame", frame: linesOutputSchema.parse(frame) }, 0).events);
}

const event = (type: string, ...data: unknown[]) => ({
  type: "event",
  session_id: "s1",
  event: namedEvent({ type, data }),
});
const message = (text: string) => ({ role: "assistant", content: [{ type: "text", text }] });
const says = (text: string) => [event("message_start", message(text)), event("message_end", message(text))];
const initialized = (bit?: boolean) => ({
  type: "initialized",
  protocol_version: "1",
  server_capabilities: bit === undefined ? {} : { supports_permission_preflight_events: bit },
});

const args = 'Permission request raw args (edit):\n{"path":"a.ts"}';
const preview = "Planned edit diff preview:\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b";
const ready = "Permission preflight ready for edit.";
const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b";
const asks = { type: "ui_request", id: "q", session_id: "s1", method: "confirm", params: { title: "edit?" } };

test.each([
  [args, { type: "arguments", tool: "edit", text: '{"path":"a.ts"}' }],
  [preview, { type: "preview", tool: "edit", text: diff }],
  [ready, { type: "ready", tool: "edit" }],
  ["Planned edit diff preview:", { type: "preview", tool: "edit", text: "" }],
  ["Permission preflight ready for my tool.", { type: "ready", tool: "my tool" }],
  ["Permission is needed for edit.", null],
  ["Planned work: none", null],
  [`I said: ${ready}`, null],
])("%j is read as %j", (text, legacy) => {
  expect(readLegacyText(text)).toEqual(legacy);
});

describe("an agent without permission events", () => {
  test("has its texts shown as the events they stand for", () => {
    const events = read(initialized(false), ...says(args), ...says(preview), ...says(ready), asks).slice(1);
    expect(events).toMatchObject([
      { type: "permission.previewed", sessionId: "s1", tool: "edit", diff, truncated: false },
      { type: "permission.readied", sessionId: "s1", tool: "edit" },
      { type: "ask.raised" },
    ]);
    for (const happened of events) expect(sessionEventSchema.parse(happened)).toEqual(happened);
  });

  test("is one that never answered, too, and may say it in a notice", () => {
    const events = read({ type: "ui_notify", session_id: "s1", params: { message: ready } });
    expect(events).toEqual([{ type: "permission.readied", sessionId: "s1", tool: "edit" }]);
  });

  test("has its arguments shown when no preview follows", () => {
    expect(read(...says(args), ...says(ready))).toEqual([
      { type: "permission.previewed", sessionId: "s1", tool: "edit", summary: '{"path":"a.ts"}', truncated: false },
      { type: "permission.readied", sessionId: "s1", tool: "edit" },
    ]);
    expect(read(...says(args), asks).map(({ type }) => type)).toEqual(["permission.previewed", "ask.raised"]);
  });

  test("has a preview that was cut shown as cut, and one that is no diff as words", () => {
    expect(read(...says(`${preview}\n...`))).toMatchObject([{ diff, truncated: true }]);
    expect(read(...says("Planned bash diff preview:\nPreview unavailable"))).toMatchObject([
      { tool: "bash", summary: "Preview unavailable", truncated: false },
    ]);
  });

  test("speaks as ever otherwise", () => {
    expect(read(...says("Planned work: none")).map(({ type }) => type)).toEqual([
      "message.started",
      "message.finished",
    ]);
    const mixed = {
      role: "assistant",
      content: [
        { type: "text", text: ready },
        { type: "text", text: "x" },
      ],
    };
    expect(read(event("message_end", mixed)).map(({ type }) => type)).toEqual(["message.finished"]);
    const user = { role: "user", content: ready };
    expect(read(event("message_start", user)).map(({ type }) => type)).toEqual(["message.started"]);
  });
});

test("an agent with permission events may say these words and mean them", () => {
  const events = read(initialized(true), ...says(ready), { type: "ui_notify", params: { message: ready } }).slice(1);
  expect(events.map(({ type }) => type)).toEqual(["message.started", "message.finished", "notice.shown"]);
});
