// An agent that speaks the lines wire, with one defect at a time: `node wrong-agent.mjs DEFECT`. Without a defect it is
// right in everything. The defects are named after the rules they break.
import { createInterface } from "node:readline";

const [, , defect = "none"] = process.argv;
const wrong = (name) => defect === name;
const send = (frame) => process.stdout.write(`${typeof frame === "string" ? frame : JSON.stringify(frame)}\n`);
const error = (message) => send({ type: "error", message });

let seq = 0;
let asked = 0;
let turn = null;
let hasDeltas = false;
const sessions = new Set();
const kinds = ["select", "confirm", "input", "editor", "form", "files", "permission"];

function event(type, fields) {
  const name = wrong("typos") && type === "agent_start" ? "agentStart" : type;
  send({ type: "event", session_id: "main", event_seq: seq++, event: { type: name, ...fields } });
  if (wrong("event-seq")) seq += 1;
}

function message(type, text) {
  const role = wrong("frames-valid") ? undefined : "assistant";
  event(type, { message: { role, content: [{ type: wrong("wrong-block") ? "txt" : "text", text }] } });
}

function ask() {
  const method = kinds[turn.step];
  turn.id = `q${++asked}`;
  const options = [{ label: "Red", value: "red" }];
  const timeout = wrong("ask-timeout") ? { timeout_ms: 50 } : {};
  const fields = [{ name: "port", label: "Port", kind: "number" }];
  const params = { title: "A question", options, fields, tool: "edit" };
  if (wrong("typos") && method === "form") params.fields = "port";
  const id = wrong("numbers") ? asked : turn.id;
  if (wrong("numbers")) turn.id = id;
  const question = { type: "ui_request", id, method, params, ...timeout };
  // In one write: after the answer to the first, the id would be free again.
  const line = JSON.stringify(question);
  send(wrong("ask-ids") ? `${line}\n${line}` : line);
}

function grow(text, delta) {
  if (hasDeltas !== wrong("deltas")) event("message_delta", { index: 0, kind: "text", delta });
  else message("message_update", text);
}

function start(asking) {
  if (wrong("message-order")) message("message_update", "Hel");
  event("agent_start");
  if (wrong("prompt-twice")) event("agent_start");
  message("message_start", "");
  grow("Hel", "Hel");
  grow(wrong("message-whole") ? "lo" : "Hello", "lo");
  turn = { step: 0, id: null };
  if (asking) ask();
  else if (wrong("abort")) turn.deaf = true;
  else end();
}

function end() {
  turn = null;
  message("message_end", "Hello");
  if (!wrong("prompt-frames-turn")) event("agent_end", { messages: wrong("wrong-end") ? "none" : [] });
}

function answered({ id, result, error: failed }) {
  if (turn === null || id !== turn.id) {
    if (wrong("ask-late")) process.exit(1);
    return;
  }
  const kind = kinds[turn.step];
  if (wrong(`ask-${kind}`)) return;
  if (wrong("ask-cancelled") && (result === null || result === false) && !failed) return;
  if (wrong("ask-timed-out") && failed) return;
  turn.step += 1;
  if (turn.step < kinds.length) ask();
  else end();
}

function abort() {
  if (turn === null || turn.deaf) return;
  if (!wrong("ask-aborted")) send({ type: "ui_cancel", id: turn.id, reason: "aborted" });
  end();
}

function bad(rule) {
  if (wrong(`${rule}-crash`)) throw new Error("this parser has no mercy");
  if (wrong(`${rule}-twice`)) error("first");
  if (!wrong(rule)) error(`bad input: ${rule}`);
}

function ruleOf(line) {
  if (line.includes("[[[[")) return "deep-nesting";
  if (line.length > 200_000) return "long-line";
  return line.includes("\u0001") ? "binary-noise" : "malformed-line";
}

function obey(line) {
  let command;
  try {
    command = JSON.parse(line);
  } catch {
    return bad(ruleOf(line));
  }
  const { type, text } = command;
  if (wrong("blocks") && turn !== null && type !== "quit") return undefined;
  if (type === "ping") return wrong("ping") || (wrong("ping-in-turn") && turn) ? undefined : send({ type: "pong" });
  if (type === "initialize") {
    if (wrong("initialize")) return error("unknown");
    hasDeltas = command.ui_capabilities?.supports_message_deltas === true;
    const server_capabilities = { supports_message_deltas: true, supports_sessions: true };
    return send({ type: "initialized", protocol_version: "2", server_capabilities });
  }
  if (type === "start_session") {
    sessions.add("s2");
    return wrong("sessions") ? error("no room") : send({ type: "session_started", session_id: "s2" });
  }
  if (type === "list_running_sessions") {
    return send({ type: "running_sessions", sessions: [...sessions].map((session_id) => ({ session_id })) });
  }
  if (type === "close_session") return send({ type: "session_closed", session_id: command.session_id });
  if (type === "quit") process.exit(wrong("quit") ? 3 : 0);
  if (type === "abort" && wrong("abort-refused")) error("unknown command: abort");
  if (type === "abort") return abort();
  if (type === "ui_response") return answered(command);
  if (type === "prompt" && typeof text === "string" && turn !== null) {
    return wrong("prompt-in-turn") ? undefined : error("a turn is running");
  }
  if (type === "prompt" && typeof text === "string") return start(text.includes("every kind"));
  if (type === "prompt") return bad(text === undefined ? "missing-field" : "wrong-type");
  return bad(line.includes("[[[[") ? "deep-nesting" : "unknown-command");
}

if (wrong("exits-at-once")) {
  process.stderr.write("Error: MODEL_KEY is not set\n");
  process.exit(7);
}
if (wrong("starts")) send({ type: "pong" });
if (wrong("json-only")) send("loading the model …");
if (wrong("no-line-break")) process.stdout.write('{"type":"ready","protocol_version":"2"}');
else if (wrong("version-9")) send({ type: "ready", protocol_version: "9" });
else if (wrong("wrong-ready")) send({ type: "ready", protocol_version: "2", ui: "yes" });
else if (wrong("numbers")) send({ type: "ready", protocol_version: 2 });
else if (wrong("misspelt-ready")) send({ type: "redy", protocol_version: "2" });
else if (!wrong("silent")) send({ type: "ready", protocol_version: "2", ui: true });
createInterface({ input: process.stdin, crlfDelay: 0 }).on("line", obey);
process.stdin.on("end", () => (wrong("end-of-input") ? setInterval(() => {}, 1000) : process.exit(0)));
