// The rules of `palaver conform`, in the order of the report: what a good agent does, and what to do when it does not.

export const rules = [
  {
    id: "starts",
    title: "starts and sends ready first",
    advice:
      'The first line on stdout is {"type":"ready","protocol_version":"2"}, with a line break, flushed; nothing is printed before it.',
  },
  {
    id: "json-only",
    title: "prints nothing but JSON objects on stdout, one a line",
    advice: "Send logs and progress to stderr; stdout belongs to the protocol.",
  },
  {
    id: "frames-valid",
    title: "sends only frames that match the schema",
    advice:
      "docs/protocol.md shows every frame with an example; schema/lines-outputs.schema.json is the same for machines.",
  },
  {
    id: "initialize",
    title: "answers initialize with initialized",
    advice: 'Answer with {"type":"initialized","protocol_version":"2","server_capabilities":{}}.',
  },
  { id: "ping", title: "answers ping with pong", advice: 'Answer {"type":"ping"} with {"type":"pong"} at once.' },
  {
    id: "ping-in-turn",
    title: "answers ping in the middle of a turn",
    advice: "Keep reading stdin while you work or wait for an answer.",
  },
  {
    id: "prompt-frames-turn",
    title: "frames every prompt with agent_start and agent_end, once each",
    advice: "Whatever happens to a prompt, it begins with one agent_start and ends with one agent_end.",
  },
  {
    id: "message-order",
    title: "sends message_start, then updates, then message_end",
    advice:
      "Every message is closed: message_start, updates, message_end, and only then agent_end, also after an abort or an error.",
  },
  {
    id: "message-whole",
    title: "carries the whole message so far in every update",
    advice: "`message` of message_update is the complete message up to now, not only what was added.",
  },
  {
    id: "event-seq",
    title: "numbers the events of a session without gaps",
    advice: "event_seq starts at 0 and grows by one per event of the session; or leave it out.",
  },
  {
    id: "ask-ids",
    title: "gives every open question an id of its own",
    advice: "An id is free again when its question was answered, withdrawn with ui_cancel, or ended with its turn.",
  },
  {
    id: "ask-select",
    title: "continues after a select is answered",
    advice: goOn("a string, the value of the option"),
  },
  { id: "ask-confirm", title: "continues after a confirm is answered", advice: goOn("true or false") },
  { id: "ask-input", title: "continues after an input is answered", advice: goOn("a string") },
  { id: "ask-editor", title: "continues after an editor is answered", advice: goOn("a string with line breaks") },
  { id: "ask-form", title: "continues after a form is answered", advice: goOn("an object by the names of the fields") },
  {
    id: "ask-files",
    title: "continues after a choice of files is answered",
    advice: goOn("a list of paths below the folder"),
  },
  {
    id: "ask-permission",
    title: "continues after a permission is answered",
    advice: goOn('{"choice":"once"}, {"choice":"always"} or {"choice":"no","reason":…}'),
  },
  {
    id: "ask-cancelled",
    title: "continues after a question is cancelled",
    advice: "A result of null (false for confirm) means that the user said no: end the turn or continue without it.",
  },
  {
    id: "ask-timed-out",
    title: "continues after no one answered a question",
    advice:
      "When timeout_ms has passed send ui_cancel and continue; an answer with a non-null error means that no answer will come.",
  },
  {
    id: "ask-aborted",
    title: "withdraws an open question when the turn is aborted",
    advice: 'On abort send {"type":"ui_cancel","id":…} for each open question, then agent_end.',
  },
  {
    id: "ask-late",
    title: "ignores an answer to a question that is not open",
    advice: "An id that you do not wait for is late or wrong: drop the answer and continue.",
  },
  {
    id: "prompt-in-turn",
    title: "answers a prompt in the middle of a turn",
    advice: "Answer it with one error, or run it when the turn has ended; it must not be lost.",
  },
  {
    id: "deltas",
    title: "sends message_delta only as it was agreed",
    advice:
      "With supports_message_deltas on both sides send message_delta, and the whole message in message_end; otherwise message_update.",
  },
  {
    id: "sessions",
    title: "starts, lists and closes sessions, if it has supports_sessions",
    advice:
      "start_session is answered by session_started, list_running_sessions by running_sessions, close_session by session_closed.",
  },
  {
    id: "abort",
    title: "stops the turn on abort",
    advice: "Stop working and send agent_end soon after abort; further prompts must work.",
  },
  { id: "unknown-command", title: "answers an unknown command with one error", advice: oneError() },
  { id: "missing-field", title: "answers a missing field with one error", advice: oneError() },
  { id: "wrong-type", title: "answers a field of the wrong type with one error", advice: oneError() },
  { id: "malformed-line", title: "answers a broken line with one error", advice: oneError() },
  { id: "deep-nesting", title: "answers JSON nested 10,000 deep with one error", advice: oneError() },
  { id: "binary-noise", title: "answers binary noise with one error", advice: oneError() },
  { id: "long-line", title: "answers a broken line of 256 KiB with one error", advice: oneError() },
  { id: "quit", title: "exits with code 0 on quit", advice: "Finish what is open and exit(0) within a second or two." },
  {
    id: "end-of-input",
    title: "exits when stdin ends",
    advice: "When stdin closes, the client is gone: exit.",
  },
] as const;

export type RuleId = (typeof rules)[number]["id"];

function goOn(result: string): string {
  return `The answer comes as ui_response with your id; result is ${result}. Then continue and finish the turn.`;
}

function oneError(): string {
  return 'Answer each bad line with exactly one {"type":"error","message":…} that names the problem, and keep reading.';
}
