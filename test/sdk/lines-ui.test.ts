// What only the lines adapter has: responses that are pushed in, and its own reading of result and error.
import { expect, test } from "vitest";
import type { LinesOutput } from "../../src/contract/lines-outputs.js";
import { createLinesUi, readLinesResponse } from "../../src/sdk/lines-ui.js";
import { createFakeTimers } from "./fake-timers.js";

test("a non-null error wins, and a null result counts only beside an error key", () => {
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

test("a form has an answer for each field whose type says so, also when the front end left it out", async () => {
  const ui = createLinesUi({ send: () => "sent", timers: createFakeTimers(), newId: () => "q" });
  const port = { kind: "number", default: 80 } as const;
  const form = ui.form({ title: "New", fields: { port, isPublic: { kind: "confirm", default: true } } });
  ui.handleResponse({ type: "ui_response", id: "q", result: {}, error: null });
  expect(await form).toEqual({ port: 80, isPublic: false });
});

test("a front end without forms and several choices is asked field by field, and one cancel cancels all", async () => {
  const frames: LinesOutput[] = [];
  const send = (frame: LinesOutput) => {
    frames.push(frame);
    return "sent" as const;
  };
  const skills = () => ({ form: false, multiSelect: false, files: false });
  let [asked, answered] = [0, 0];
  const ui = createLinesUi({ send, skills, timers: createFakeTimers(), newId: () => `q${++asked}` });
  const options = [{ label: "A", value: "a" }];
  const answer = async (result: unknown) => {
    answered += 1;
    await expect.poll(() => asked, { interval: 1 }).toBe(answered);
    expect(ui.handleResponse({ type: "ui_response", id: `q${answered}`, result, error: null })).toBe("settled");
  };

  const several = ui.multiSelect({ title: "Which?", options });
  await answer("a");
  expect(await several).toEqual(["a"]);
  expect(frames[0]).toMatchObject({ method: "select", params: { opts: {} } });

  const fields = {
    port: { label: "Port", kind: "number" },
    key: { label: "Key", kind: "secret" },
    tags: { label: "Tags", kind: "multi_select", options },
  } as const;
  const whole = ui.form({ title: "New", fields });
  for (const result of ["8080", "s3cret", "a"]) await answer(result);
  expect(await whole).toEqual({ port: 8080, key: "s3cret", tags: ["a"] });
  expect(frames.slice(1).map((frame) => "params" in frame && frame.params)).toMatchObject([
    { title: "New: Port" },
    { title: "New: Key", opts: { secret: true } },
    { title: "New: Tags" },
  ]);

  const path = ui.files({ title: "Which?", multiple: true });
  await answer("src/a.ts");
  expect(await path).toEqual(["src/a.ts"]);
  const outside = ui.files({ title: "Which?" });
  await answer("../a.ts");
  await expect(outside).rejects.toMatchObject({ code: "invalid_response" });

  const cancelled = ui.form({ title: "New", fields });
  await answer("8080");
  await answer(null);
  expect(await cancelled).toBeNull();
});

test("a permission shows what it is about and who asks, and gives always and the reason", async () => {
  const frames: LinesOutput[] = [];
  const ui = createLinesUi({
    send: (frame) => {
      frames.push(frame);
      return "sent";
    },
    timers: createFakeTimers(),
    newId: () => "q1",
  });
  const options = { origin: { kind: "tool" as const, name: "bash" }, timeoutMs: Number.POSITIVE_INFINITY };
  const answer = ui.permission({ tool: "bash", command: "make\nmake test", danger: "it may write" }, options);
  expect(frames).toEqual([
    {
      type: "ui_request",
      id: "q1",
      method: "confirm",
      params: {
        title: "bash make…",
        message: "",
        opts: {
          tool: "bash",
          command: "make\nmake test",
          danger: "it may write",
          danger_level: "danger",
          allow_remember: false,
          allow_reason: true,
        },
      },
      origin: { kind: "tool", name: "bash" },
    },
  ]);
  ui.handleResponse({ type: "ui_response", id: "q1", result: { ok: false, reason: "later" }, error: null });
  expect(await answer).toEqual({ ok: false, remember: false, reason: "later" });
});

test("it sends typed envelopes with its session, and learns answers only through handleResponse", async () => {
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
  const answer = ui.confirm({ title: "Delete?", confirmLabel: "delete" });
  ui.notify("careful", "warn");
  expect(frames).toEqual([
    {
      type: "ui_request",
      id: "q1",
      method: "confirm",
      params: { title: "Delete?", message: "", opts: { confirm_label: "delete" } },
      session_id: "s1",
    },
    { type: "ui_notify", params: { message: "careful", level: "warn" }, session_id: "s1" },
  ]);
  expect(ui.handleResponse({ type: "ui_response", id: "q2", result: true, error: null })).toBe("unknown");
  expect(ui.handleResponse({ type: "ui_response", id: "q1", result: { ok: true, remember: true }, error: null })).toBe(
    "settled",
  );
  expect(ui.handleResponse({ type: "ui_response", id: "q1", result: false, error: null })).toBe("unknown");
  expect(await answer).toBe(true);
});
