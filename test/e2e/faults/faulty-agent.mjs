// An agent for tests of faults: `stream` makes it talk until it is stopped, `ask` makes it ask, anything else is answered.
// It says its process id first, so that a test can see whether it is left behind.
import { writeSync } from "node:fs";

const send = (frame) => writeSync(1, `${JSON.stringify(frame)}\n`);
const event = (type, ...data) => send({ type: "event", event: { type, data } });
const says = (type, text) => event(type, { role: "assistant", content: [{ type: "text", text }] });

send({ type: "ready", protocol_version: "1" });
let waiting = "";
process.stdin.on("data", (chunk) => {
  const lines = (waiting + chunk).split("\n");
  waiting = lines.pop() ?? "";
  for (const line of lines) {
    const command = JSON.parse(line);
    if (command.type === "prompt") prompt(command.text);
    if (command.type === "quit") process.exit(0);
  }
});
process.stdin.on("end", () => process.exit(0));

function prompt(text) {
  event("agent_start");
  says("message_end", `agent ${process.pid} heard ${text}`);
  if (text === "stream") {
    let count = 0;
    setInterval(() => says("message_end", `line ${++count}`), 30);
  } else if (text === "ask") {
    send({ type: "ui_request", id: "q1", method: "confirm", params: { title: "Go on?" } });
  } else event("agent_end", []);
}
