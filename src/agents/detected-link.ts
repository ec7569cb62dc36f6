// Detects the wire of an agent, on the process that is then used. An agent on our own wire writes first; a silent one is sent
// the ACP greeting if its command line says that it is an agent. Nothing is typed into any other program. The first frame
// decides, and the link of that wire takes over the process with all its output.
//
//   listening ─frame→ decided                               an agent that greets
//   listening ─quiet→ greeted ─answer→ decided: acp         one that waits to be greeted
//   listening ─quiet→ greeted ─greeting→ decided: lines     a slow one; its complaint about the greeting is not shown
//   listening ─text or a prompt, and no frame→ plain        a program that people type into: an interpreter, an installer
//   greeted ─text or a prompt, and no frame→ failed
//   any ─silence→ failed                                    30 s without a frame
//
// A program that is known by name, such as bc, is plain at once.

import type { SessionEvent } from "../contract/session-events.js";
import { type WireName, wireFacts, wireNames } from "../contract/wire-names.js";
import {
  type AgentCommand,
  type AgentExit,
  type AgentProcess,
  type AgentProcessHandlers,
  type StartAgent,
  startAgentProcess,
  within,
} from "./agent-process.js";
import type { SessionLink } from "./dialect-link.js";
import { START_WAIT_MS } from "./dialects/dialect.js";
import { type JsonObject, readLine } from "./dialects/frames/json-frame.js";
import type { RawLine } from "./dialects/frames/line-splitter.js";
import { isNearlyReady } from "./dialects/lines/lines-mend.js";
import { isPlainProgram, isStartedAsAgent, PlainSigns, spokenIn, UnreadOutput } from "./early-output.js";
import { LinkRelay } from "./link-relay.js";
import { openSessionLink, type SessionLinkOptions } from "./session-link.js";

export type Patience = {
  /** How long to wait for a frame before the greeting is sent. */
  readonly quietMs: number;
  /** Without a frame, the start fails after this. */
  readonly silentMs: number;
  /** The same for a program that looks like no agent. */
  readonly plainMs: number;
  /** The same for one that printed whole lines: a slow agent may do that, too. */
  readonly textMs: number;
};

const patienceDefault: Patience = { quietMs: 700, silentMs: START_WAIT_MS, plainMs: 2_000, textMs: 10_000 };

/** How long an agent without a link may take to end. */
const FAREWELL_MS = 1_500;

/** After this much in unknown frames, the lines wire is assumed and reports the faults. */
const UNREAD_BYTES_MAX = 8 * 1024 * 1024;

const STRANGE_CHARS_MAX = 120;

const NO_OUTPUT =
  "no output yet; is it flushed? If it waits to be greeted, start it with --protocol acp or lines; to type into it, with --protocol plain";
const HOW_TO_SAY = `set --protocol to ${wireNames.join(", ").replace(/, (\w+)$/, " or $1")}`;

export function openDetectedLink(
  command: AgentCommand,
  options: SessionLinkOptions,
  patience: Patience = patienceDefault,
): SessionLink {
  const { command: program, args } = command;
  if (options.plainPrograms !== "refused" && isPlainProgram(program, args)) {
    return openSessionLink(command, { ...resumingOptions(options, "plain"), protocol: "plain" });
  }
  return new Detection(command, options, patience).link;
}

/** What a link may do with the process, and its handlers. */
type Lease = { may: "greet" | "do all" | "do nothing"; reader: AgentProcessHandlers | null };

type Holder = { readonly link: SessionLink; readonly lease: Lease };

class Detection {
  readonly link: SessionLink;
  private readonly command: AgentCommand;
  private readonly options: SessionLinkOptions;
  private readonly agent: AgentProcess;
  private readonly unread = new UnreadOutput();
  private readonly timers: readonly ReturnType<typeof setTimeout>[];
  private readonly relay = new LinkRelay();
  private state: "listening" | "greeted" | "decided" | "gone" = "listening";
  private stdout: "open" | "ended" = "open";
  private stdin: "open" | "closed" = "open";
  private complaint: "none" | "awaited" = "none";
  /** The link that sent the greeting; its events are dropped unless it is chosen. */
  private guess: Holder | null = null;
  private holder: Holder | null = null;
  private reader: AgentProcessHandlers | null = null;
  private readonly signs = new PlainSigns();
  private readonly patience: Patience;
  private plainTimer: ReturnType<typeof setTimeout> | undefined;
  /** Why the start failed. */
  private failure: string | null = null;
  /** The first frame, while its wire is not known. */
  private strange: JsonObject | null = null;
  /** Whether the user was told that no protocol is known yet. */
  private isSilenceTold = false;

