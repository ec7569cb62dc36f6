// An agent of which nobody said how it speaks. It is found out on the one process that then goes on: an agent on our own
// wire greets by itself; one that keeps quiet is greeted as the Agent Client Protocol does it; the first frame decides, and
// the link of that wire takes the process over with everything it has written so far.
//
//   started ─frame→ decided                                        an agent that greets
//   started ─quiet→ greeted ─answer→ decided: acp                  an agent that waits to be greeted
//   started ─quiet→ greeted ─late greeting→ decided: lines         a slow one; what it makes of our words is not shown
//   started ─quiet→ greeted ─silence→ a notice, and still listening
import type { LinesCommand } from "../contract/lines-commands.js";
import type { SessionEvent } from "../contract/session-events.js";
import { type SpokenWire, spokenIn } from "../wire/greeting.js";
import { readLine } from "../wire/json-frame.js";
import { createLineSplitter, type RawLine } from "../wire/line-splitter.js";
import {
  type AgentCommand,
  type AgentExit,
  type AgentProcess,
  type AgentProcessHandlers,
  type StartAgent,
  startAgentProcess,
} from "./agent-process.js";
import type { SessionLink } from "./dialect-link.js";
import { openSessionLink, type SessionLinkOptions } from "./session-link.js";
import { within } from "./within.js";

export type Patience = {
  /** How long an agent may take to greet before it is greeted. */
  readonly quietMs: number;
  /** After this the person is told that nothing was understood. */
  readonly silentMs: number;
};

const patienceDefault: Patience = { quietMs: 700, silentMs: 30_000 };

/** How long an agent that never said a word has to end by itself. */
const FAREWELL_MS = 1_500;

