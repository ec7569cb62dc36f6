#!/usr/bin/env node
// A stand-in for pi's RPC mode, for tests that start a process. It plays what the prompt names, and it can misbehave:
// `tool`, `gate`, `dialogs`, `show`, `hang`, `retry`, `fail`, `junk`, `die`; anything else is said back. STAND_IN=old
// leaves out what an older pi did not have, STAND_IN=silent never answers.

const isOld = process.env.STAND_IN === "old";
const isSilent = process.env.STAND_IN === "silent";
let input = Buffer.alloc(0);
let nextNumber = 1;
let session = "s1";
let stop = null;
const waiting = new Map();

const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const model = { id: "m1", provider: "stand-in", name: "Stand-in 1", contextWindow: 1000 };
const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost: { total: 0.001 } };

function ask(method, params) {
  const id = `ui${nextNumber++}`;
  send({ type: "extension_ui_request", id, method, ...params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

function say(text, fields = {}) {
  const message = { role: "assistant", content: [{ type: "text", text }], usage, stopReason: "stop", ...fields };
  send({ type: "message_start", message: { ...message, content: [] } });
  for (const delta of text.match(/[\s\S]{1,4}/gu) ?? []) {
    const snapshot = isOld ? { message } : {};
    send({
      type: "message_update",
      assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta },
      ...snapshot,
    });
  }
  send({ type: "message_end", message });
}

function end({ willRetry = false } = {}) {
  send({ type: "agent_end", messages: [], ...(isOld ? {} : { willRetry }) });
  if (!isOld && !willRetry) send({ type: "agent_settled" });
}

const tool = { toolCallId: "c1", toolName: "bash" };

const plays = {
  tool() {
    send({ type: "tool_execution_start", ...tool, args: { command: "ls" } });
    send({ type: "tool_execution_update", ...tool, partialResult: { content: [{ type: "text", text: "a" }] } });
    const result = { content: [{ type: "text", text: "a\nb" }] };
    send({ type: "tool_execution_end", ...tool, result, isError: false });
    end();
  },
  async gate() {
    const { value, cancelled } = await ask("select", { title: "Dangerous:\n\n  rm -rf x", options: ["Yes", "No"] });
    say(cancelled ? "cancelled" : value);
    end();
  },
  async dialogs() {
    const confirmed = await ask("confirm", { title: "Sure?", message: "Really." });
    const typed = await ask("input", { title: "Name", placeholder: "ada" });
    const edited = await ask("editor", { title: "Text", prefill: "one\ntwo" });
    say(JSON.stringify([confirmed.confirmed, typed.value, edited.value]));
    end();
  },
  show() {
    for (const [method, params] of [
      ["notify", { message: "look", notifyType: "warning" }],
      ["setStatus", { statusKey: "k", statusText: "busy" }],
      ["setWidget", { widgetKey: "w", widgetLines: ["one", "two"], widgetPlacement: "belowEditor" }],
      ["setTitle", { title: "a title" }],
      ["set_editor_text", { text: "next" }],
    ]) {
      send({ type: "extension_ui_request", id: `ui${nextNumber++}`, method, ...params });
    }
    end();
  },
  hang() {
    send({ type: "message_start", message: { role: "assistant", content: [] } });
    stop = () => {
      send({ type: "message_end", message: { role: "assistant", content: [], stopReason: "aborted" } });
      end();
    };
  },
  retry() {
    say("", { content: [], stopReason: "error", errorMessage: "overloaded" });
    end({ willRetry: true });
    send({ type: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 10, errorMessage: "overloaded" });
    send({ type: "auto_retry_end", success: true, attempt: 1 });
    send({ type: "agent_start" });
    say("better now");
    end();
  },
  fail() {
    say("", { content: [], stopReason: "error", errorMessage: "no key" });
    end();
  },
  junk() {
    process.stdout.write('loading…\n{"type":"marvel"}\n{"broken\n{"type":"message_end"}\n');
    send({ type: "extension_ui_request", id: "odd", method: "hologram" });
    say("Still here.");
    end();
  },
  die() {
    void ask("confirm", { title: "Too late" });
    process.exitCode = 7;
    process.stdin.destroy();
  },
};

const answers = {
  get_state: () => ({ model, thinkingLevel: "low", sessionId: session, isStreaming: false, pendingMessageCount: 0 }),
  get_commands: () => ({ commands: [{ name: "hello", description: "says hello", source: "extension" }] }),
  get_available_models: () => ({ models: [model, { ...model, id: "m2", name: "Stand-in 2" }] }),
  get_session_stats: () => ({ tokens: { total: 15 }, cost: 0.001, contextUsage: { tokens: 15, contextWindow: 1000 } }),
  get_messages: () => ({ messages: [{ role: "user", content: "before" }] }),
  new_session: () => {
    session = `s${nextNumber++}`;
    return { cancelled: false };
  },
  switch_session: () => {
    session = "loaded";
    return { cancelled: false };
  },
};

function take({ id, type, ...command }) {
  if (type === "extension_ui_response") {
    waiting.get(id)?.(command);
    waiting.delete(id);
    return;
  }
  const reply = (fields) => send({ ...(id === undefined ? {} : { id }), type: "response", command: type, ...fields });
  if (type === "get_available_thinking_levels" && isOld) reply({ success: false, error: `Unknown command: ${type}` });
  else if (type === "set_model" && command.modelId !== "m2") reply({ success: false, error: "no such model" });
  else reply({ success: true, data: answers[type]?.() });
  if (type === "abort") stop?.();
  if (type === "abort") stop = null;
  if (type !== "prompt" || command.message === "/hello") return;
  send({ type: "agent_start" });
  if (Object.hasOwn(plays, command.message)) void plays[command.message]();
  else {
    say(`You said: ${command.message}`);
    end();
  }
}

process.stdin.on("data", (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (let at = input.indexOf(10); at >= 0; at = input.indexOf(10)) {
    const line = input.subarray(0, at).toString();
    input = input.subarray(at + 1);
    if (line.trim() !== "" && !isSilent) take(JSON.parse(line));
  }
});
