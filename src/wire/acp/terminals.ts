// Terminals that we run for the agent: real processes of the link, whose output is kept up to the agent's limit and shown
// live in the tool call that names them. A command that the person did not see in something they allowed is asked about.
import type { AcpRequestParams } from "../../contract/acp.js";
import { acpErrorCodes } from "../../contract/acp.js";
import { wireErrorCodes } from "../../contract/errors.js";
import type { TerminalExit, TerminalProgress } from "./acp-effect.js";
import { type RunWish, scriptOf } from "./allowances.js";
import type { AcpContext } from "./context.js";
import { gateQuestion, spanOf } from "./gate.js";
import { OutputTail } from "./output-tail.js";
import { absolutePath } from "./paths.js";
import type { AgentRequest } from "./peer.js";
import type { Session } from "./session.js";

type Terminal = {
  readonly id: string;
  readonly session: Session;
  readonly output: OutputTail;
  readonly waiters: AgentRequest[];
  effectId: string;
  exit: TerminalExit | null;
  released: boolean;
};

/** How many an agent may have at once, and how much of each one's output is kept at most. */
const TERMINALS_MAX = 64;
const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;
const OUTPUT_BYTES_DEFAULT = 1024 * 1024;
/** What a person follows live; the agent has the rest. */
const SHOWN_CHARS_MAX = 256 * 1024;

function wishOf({ command, args, env, cwd }: AcpRequestParams<"terminal/create">, session: Session): RunWish {
  return { command, args: args ?? [], env: env ?? [], cwd: absolutePath(cwd ?? session.cwd, session.cwd) };
}

export class Terminals {
  private readonly context: AcpContext;
  private readonly terminals = new Map<string, Terminal>();
  private nextNumber = 1;

  constructor(context: AcpContext) {
    this.context = context;
  }

  create(request: AgentRequest, params: AcpRequestParams<"terminal/create">, session: Session): void {
    if ([...this.terminals.values()].filter(({ exit }) => exit === null).length >= TERMINALS_MAX) {
      request.refuse(wireErrorCodes.internal, `no more than ${TERMINALS_MAX} terminals at once`);
    } else if (session.turn === "stopping") request.refuse(acpErrorCodes.cancelled, "the turn was stopped");
    else if (session.allowances.takeRun(wishOf(params, session))) this.run(request, params, session);
    else this.askFirst(request, params, session);
  }

  output(request: AgentRequest, { terminalId }: AcpRequestParams<"terminal/output">): void {
    const terminal = this.find(request, terminalId);
    if (terminal === null) return;
    const { text, truncated } = terminal.output.read();
    request.answer({
      output: text,
      truncated,
      ...(terminal.exit === null ? {} : { exitStatus: { ...terminal.exit } }),
    });
  }

  waitForExit(request: AgentRequest, { terminalId }: AcpRequestParams<"terminal/wait_for_exit">): void {
    const terminal = this.find(request, terminalId);
    if (terminal === null) return;
    if (terminal.exit !== null) request.answer({ ...terminal.exit });
    else terminal.waiters.push(request);
  }

  kill(request: AgentRequest, { terminalId }: AcpRequestParams<"terminal/kill">): void {
    const terminal = this.find(request, terminalId);
    if (terminal === null) return;
    this.end(terminal);
    request.answer({});
  }

  release(request: AgentRequest, { terminalId }: AcpRequestParams<"terminal/release">): void {
    const terminal = this.find(request, terminalId);
    if (terminal === null) return;
    this.end(terminal);
    terminal.released = true;
    for (const waiter of terminal.waiters.splice(0)) waiter.refuse(acpErrorCodes.cancelled, "released");
    request.answer({});
  }

