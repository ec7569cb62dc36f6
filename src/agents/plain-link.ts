// A plain program, such as `bc` or an interpreter, behind the link of an agent: its output is shown as text, a prompt is typed
// into it as a line, and its exit ends the session. It has no turns, and nothing else is written to it.
import type { LinesCommand } from "../contract/lines-commands.js";
import { type AgentCommand, startAgentProcess, within } from "./agent-process.js";
import type { SessionLink } from "./dialect-link.js";
import { type CommandHandlers, handleCommand } from "./dialects/front-end-commands.js";
import { StepBuilder } from "./dialects/step-builder.js";
import type { SessionLinkOptions } from "./session-link.js";

/** How long a program may take to end once its input is closed. */
const FAREWELL_MS = 1_500;

/** A line without an end is shown after this: it asks for input, as `>>> ` or `name? ` do. */
const STANDING_MS = 300;

/** A longer one is shown in pieces. */
const LINE_CHARS_MAX = 64 * 1024;

export function openPlainLink(command: AgentCommand, options: SessionLinkOptions): SessionLink {
  const { onEvent, start = startAgentProcess } = options;
  const shown = (stream: "stdout" | "stderr") =>
    new PlainOutput((text) => onEvent({ type: "log.written", sessionId: null, stream, text }));
  const [stdout, stderr] = [shown("stdout"), shown("stderr")];
  const decoder = new TextDecoder();
  const program = start(command, {
    onStdout: (chunk) => stdout.push(decoder.decode(chunk, { stream: true })),
    onStderr: (text) => stderr.push(text),
  });
  const out = new StepBuilder();
  const handlers: CommandHandlers = {
    // It has no way to say that it is done with a line, so that the next one can be typed at once.
    prompt: () => out.tell({ type: "prompt.started" }, { type: "prompt.finished" }),
    abort: () => undefined,
  };
  const passOn = () => {
    for (const event of out.take().events) onEvent(event);
  };
  const exited = program.exited.then((exit) => {
    stdout.show();
    stderr.show();
    // Its errors are in the transcript already.
    return { ...exit, stderrTail: "" };
  });
  queueMicrotask(() => {
    out.tell({ type: "agent.readied", ui: false, protocolVersion: "plain" });
    out.tell({ type: "status.changed", key: "plain", text: "plain program" });
    passOn();
  });
  return {
    send(frame: LinesCommand) {
      // The question stays apart from its answer.
      if (frame.type === "prompt") for (const output of [stdout, stderr]) output.show();
      handleCommand(out, handlers, frame, { name: "a plain program", capabilities: {}, settings: [] });
      const sent = frame.type === "prompt" ? program.write(`${frame.text}\n`) : "delivered";
      passOn();
      return sent;
    },
    setFlow: program.setFlow,
    exited,
    async stop() {
      program.closeInput();
      if (!(await within(exited, FAREWELL_MS))) await program.stop();
      return exited;
    },
  };
}

/** Whole lines are shown at once, and the beginning of a line when nothing follows it. */
class PlainOutput {
  private rest = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly onText: (text: string) => void;

  constructor(onText: (text: string) => void) {
    this.onText = onText;
  }

  push(text: string): void {
    clearTimeout(this.timer);
    const all = this.rest + text;
    const end = all.length > LINE_CHARS_MAX ? all.length : all.lastIndexOf("\n") + 1;
    this.rest = all.slice(end);
    if (end > 0) this.onText(all.slice(0, end).replace(/\r?\n$/, ""));
    if (this.rest !== "") this.timer = setTimeout(() => this.show(), STANDING_MS);
  }

  show(): void {
    clearTimeout(this.timer);
    if (this.rest !== "") this.onText(this.rest);
    this.rest = "";
  }
}
