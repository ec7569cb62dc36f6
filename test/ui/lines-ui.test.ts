// What only the lines adapter has: responses that are pushed in, and its own reading of result and error.
import { expect, test } from "vitest";
import type { LinesOutput } from "../../src/contract/lines-outputs.js";
import { createLinesUi, readLinesResponse } from "../../src/ui/lines-ui.js";
import { verifies } from "../verifies.js";
import { createFakeTimers } from "./fake-timers.js";

test("a non-null error wins, and a null result counts only beside an error key", () => {
  verifies("wires.lines-error-wins", "wires.lines-null-result", "front.5");
  const read = (fields: object) => readLinesResponse({ type: "ui_response", id: "q", ...fields });
  expect(read({ result: "a", error: "x" })).toEqual({ error: "x" });
  expect(read({ result: null, error: "x" })).toEqual({ error: "x" });
  expect(read({ result: "a", error: null })).toEqual({ result: "a" });
  expect(read({ result: "a" })).toEqual({ result: "a" });
  expect(read({ result: null, error: null })).toEqual({ result: null });
  expect(read({ result: null })).toBeNull();
  expect(read({ error: null })).toBeNull();
  expect(read({})).toBeNull();
});

test("it sends typed envelopes with its session, and learns answers only through handleResponse", async () => {
  verifies("ui.lines-pushed-responses", "front.3");
  const frames: LinesOutput[] = [];
  const ui = createLinesUi({
    send: (frame) => {
      frames.push(frame);
      return "sent";
    },
    sessionId: "s1",
    timers: createFakeTimers(),
    newId: () => "q1",
  });
  const answer = ui.confirm({ title: "Delete?" }, { danger_level: "danger" });
  ui.notify("careful", "warn");
  expect(frames).toEqual([
    {
      type: "ui_request",
      id: "q1",
      method: "confirm",
      params: { title: "Delete?", message: "", opts: { danger_level: "danger" } },
      timeout_ms: 30_000,
      session_id: "s1",
    },
    { type: "ui_notify", params: { message: "careful", notify_type: "warn" }, session_id: "s1" },
  ]);
  expect(ui.handleResponse({ type: "ui_response", id: "q2", result: true, error: null })).toBe("unknown");
  expect(ui.handleResponse({ type: "ui_response", id: "q1", result: { ok: true, remember: true }, error: null })).toBe(
    "settled",
  );
  expect(ui.handleResponse({ type: "ui_response", id: "q1", result: false, error: null })).toBe("unknown");
  expect(await answer).toBe(true);
});
