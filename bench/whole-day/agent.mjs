// An agent that works an hour at a prompt `hour N`: a turn a minute, with words one by one and many tools, and every sixth minute a
// question that it waits for.
import { createInterface } from "node:readline";

const TURNS = 60;
const WORDS = "the parser reads a file and then reports what it found before the next test runs again".split(" ");
const WORDS_PER_TURN = 300;
const TOOLS_PER_TURN = 30;
const TURNS_PER_QUESTION = 6;
const waiting = new Map();
let count = 0;

const send = (frame) =>
  process.stdout.write(`${JSON.stringify(frame)}\n`)
    ? undefined
    : new Promise((resolve) => process.stdout.once("drain", resolve));
const event = (fields) => send({ type: "event", session_id: "main", event: fields });
const emit = (type, ...data) => event({ type, data });

async function say(text) {
  await emit("message_start", { role: "assistant", content: [] });
  for (const piece of text.split(/(?<= )/)) await emit("message_delta", 0, "text", piece);
  await emit("message_end", { role: "assistant", content: [{ type: "text", text }] });
}

async function ask(title) {
  count += 1;
  const id = `q${count}`;
  const answer = new Promise((resolve) => waiting.set(id, resolve));
  await send({ type: "ui_request", id, session_id: "main", method: "confirm", params: { title } });
  return answer;
}

async function turn(hour, minute) {
  await emit("agent_start");
  await emit("message_end", { role: "user", content: [{ type: "text", text: `hour ${hour}, minute ${minute}` }] });
  const words = Array.from({ length: WORDS_PER_TURN }, (_, at) => WORDS[(at + minute) % WORDS.length]);
  await say(words.join(" ").replaceAll(" again ", " again.\n\n"));
  for (let tool = 0; tool < TOOLS_PER_TURN; tool += 1) {
    const id = `c${hour}.${minute}.${tool}`;
    await emit("tool_execution_start", id, "bash", { command: `npm test -- ${tool}` });
    await emit("tool_execution_end", id, "bash", `${tool} tests of the parser passed`, false);
  }
  if (minute % TURNS_PER_QUESTION === 0) await say(`The answer is ${await ask(`Release ${hour}.${minute}?`)}.`);
  await emit("agent_end", []);
}

async function work(hour) {
  for (let minute = 1; minute <= TURNS; minute += 1) await turn(hour, minute);
  await emit("agent_start");
  await say(`Hour ${hour} is over.`);
  await emit("agent_end", []);
}

async function obey(command) {
  const { type, id } = command;
  if (type === "prompt") await work(Number(command.text.split(" ")[1]));
  else if (type === "ui_response") {
    waiting.get(id)?.(command.result);
    waiting.delete(id);
  } else if (type === "initialize") {
    const server_capabilities = { supports_message_deltas: true };
    await send({ type: "initialized", protocol_version: "1", server: { name: "day" }, server_capabilities });
  } else if (type === "ping") await send({ type: "pong" });
  else if (type === "quit") process.stdin.destroy();
}

createInterface({ input: process.stdin }).on("line", (line) => void obey(JSON.parse(line)));
await send({ type: "ready", protocol_version: "1", cwd: process.cwd(), ui: true, active_session_id: "main" });
