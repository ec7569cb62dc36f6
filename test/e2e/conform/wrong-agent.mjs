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

function event(type, fields) {
  send({ type: "event", session_id: "main", event_seq: seq++, event: { type, ...fields } });
  if (wrong("event-seq")) seq += 1;
}

function message(type, text) {
  const role = wrong("frames-valid") ? undefined : "assistant";
  event(type, { message: { role, content: [{ type: "text", text }] } });
}

function ask() {
  const method = ["select", "confirm", "input", "editor"][turn.step];
  turn.id = wrong("ask-ids") ? "same" : `q${++asked}`;
  const options = [{ label: "Red", value: "red" }];
  const timeout = wrong("ask-timeout") ? { timeout_ms: 50 } : {};
  send({ type: "ui_request", id: turn.id, method, params: { title: "A question", options }, ...timeout });
}

function start(asking) {
  if (wrong("message-order")) message("message_update", "Hel");
  event("agent_start");
  if (wrong("prompt-twice")) event("agent_start");
  message("message_start", "");
  message("message_update", "Hel");
  message("message_update", wrong("message-whole") ? "lo" : "Hello");
  turn = { step: 0, id: null };
  if (asking) ask();
  else if (wrong("abort")) turn.deaf = true;
  else end();
}

function end() {
  turn = null;
  message("message_end", "Hello");
  if (!wrong("prompt-frames-turn")) event("agent_end", { messages: [] });
}

function answered({ id, result, error: failed }) {
  if (turn === null || id !== turn.id) {
    if (wrong("ask-late")) process.exit(1);
    return;
  }
  const kind = ["select", "confirm", "input", "editor"][turn.step];
  if (wrong(`ask-${kind}`)) return;
  if (wrong("ask-cancelled") && (result === null || result === false) && !failed) return;
  if (wrong("ask-timed-out") && failed) return;
  turn.step += 1;
  if (turn.step < 4) ask();
  else end();
}

function abort() {
  if (turn === null || turn.deaf) return;
  if (!wrong("ask-aborted")) send({ type: "ui_cancel", id: turn.id, reason: "aborted" });
  end();
}

function bad(rule) {
  if (wrong(`${rule}-crash`)) process.exit(1);
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
  if (type === "ping") return wrong("ping") || (wrong("ping-in-turn") && turn) ? undefined : send({ type: "pong" });
  if (type === "initialize") {
    return wrong("initialize")
      ? error("unknown")
      : send({ type: "initialized", protocol_version: "2", server_capabilities: {} });
  }
  if (type === "quit") process.exit(wrong("quit") ? 3 : 0);
  if (type === "abort") return abort();
  if (type === "ui_response") return answered(command);
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
if (!wrong("silent")) send({ type: "ready", protocol_version: "2", ui: true });
createInterface({ input: process.stdin, crlfDelay: 0 }).on("line", obey);
process.stdin.on("end", () => (wrong("end-of-input") ? setInterval(() => {}, 1000) : process.exit(0)));
