// An agent that does what its prompt says, for the tests of the page: `ask METHOD PARAMS`, `say TEXT`, `tool NAME OUTPUT`,
// `frames LIST`, `tell N NAME` (a text in N pieces), `many N` (questions), `turns N`, `talk N` (turns with prompts of their own), `flood N`, `draw`,
// `wait`. After an answer it says what it got; with PAGE_AGENT_LOG it also writes that to a file, which outlives the daemon.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
let seq = 0;
let nextId = 1;
let stopped = () => undefined;
const answers = new Map();
const config = { model: "stand-in:small", mode: "ask" };
const MODES = ["ask", "read only", "yolo"].map((value) => ({ value, label: value }));
const modes = () => ({ current: config.mode, options: MODES });
const MODELS = [
  {
    id: "stand-in",
    models: [
      { id: "small", name: "Small" },
      { id: "large", name: "Large" },
    ],
  },
];
const COMMANDS = [
  { name: "review", summary: "read the changes", hint: "[branch]" },
  { name: "release", summary: "publish a version" },
];
const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const emit = (type, ...data) => send({ type: "event", session_id: "main", event_seq: seq++, event: { type, data } });

function say(text) {
  const message = { role: "assistant", content: [{ type: "text", text }] };
  emit("message_start", { role: "assistant", content: [] });
  emit("message_delta", 0, "text", text);
  emit("message_end", message);
}

function tool(name, output) {
  const id = `c${nextId++}`;
  emit("tool_execution_start", id, name, { command: name });
  emit("tool_execution_end", id, name, output, false);
}

function ask(method, params) {
  const id = `q${nextId++}`;
  send({ type: "ui_request", id, session_id: "main", method, params });
  return new Promise((resolve) => {
    answers.set(id, resolve);
    stopped = () => {
      send({ type: "ui_cancel", id, reason: "aborted" });
      resolve("stopped");
    };
  });
}

const deeds = {
  ask: async (rest) => {
    const [, method, params] = /^(\w+) (.*)$/s.exec(rest) ?? [];
    const result = await ask(method, JSON.parse(params));
    const { PAGE_AGENT_LOG: log } = process.env;
    if (log !== undefined) appendFileSync(log, `${JSON.stringify({ title: JSON.parse(params).title, result })}\n`);
    say(`got ${JSON.stringify(result)}`);
  },
  many: async (rest) => {
    const asked = Array.from({ length: Number(rest) }, (_, at) => ask("confirm", { title: `Question ${at + 1}?` }));
    await Promise.all(asked);
  },
  say: (rest) => say(rest),
  tell: async (rest) => {
    const [count, name] = rest.split(" ");
    const pieces = Array.from({ length: Number(count) }, (_, at) => `${name}-${at}`);
    emit("message_start", { role: "assistant", content: [] });
    for (const piece of pieces) {
      emit("message_delta", 0, "text", `${piece} `);
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    emit("message_end", { role: "assistant", content: [{ type: "text", text: pieces.join(" ") }] });
  },
  frames: (rest) => {
    for (const frame of JSON.parse(rest))
      send({ session_id: "main", ...(frame.type === "event" ? { event_seq: seq++ } : {}), ...frame });
  },
  tool: (rest) => tool(rest.split(" ")[0], rest.slice(rest.indexOf(" ") + 1)),
  turns: (rest) => {
    for (let at = 1; at <= Number(rest); at++)
      say(`Line one of block ${at}.\n\nLine *two* of block ${at}, with \`code\`.`);
  },
  talk: (rest) => {
    for (let at = 1; at <= Number(rest); at++) {
      emit("agent_end", []);
      emit("agent_start");
      emit("message_end", { role: "user", content: [{ type: "text", text: `Question ${at}, ${nextId}?` }] });
      tool("look", `what was found, ${nextId}`);
      say(`Answer ${at}: it is **${nextId}**.`);
    }
  },
  flood: (rest) => {
    const paragraph = `${"A sentence of a very long answer. ".repeat(20)}And \`code\`.\n\n`;
    const text = paragraph.repeat(Math.ceil(Number(rest) / paragraph.length));
    emit("message_start", { role: "assistant", content: [] });
    for (let at = 0; at < text.length; at += 8_192) emit("message_delta", 0, "text", text.slice(at, at + 8_192));
    emit("message_end", { role: "assistant", content: [{ type: "text", text }] });
    say("The flood is over.");
  },
  draw: () => {
    const message = { role: "assistant", content: [{ type: "image", mime_type: "image/png", data: PIXEL }] };
    emit("message_start", message);
    emit("message_end", message);
  },
  wait: () =>
    new Promise((resolve) => {
      stopped = resolve;
    }),
};

// What it was told, it says, so that a test sees what arrived.
function set({ key, value }) {
  config[key] = value;
  send({ type: "config_state", config, modes: modes() });
  say(`${key} is ${value}`);
}

async function obey(command) {
  if (command.type === "prompt") {
    emit("agent_start");
    if (command.text.startsWith("/")) say(`heard ${command.text}`);
    const [, deed, rest = ""] = /^(\w+) ?(.*)$/s.exec(command.text) ?? [];
    const count = command.images?.length ?? 0;
    if (count > 0) say(`got ${count} pictures, ${command.images[0].mime_type}`);
    await deeds[deed]?.(rest);
    emit("agent_end", []);
  } else if (command.type === "ui_response") answers.get(command.id)?.(command.result ?? null);
  else if (command.type === "abort") stopped();
  else if (command.type === "list_models") send({ type: "models_list", providers: MODELS });
  else if (command.type === "set_config") set(command);
  else if (command.type === "initialize") {
    const server_capabilities = { supports_message_deltas: true, supports_images: true };
    send({ type: "initialized", protocol_version: "1", server: { name: "page" }, server_capabilities });
  } else if (command.type === "ping") send({ type: "pong" });
  else if (command.type === "quit") process.stdin.destroy();
}

createInterface({ input: process.stdin }).on("line", (line) => void obey(JSON.parse(line)));
send({
  type: "ready",
  protocol_version: "1",
  cwd: process.cwd(),
  ui: true,
  active_session_id: "main",
  commands: COMMANDS,
  modes: modes(),
  model: { provider: "stand-in", id: "small" },
});
