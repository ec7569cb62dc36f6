// An agent on the lines wire that does what its prompt says, for tests of hosted sessions:
//
//   say WORDS · suggest WORDS · stream N words in pieces · lines N log lines · tool · ask (a select) · confirm · secret · deadline · die CODE · hang
//   misspell the end of the turn · mute: close stdout and live on
//   memory: what it was told with --session-file; with it, it tells again what was said before
import { closeSync } from "node:fs";
import { argv, exit, stdin, stdout } from "node:process";

const SESSION = "s1";
const waiting = new Map();
let asked = 0;

const send = (frame) => stdout.write(`${JSON.stringify(frame)}\n`);
const event = (type, ...data) => send({ type: "event", session_id: SESSION, event: { type, data } });
const message = (text) => ({ role: "assistant", content: [{ type: "text", text }] });

function say(text) {
  event("message_start", message(""));
  for (const word of text.split(/(?<= )/)) event("message_delta", 0, "text", word);
  event("message_end", message(text));
}

function ask(method, params, timing = {}) {
  asked += 1;
  const id = `q${asked}`;
  send({ type: "ui_request", id, method, params, session_id: SESSION, ...timing });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const options = ["npm", "pnpm"].map((value) => ({ label: value, value }));

const deeds = {
  say,
  suggest: (text) => send({ type: "ui_set_editor_text", params: { text }, session_id: SESSION }),
  stream: (count) => say(Array.from({ length: Number(count) }, (_, index) => `word${index}`).join(" ")),
  lines: (count) => {
    for (let line = 1; line <= Number(count); line += 1) stdout.write(`line ${line} of a long session that goes on\n`);
  },
  tool: () => {
    event("tool_execution_start", "c1", "bash", { command: "npm test" });
    event("tool_execution_update", "c1", "bash", {}, "running");
    event("tool_execution_end", "c1", "bash", "212 passed", false);
  },
  ask: async () => say(`you chose ${JSON.stringify(await ask("select", { title: "Which one?", options }))}`),
  confirm: async () => say(`you said ${JSON.stringify(await ask("confirm", { title: "Deploy?" }))}`),
  secret: async () => say(`the key is ${await ask("input", { title: "Key", opts: { secret: true } })} indeed`),
  deadline: () => ask("confirm", { title: "Quick?" }, { timeout_ms: 60_000 }),
  die: (code) => exit(Number(code)),
  misspell: () => {
    event("agentEnd", []);
    return new Promise(() => undefined);
  },
  mute: () => {
    closeSync(1);
    return new Promise(() => setInterval(() => undefined, 60_000));
  },
  memory: () => say(`started with ${argv.slice(2).join(" ") || "nothing"}`),
  // Two messages, so that the first can be waited for while the prompt is still open.
  hang: (count) => {
    deeds.lines(count || 0);
    say("hanging");
    return new Promise(() => setInterval(() => undefined, 60_000));
  },
};

async function prompt(text) {
  event("agent_start");
  const [deed, ...words] = text.split(" ");
  await (deeds[deed] ?? (() => say(`You said: ${text}`)))(words.join(" "));
  event("agent_end", []);
}

function take(frame) {
  if (frame.type === "prompt") void prompt(frame.text);
  else if (frame.type === "ui_response") {
    waiting.get(frame.id)?.(frame.error ?? frame.result);
    waiting.delete(frame.id);
  } else if (frame.type === "abort") event("agent_end", []);
  else if (frame.type === "initialize")
    send({ type: "initialized", protocol_version: "1", server: { name: "scripted" }, server_capabilities: {} });
  else if (frame.type === "ping") send({ type: "pong" });
  else if (frame.type === "quit") exit(0);
}

let input = "";
stdin.setEncoding("utf8").on("data", (chunk) => {
  input += chunk;
  for (let at = input.indexOf("\n"); at >= 0; at = input.indexOf("\n")) {
    const line = input.slice(0, at);
    input = input.slice(at + 1);
    if (line.trim() !== "") take(JSON.parse(line));
  }
});
stdin.on("end", () => exit(0));
send({ type: "ready", protocol_version: "1", ui: true, active_session_id: SESSION });

// Like real ones, it tells again what was said in the session that it goes on with.
if (argv.includes("--session-file")) {
  event("message_start", { role: "user", content: "told again" });
  event("message_end", message("this was told again"));
}
