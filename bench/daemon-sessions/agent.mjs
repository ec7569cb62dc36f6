// An agent that has talked for a long time: its first prompt makes it say as many lines as the prompt asks for, in messages of
// fifty lines, with a tool call between two of them.
const LINES_A_MESSAGE = 50;
const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const event = (type, ...data) => send({ type: "event", session_id: "s1", event: { type, data } });

function talk(lines) {
  event("agent_start");
  for (let from = 0; from < lines; from += LINES_A_MESSAGE) {
    const line = (_, index) => `line ${from + index}: the separator lost its space, and **here** it is again`;
    const text = Array.from({ length: LINES_A_MESSAGE }, line).join("\n");
    event("message_start", { role: "assistant", content: [] });
    for (const part of text.match(/[\s\S]{1,400}/g)) event("message_delta", 0, "text", part);
    event("message_end", { role: "assistant", content: [{ type: "text", text }] });
    const id = `c${from}`;
    event("tool_execution_start", id, "bash", { command: "npm test" });
    event("tool_execution_end", id, "bash", `${from} passed`, false);
  }
  event("agent_end", []);
}

let input = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  input += chunk;
  for (let at = input.indexOf("\n"); at >= 0; at = input.indexOf("\n")) {
    const frame = JSON.parse(input.slice(0, at));
    input = input.slice(at + 1);
    if (frame.type === "prompt") talk(Number(frame.text));
    else if (frame.type === "quit") process.exitCode = 0;
  }
});
process.stdin.on("end", () => process.stdin.destroy());
send({ type: "ready", protocol_version: "1", ui: true, active_session_id: "s1" });
