// An agent that has only the rpc wire: its questions are asked, its notices shown, everything else it prints is a log line.
import { describe, expect, test } from "vitest";
import { createBareRpcDialect } from "../../../../src/agents/dialects/rpc/rpc-dialect.js";
import { rpcNotificationSchemas, rpcRequestSchemas, rpcResponseSchema } from "../../../../src/contract/rpc.js";
import { examplesOf } from "../../../contract/schema-examples.js";
import { DialectTalk } from "../dialect-talk.js";

const talk = () => new DialectTalk(createBareRpcDialect());

describe("its life", () => {
  test("is one prompt from start to end", () => {
    const talking = talk();
    expect(talking.types()).toEqual(["agent.readied", "prompt.started"]);
    expect(talking.close().map(({ type }) => type)).toEqual(["prompt.finished"]);
    expect(talking.close()).toEqual([]);
  });

  test("what it prints is a log line, and it takes no prompts", () => {
    const talking = talk();
    expect(talking.hearText("step 1")).toMatchObject([{ type: "log.written", stream: "stdout", text: "step 1" }]);
    expect(talking.say({ type: "prompt", text: "go" })).toMatchObject([{ type: "command.failed" }]);
    expect(talking.sent).toEqual([]);
  });
});

describe("its questions", () => {
  test.each(examplesOf(rpcRequestSchemas))("%s is asked and answered", (_name, example) => {
    const talking = talk();
    talking.hear(example);
    const [ask] = talking.asked;
    const sent = talking.answer(ask?.id ?? "", null);
    expect(sent).toEqual([{ id: (example as { id: string }).id, result: null }]);
    expect(rpcResponseSchema.parse(sent[0])).toEqual(sent[0]);
  });

  test("a number and a text are two ids, and each gets its own answer back", () => {
    const talking = talk();
    const confirm = { method: "confirm", params: { title: "Sure?" } };
    talking.hear({ id: 1, ...confirm, timeout_ms: 500 }, { id: "1", ...confirm });
    const [first, second] = talking.asked;
    expect(first?.deadlineMs).toBe(1_500);
    expect(talking.answer(second?.id ?? "", true)).toEqual([{ id: "1", result: true }]);
    expect(talking.answer(first?.id ?? "", false)).toEqual([{ id: 1, result: false }]);
  });

  test("one that is taken back closes, and a late answer is dropped with words", () => {
    const talking = talk();
    talking.hear({ id: 1, method: "input", params: { title: "Name" } }, { method: "cancel", params: { id: 1 } });
    expect(talking.types().slice(-2)).toEqual(["ask.raised", "ask.withdrawn"]);
    expect(talking.answer("#1", "late")).toEqual([]);
    expect(talking.events.at(-1)).toMatchObject({ type: "notice.shown", level: "warn" });
  });

  test("an abort, a lost answer and the end of the connection are errors to the agent", () => {
    const talking = talk();
    const ask = (id: string) => talking.hear({ id, method: "input", params: { title: "Name" } });
    ask("a");
    talking.say({ type: "abort" });
    ask("b");
    talking.say({ type: "ui_response", id: "b", result: null, error: "timeout" });
    ask("c");
    talking.leave();
    expect(talking.sent).toEqual([
      { id: "a", error: "turn_ended" },
      { id: "b", error: "timeout" },
      { id: "c", error: "shutdown" },
    ]);
  });

  test("one that is wrong or unknown is refused and reported, one that is open already is not asked again", () => {
    const talking = talk();
    talking.hear({ id: 1, method: "select", params: { title: "?" } }, { id: 2, method: "marvel", params: {} });
    expect(talking.sent).toMatchObject([
      { id: 1, error: expect.any(String) },
      { id: 2, error: expect.any(String) },
    ]);
    const twice = { id: 3, method: "input", params: { title: "Name" } };
    talking.hear(twice, twice);
    expect(talking.asked).toHaveLength(1);
    expect(talking.types("agent.readied", "prompt.started", "ask.raised")).toEqual([
      "fault.reported",
      "fault.reported",
      "fault.reported",
    ]);
  });
});

describe("its notices", () => {
  const shown = examplesOf(rpcNotificationSchemas).filter(([name]) => !String(name).includes("cancel"));

  test.each(shown)("%s is shown", (_name, example) => {
    expect(talk().hear(example)).toHaveLength(1);
  });

  test("what no one knows is reported", () => {
    const talking = talk();
    for (const frame of [{ method: "marvel" }, { method: "notify", params: {} }, { x: 1 }, { id: 1, result: 2 }]) {
      expect(talking.hear(frame)).toMatchObject([{ type: "fault.reported" }]);
    }
  });
});