  constructor(command: AgentCommand, options: SessionLinkOptions, patience: Patience) {
    const { quietMs, plainMs, silentMs } = patience;
    this.command = command;
    this.options = options;
    this.agent = startAgentProcess(command, {
      onStdout: (chunk) => this.read(chunk),
      onStdoutEnd: () => this.ended(),
      onInputClosed: () => this.inputClosed(),
      onStderr: (chunk) => {
        this.signs.stderrChunk(chunk);
        this.reader?.onStderr?.(chunk);
        this.suspect();
      },
    });
    this.patience = patience;
    this.timers = [
      setTimeout(() => void this.greet(), quietMs),
      setTimeout(() => this.tellSilence(), plainMs),
      setTimeout(() => this.fail(this.silence(` within ${Math.round(silentMs / 1_000)} s`)), silentMs),
    ];
    for (const timer of this.timers) timer.unref();
    const exited = this.agent.exited.then((exit) => this.exited(exit));
    const relayed = this.relay.link({ exited, stop: () => this.stop(exited) });
    this.link = {
      ...relayed,
      send: (command) => (this.state === "gone" ? "lost" : relayed.send(command)),
      setFlow: (flow) => {
        relayed.setFlow(flow);
        if (this.holder === null) this.agent.setFlow(flow);
      },
    };
  }

  private read(chunk: Uint8Array): void {
    if (this.reader !== null) {
      this.reader.onStdout(chunk);
      return;
    }
    for (const line of this.unread.push(chunk)) this.look(line);
    this.signs.unfinishedLine(this.unread.unfinished);
    this.suspect();
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

  private inputClosed(): void {
    this.stdin = "closed";
    this.reader?.onInputClosed?.();
  }

  // Plain text is shown at once; frames are kept for the link.
  private look(line: RawLine): void {
    const content = readLine(line);
    if (line.kind === "line" && (this.state === "decided" || content.kind === "object")) this.unread.keep(line.text);
    else if (content.kind === "text") {
      this.signs.line(content.text);
      this.options.onEvent({ type: "log.written", sessionId: null, stream: "stdout", text: content.text });
    } else if (content.kind === "fault") {
      this.signs.line(content.fault.excerpt);
      this.options.onEvent({ type: "fault.reported", sessionId: null, fault: content.fault });
    }
    if (content.kind !== "object" || this.state === "decided" || this.failure !== null) return;
    if (isOurGreeting(content.object)) {
      this.fail("it echoes its input, so it is not an agent");
      return;
    }
    const isFirst = this.strange === null;
    this.strange ??= content.object;
    const isLines = isNearlyReady(content.object) || this.unread.sizeBytes > UNREAD_BYTES_MAX;
    const wire = spokenIn(content.object) ?? (isLines ? "lines" : null);
    if (wire !== null) this.decide(wire);
    else if (isFirst && this.isSilenceTold) this.tellSilence();
  }

  private async greet(): Promise<void> {
    if (this.state !== "listening" || this.signs.hasPrinted) return;
    const { command, args } = this.command;
    if (isPlainProgram(command, args)) {
      this.fail(`${command} is a program to type into, not an agent; palaver ask asks from a script`);
      return;
    }
    if (!isStartedAsAgent(command, args)) return;
    this.state = "greeted";
    const { openAcpLink } = await import("./acp/acp-link.js");
    if (this.state !== "greeted" || this.failure !== null) return;
    this.signs.greeted();
    this.complaint = "awaited";
    const onEvent = (event: SessionEvent) => {
      if (this.holder !== null && this.holder === this.guess) this.options.onEvent(event);
    };
    this.guess = this.lend("greet", (start) => openAcpLink(this.command, { ...this.options, onEvent, start }));
  }

  // Its user knows what it is.
  private tellSilence(): void {
    if (this.state !== "listening" || this.failure !== null || this.signs.hasPrinted) return;
    this.isSilenceTold = true;
    const message = this.strange === null ? NO_OUTPUT : `${this.strangeWords}; ${HOW_TO_SAY}`;
    this.options.onEvent({ type: "notice.shown", sessionId: null, level: "info", message });
  }

  private decide(wire: WireName): void {
    this.state = "decided";
    this.clearTimers();
    const { acpGreeting } = wireFacts(wire);
    if (this.guess !== null) this.guess.lease.may = acpGreeting === "answers" ? "do all" : "do nothing";
    if (acpGreeting === "answers" && this.guess !== null) this.holder = this.guess;
    else {
      // Their answers to the ACP greeting are of no use to these links.
      if (this.guess !== null && acpGreeting === "refuses") this.unread.forgetLines();
      const onEvent = (event: SessionEvent) => this.pass(event);
      const { command } = this;
      const options = resumingOptions(this.options, wire);
      this.holder = this.lend("do all", (start) =>
        openSessionLink(command, { ...options, protocol: wire, onEvent, start }),
      );
    }
    this.relay.connect(this.holder.link);
  }

  // Lends the running process to a link. The guess may only send its greeting.
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
        write: (text) => (lease.may === "do nothing" ? "lost" : agent.write(text)),
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
    if (this.signs.errors !== "") this.reader.onStderr?.(this.signs.errors);
    if (this.stdout === "ended") this.reader.onStdoutEnd?.();
    if (this.stdin === "closed") this.reader.onInputClosed?.();
  }

