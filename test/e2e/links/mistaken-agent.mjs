// An agent on the lines wire that makes one mistake, named by its first argument, and is right in everything else.
import { closeSync } from "node:fs";
import { createInterface } from "node:readline";

const [mistake = ""] = process.argv.slice(2);
const say = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const message = { role: "assistant", content: "hello" };

const readies = {
  "a version as a number": { type: "ready", protocol_version: 1 },
  "no version": { type: "ready" },
  "a ready that does not fit": { type: "ready", protocol_version: "1", cwd: 4 },
};
const questions = {
  "a question with a number for an id": { id: 1 },
  "options as words": { method: "select", params: { title: "Which?", options: ["a", "b"] } },
  "values as numbers": { method: "select", params: { title: "Which?", options: [{ label: "one", value: 1 }] } },
  "a question without params": { params: undefined },
  "an unknown kind of question": { method: "slider" },
  "a time as text": { timeout_ms: "60000" },
  "a time that is no number": { timeout_ms: "soon" },
  "a question without an id": { id: undefined },
};

function tell(type, ...data) {
  if (mistake === "flat events") say({ type, data });
  else if (mistake === "no data") say({ type: "event", event: { type } });
  else if (mistake === "data as an object") say({ type: "event", event: { type, data: data[0] ?? {} } });
  else if (mistake === "a session as a number") say({ type: "event", session_id: 7, event: { type, data } });
  else if (mistake === "an end that does not fit")
    say({ type: "event", event: { type, data: type === "agent_end" ? "x" : data } });
  else say({ type: "event", session_id: "s", event: { type, data } });
}

function work() {
  tell("message_start", message);
  tell("message_end", message);
  tell("agent_end", []);
}

// It lives on, whatever it closed.
if (mistake === "a closed input" || mistake === "a closed output") setInterval(() => {}, 1_000);
if (mistake === "a closed input") closeSync(0);
const ready = () => say(readies[mistake] ?? { type: "ready", protocol_version: "1" });
if (mistake !== "waits for initialize" && mistake !== "silence") ready();

if (mistake !== "a closed input")
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { type } = JSON.parse(line);
    if (type === "quit") process.exit(0);
    if (mistake === "silence") return;
    if (type === "initialize" && mistake === "waits for initialize") ready();
    if (type === "ui_response") work();
    if (type !== "prompt") return;
    if (mistake === "a closed output") closeSync(1);
    else if (mistake === "half a frame") process.stdout.write('{"type":"ui_request","id":"q"');
    else answer();
  });

function answer() {
  tell("agent_start");
  const question = questions[mistake];
  if (question === undefined) work();
  else say({ type: "ui_request", id: "q", method: "confirm", params: { title: "Go on?" }, ...question });
}
