// An agent on the lines wire that makes one mistake, named by its first argument, and is right in everything else.
import { closeSync } from "node:fs";
import { createInterface } from "node:readline";

const [mistake = ""] = process.argv.slice(2);
const write = (text) => process.stdout.write(text);
const say = (frame) => write(`${JSON.stringify(frame)}\n`);
const message = { role: "assistant", content: "hello" };

const readies = {
  "a version as a number": { type: "ready", protocol_version: 2 },
  "no version": { type: "ready" },
  "a version of tomorrow": { type: "ready", protocol_version: "3" },
  "a ready that does not fit": { type: "ready", protocol_version: "2", cwd: 4 },
};
const select = (options) => ({ method: "select", params: { title: "Which?", options } });
const questions = {
  "a question with a number for an id": { id: 1 },
  "options as words": select(["a", "b"]),
  "values as numbers": select([{ label: "one", value: 1 }]),
  "options without labels": select([{ value: "a" }]),
  "no options": { method: "select", params: { title: "Which?" } },
  "a question without params": { params: undefined },
  "a question without a title": { params: {} },
  "a title that is no text": { params: { title: 4 } },
  "options of a dialog as a list": { params: { title: "Sure?", opts: [] } },
  "an unknown kind of question": { method: "slider" },
  "a misspelt kind of question": { method: "confrim" },
  "a time as text": { timeout_ms: "60000" },
  "a time that is no number": { timeout_ms: "soon" },
  "a question without an id": { id: undefined },
  "an id used again after its answer": {},
  "an id used twice at once": {},
};
const lines = {
  "broken JSON": '{"type":"event",\n',
  "single quotes": "{'type': 'event'}\n",
  "a list for a frame": '[{"type":"event"}]\n',
  "two frames in one line": '{"type":"pong"}{"type":"pong"}\n',
  "a frame over several lines": '{\n  "type": "pong"\n}\n',
  "a frame without a type": '{"text":"hello"}\n',
  "a misspelt frame": '{"type":"ui_notfy","params":{"message":"hi"}}\n',
  "a log line between frames": "DEBUG connected\n",
};

function tell(type, fields = {}) {
  const event = { type, ...fields };
  const isEnd = type === "agent_end";
  if (mistake === "flat events") say({ session_id: "s", ...event });
  else if (mistake === "fields beside the event") say({ type: "event", event: type, ...fields });
  else if (mistake === "events without fields") say({ type: "event", event: { type } });
  else if (mistake === "fields in a list") say({ type: "event", event: { type, data: Object.values(fields) } });
  else if (mistake === "fields in data") say({ type: "event", event: { type, data: fields.message ?? {} } });
  else if (mistake === "a session as a number") say({ type: "event", session_id: 7, event });
  else if (mistake === "an end that does not fit")
    say({ type: "event", event: isEnd ? { type, messages: "x" } : event });
  else if (mistake === "a misspelt end" && isEnd) say({ type: "event", event: { ...event, type: "agentEnd" } });
  else say({ type: "event", session_id: "s", event });
}

function work() {
  if (mistake === "a message without a role") tell("message_start", { message: { content: "hello" } });
  if (mistake === "names in camel case") tell("tool_execution_start", { toolCallId: "c1", tool: "bash" });
  if (mistake === "a tool without a name") tell("tool_execution_start", { tool_call_id: "c1" });
  tell("message_start", { message });
  tell("message_end", { message });
  tell("agent_end", { messages: [] });
}

// It lives on, whatever it closed.
if (mistake === "a closed input" || mistake === "a closed output") setInterval(() => {}, 1_000);
if (mistake === "a closed input") closeSync(0);
const ready = () => say(readies[mistake] ?? { type: "ready", protocol_version: "2" });
if (mistake !== "waits for initialize" && mistake !== "silence") ready();

let answers = 0;

if (mistake !== "a closed input")
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { type } = JSON.parse(line);
    if (type === "quit") process.exit(0);
    if (mistake === "silence") return;
    if (type === "initialize" && mistake === "waits for initialize") ready();
    if (type === "ui_response") answered();
    if (type !== "prompt") return;
    if (mistake === "a closed output") closeSync(1);
    else if (mistake === "half a frame") write('{"type":"ui_request","id":"q"');
    else if (mistake === "a crash") throw new Error("no such model: gpt-7");
    else answer();
  });

function answer() {
  tell("agent_start");
  write(lines[mistake] ?? "");
  if (questions[mistake] === undefined) work();
  else ask();
  if (mistake === "an id used twice at once") ask();
}

function ask() {
  say({ type: "ui_request", id: "q", method: "confirm", params: { title: "Go on?" }, ...questions[mistake] });
}

function answered() {
  answers += 1;
  if (answers === 1 && mistake === "an id used again after its answer") ask();
  else if (answers === 2 || !mistake.startsWith("an id used")) work();
}