  /** What a person sees of a terminal; null when it is none of ours. */
  textOf(terminalId: string): string | null {
    const terminal = this.terminals.get(terminalId);
    if (terminal === undefined) return null;
    const { text, truncated } = terminal.output.read();
    const isCut = truncated || text.length > SHOWN_CHARS_MAX;
    return isCut ? `… the beginning is not shown\n${text.slice(-SHOWN_CHARS_MAX)}` : text;
  }

  /** The turn is over: what the agent gave up and nobody shows any more is forgotten. */
  endTurn(session: Session): void {
    for (const [id, terminal] of [...this.terminals]) {
      if (terminal.session === session && terminal.released) this.terminals.delete(id);
    }
  }

  endSession(session: Session): void {
    for (const terminal of this.terminals.values()) if (terminal.session === session) this.end(terminal);
  }

  private askFirst(request: AgentRequest, params: AcpRequestParams<"terminal/create">, session: Session): void {
    const { asks, facts } = this.context;
    const { command, args, env, cwd } = wishOf(params, session);
    const script = scriptOf(command, args);
    const variables = env.map(({ name, value }) => `  ${name}=${value}`);
    const question = gateQuestion({
      title: `run ${script.split("\n")[0] ?? script}`,
      tool: "run",
      always: "every command of this session",
      command: [command, ...args].join(" "),
      message: [
        `${facts.name} wants to run this in ${cwd} and did not ask before.`,
        ...(variables.length === 0 ? [] : ["It sets these variables:", ...variables]),
      ].join("\n"),
    });
    const askId = asks.raise({ sessionId: session.id, origin: { kind: "agent" }, question }, (answer) => {
      const span = spanOf(answer);
      if (span === "always") session.allowances.allowAlways("commands");
      if (span === "never") request.refuse(wireErrorCodes.internal, "the person did not allow this command");
      else if (request.isOpen) this.run(request, params, session);
    });
    request.whenTakenBack(() => asks.takenBack(askId));
  }

  private run(request: AgentRequest, params: AcpRequestParams<"terminal/create">, session: Session): void {
    const bytesMax = Math.min(params.outputByteLimit ?? OUTPUT_BYTES_DEFAULT, OUTPUT_BYTES_MAX);
    const terminal: Terminal = {
      id: `term-${this.nextNumber++}`,
      session,
      output: new OutputTail(Math.max(0, bytesMax)),
      waiters: [],
      effectId: "",
      exit: null,
      released: false,
    };
    const { env, ...wish } = wishOf(params, session);
    const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const effect = { type: "terminal.run", ...wish, env: variables } as const;
    terminal.effectId = this.context.hands.perform(
      effect,
      (result) => {
        if (result.ok) this.exited(terminal, result.value as TerminalExit);
        else request.refuse(wireErrorCodes.internal, result.message);
      },
      (value) => this.progressed(terminal, request, value as TerminalProgress),
    );
  }

  private progressed(terminal: Terminal, request: AgentRequest, progress: TerminalProgress): void {
    if (progress.kind === "started") {
      this.terminals.set(terminal.id, terminal);
      // Taken back while it started: nobody knows its name, so nobody could ever end it.
      if (request.isOpen) request.answer({ terminalId: terminal.id });
      else this.end(terminal);
      return;
    }
    terminal.output.push(progress.text);
    terminal.session.tools.terminalGrew(terminal.id);
  }

  private exited(terminal: Terminal, exit: TerminalExit): void {
    terminal.exit = exit;
    for (const waiter of terminal.waiters.splice(0)) waiter.answer({ ...exit });
  }

  private end(terminal: Terminal): void {
    if (terminal.exit !== null) return;
    this.context.hands.perform({ type: "terminal.kill", of: terminal.effectId }, () => undefined);
  }

  private find(request: AgentRequest, terminalId: string): Terminal | null {
    const terminal = this.terminals.get(terminalId);
    if (terminal !== undefined && !terminal.released) return terminal;
    request.refuse(acpErrorCodes.notFound, `there is no terminal ${terminalId}`);
    return null;
  }
}
