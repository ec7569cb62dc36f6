// An agent with several sessions: what a session has is offered to the front end, and what it leaves out is refused by name.

import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { LinesOutput } from "../../src/contract/lines-outputs.js";
import {
  CommandError,
  type LinesSession,
  type SessionsAgent,
  serveSessions,
  type Turn,
} from "../../src/sdk/exports.js";
import { createOutputDecoder } from "../rigs/output-decoder.js";

type SessionParts = Partial<LinesSession> & { onTurn?(turn: Turn): Promise<void> };

function run(parts: SessionParts = {}, others: Partial<SessionsAgent> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const decoder = createOutputDecoder();
  const frames: LinesOutput[] = [];
  let wake = () => {};
  let opened = 0;
  output.on("data", (chunk: Buffer) => {
    for (const item of decoder.push(chunk)) if (item.kind === "frame") frames.push(item.frame);
    wake();
  });
  const { onTurn = async () => {}, ...fields } = parts;
  const agent: SessionsAgent = {
    name: "test",
    async open(request) {
      const session = {
        id: `s${++opened}`,
        cwd: request?.cwd ?? "/",
        onPrompt: async (turn: Turn) => done(onTurn(turn)),
      };
      return { ...session, ...fields };
    },
    ...others,
  };
  const served = serveSessions(agent, { input, output });
  return {
    input,
    frames,
    served,
    send: (...lines: object[]) => void input.write(lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
    async next<Type extends LinesOutput["type"]>(type: Type): Promise<Extract<LinesOutput, { type: Type }>> {
      for (;;) {
        const at = frames.findIndex((frame) => frame.type === type);
        if (at >= 0) return frames.splice(at, 1)[0] as Extract<LinesOutput, { type: Type }>;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    async event<Type extends string>(type: Type) {
      for (;;) {
        const { event } = await this.next("event");
        if (event.type === type) return event;
      }
    },
  };
}

async function done(work: Promise<void>) {
  await work;
  return {};
}

const previewed = { supports_permission_preflight_events: true, supports_message_deltas: true };

test("capabilities say what the session and the agent have, and the rest is refused by name", async () => {
  const agent = run({ stats: () => ({ turns: 3 }) }, { models: () => [] });
  agent.send({ type: "initialize" }, { type: "stats" }, { type: "save" }, { type: "get_config" }, { type: "reset" });
  expect((await agent.next("initialized")).server_capabilities).toEqual({
    supports_sessions: true,
    supports_models: true,
    supports_config: false,
    supports_save: false,
    supports_reset: false,
    supports_stats: true,
    supports_debug: true,
    supports_images: false,
    supports_permission_preflight_events: true,
    supports_message_deltas: true,
  });
  expect((await agent.next("stats")).stats).toEqual({ turns: 3 });
  const refused = ["save", "get_config", "reset"].map((name) => `${name} is not supported by test`);
  for (const message of refused) expect((await agent.next("error")).message).toBe(message);
  agent.send({ type: "quit" });
  await agent.served;
});

test("a session that cannot be opened is refused with the code of its error, and the agent goes on", async () => {
  const agent = run(
    {},
    {
      async open(request) {
        if (request?.cwd === "/locked") throw new CommandError("sessionBusy", "it is open elsewhere");
        return { id: "s1", cwd: "/", onPrompt: async () => ({}) };
      },
    },
  );
  agent.send({ type: "start_session", cwd: "/locked" }, { type: "list_running_sessions" });
  expect(await agent.next("error")).toMatchObject({ code: -32022, message: "it is open elsewhere" });
  expect((await agent.next("running_sessions")).sessions).toEqual([
    { session_id: "s1", cwd: "/", is_streaming: false },
  ]);
  agent.send({ type: "quit" });
  await agent.served;
});

test("a permission is asked after its preview, and the answer has always and the reason", async () => {
  const answers: unknown[] = [];
  const agent = run({
    async onTurn({ ui }) {
      answers.push(await ui.permission({ tool: "edit", toolCallId: "c1", path: "a.ts", diff: "+b", remember: true }));
    },
  });
  agent.send({ type: "initialize", ui_capabilities: previewed }, { type: "prompt", text: "go" });
  expect(await agent.event("permission.preview")).toEqual({
    type: "permission.preview",
    tool: "edit",
    tool_call_id: "c1",
    file_path: "a.ts",
    diff: "+b",
  });
  await agent.event("permission.ready");
  const { id, params } = await agent.next("ui_request");
  expect(params.title).toBe("edit a.ts");
  expect(params.opts).toMatchObject({ tool: "edit", tool_call_id: "c1", diff: "+b", allow_remember: true });
  agent.send({ type: "ui_response", id, result: { ok: false, reason: " later " }, error: null });
  await agent.event("agent_end");
  expect(answers).toEqual([{ ok: false, remember: false, reason: "later" }]);
  agent.send({ type: "quit" });
  await agent.served;
});

test("a tool call is reported with its output so far, and ends once", async () => {
  const agent = run({
    async onTurn({ tool }) {
      const report = tool("bash", {}, { id: "c1" });
      report.output("one\n");
      await report.end("one\n");
      report.output("too late");
    },
  });
  agent.send({ type: "prompt", text: "go" });
  expect(await agent.event("tool_execution_update")).toMatchObject({
    tool_call_id: "c1",
    tool: "bash",
    arguments: {},
    output: "one\n",
  });
  expect((await agent.event("tool_execution_end")).is_error).toBe(false);
  agent.send({ type: "quit" });
  await agent.served;
  expect(JSON.stringify(agent.frames)).not.toContain("too late");
});

test("when the input ends and is closed, a turn at work still says what it has to say", async () => {
  const agent = run({
    async onTurn({ say, signal }) {
      if (!agent.input.closed) await once(agent.input, "close");
      await setImmediate();
      await say(signal.aborted ? "stopped" : "the last words");
    },
  });
  agent.send({ type: "prompt", text: "go" });
  agent.input.end();
  await agent.served;
  expect(JSON.stringify(agent.frames)).toContain("the last words");
});

describe("a setting that asks before it changes", () => {
  // Every prompt runs until it is stopped; to change the model takes a key.
  function runAsking() {
    const stopped: string[] = [];
    let finish = () => {};
    const asking: Partial<SessionsAgent> = {
      async open(_request, connect) {
        const { ui } = connect("s1");
        const write = async (_value: unknown, { signal }: { signal: AbortSignal }) => {
          const key = await ui.input({ title: "Key" }, { signal });
          if (key === null) throw new Error("the model is unchanged");
        };
        return {
          id: "s1",
          cwd: "/",
          settings: { model: { read: () => "m", write } },
          async onPrompt({ text, signal }: Turn) {
            const end = new Promise<void>((resolve) => {
              finish = resolve;
              signal.addEventListener("abort", () => resolve());
            });
            if (text !== "short") await end;
            if (signal.aborted) stopped.push(text);
            return {};
          },
        };
      },
    };
    return { ...run({}, asking), stopped, finish: () => finish() };
  }

  test("does not keep a stop from the turn, which takes the question back, too", async () => {
    const agent = runAsking();
    agent.send({ type: "prompt", text: "long" }, { type: "set_config", key: "model", value: "m2" });
    const { id } = await agent.next("ui_request");
    agent.send({ type: "abort" }, { type: "ping" });
    expect(await agent.next("ui_cancel")).toMatchObject({ id, reason: "aborted" });
    expect((await agent.next("error")).message).toBe("the model is unchanged");
    await agent.next("pong");
    await agent.event("agent_end");
    expect(agent.stopped).toEqual(["long"]);
  });

  test("is asked no longer when the turn beside it has ended, because its dialog is gone", async () => {
    const agent = runAsking();
    agent.send({ type: "prompt", text: "long" }, { type: "set_config", key: "model", value: "m2" });
    await agent.next("ui_request");
    agent.finish();
    expect(await agent.next("ui_cancel")).toMatchObject({ reason: "turn_ended" });
    expect((await agent.next("error")).message).toBe("the model is unchanged");
    await agent.event("agent_end");
    agent.send({ type: "set_config", key: "model", value: "m2" }, { type: "prompt", text: "short" });
    const { id } = await agent.next("ui_request");
    agent.send({ type: "ui_response", id, result: "k", error: null });
    await agent.next("config_state");
    await agent.event("agent_end");
  });

  test("asks nothing when the stop came with it", async () => {
    const agent = runAsking();
    agent.send({ type: "set_config", key: "model", value: "m2" }, { type: "abort" }, { type: "ping" });
    expect((await agent.next("error")).message).toBe("the model is unchanged");
    await agent.next("pong");
    expect(agent.frames.map(({ type }) => type)).not.toContain("ui_request");
  });

  test("does not keep the agent from quitting", async () => {
    const agent = runAsking();
    agent.send({ type: "set_config", key: "model", value: "m2" });
    await agent.next("ui_request");
    agent.send({ type: "stats" }, { type: "quit" });
    await agent.served;
    const refused = agent.frames.flatMap((frame) => (frame.type === "error" ? [frame.message] : []));
    expect(refused).toEqual(["the model is unchanged", "stats is not supported by test"]);
  });

  test("lets a stop end the prompts before it, and none after it", async () => {
    const agent = runAsking();
    agent.send({ type: "prompt", text: "first" }, { type: "abort" }, { type: "prompt", text: "short" });
    await agent.event("agent_end");
    await agent.event("agent_end");
    expect(agent.stopped).toEqual(["first"]);
  });
});
