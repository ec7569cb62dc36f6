// A whole agent from one function: it keeps the protocol for its author, whatever the author's function does.

import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import type { LinesOutput } from "../../src/contract/lines-outputs.js";
import { textOf } from "../../src/contract/message-parts.js";
import { type LinesAgent, serveLines } from "../../src/sdk/lines-agent.js";
import { createOutputDecoder } from "../rigs/output-decoder.js";

function run(onPrompt: LinesAgent["onPrompt"], more: Partial<LinesAgent> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const decoder = createOutputDecoder();
  const frames: LinesOutput[] = [];
  let wake = () => {};
  output.on("data", (chunk: Buffer) => {
    for (const item of decoder.push(chunk)) {
      if (item.kind !== "frame") throw new Error(JSON.stringify(item));
      frames.push(item.frame);
    }
    wake();
  });
  const done = serveLines({ name: "test", version: "9", ...more, onPrompt }, { input, output });
  return {
    done,
    frames,
    say: (...lines: (string | object)[]) => {
      for (const line of lines) input.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
    },
    end: () => input.end(),
    async until(match: (frame: LinesOutput) => boolean): Promise<LinesOutput> {
      for (;;) {
        const found = frames.find(match);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

const typesOf = (frames: LinesOutput[]) =>
  frames.map((frame) => (frame.type === "event" ? frame.event.type : frame.type));
const isEnd = (frame: LinesOutput) => frame.type === "event" && frame.event.type === "agent_end";

describe("an agent made with serveLines", () => {
  test("greets with the protocol version, answers the small commands, and ends on quit", async () => {
    const agent = run(async () => {});
    agent.say(
      { type: "initialize" },
      { type: "ping" },
      { type: "list_models" },
      { type: "nonsense" },
      { type: "quit" },
    );
    await agent.done;
    expect(agent.frames).toMatchObject([
      { type: "ready", protocol_version: "2", ui: true },
      { type: "initialized", protocol_version: "2", server: { name: "test", version: "9" }, server_capabilities: {} },
      { type: "pong" },
      { type: "error", code: -32023, message: "list_models is not supported by test" },
      { type: "error", code: -32601, message: "unknown command: nonsense" },
    ]);
  });

  test("streams what is said, whole in every update, numbered without gaps", async () => {
    const agent = run(async ({ text, say }) => {
      void say(`You said ${text}. `);
      await say("Good.");
    });
    agent.say({ type: "prompt", text: "hi" });
    await agent.until(isEnd);
    expect(typesOf(agent.frames)).toEqual([
      "ready",
      "agent_start",
      "message_start",
      "message_update",
      "message_update",
      "message_end",
      "agent_end",
    ]);
    const events = agent.frames.flatMap((frame) => (frame.type === "event" ? [frame] : []));
    expect(events.map(({ event_seq }) => event_seq)).toEqual([0, 1, 2, 3, 4, 5]);
    const updates = events.flatMap(({ event }) =>
      event.type === "message_update" ? [textOf(event.message.content)] : [],
    );
    expect(updates).toEqual(["You said hi. ", "You said hi. Good."]);
  });

  test("a question and a tool call come after what was said before them", async () => {
    const agent = run(async ({ say, think, tool, ui }) => {
      void think("Hm. ");
      void say("ONE");
      const sure = ui.confirm({ title: "first?" });
      const request = await agent.until((frame) => frame.type === "ui_request");
      if (request.type === "ui_request") agent.say({ type: "ui_response", id: request.id, result: true, error: null });
      void say(`TWO ${await sure}`);
      await tool("bash", { command: "make" }).end("made");
      void say("THREE");
    });
    agent.say({ type: "prompt", text: "hi" });
    const end = await agent.until(isEnd);
    const order = typesOf(agent.frames).filter((type) => !/_start|_update/.test(type));
    expect(order.slice(1)).toEqual([
      ...["message_end", "ui_request", "message_end"],
      ...["tool_execution_end", "message_end", "agent_end"],
    ]);
    expect(end).toMatchObject({
      event: {
        messages: [
          {
            content: [
              { type: "thinking", thinking: "Hm. " },
              { type: "text", text: "ONE" },
            ],
          },
          { content: [{ type: "text", text: "TWO true" }] },
          { content: [{ type: "text", text: "THREE" }] },
        ],
      },
    });
  });

  test("an agent with one conversation has what it names, and no other session", async () => {
    const agent = run(async () => {}, { reset: async () => {}, stats: () => ({ turns: 3 }) });
    agent.say(
      { type: "initialize" },
      { type: "stats" },
      { type: "save" },
      { type: "prompt", text: "hi", session_id: "s9" },
      { type: "quit" },
    );
    await agent.done;
    expect(agent.frames.slice(1)).toMatchObject([
      { type: "initialized", server_capabilities: { supports_save: false, supports_message_deltas: true } },
      { type: "stats", stats: { turns: 3 } },
      { type: "error", message: "save is not supported by test" },
      { type: "error", message: "session not found: s9" },
    ]);
  });

  test.each([true, false])(
    "pictures come with a prompt where the agent says that it takes them: %s",
    async (images) => {
      const agent = run(({ images: pictures, say }) => say(JSON.stringify(pictures)), { images });
      const picture = { data: "AAAA", mime_type: "image/png" };
      agent.say({ type: "initialize" }, { type: "prompt", text: "look", images: [picture] });
      const end = await agent.until(isEnd);
      expect(agent.frames[1]).toMatchObject({ server_capabilities: { supports_images: images } });
      const said = JSON.stringify(images ? [picture] : []);
      expect(end).toMatchObject({ event: { messages: [{ content: [{ type: "text", text: said }] }] } });
    },
  );

  test("a line that is not JSON is a prompt", async () => {
    const agent = run(({ text, say }) => say(text));
    agent.say("just words");
    await agent.until(isEnd);
    expect(JSON.stringify(agent.frames)).toContain("just words");
  });

  test("a function that throws is an error event, and the turn ends", async () => {
    const agent = run(async () => {
      throw new TypeError("no such file");
    });
    agent.say({ type: "prompt", text: "hi" });
    await agent.until(isEnd);
    expect(typesOf(agent.frames)).toEqual(["ready", "agent_start", "error", "agent_end"]);
    expect(JSON.stringify(agent.frames[2])).toContain("no such file");
  });

  test("abort withdraws the open question, cancels it for the author, and ends the turn without an error", async () => {
    let answer: unknown = "none yet";
    const agent = run(async ({ ui }) => {
      answer = await ui.select({ title: "T", options: [] });
    });
    agent.say({ type: "prompt", text: "hi" });
    await agent.until((frame) => frame.type === "ui_request");
    agent.say({ type: "abort" });
    await agent.until(isEnd);
    expect(answer).toBeNull();
    expect(typesOf(agent.frames)).toEqual(["ready", "agent_start", "ui_request", "ui_cancel", "agent_end"]);
  });

  test("a question that outlives its turn is withdrawn", async () => {
    const agent = run(async ({ ui }) => {
      void ui.confirm({ title: "left open" });
    });
    agent.say({ type: "prompt", text: "hi" });
    await agent.until(isEnd);
    expect(agent.frames).toContainEqual(expect.objectContaining({ type: "ui_cancel", reason: "turn_ended" }));
  });

  test("a prompt in the middle of a turn is refused, and the turn goes on", async () => {
    const agent = run(async ({ ui, say }) => say(`${await ui.confirm({ title: "T" })}`));
    agent.say({ type: "prompt", text: "one" }, { type: "prompt", text: "two" });
    const request = await agent.until((frame) => frame.type === "ui_request");
    if (request.type === "ui_request") agent.say({ type: "ui_response", id: request.id, result: true, error: null });
    await agent.until(isEnd);
    expect(agent.frames).toContainEqual({ type: "error", code: -32022, message: "a turn is running; abort it first" });
    expect(typesOf(agent.frames).filter((type) => type === "agent_end")).toHaveLength(1);
  });

  test("the end of the input in the middle of a question ends turn, question and agent", async () => {
    const agent = run(async ({ ui }) => {
      await ui.input({ title: "T" });
    });
    agent.say({ type: "prompt", text: "hi" });
    await agent.until((frame) => frame.type === "ui_request");
    agent.end();
    await agent.done;
    expect(typesOf(agent.frames).slice(-2)).toEqual(["ui_cancel", "agent_end"]);
  });
});
