// An agent of which nobody said how it speaks. It is found out on the one process that then goes on: an agent on our own
// wire greets by itself; one that keeps quiet is greeted as the Agent Client Protocol does it; the first frame decides, and
// the link of that wire takes the process over with everything it has written so far.
//
//   listening ─frame→ decided                               an agent that greets
//   listening ─quiet→ greeted ─answer→ decided: acp         one that waits to be greeted
//   listening ─quiet→ greeted ─greeting→ decided: lines     a slow one; what it makes of our words is not shown
//   listening ─quiet→ greeted ─silence→ greeted             the person is told, and a late word still counts

import type { LinesCommand } from "../contract/lines-commands.js";
import type { SessionEvent } from "../contract/session-events.js";
import type { WireName } from "../contract/wire-names.js";
import { spokenIn } from "../wire/greeting.js";
import { readLine } from "../wire/json-frame.js";
import type { RawLine } from "../wire/line-splitter.js";
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
import { UnreadOutput } from "./unread-output.js";
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

/** An agent that writes more than this in frames nobody knows is taken for one of ours, and its faults are told. */
const UNREAD_BYTES_MAX = 8 * 1024 * 1024;

const STDERR_CHARS_MAX = 2_000;

/** Commands that may wait for an agent to say its first word. */
const EARLY_COMMANDS_MAX = 1_000;

export function openDetectedLink(
  command: AgentCommand,
  options: SessionLinkOptions,
  patience: Patience = patienceDefault,
): SessionLink {
  return new Detection(command, options, patience).link;
}

/** What a link may do with the process, and who reads for it. */
type Lease = { may: "greet" | "do all" | "do nothing"; reader: AgentProcessHandlers | null };

type Holder = { readonly link: SessionLink; readonly lease: Lease };

class Detection {
  readonly link: SessionLink;
  private readonly command: AgentCommand;
  private readonly options: SessionLinkOptions;
  private readonly agent: AgentProcess;
  private readonly unread = new UnreadOutput();
  private readonly timers: readonly ReturnType<typeof setTimeout>[];
  private readonly early: LinesCommand[] = [];
  private state: "listening" | "greeted" | "decided" | "gone" = "listening";
  private stdout: "open" | "ended" = "open";
  private complaint: "none" | "awaited" = "none";
  /** Has greeted the agent, and hears nothing unless that was right. */
  private guess: Holder | null = null;
  private holder: Holder | null = null;
  private reader: AgentProcessHandlers | null = null;
  private lastStderr = "";

  constructor(command: AgentCommand, options: SessionLinkOptions, { quietMs, silentMs }: Patience) {
    this.command = command;
    this.options = options;
    this.agent = startAgentProcess(command, {
      onStdout: (chunk) => this.read(chunk),
      onStdoutEnd: () => this.ended(),
      onStderr: (chunk) => {
        this.lastStderr = (this.lastStderr + chunk).slice(-STDERR_CHARS_MAX);
      },
    });
    this.timers = [
      setTimeout(() => void this.greet(), quietMs),
      setTimeout(() => this.tellSilence(`for ${Math.round(silentMs / 1_000)} s`), silentMs),
    ];
    for (const timer of this.timers) timer.unref();
    const exited = this.agent.exited.then((exit) => this.exited(exit));
    const setFlow: SessionLink["setFlow"] = (flow) => (this.holder?.link ?? this.agent).setFlow(flow);
    this.link = { send: (frame) => this.send(frame), setFlow, exited, stop: () => this.stop(exited) };
  }

  private read(chunk: Uint8Array): void {
    if (this.reader !== null) {
      this.reader.onStdout(chunk);
      return;
    }
    for (const line of this.unread.push(chunk)) this.look(line);
    this.handOver();
  }

  private ended(): void {
    this.stdout = "ended";
    if (this.reader !== null) {
      this.reader.onStdoutEnd?.();
      return;
    }
    for (const line of this.unread.end()) this.look(line);
    this.handOver();
  }

  // Plain text is shown at once, whoever wrote it; a frame is kept for the link that will understand it.
  private look(line: RawLine): void {
    const content = readLine(line);
    if (line.kind === "line" && (this.state === "decided" || content.kind === "object")) this.unread.keep(line.text);
    else if (content.kind === "text") {
      this.options.onEvent({ type: "log.written", sessionId: null, stream: "stdout", text: content.text });
    } else if (content.kind === "fault") {
      this.options.onEvent({ type: "fault.reported", sessionId: null, fault: content.fault });
    }
    if (content.kind !== "object" || this.state === "decided") return;
    const wire = spokenIn(content.object) ?? (this.unread.sizeBytes > UNREAD_BYTES_MAX ? "lines" : null);
    if (wire !== null) this.decide(wire);
  }