/** What may be written before the wire is known; an agent that writes more is taken for one of ours, whose limits hold. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024;

export function openDetectedLink(
  command: AgentCommand,
  options: SessionLinkOptions,
  patience: Patience = patienceDefault,
): SessionLink {
  return new Detection(command, options, patience).link;
}

class Detection {
  readonly link: SessionLink;
  private readonly command: AgentCommand;
  private readonly options: SessionLinkOptions;
  private readonly patience: Patience;
  private readonly agent: AgentProcess;
  private readonly splitter = createLineSplitter();
  private readonly timers: ReturnType<typeof setTimeout>[];
  private readonly early: LinesCommand[] = [];
  /** Written by the agent and not yet read by anybody: whole lines, and the beginning of the next one. */
  private kept: Uint8Array[] = [];
  private keptBytes = 0;
  private beginning: Uint8Array[] = [];
  private state: "listening" | "greeted" | "decided" | "gone" = "listening";
  private reader: AgentProcessHandlers | null = null;
  private decided: SessionLink | null = null;
  private greeting: SessionLink | null = null;
  private stdout: "open" | "ended" = "open";
  private complaint: "none" | "awaited" = "none";
  private lastStderr = "";

  constructor(command: AgentCommand, options: SessionLinkOptions, patience: Patience) {
    this.command = command;
    this.options = options;
    this.patience = patience;
    this.agent = startAgentProcess(command, {
      onStdout: (chunk) => this.read(chunk),
      onStdoutEnd: () => this.ended(),
      onStderr: (chunk) => {
        this.lastStderr = (this.lastStderr + chunk).slice(-2_000);
      },
    });
    this.timers = [
      setTimeout(() => void this.greet(), patience.quietMs),
      setTimeout(() => this.tellSilence(`for ${Math.round(patience.silentMs / 1_000)} s`), patience.silentMs),
    ];
    for (const timer of this.timers) timer.unref();
    const exited = this.agent.exited.then((exit) => this.exited(exit));
    this.link = { send: (frame) => this.send(frame), exited, stop: () => this.stop(exited) };
  }

  private read(chunk: Uint8Array): void {
    if (this.reader !== null) {
      this.reader.onStdout(chunk);
      return;
    }
    const last = chunk.lastIndexOf(0x0a);
    this.beginning = last < 0 ? [...this.beginning, chunk.slice()] : [chunk.slice(last + 1)];
    for (const line of this.splitter.push(chunk)) this.readLine(line);
    this.handOver();
  }

  // Plain text is shown at once, whoever wrote it; a frame is kept for the link that will understand it.
  private readLine(line: RawLine): void {
    const content = readLine(line);
    if (this.state === "decided" || content.kind === "object") {
      if (line.kind === "line") this.keep(line.text);
    } else if (content.kind === "text") this.tell({ type: "log.written", sessionId: null, stream: "stdout", text: content.text });
    else if (content.kind === "fault") this.tell({ type: "fault.reported", sessionId: null, fault: content.fault });
    if (content.kind !== "object" || this.state === "decided") return;
    const wire = spokenIn(content.object) ?? (this.keptBytes > KEPT_BYTES_MAX ? "lines" : null);
    if (wire !== null) this.decide(wire);
  }

  private keep(text: string): void {
    const bytes = new TextEncoder().encode(`${text}\n`);
    this.kept.push(bytes);
    this.keptBytes += bytes.length;
  }

  private async greet(): Promise<void> {
    if (this.state !== "listening") return;
    this.state = "greeted";
    const { openAcpLink } = await import("./acp/acp-link.js");
    if (this.state !== "greeted") return;
    // It writes its greeting and hears nothing until it is known that the agent speaks this way.
    const onEvent = (event: SessionEvent) => {
      if (this.decided === this.greeting) this.options.onEvent(event);
    };
    this.complaint = "awaited";
    this.greeting = openAcpLink(this.command, { ...this.options, onEvent, start: this.lend });
  }

  private decide(wire: SpokenWire): void {
    this.state = "decided";
    for (const timer of this.timers) clearTimeout(timer);
    if (wire === "acp" && this.greeting !== null) this.decided = this.greeting;
    else {
      // Answers to a greeting that was not meant for them tell these links nothing.
      if (this.greeting !== null && (wire === "pi" || wire === "codelia")) this.kept = [];
      this.reader = null;
      const onEvent = (event: SessionEvent) => this.pass(event);
      this.decided = openSessionLink(this.command, { ...this.options, protocol: wire, onEvent, start: this.lend });
    }
    for (const frame of this.early.splice(0)) this.decided.send(frame);
  }

  /** Gives a link the process that runs already. */
  private readonly lend: StartAgent = (_, handlers) => {
    const isGreeting = this.state === "greeted";
    if (isGreeting) this.greetingReader = handlers;
    else this.lentReader = handlers;
    queueMicrotask(() => this.handOver());
    return this.agent;
  };
  private greetingReader: AgentProcessHandlers | null = null;
  private lentReader: AgentProcessHandlers | null = null;

  private handOver(): void {
    if (this.state !== "decided" || this.reader !== null) return;
    this.reader = this.decided === this.greeting ? this.greetingReader : this.lentReader;
    if (this.reader === null) return;
    const bytes = [...this.kept, ...this.beginning];
    this.kept = [];
    this.beginning = [];
    for (const chunk of bytes) if (chunk.length > 0) this.reader.onStdout(chunk);
    if (this.stdout === "ended") this.reader.onStdoutEnd?.();
  }

  private ended(): void {
    this.stdout = "ended";
    if (this.reader !== null) {
      this.reader.onStdoutEnd?.();
      return;
    }
    for (const line of this.splitter.end()) this.readLine(line);
    this.beginning = [];
    this.handOver();
  }

  // An agent that was greeted in the wrong way may say so once, before it answers anything that was meant for it.
  private pass(event: SessionEvent): void {
    const isComplaint = this.complaint === "awaited" && event.type === "command.failed";
    if (isComplaint || event.type === "command.answered") this.complaint = "none";
    if (!isComplaint) this.options.onEvent(event);
  }

  private send(frame: LinesCommand): boolean {
    if (this.state === "gone") return false;
    if (this.decided !== null) return this.decided.send(frame);
    this.early.push(frame);
    return true;
  }

  private async stop(exited: Promise<AgentExit>): Promise<AgentExit> {
    if (this.decided !== null) return this.decided.stop();
    this.agent.closeInput();
    if (!(await within(exited, FAREWELL_MS))) await this.agent.stop();
    return exited;
  }

  private exited(exit: AgentExit): AgentExit {
    for (const timer of this.timers) clearTimeout(timer);
    const wasUndecided = this.state === "listening" || this.state === "greeted";
    if (wasUndecided) this.state = "gone";
    if (wasUndecided && exit.error === null) this.tellSilence("before it ended");
    return exit;
  }

  private tellSilence(when: string): void {
    const tried = this.greeting === null ? "its own greeting was waited for" : "it was waited for, and greeted as ACP does";
    const stderr = this.lastStderr.trim().split("\n").at(-1) ?? "";
    const message = [
      `the agent said nothing that Palaver understands ${when} (${tried})`,
      ...(stderr === "" ? [] : [`its last words on stderr: ${stderr}`]),
      "say how it speaks: --protocol lines, acp, claude, pi, codelia or rpc; palaver agents lists agents that are known",
    ].join("\n");
    this.tell({ type: "notice.shown", sessionId: null, level: "error", message });
  }

  private tell(event: SessionEvent): void {
    this.options.onEvent(event);
  }
}
