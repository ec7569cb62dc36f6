// An agent on the lines wire that keeps its sessions as files in the folder that it is given, as docs/protocol.md says: it lists
// them unless it is "without-sessions", opens one again with its messages, and answers each prompt with the number of prompts that it remembers.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, cwd, exit, pid, stdin, stdout } from "node:process";
import { createInterface } from "node:readline";

const [, , store, kind] = argv;
mkdirSync(store, { recursive: true });
const send = (frame) => stdout.write(`${JSON.stringify(frame)}\n`);
const open = new Map();
let opened = 0;
let active = "";

function openSession(messages = [], id = `notes-${pid}-${opened}`) {
  opened += 1;
  open.set(id, { id, messages, seq: 0 });
  return id;
}

function event(session, type, fields = {}) {
  send({ type: "event", session_id: session.id, event_seq: session.seq++, event: { type, ...fields } });
}

function tell(session, message) {
  event(session, "message_start", { message });
  event(session, "message_end", { message });
}

const commands = {
  initialize: () =>
    send({
      type: "initialized",
      protocol_version: "2",
      server_capabilities: { supports_sessions: kind !== "without-sessions" },
    }),
  ping: () => send({ type: "pong" }),
  quit: () => exit(0),
  list_sessions() {
    const saved = readdirSync(store).map((name) => JSON.parse(readFileSync(join(store, name), "utf8")));
    send({ type: "sessions_list", sessions: saved.map(({ messages: _, ...about }) => about) });
  },
  start_session({ session_file: file }) {
    const { id, messages } = file === undefined ? {} : JSON.parse(readFileSync(file, "utf8"));
    const session = open.get(openSession(messages, id));
    send({ type: "session_started", session_id: session.id, cwd: cwd() });
    for (const message of session.messages) tell(session, message);
  },
  set_active_session({ session_id }) {
    active = session_id;
    send({ type: "active_session", session_id });
  },
  close_session({ session_id }) {
    send({ type: "session_closed", session_id, reason: open.delete(session_id) ? "normal" : "not_found" });
  },
  prompt({ text, session_id = active }) {
    const session = open.get(session_id);
    const content = [{ type: "text", text }];
    const said = session.messages.filter(({ role }) => role === "user").length + 1;
    const answer = { role: "assistant", content: [{ type: "text", text: `prompt ${said}: ${text}` }] };
    event(session, "agent_start");
    tell(session, answer);
    session.messages.push({ role: "user", content }, answer);
    const path = join(store, `${session.id}.json`);
    const [first] = session.messages;
    const title = first.content[0].text;
    writeFileSync(
      path,
      JSON.stringify({ id: session.id, title, path, cwd: cwd(), timestamp: Date.now(), messages: session.messages }),
    );
    event(session, "agent_end", { messages: [answer] });
  },
};

createInterface({ input: stdin }).on("line", (line) => {
  const command = JSON.parse(line);
  try {
    (commands[command.type] ?? (() => send({ type: "error", message: `unknown command: ${command.type}` })))(command);
  } catch (error) {
    send({ type: "error", message: String(error.message) });
  }
});
active = openSession();
send({ type: "ready", protocol_version: "2", active_session_id: active });