  // A wrong greeting may cause one complaint before the first answer; it is not shown.
  private pass(event: SessionEvent): void {
    const isComplaint = this.complaint === "awaited" && event.type === "command.failed";
    if (isComplaint || event.type === "command.answered") this.complaint = "none";
    if (!isComplaint) this.options.onEvent(event);
  }

  private async stop(exited: Promise<AgentExit>): Promise<AgentExit> {
    if (this.holder !== null) return this.holder.link.stop();
    this.agent.closeInput();
    if (!(await within(exited, FAREWELL_MS))) await this.agent.stop();
    return exited;
  }

  // The link may have restarted the agent.
  private exited(exit: AgentExit): AgentExit | Promise<AgentExit> {
    this.clearTimers();
    if (this.state === "decided") return this.holder?.link.exited ?? exit;
    // It has printed what it had to say.
    const isDone = this.mayBePlain && this.signs.hasPrinted;
    this.state = "gone";
    if (this.failure !== null) return { ...exit, code: null, signal: null, error: this.failure };
    // A failed agent shows its exit.
    if (exit.error === null && exit.code === 0 && !isDone) {
      const message = `the agent ended: ${this.silence("")}`;
      this.options.onEvent({ type: "notice.shown", sessionId: null, level: "error", message });
    }
    return exit;
  }

  // Every output restarts the timer.
  private suspect(): void {
    clearTimeout(this.plainTimer);
    const { quoted, looksPlain, hasPrinted } = this.signs;
    if (this.state === "decided" || this.state === "gone" || (!looksPlain && !hasPrinted)) return;
    const printed = quoted === "" ? "" : ` ("${quoted}")`;
    const words = `it prints plain text${printed}, not a protocol that Palaver supports; ${HOW_TO_SAY}`;
    const end = () => (this.mayBePlain ? this.decide("plain") : this.fail(words));
    this.plainTimer = setTimeout(end, looksPlain ? this.patience.plainMs : this.patience.textMs);
    this.plainTimer.unref();
  }

  /** What was typed into a greeted program was not meant for it. */
  private get mayBePlain(): boolean {
    return this.state === "listening" && this.failure === null && this.options.plainPrograms !== "refused";
  }

  private fail(words: string): void {
    if (this.failure !== null || this.state === "decided" || this.state === "gone") return;
    this.failure = words;
    this.clearTimers();
    void this.link.stop();
  }

  private silence(when: string): string {
    const tried = this.guess === null ? "" : " (tried lines, then ACP)";
    if (this.strange !== null) return `${this.strangeWords}${tried}; ${HOW_TO_SAY}`;
    const flushed = when === "" ? "" : "is its output flushed? If it is, ";
    return `no reply${when}${tried}; ${flushed}${HOW_TO_SAY}`;
  }

  private get strangeWords(): string {
    return `its first frame fits no protocol (${JSON.stringify(this.strange).slice(0, STRANGE_CHARS_MAX)})`;
  }

  private clearTimers(): void {
    for (const timer of [...this.timers, this.plainTimer]) clearTimeout(timer);
  }
}

// The agent was started without the arguments that would name a session, before its wire was known.
function resumingOptions(options: SessionLinkOptions, wire: WireName): SessionLinkOptions {
  const { resume, ...others } = options;
  const way = wireFacts(wire).resume;
  if (resume === undefined || way === "offered" || (way === "told" && resume !== "")) return options;
  const why = way === "none" ? `the ${wire} protocol does not support it` : `start it with --protocol ${wire}`;
  const message = `the session could not be resumed, so this is a new one: ${why}`;
  options.onEvent({ type: "notice.shown", sessionId: null, level: "warn", message });
  return others;
}

// An echo of our greeting.
function isOurGreeting({ jsonrpc, method }: JsonObject): boolean {
  return jsonrpc === "2.0" && method === "initialize";
}