  private async greet(): Promise<void> {
    if (this.state !== "listening") return;
    this.state = "greeted";
    const { openAcpLink } = await import("./acp/acp-link.js");
    if (this.state !== "greeted") return;
    this.complaint = "awaited";
    const onEvent = (event: SessionEvent) => {
      if (this.holder !== null && this.holder === this.guess) this.options.onEvent(event);
    };
    this.guess = this.lend("greet", (start) => openAcpLink(this.command, { ...this.options, onEvent, start }));
  }

  private decide(wire: WireName): void {
    this.state = "decided";
    for (const timer of this.timers) clearTimeout(timer);
    if (this.guess !== null) this.guess.lease.may = wire === "acp" ? "do all" : "do nothing";
    if (wire === "acp" && this.guess !== null) this.holder = this.guess;
    else {
      // Answers to a greeting that was not meant for them tell these links nothing.
      if (this.guess !== null && (wire === "pi" || wire === "codelia")) this.unread.forgetLines();
      const onEvent = (event: SessionEvent) => this.pass(event);
      const { command, options } = this;
      this.holder = this.lend("do all", (start) =>
        openSessionLink(command, { ...options, protocol: wire, onEvent, start }),
      );
    }
    for (const frame of this.early.splice(0)) this.holder.link.send(frame);
  }

  // Gives a link the process that runs already. The one that only guessed may greet the agent and nothing else.
  private lend(may: Lease["may"], open: (start: StartAgent) => SessionLink): Holder {
    const lease: Lease = { may, reader: null };
    const { agent } = this;
    const start: StartAgent = (_, handlers) => {
      lease.reader = handlers;
      queueMicrotask(() => this.handOver());
      return {
        pid: agent.pid,
        setFlow: agent.setFlow,
        exited: agent.exited,
        write: (text) => lease.may !== "do nothing" && agent.write(text),
        closeInput: () => lease.may === "do all" && agent.closeInput(),
        stop: (farewell) => (lease.may === "do all" ? agent.stop(farewell) : agent.exited),
      };
    };
    return { lease, link: open(start) };
  }

  private handOver(): void {
    if (this.state !== "decided" || this.reader !== null) return;
    this.reader = this.holder?.lease.reader ?? null;
    if (this.reader === null) return;
    for (const chunk of this.unread.drain()) this.reader.onStdout(chunk);
    if (this.stdout === "ended") this.reader.onStdoutEnd?.();
  }

  // An agent that was greeted in the wrong way may say so once, before it answers anything that was meant for it.
  private pass(event: SessionEvent): void {
    const isComplaint = this.complaint === "awaited" && event.type === "command.failed";
    if (isComplaint || event.type === "command.answered") this.complaint = "none";
    if (!isComplaint) this.options.onEvent(event);
  }

  private send(frame: LinesCommand): boolean {
    if (this.state === "gone") return false;
    if (this.holder !== null) return this.holder.link.send(frame);
    if (this.early.length >= EARLY_COMMANDS_MAX) return false;
    this.early.push(frame);
    return true;
  }

  private async stop(exited: Promise<AgentExit>): Promise<AgentExit> {
    if (this.holder !== null) return this.holder.link.stop();
    this.agent.closeInput();
    if (!(await within(exited, FAREWELL_MS))) await this.agent.stop();
    return exited;
  }

  // The link that has the process may start another one in its place.
  private exited(exit: AgentExit): AgentExit | Promise<AgentExit> {
    for (const timer of this.timers) clearTimeout(timer);
    if (this.state === "decided") return this.holder?.link.exited ?? exit;
    this.state = "gone";
    if (exit.error === null) this.tellSilence("before it ended");
    return exit;
  }

  private tellSilence(when: string): void {
    const tried = this.guess === null ? "a greeting was waited for" : "a greeting was waited for, then ACP was tried";
    const [lastWords = ""] = this.lastStderr.trim().split("\n").slice(-1);
    const message = [
      `the agent said nothing that Palaver understands ${when}; ${tried}`,
      ...(lastWords === "" ? [] : [`its last words on stderr: ${lastWords}`]),
      "--protocol says how it speaks: lines, acp, claude, pi, codelia or rpc",
    ].join(";\n");
    this.options.onEvent({ type: "notice.shown", sessionId: null, level: "error", message });
  }
}
