// An agent for one test: each prompt is the name of a signal it sends, or of a habit of bad agents.
const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const signal = (type, params) => send({ type, session_id: "main", params });
const event = (type, ...data) => send({ type: "event", session_id: "main", event: { type, data } });

const ask = (id) =>
  send({ type: "ui_request", id, session_id: "main", method: "confirm", params: { title: "Really?" } });

const deeds = {
  title: () => signal("ui_set_title", { title: "a \x1b]52;c;AAAA\x07title" }),
  text: () => signal("ui_set_editor_text", { text: "written by the agent" }),
  below: () => signal("ui_widget", { key: "w", content: ["a widget below"], opts: { placement: "below" } }),
  above: () => signal("ui_widget", { key: "w", content: "a widget above", opts: { placement: "above" } }),
  none: () => signal("ui_widget", { key: "w", content: null }),
  ask: () => ask("q1"),
  // Long enough for the question to be seen.
  reconsider: () => {
    ask("q2");
    setTimeout(() => send({ type: "ui_cancel", id: "q2", session_id: "main", reason: "changed_mind" }), 1_500);
  },
  end: () => event("agent_end", []),
  chatter: () => process.stdout.write("this is no JSON\n"),
  strange: () => event("something.new", { a: 1 }),
  bare: () => send({ type: "event", session_id: "main", event: { type: "agent_start" } }),
  orphan: () => event("tool_execution_end", "never-begun", "bash", "an orphan's output", false),
};

let input = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (input + chunk).split("\n");
  input = lines.pop() ?? "";
  for (const command of lines.filter(Boolean).map((line) => JSON.parse(line))) {
    if (command.type === "quit") process.stdin.destroy();
    if (command.type === "ui_response") deeds.end();
    if (command.type !== "prompt") continue;
    event("agent_start");
    for (const name of command.text.split(" ")) deeds[name]?.();
    // The end of a turn takes its questions back.
    if (command.text !== "ask" && command.text !== "reconsider") deeds.end();
  }
});
send({
  type: "ready",
  protocol_version: "1",
  ui: true,
  active_session_id: "main",
  model: { provider: "test", id: "signals" },
});
