// An agent on the lines wire that runs each prompt as a shell command, by itself, and says what it printed: for tests of
// --sandbox. A prompt {"environment": NAME} makes it say a variable.
import { spawnSync } from "node:child_process";

const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const event = (type, ...data) => send({ type: "event", session_id: "s1", event: { type, data } });

function answer(command) {
  const { stdout, stderr, status } = spawnSync("/bin/bash", ["-c", command], { encoding: "utf8" });
  const message = { role: "assistant", content: [{ type: "text", text: `${stdout}${stderr}exit ${status}` }] };
  event("agent_start");
  event("message_start", { ...message, content: [] });
  event("message_end", message);
  event("agent_end", [message]);
}

send({
  type: "ready",
  protocol_version: "1",
  cwd: process.cwd(),
  ui: true,
  primary_session_id: "s1",
  active_session_id: "s1",
});
let rest = "";
process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const command = JSON.parse(line);
    if (command.type === "prompt") answer(command.text);
    if (command.type === "quit") process.exit(0);
  }
});
process.stdin.on("end", () => process.exit(0));
