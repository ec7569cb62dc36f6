// An agent with several sessions: what a session has is offered to the front end, and what it leaves out is refused by name.
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createOutputDecoder } from "../../src/agents/dialects/lines/lines-codec.js";
import type { LinesOutput } from "../../src/contract/lines-outputs.js";
import {
  CommandError,
  type LinesSession,
  type SessionsAgent,
  serveSessions,
  type Turn,
} from "../../src/sdk/exports.js";

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
  const call = { id: "c1", name: "edit", arguments: { path: "a.ts" } };
  const agent = run({
    async onTurn({ askPermission }) {
      const question = { title: "edit a.ts", call, preview: { file_path: "a.ts", diff: "+b" } };
      answers.push(await askPermission(question, { allow_reason: true }));
    },
  });
  agent.send({ type: "initialize", ui_capabilities: previewed }, { type: "prompt", text: "go" });
  expect((await agent.event("permission.preview")).data).toEqual([
    { tool: "edit", tool_call_id: "c1", file_path: "a.ts", diff: "+b" },
  ]);
  await agent.event("permission.ready");
  const { id, params } = await agent.next("ui_request");
  expect(params.opts).toEqual({ tool: "edit", tool_call_id: "c1", allow_reason: true });
  agent.send({ type: "ui_response", id, result: { ok: false, reason: " later " }, error: null });
  await agent.event("agent_end");
  expect(answers).toEqual([{ ok: false, remember: false, reason: "later" }]);
  agent.send({ type: "quit" });
  await agent.served;
});

test("a tool call is reported with its output so far, and ends once", async () => {
  const agent = run({
    async onTurn({ startTool }) {
      const report = await startTool({ id: "c1", name: "bash", arguments: {} });
      report.output("one\n");
      await report.end({ text: "one\n", is_error: false });
      report.output("too late");
    },
  });
  agent.send({ type: "prompt", text: "go" });
  expect((await agent.event("tool_execution_update")).data).toEqual(["c1", "bash", {}, "one\n"]);
  expect((await agent.event("tool_execution_end")).data?.[3]).toBe(false);
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
