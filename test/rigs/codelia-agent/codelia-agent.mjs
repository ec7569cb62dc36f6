#!/usr/bin/env node
// A stand-in for codelia's runtime over JSON-RPC, for tests that start a process. It plays what the prompt names, and it
// can misbehave: `edit`, `questions`, `hang`, `fail`, `gap`, `junk`, `die`; anything else is said back. STAND_IN=legacy
// announces permissions in texts instead of events, STAND_IN=silent never answers.

const isLegacy = process.env.STAND_IN === "legacy";
const isSilent = process.env.STAND_IN === "silent";
let input = Buffer.alloc(0);
let nextNumber = 1;
let run = null;
const waiting = new Map();

const send = (frame) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);
const notify = (method, params) => send({ method, params });
const event = (body) => notify("agent.event", { run_id: run.id, seq: run.seq++, event: body });

function ask(method, params) {
  const id = `q${nextNumber++}`;
  send({ id, method, params: { run_id: run.id, ...params } });
  return new Promise((resolve) => waiting.set(id, resolve));
}

function end(status = "completed", fields = {}) {
  const summary = { total_tokens: 15, total_input_tokens: 10, total_output_tokens: 5, total_cost_usd: 0.002 };
  notify("run.diagnostics", { run_id: run.id, kind: "run_summary", summary });
  notify("run.status", { run_id: run.id, status, ...fields });
  run = null;
}

function announce() {
  const diff = "-one\n+two";
  if (isLegacy) {
    event({ type: "text", content: `Planned edit diff preview:\n${diff}` });
    event({ type: "text", content: "Permission preflight ready for edit." });
  } else {
    event({ type: "permission.preview", tool: "edit", tool_call_id: "c1", file_path: "a.txt", diff });
    event({ type: "permission.ready", tool: "edit", tool_call_id: "c1" });
  }
  notify("run.status", { run_id: run.id, status: "awaiting_ui" });
}

const plays = {
  async edit() {
    event({ type: "step_start" });
    event({ type: "reasoning", content: "I should edit." });
    event({ type: "tool_call", tool: "edit", args: { path: "a.txt" }, tool_call_id: "c1" });
    announce();
    const params = { title: "Run edit?", message: "a.txt", allow_remember: true, allow_reason: true };
    const { ok, remember, reason } = await ask("ui.confirm.request", params);
    if (run === null) return;
    notify("run.status", { run_id: run.id, status: "running" });
    event({ type: "tool_result", tool: "edit", tool_call_id: "c1", result: ok ? "edited" : "denied", is_error: !ok });
    event({ type: "step_complete" });
    event({ type: "text", content: JSON.stringify({ ok, remember, reason }) });
    event({ type: "final", content: JSON.stringify({ ok, remember, reason }) });
    end();
  },
  async questions() {
    const typed = await ask("ui.prompt.request", { title: "Name", message: "Yours.", secret: true });
    const items = [
      { id: "a", label: "A" },
      { id: "b", label: "B", detail: "second" },
    ];
    const picked = await ask("ui.pick.request", { title: "Which?", items, multi: true });
    event({ type: "final", content: JSON.stringify([typed.value, picked.ids]) });
    end();
  },
  hang() {
    event({ type: "text", content: "This takes for ever." });
  },
  fail() {
    event({
      type: "llm.retry",
      provider: "x",
      failure_kind: "overloaded",
      next_attempt: 2,
      max_attempts: 2,
      delay_ms: 0,
    });
    end("error", { message: "no key" });
  },
  gap() {
    event({ type: "text", content: "one" });
    run.seq += 2;
    event({ type: "text", content: "four" });
    run.seq -= 1;
    event({ type: "text", content: "four again" });
    end();
  },
  junk() {
    process.stdout.write('starting\n{"jsonrpc":"2.0","method":"marvel.happened"}\n{"broken\n{"x":1}\n');
    event({ type: "marvel" });
    send({ id: "odd", method: "client.tool.call", params: { name: "x" } });
    event({ type: "final", content: "Still here." });
    end();
  },
  die() {
    void ask("ui.confirm.request", { title: "Too late", message: "" });
    process.exitCode = 7;
    process.stdin.destroy();
  },
};

const methods = {
  initialize: () => ({
    protocol_version: "0",
    server: { name: "stand-in", version: "0" },
    server_capabilities: { supports_run_cancel: true, supports_permission_preflight_events: !isLegacy },
  }),
  "model.list": () => ({ provider: "stand-in", models: ["m1", "m2"], current: "m1" }),
  "model.set": ({ name }) => ({ provider: "stand-in", name, source: "session" }),
  "session.list": () => ({ sessions: [{ session_id: "s0", updated_at: "2026-01-01T00:00:00Z" }] }),
  "session.history": () => ({ runs: 0, events_sent: 0 }),
  "run.cancel": () => {
    setImmediate(() => end("cancelled"));
    return { ok: true };
  },
};

function start(id, { input: { text } }) {
  run = { id: `run${nextNumber++}`, seq: 0 };
  send({ id, result: { run_id: run.id, session_id: "s1" } });
  notify("run.status", { run_id: run.id, status: "running" });
  if (Object.hasOwn(plays, text)) void plays[text]();
  else {
    event({ type: "final", content: `You said: ${text}` });
    end();
  }
}

function take({ id, method, params, result, error }) {
  if (method === undefined) {
    waiting.get(id)?.(result ?? { error });
    waiting.delete(id);
  } else if (method === "run.start") start(id, params);
  else if (Object.hasOwn(methods, method)) send({ id, result: methods[method](params) });
  else send({ id, error: { code: -32601, message: `no method ${method}` } });
}

process.stdin.on("data", (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (let at = input.indexOf(10); at >= 0; at = input.indexOf(10)) {
    const line = input.subarray(0, at).toString();
    input = input.subarray(at + 1);
    if (line.trim() !== "" && !isSilent) take(JSON.parse(line));
  }
});
