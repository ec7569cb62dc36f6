#!/usr/bin/env node
// A stand-in for Claude Code over stream-json, for tests that start a process. It plays what the prompt names, and it can
// misbehave: `write`, `ask`, `elicit`, `hang`, `fail`, `junk`, `die`, `take-back`; anything else is said back. With
// STAND_IN=silent it never answers the handshake.

const session = "5d1f7a52-stand-in";
let input = Buffer.alloc(0);
let nextNumber = 1;
let isHanging = false;
const waiting = new Map();

const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const stamp = (frame) => send({ ...frame, session_id: session, parent_tool_use_id: null, uuid: `u${nextNumber++}` });
const event = (body) => stamp({ type: "stream_event", event: body });
const user = (content, more = {}) => stamp({ type: "user", message: { role: "user", content }, ...more });

function ask(request) {
  const id = `r${nextNumber++}`;
  send({ type: "control_request", request_id: id, request });
  return new Promise((resolve) => waiting.set(id, resolve));
}

function result(fields = {}) {
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 0 };
  const modelUsage = { "stand-in-1": { contextWindow: 200_000 } };
  send({
    type: "result",
    subtype: "success",
    is_error: false,
    total_cost_usd: 0.01,
    usage,
    modelUsage,
    session_id: session,
    ...fields,
  });
}

// A message as the real one comes: deltas, the whole block just before its end, then the end.
function message(blocks, { end = "stop" } = {}) {
  const id = `m${nextNumber++}`;
  event({ type: "message_start", message: { id, role: "assistant", content: [], usage: { input_tokens: 110 } } });
  blocks.forEach((block, index) => {
    const isText = block.type === "text";
    event({ type: "content_block_start", index, content_block: isText ? { type: "text", text: "" } : block });
    for (const part of isText ? block.text.match(/[\s\S]{1,4}/gu) : []) {
      event({ type: "content_block_delta", index, delta: { type: "text_delta", text: part } });
    }
    stamp({ type: "assistant", message: { id, role: "assistant", content: [block] } });
    event({ type: "content_block_stop", index });
  });
  if (end === "stop") event({ type: "message_stop" });
}

const plays = {
  async write() {
    const input = { file_path: "hello.txt", content: "hello\n" };
    const tool = { type: "tool_use", id: "t1", name: "Write", input };
    message([{ type: "text", text: "I write it." }, tool]);
    const permission_suggestions = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
    const request = { subtype: "can_use_tool", tool_name: "Write", input, tool_use_id: "t1", permission_suggestions };
    const { behavior, message: reason, updatedPermissions = [] } = await ask(request);
    const isAllowed = behavior === "allow";
    user([{ type: "tool_result", tool_use_id: "t1", content: isAllowed ? "written" : reason, is_error: !isAllowed }]);
    message([{ type: "text", text: `Done, with ${updatedPermissions.length} new rules.` }]);
    result();
  },
  async ask() {
    const questions = [{ question: "Which?", header: "Colour", options: [{ label: "red" }, { label: "blue" }] }];
    const request = { subtype: "can_use_tool", tool_name: "AskUserQuestion", input: { questions }, tool_use_id: "t1" };
    const { updatedInput } = await ask(request);
    message([{ type: "text", text: JSON.stringify(updatedInput?.answers ?? "no answer") }]);
    result();
  },
  async elicit() {
    const requested_schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const answer = await ask({ subtype: "elicitation", mcp_server_name: "files", message: "Who?", requested_schema });
    message([{ type: "text", text: JSON.stringify(answer) }]);
    result();
  },
  hang() {
    isHanging = true;
    message([{ type: "text", text: "This takes for ever" }], { end: "open" });
  },
  fail() {
    stamp({
      type: "assistant",
      error: "authentication_failed",
      message: { content: [{ type: "text", text: "No key." }] },
    });
    result({ is_error: true, result: "No key." });
  },
  junk() {
    process.stdout.write('not json\n{"type":"marvel","x":1}\n{"broken\n[1]\n{"type":"assistant"}\n\n');
    send({ type: "control_request", request_id: "odd", request: { subtype: "mcp_message" } });
    send({ type: "control_response", response: { subtype: "success", request_id: "nobody" } });
    message([{ type: "text", text: "Still here." }]);
    result();
  },
  die() {
    message([{ type: "text", text: "I am about to" }], { end: "open" });
    void ask({ subtype: "can_use_tool", tool_name: "Bash", input: { command: "true" } });
    process.stderr.write("out of luck\n");
    process.exitCode = 7;
    process.stdin.destroy();
  },
  "take-back"() {
    void ask({ subtype: "can_use_tool", tool_name: "Bash", input: { command: "true" } });
    send({ type: "control_cancel_request", request_id: `r${nextNumber - 1}` });
    result({ result: "never mind" });
  },
};

function take(frame) {
  if (frame.type === "control_response") {
    waiting.get(frame.response.request_id)?.(frame.response.response ?? {});
    waiting.delete(frame.response.request_id);
  } else if (frame.type === "control_request") takeRequest(frame);
  else if (frame.type === "user") {
    const [{ text }] = frame.message.content;
    stamp({ type: "system", subtype: "init", cwd: process.cwd(), model: "stand-in-1", permissionMode: "default" });
    if (Object.hasOwn(plays, text)) void plays[text]();
    else {
      message([{ type: "text", text: `You said: ${text}` }]);
      result();
    }
  }
}

function takeRequest({ request_id, request }) {
  const answer = (response) =>
    send({ type: "control_response", response: { subtype: "success", request_id, response } });
  if (request.subtype === "initialize" && process.env.STAND_IN !== "silent") {
    answer({ commands: [{ name: "compact", description: "make room" }], models: [], claude_code_version: "0.0.0" });
  } else if (request.subtype === "interrupt") {
    answer({ still_queued: [] });
    user([{ type: "text", text: "[Request interrupted by user]" }]);
    if (isHanging) event({ type: "message_stop" });
    isHanging = false;
    result({ subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_streaming" });
  } else if (request.subtype !== "initialize") answer({});
}

process.stdin.on("data", (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (let at = input.indexOf(10); at >= 0; at = input.indexOf(10)) {
    const line = input.subarray(0, at).toString();
    input = input.subarray(at + 1);
    if (line.trim() !== "") take(JSON.parse(line));
  }
});
