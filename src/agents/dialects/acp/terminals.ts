// Terminals that we run for the agent: processes of the link, whose output is kept up to the agent's limit and shown live in
// the tool call that names them. A command that no grant covers needs an approval.

import { wireErrorCodes } from "../../../contract/errors.js";
import { filled } from "../frames/lenient-field.js";
import type { AgentRequest } from "../json-rpc-peer.js";
import type { PathPlace, TerminalExit, TerminalProgress } from "./acp-effect.js";
import type { AcpRequestParams } from "./acp-frames.js";
import { acpErrorCodes } from "./acp-frames.js";
import type { AcpContext } from "./context.js";
import { askFirst, type GatedEffect } from "./gate.js";
import type { Run } from "./grants.js";
import { OutputTail } from "./output-tail.js";
import { absolutePath } from "./paths.js";
import { argvLine, environmentLine, firstLine, scriptOf } from "./run-line.js";
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

const TERMINALS_MAX = 64;
const FULL = `no more than ${TERMINALS_MAX} terminals at once`;
const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;
const OUTPUT_BYTES_DEFAULT = 1024 * 1024;
/** How much is shown; the agent gets all that is kept. */
const SHOWN_CHARS_MAX = 256 * 1024;

type CreateParams = AcpRequestParams<"terminal/create">;

export class Terminals {
  private readonly context: AcpContext;
  private readonly terminals = new Map<string, Terminal>();
  private nextNumber = 1;

  constructor(context: AcpContext) {
    this.context = context;
  }

  create(request: AgentRequest, params: CreateParams, session: Session): void {
    const path = absolutePath(params.cwd ?? ".", session.cwd);
    this.context.effects.perform({ type: "path.locate", path, workspace: session.cwd }, (result) => {
      if (!request.isOpen) return;
      if (!result.ok) request.refuse(wireErrorCodes.internal, result.message);
      else this.decide(request, params, session, result.value as PathPlace);
    });
  }

  use(
    what: "output" | "wait" | "kill" | "release",
    request: AgentRequest,
    { terminalId }: { terminalId: string },
  ): void {
    const terminal = this.terminals.get(terminalId);
    if (terminal === undefined || terminal.released) {
      request.refuse(acpErrorCodes.notFound, `there is no terminal ${terminalId}`);
      return;
    }
    const { exit, waiters } = terminal;
    if (what === "output") {
      const { text: output, truncated } = terminal.output.read();
      request.answer({ output, truncated, ...filled({ exitStatus: exit }) });
    } else if (what === "wait") {
      if (exit === null) waiters.push(request);
      else request.answer({ ...exit });
    } else {
      this.end(terminal);
      terminal.released = what === "release";
      if (terminal.released) for (const waiter of waiters.splice(0)) waiter.refuse(acpErrorCodes.cancelled, "released");
      request.answer({});
    }
  }

  /** The output as it is shown; null for a terminal that the agent runs itself. */
  textOf(terminalId: string): string | null {
    const terminal = this.terminals.get(terminalId);
    if (terminal === undefined) return null;
    const { text, truncated } = terminal.output.read();
    const isCut = truncated || text.length > SHOWN_CHARS_MAX;
    return isCut ? `… the beginning is not shown\n${text.slice(-SHOWN_CHARS_MAX)}` : text;
  }

  /** Forgets released terminals; no tool call shows them any more. */
  endTurn(session: Session): void {
    for (const [id, terminal] of [...this.terminals]) {
      if (terminal.session === session && terminal.released) this.terminals.delete(id);
    }
  }

  endSession(session: Session): void {
    for (const terminal of this.terminals.values()) if (terminal.session === session) this.end(terminal);
  }

  private decide(request: AgentRequest, params: CreateParams, session: Session, place: PathPlace): void {
    const { command, args, env } = params;
    const run: Run = { argv: [command, ...(args ?? [])], env: env ?? [], place };
    const bytesMax = Math.min(params.outputByteLimit ?? OUTPUT_BYTES_DEFAULT, OUTPUT_BYTES_MAX);
    const start = () => this.run(request, run, session, Math.max(0, bytesMax));
    if (session.turn === "stopping") request.refuse(acpErrorCodes.cancelled, "the turn was stopped");
    else if (this.isFull()) request.refuse(wireErrorCodes.internal, FULL);
    else if (session.grants.takeRun(run)) start();
    else {
      const onAllowed = (span: "once" | "always") => {
        if (span === "always") session.grants.repeat(run);
        start();
      };
      askFirst(this.context, { request, session, effect: effectOf(run), onAllowed });
    }
  }

  private isFull(): boolean {
    return [...this.terminals.values()].filter(({ exit }) => exit === null).length >= TERMINALS_MAX;
  }

  private run(request: AgentRequest, { argv, env, place }: Run, session: Session, bytesMax: number): void {
    const terminal: Terminal = {
      id: `term-${this.nextNumber++}`,
      session,
      output: new OutputTail(bytesMax),
      waiters: [],
      effectId: "",
      exit: null,
      released: false,
    };
    const [command = "", ...args] = argv;
    const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const effect = { type: "terminal.run", command, args, env: variables, cwd: place.realPath } as const;
    terminal.effectId = this.context.effects.perform(
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
      // Cancelled while it started: the agent has no id to end it by.
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
    this.context.effects.perform({ type: "terminal.kill", of: terminal.effectId }, () => undefined);
  }
}

/** A shell script is shown by itself, with the shell beside it. */
function effectOf({ argv, env, place }: Run): GatedEffect {
  const script = scriptOf(argv);
  const command = script ?? argvLine(argv);
  const { realPath, workspace } = place;
  const details = [
    ...(script === null ? [] : [{ name: "shell", value: argvLine(argv.slice(0, 2)) }]),
    ...(realPath === workspace ? [] : [{ name: "folder", value: realPath }]),
    ...(env.length === 0 ? [] : [{ name: "environment", value: environmentLine(env) }]),
  ];
  const danger = place.place === "outside" ? "it runs outside the workspace" : "";
  const always = "exactly this command";
  return { tool: "run", about: firstLine(command), command, details, always, ...filled({ danger }) };
}
