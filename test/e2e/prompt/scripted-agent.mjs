// An agent on the lines wire that plays the steps its prompt holds as JSON, for tests of prompt mode:
//
//   {"say": text}   {"ask": method, "params": …, "id"?}   {"flood": lines}   {"fail": words}   {"hang": true}
//   {"stubborn": true}  hears nothing but SIGKILL from then on      {"die": code}
//
// A question may have "meanwhile": so many lines are said behind it, each filled up to "chars", and "tally" is a file that
// always holds how many of them have left the agent.
import { writeFileSync } from "node:fs";

let input = Buffer.alloc(0);
let asked = 0;
let isStubborn = false;
const waiting = new Map();
const TALLY_LINES = 50;

const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const event = (type, ...data) => send({ type: "event", session_id: "s1", event: { type, data } });

function say(text) {
  const message = (words) => ({ role: "assistant", content: [{ type: "text", text: words }] });
  event("message_start", message(""));
  event("message_update", message(text));
  event("message_end", message(text));
}

// What is written has left this process, as it has for an agent that writes without a buffer of its own.
const sent = () => new Promise((resolve) => process.stdout.write("", resolve));

function ask({ ask: method, params, id }) {
  asked += 1;
  const name = id ?? `q${asked}`;
  send({ type: "ui_request", id: name, method, params, session_id: "s1" });
  return new Promise((resolve) => waiting.set(name, resolve));
}

function beStubborn() {
  isStubborn = true;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
}

async function play(steps) {
  event("agent_start");
  for (const step of steps) {
    if (step.say !== undefined) say(step.say);
    else if (step.flood !== undefined) for (let line = 1; line <= step.flood; line += 1) say(`line ${line}`);
    else if (step.fail !== undefined) event("error", step.fail);
    else if (step.die !== undefined) process.exit(step.die);
    else if (step.stubborn) beStubborn();
    else if (step.hang) await new Promise((resolve) => setInterval(() => resolve === null, 1_000));
    else if (step.ask !== undefined && step.meanwhile !== undefined) {
      const answer = ask(step);
      for (let line = 1; line <= step.meanwhile; line += 1) {
        say(`meanwhile ${line}`.padEnd(step.chars ?? 0, "."));
        await sent();
        if (step.tally !== undefined && line % TALLY_LINES === 0) writeFileSync(step.tally, String(line));
      }
      say(`answer ${JSON.stringify(await answer)}`);
    } else if (step.ask !== undefined) say(`answer ${JSON.stringify(await ask(step))}`);
  }
  event("agent_end", []);
}

function take(frame) {
  if (frame.type === "prompt") {
    let steps = [{ say: `You said: ${frame.text}` }];
    try {
      steps = JSON.parse(frame.text.split("\n\n")[0]);
    } catch {
      // Plain words are said back.
    }
    void play(steps);
  } else if (frame.type === "ui_response") {
    waiting.get(frame.id)?.(frame.error ?? frame.result);
    waiting.delete(frame.id);
  } else if (isStubborn) say(`I do not ${frame.type}`);
  else if (frame.type === "abort") {
    if (process.env.ABORTED_FILE) writeFileSync(process.env.ABORTED_FILE, "");
    event("agent_end", []);
  } else if (frame.type === "quit") process.exit(0);
}

process.stdin.on("data", (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (let at = input.indexOf(10); at >= 0; at = input.indexOf(10)) {
    const line = input.subarray(0, at).toString();
    input = input.subarray(at + 1);
    if (line.trim() !== "") take(JSON.parse(line));
  }
});
process.stdin.on("end", () => {
  if (!isStubborn) process.exit(0);
});
send({ type: "ready", protocol_version: "1", ui: true, active_session_id: "s1" });
