// An agent for tries of faults: `stream` makes it talk until it is stopped, `ask` makes it ask, anything else is answered. With
// `stubborn` it ends for nothing but SIGKILL: neither at the end of its input nor on a signal. It says its process id first,
// so that somebody can see whether it is left behind.
import { writeSync } from "node:fs";

const isStubborn = process.argv.includes("stubborn");
const LINE_EVERY_MS = 30;

const send = (frame) => writeSync(1, `${JSON.stringify(frame)}\n`);
const event = (type, ...data) => send({ type: "event", event: { type, data } });
const says = (type, text) => event(type, { role: "assistant", content: [{ type: "text", text }] });

if (isStubborn) {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
  process.on("uncaughtException", () => undefined);
  setInterval(() => undefined, 1_000);
}
send({ type: "ready", protocol_version: "1" });
let waiting = "";
let talking;
process.stdin.on("data", (chunk) => {
  const lines = (waiting + chunk).split("\n");
  waiting = lines.pop() ?? "";
  for (const line of lines) {
    const command = JSON.parse(line);
    if (command.type === "prompt") prompt(command.text);
    if (command.type === "ui_response") event("agent_end", []);
    if (command.type === "quit") leave();
  }
});
process.stdin.on("end", leave);

function leave() {
  if (isStubborn) return;
  clearInterval(talking);
  process.stdin.destroy();
}

function prompt(text) {
  event("agent_start");
  says("message_end", `agent ${process.pid} heard ${text}`);
  if (text === "stream") {
    let count = 0;
    talking = setInterval(() => says("message_end", `line ${++count}`), LINE_EVERY_MS);
  } else if (text === "ask") {
    send({ type: "ui_request", id: "q1", method: "confirm", params: { title: "Go on?" } });
  } else event("agent_end", []);
}
