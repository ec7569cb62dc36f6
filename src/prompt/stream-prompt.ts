// One prompt to one agent, streamed: what the agent says goes out as it comes, everything else aside. There is nobody
// here to answer questions, so each is declined at once, and one JSON record says what was asked.
import type { Ask } from "../contract/asks.js";
import { textOf } from "../contract/message-parts.js";
import type { Message } from "../contract/messages.js";
import type { SessionEvent } from "../contract/session-events.js";
import type { AgentCommand } from "../links/agent-process.js";
import { openSessionLink } from "../links/session-link.js";
import { safeLine, safeLines } from "../text/safe.js";

export type StreamPromptOptions = {
  command: AgentCommand;
  text: string;
  /** The agent's words, as they come. */
  out(text: string): void;
  /** Everything else, a line at a time. */
  aside(line: string): void;
};

export async function streamPrompt({ command, text, out, aside }: StreamPromptOptions): Promise<"done" | "failed"> {
  let said = "";
  const turn: { state: "starting" | "working" | "done" } = { state: "starting" };

  const speak = (message: Message) => {
    if (message.role !== "assistant") return;
    const whole = textOf(message.content);
    out(safeText(whole.startsWith(said) ? whole.slice(said.length) : whole));
    said = whole;
  };
  const decline = (ask: Ask) => {
    const result = ask.question.kind === "confirm" ? false : null;
    link.send({ type: "ui_response", id: ask.id, result, error: null });
    aside(JSON.stringify({ asked: ask.question.kind, title: ask.question.params.title, outcome: "declined" }));
  };
  const handle = (event: SessionEvent) => {
    if (event.type === "agent.readied" && turn.state === "starting") {
      turn.state = "working";
      link.send({ type: "prompt", text });
    } else if (event.type === "message.updated" || event.type === "message.finished") speak(event.message);
    else if (event.type === "message.started") said = "";
    else if (event.type === "ask.raised") decline(event.ask);
    else if (event.type === "prompt.finished") {
      turn.state = "done";
      void link.stop();
    } else for (const line of asideLines(event)) aside(line);
  };
  const link = openSessionLink(command, { onEvent: handle, nowMs: () => performance.now() });
  const exit = await link.exited;
  if (said !== "" && !said.endsWith("\n")) out("\n");
  if (turn.state === "done") return "done";
  aside(`✕ the agent ended with code ${exit.code}: ${safeLine(exit.error ?? exit.stderrTail.trim())}`);
  return "failed";
}

function asideLines(event: SessionEvent): string[] {
  switch (event.type) {
    case "tool.finished":
      return [`${event.isError ? "✕" : "●"} ${safeLine(event.name)}`];
    case "notice.shown":
    case "agent.failed":
    case "command.failed":
      return [safeLine(event.message)];
    case "log.written":
      return [safeLine(event.text)];
    case "fault.reported":
      return [`▲ ${safeLine(event.fault.message)}`];
    default:
      return [];
  }
}

// A stream keeps its line breaks, also the one at its end, and loses everything that could move a cursor.
function safeText(text: string): string {
  const end = text.endsWith("\n") ? "\n" : "";
  return safeLines(text).join("\n") + end;
}
