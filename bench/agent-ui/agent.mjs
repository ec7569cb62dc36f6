// The agent of the front-end benchmarks: speaks the lines wire and does what its prompt says, so that what is measured is
// the terminal UI. `stream N` tells N numbered paragraphs at the pace of a model; `ask` wants a permission in the middle of
// the talk; `flood MB`, `stall`, `huge MB`, `questions N` and `escapes` are the bad manners; `turns N`, `lines N`, `sessions N` and
// `asks N` are the load, and tell in the status how far they are.
import { paragraphs } from "./paragraphs.mjs";

const PACE_MS = 10;
const CHUNK_CHARS = 15;
const LINES_PER_BLOCK = 500;
/** The status tells the progress in steps that show. */
const REPORT_EVERY = { LINES: 50_000, SESSIONS: 50, ASKS: 1_000 };

let seq = 0;
let input = "";
const answers = new Map();
const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const emit = (type, ...data) => send({ type: "event", session_id: "s1", event_seq: seq++, event: { type, data } });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const drained = () =>
  process.stdout.writableNeedDrain ? new Promise((done) => process.stdout.once("drain", done)) : undefined;
const message = (text) => ({ role: "assistant", content: [{ type: "text", text }] });

const deeds = {
  async stream(count) {
    const text = paragraphs(Number(count));
    emit("message_start", message(""));
    let said = "";
    for (let at = 0; at < text.length; at += CHUNK_CHARS) {
      const delta = text.slice(at, at + CHUNK_CHARS);
      said += delta;
      emit("message_delta", 0, "text", delta);
      await pause(PACE_MS);
    }
    emit("message_end", message(said));
  },
  async ask() {
    emit("message_start", message(""));
    for (let at = 0; at < 100; at += 1) {
      emit("message_delta", 0, "text", `word${at} `);
      await pause(PACE_MS);
      if (at === 30)
        void question("a1").then((answer) =>
          send({ type: "ui_notify", params: { message: `ANSWER ${JSON.stringify(answer)}` } }),
        );
    }
    emit("message_end", message("done"));
    await pause(8_000);
  },
  async turns(count) {
    for (let at = 0; at < Number(count); at += 1) {
      const text = `Turn ${at}. The parser reads a file and then reports what it found before the next test runs.`;
      emit("agent_start");
      emit("message_start", message(""));
      emit("message_end", message(text));
      emit("tool_execution_start", `t${at}`, "bash", { command: "npm test" });
      emit("tool_execution_end", `t${at}`, "bash", "212 passed\n0 failed", false);
      emit("agent_end", []);
      if (at % 50 === 49) await drained();
      if (at % 1_000 === 999) send({ type: "ui_status", params: { key: "turns", text: `TURNS ${at + 1}` } });
      if (at % 10 === 9) await pause(1);
    }
  },
  async lines(count) {
    const block = (at) =>
      Array.from({ length: LINES_PER_BLOCK }, (_, line) => `${at + line} ok src/parser/rule-${line}.ts`);
    for (let at = 0; at < Number(count); at += LINES_PER_BLOCK) {
      emit("message_start", message(""));
      emit("message_end", message(`\`\`\`\n${block(at).join("\n")}\n\`\`\``));
      await drained();
      await reached("LINES", at + LINES_PER_BLOCK);
    }
  },
  async sessions(count) {
    for (let at = 0; at < Number(count); at += 1) {
      const session_id = `more-${at}`;
      send({ type: "session_started", session_id, cwd: "/tmp" });
      const say = (event_seq, type, ...data) => send({ type: "event", session_id, event_seq, event: { type, data } });
      say(0, "agent_start");
      say(1, "message_start", message(""));
      say(2, "message_end", message(`Session ${at} reports what it found before the next test runs.`));
      say(3, "agent_end", []);
      await drained();
      await reached("SESSIONS", at + 1);
    }
  },
  async asks(count) {
    for (let at = 0; at < Number(count); at += 1) {
      void question(`k${at}`);
      if (at % 10 === 9) await pause(1);
      send({ type: "ui_cancel", id: `k${at}`, reason: "aborted" });
      await drained();
      await reached("ASKS", at + 1);
    }
  },
  async flood(megabytes) {
    const line = JSON.stringify({
      type: "event",
      session_id: "s1",
      event: { type: "tool_execution_update", data: ["c1", "bash", {}, "x".repeat(8_000)] },
    });
    emit("tool_execution_start", "c1", "bash", { command: "flood" });
    for (let sent = 0; sent < Number(megabytes) * 1e6; sent += line.length) {
      process.stdout.write(`${line}\n`);
      await drained();
    }
    emit("tool_execution_end", "c1", "bash", "flooded", false);
  },
  async stall() {
    process.stdout.write('{"type":"event","session_id":"s1","event":{"type":"message_');
    await pause(3_000);
    process.stdout.write('start","data":[{"role":"assistant","content":[]}]}}\n');
    emit("message_end", message("the stall is over"));
  },
  async huge(megabytes) {
    const text = `${"lorem ipsum dolor ".repeat(55)}\n`.repeat(Math.ceil((Number(megabytes) * 1e6) / 991));
    emit("message_start", message(""));
    emit("message_end", message(`${text}\nthe huge one is over`));
    await drained();
  },
  async questions(count) {
    const all = Array.from({ length: Number(count) }, (_, at) => question(`q${at}`));
    await pause(3_000);
    for (let at = 0; at < all.length; at += 1) send({ type: "ui_cancel", id: `q${at}`, reason: "aborted" });
    emit("message_start", message(""));
    emit("message_end", message("the questions are over"));
  },
  async escapes() {
    const evil = "\u001b[2J\u001b[3J\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u009b31m\u001bPq\u001b\\";
    for (let at = 0; at < 2_000; at += 1)
      send({ type: "ui_status", params: { key: `k${at % 5}`, text: `${evil}${at}` } });
    send({ type: "ui_set_title", params: { title: evil } });
    emit("message_start", message(""));
    emit("message_end", message(`${evil}the escapes are over`));
  },
};

async function reached(what, count) {
  if (count % REPORT_EVERY[what] !== 0) return;
  send({ type: "ui_status", params: { key: "load", text: `${what} ${count}` } });
  // Long enough to be drawn and seen.
  await pause(300);
}

function question(id) {
  send({
    type: "ui_request",
    id,
    session_id: "s1",
    method: "confirm",
    params: { title: `run touch MARK ${id}`, opts: { tool: "bash" } },
  });
  return new Promise((resolve) => answers.set(id, resolve));
}

async function obey(command) {
  if (command.type === "initialize") {
    send({
      type: "initialized",
      protocol_version: "1",
      server_capabilities: { supports_message_deltas: true, supports_permission_preflight_events: true },
    });
  } else if (command.type === "prompt") {
    const [name, argument] = command.text.split(" ");
    emit("agent_start");
    await deeds[name]?.(argument);
    emit("agent_end", []);
  } else if (command.type === "ui_response") answers.get(command.id)?.(command.result);
  else if (command.type === "quit") process.stdin.destroy();
}

process.stdin.setEncoding("utf8").on("data", (chunk) => {
  input += chunk;
  const lines = input.split("\n");
  input = lines.pop() ?? "";
  for (const line of lines) void obey(JSON.parse(line));
});
send({ type: "ready", protocol_version: "1", ui: true, active_session_id: "s1" });
