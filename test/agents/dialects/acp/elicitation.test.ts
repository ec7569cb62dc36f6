// Forms and addresses that an agent, or a server behind it, wants the user to deal with.
import { describe, expect, test } from "vitest";
import { readyStage, type Stage } from "./stage.js";

const requestedSchema = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name", minLength: 2, pattern: "^[a-z]+$" },
    mail: { type: "string", format: "email" },
    size: {
      type: "string",
      oneOf: [
        { const: "s", title: "Small" },
        { const: "l", title: "Large", description: "more" },
      ],
    },
    colour: { type: "string", enum: ["red", "green"], enumNames: ["Red", "Green"], default: "red" },
    count: { type: "integer", minimum: 1, maximum: 9 },
    fast: { type: "boolean", default: false },
    tags: { type: "array", items: { type: "string", enum: ["a", "b", "c"] }, minItems: 1, maxItems: 2 },
  },
  required: ["name"],
};

function form(stage: Stage, schema: object = requestedSchema, more: object = {}): string | number {
  return stage.asks("elicitation/create", { mode: "form", message: "New package", requestedSchema: schema, ...more });
}

describe("a form of an agent", () => {
  test("becomes fields with their kinds, choices, rules and defaults", () => {
    const stage = readyStage().prompt();
    form(stage, requestedSchema, { _meta: { serverName: "packages" } });
    expect(stage.ask()).toMatchObject({
      origin: { kind: "mcp", name: "packages" },
      question: { kind: "form", params: { title: "New package" } },
    });
    expect(stage.ask().question.params).toMatchObject({
      fields: [
        { name: "name", label: "Name", kind: "text", required: true, min_length: 2, pattern: "^[a-z]+$" },
        { name: "mail", label: "mail", kind: "text", required: false, format: "email" },
        {
          name: "size",
          kind: "select",
          options: [
            { value: "s", label: "Small" },
            { value: "l", description: "more" },
          ],
        },
        { name: "colour", kind: "select", default: "red", options: [{ label: "Red" }, { label: "Green" }] },
        { name: "count", kind: "number", integer: true, min: 1, max: 9 },
        { name: "fast", kind: "confirm", default: false },
        { name: "tags", kind: "multi_select", min: 1, max: 2 },
      ],
    });
  });

  test("goes back filled in, with numbers as numbers and empty answers left out", () => {
    const stage = readyStage().prompt();
    const id = form(stage);
    stage.answers({ name: "ada", mail: "", count: "3", fast: true, tags: ["a"] });
    expect(stage.answerTo(id)).toMatchObject({
      result: { action: "accept", content: { name: "ada", count: 3, fast: true, tags: ["a"] } },
    });
    expect((stage.answerTo(id) as { result: { content: object } }).result.content).not.toHaveProperty("mail");
  });

  test.each([
    [{}, "name", "needs an answer"],
    [{ name: "a" }, "name", "at least 2"],
    [{ name: "ada", size: "xl" }, "size", "not one of the choices"],
    [{ name: "ada", count: 12 }, "count", "at most 9"],
    [{ name: "ada", count: 1.5 }, "count", "whole number"],
    [{ name: "ada", count: "many" }, "count", "is a number"],
    [{ name: "ada", fast: "yes" }, "fast", "yes or no"],
    [{ name: "ada", tags: [] }, "tags", "at least 1"],
    [{ name: "ada", tags: ["z"] }, "tags", "not a choice"],
  ])("with the wrong answers %j is asked again with what is wrong", (given, field, words) => {
    const stage = readyStage().prompt();
    const id = form(stage);
    stage.answers(given);
    expect(stage.answerTo(id)).toBeUndefined();
    expect(stage.of("ask.raised")).toHaveLength(2);
    const { params } = stage.ask().question as { params: { fields: { name: string; error?: string }[] } };
    expect(params.fields.find(({ name }) => name === field)?.error).toContain(words);
    stage.answers({ name: "ada" });
    expect(stage.answerTo(id)).toMatchObject({ result: { action: "accept" } });
  });

  test("that is closed is a cancel", () => {
    const stage = readyStage().prompt();
    const id = form(stage);
    stage.answers(null);
    expect(stage.answerTo(id)).toMatchObject({ result: { action: "cancel" } });
  });

  test("may come outside of any session, without a mode and without a list of what is required", () => {
    const stage = readyStage();
    const params = {
      sessionId: null,
      requestId: 7,
      message: "Who?",
      requestedSchema: { properties: { who: { type: "string" } } },
    };
    const id = stage.asks("elicitation/create", params);
    expect(stage.ask().sessionId).toBeNull();
    stage.answers({});
    expect(stage.answerTo(id)).toMatchObject({ result: { action: "accept", content: {} } });
  });

  test("with a field of an unknown kind is refused by its name", () => {
    const stage = readyStage().prompt();
    const id = form(stage, { properties: { where: { type: "map" } } });
    expect(stage.answerTo(id)).toMatchObject({ error: { code: -32602, message: expect.stringContaining("where") } });
  });

  test("that the agent takes back is closed", () => {
    const stage = readyStage().prompt();
    const id = form(stage);
    stage.says({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: id } });
    expect(stage.of("ask.withdrawn")).toHaveLength(1);
    expect(stage.answerTo(id)).toMatchObject({ error: { code: -32800 } });
  });
});

describe("an address of an agent", () => {
  const url = "https://example.org/pay?x=1";
  const ask = (stage: Stage, address: string) =>
    stage.asks("elicitation/create", { mode: "url", message: "Pay first", url: address, elicitationId: "e1" });

  test("is shown whole and opened only after a yes, and its end is told", () => {
    const stage = readyStage().prompt();
    const id = ask(stage, url);
    expect(stage.ask().question).toMatchObject({
      kind: "confirm",
      params: { title: "Pay first", message: `opens ${url}` },
    });
    expect(() => stage.effect("address.open")).toThrow();
    stage.answers(true);
    expect(stage.answerTo(id)).toMatchObject({ result: { action: "accept" } });
    expect(stage.effect("address.open").url).toBe(url);
    stage.says({ jsonrpc: "2.0", method: "elicitation/complete", params: { elicitationId: "e1" } });
    expect(stage.of("notice.shown")).toHaveLength(1);
  });

  test("is not opened after a no, and a closed question is a cancel", () => {
    const stage = readyStage().prompt();
    const no = ask(stage, url);
    stage.answers(false);
    expect(stage.answerTo(no)).toMatchObject({ result: { action: "decline" } });
    const closed = ask(stage, url);
    stage.wants({ type: "ui_response", id: stage.ask().id, result: null, error: "timeout" });
    expect(stage.answerTo(closed)).toMatchObject({ result: { action: "cancel" } });
    expect(() => stage.effect("address.open")).toThrow();
  });

  test("that no browser can open is told, to be opened by hand", () => {
    const stage = readyStage().prompt();
    ask(stage, url);
    stage.answers(true).performed(stage.effect("address.open").id, { ok: false, message: "spawn xdg-open ENOENT" });
    expect(stage.of("notice.shown").at(-1)?.message).toContain(url);
  });

  test.each(["file:///etc/passwd", "javascript:alert(1)", "not an address", "https://a b"])(
    "%s is refused",
    (address) => {
      const stage = readyStage().prompt();
      const id = ask(stage, address);
      expect(stage.answerTo(id)).toMatchObject({ error: { code: -32602 } });
      expect(stage.of("ask.raised")).toEqual([]);
    },
  );
});
