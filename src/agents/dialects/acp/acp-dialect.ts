// The Agent Client Protocol: initializes the agent, opens a session, and connects the parts in the files beside this one.
//
//   open → initialize → (sign in) → session/new or session/load → agent.readied → prompts

import { objectOf } from "../../../contract/json-value.js";
import type { Dialect, DialectStep } from "../dialect.js";
import { DialectBase, type PlainCommand } from "../dialect-base.js";
import { errorWords } from "../error-words.js";
import type { JsonObject } from "../frames/json-frame.js";
import { JsonRpcPeer, type JsonRpcWire, type RpcReply } from "../json-rpc-peer.js";
import type { AcpEffect } from "./acp-effect.js";
import { ACP_VERSION, acpErrorCodes } from "./acp-frames.js";
import { readGreeting, unknownAgent } from "./agent-facts.js";
import { AgentRequests } from "./agent-requests.js";
import { AcpAsks, type AcpContext, type AcpOptions, acpLimits } from "./context.js";
import { Elicitations } from "./elicitation.js";
import { FrontCommands } from "./front-commands.js";
import { type Opened, SessionRegistry } from "./session-registry.js";
import { authenticate } from "./sign-in.js";
import { Terminals } from "./terminals.js";
import { Turns } from "./turns.js";

export function createAcpDialect(options: AcpOptions): Dialect<AcpEffect> {
  return new AcpDialect(options);
}

const RPC: JsonRpcWire = {
  envelope: { jsonrpc: "2.0" },
  ids: "numbers",
  cancelMethod: "$/cancel_request",
  lateAnswers: "reported",
};

/** What Palaver does for an agent; each of these changes how agents behave. */
const clientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  auth: { terminal: true },
  elicitation: { form: {}, url: {} },
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
  _meta: { terminal_output: true },
};

/** An agent in the sandbox reads, writes and runs things itself. */
const { fs: _files, terminal: _commands, ...sandboxCapabilities } = clientCapabilities;

class AcpDialect extends DialectBase<AcpEffect> {
  protected override readonly asks = new AcpAsks(this.out);
  private readonly context: AcpContext;
  private readonly terminals: Terminals;
  private readonly turns: Turns;
  private readonly registry: SessionRegistry;
  private readonly elicitations: Elicitations;
  private readonly requests: AgentRequests;
  private readonly front: FrontCommands;

  constructor(options: AcpOptions) {
    super();
    const { out, asks, effects } = this;
    const shared = { out, asks, effects, peer: new JsonRpcPeer(out, RPC), options, facts: unknownAgent };
    const limits = { ...acpLimits, ...options.limits };
    const activeSession = () => this.registry.activeId;
    this.context = { ...shared, limits, nowMs: () => this.nowMs, activeSession };
    this.terminals = new Terminals(this.context);
    this.turns = new Turns(this.context, this.terminals);
    this.registry = new SessionRegistry(this.context, this.terminals, this.turns);
    this.elicitations = new Elicitations(this.context);
    this.requests = new AgentRequests(this.context, this.registry, this.terminals, this.elicitations);
    this.front = new FrontCommands(this.context, this.registry, this.turns);
  }

  protected start(): void {
    this.greet();
  }

  protected readFrame(frame: JsonObject): void {
    this.turns.heard();
    this.context.peer.read(frame, {
      onRequest: (request) => this.requests.take(request),
      onNotification: (method, params) => this.notification(method, params),
    });
  }

  protected obey(command: PlainCommand): void {
    this.front.handle(command);
  }

  // Turns are stopped and sessions closed before the remaining asks are withdrawn.
  override leave(nowMs: number): DialectStep<AcpEffect> {
    this.nowMs = nowMs;
    const { peer, facts } = this.context;
    for (const session of this.registry.sessions.values()) {
      this.turns.stop(session);
      this.terminals.endSession(session);
      if (facts.canClose) peer.request("session/close", { sessionId: session.id }, () => undefined);
    }
    return super.leave(nowMs);
  }

  protected override sayGoodbye(): void {
    this.context.peer.refuseAll(acpErrorCodes.cancelled, "Palaver is quitting");
  }

  protected override end(): void {
    this.registry.dropAll();
    this.context.peer.close("the agent has exited");
  }

  private greet(): void {
    const { peer, effects, options, limits } = this.context;
    const clientInfo = { name: "palaver", title: "Palaver", version: options.clientVersion };
    const offered = options.command.place === "sandbox" ? sandboxCapabilities : clientCapabilities;
    const params = { protocolVersion: ACP_VERSION, clientCapabilities: offered, clientInfo };
    let timer: string | null = null;
    const id = peer.request("initialize", params, (answer) => {
      effects.forget(timer);
      this.greeted(answer);
    });
    timer = effects.after(limits.greetingMs, () => {
      peer.forget(id);
      const seconds = Math.round(limits.greetingMs / 1000);
      this.giveUp(`no answer to initialize within ${seconds} s; is it an ACP agent?`);
    });
  }

  private greeted(answer: RpcReply): void {
    if (!answer.ok) {
      this.giveUp(errorWords(answer));
      return;
    }
    const greeting = readGreeting(answer.result);
    if ("problem" in greeting) {
      this.giveUp(greeting.problem);
      return;
    }
    this.context.facts = greeting.facts;
    const methodId = this.context.options.startedAgain?.methodId;
    const method = greeting.facts.authMethods.find(({ id }) => id === methodId);
    // If this was not enough, session/new is refused and the user is asked again.
    if (method === undefined) this.openSession();
    else authenticate(this.context, method, () => this.openSession());
  }

  private openSession(): void {
    const { resume, startedAgain } = this.context.options;
    const { registry } = this;
    if (startedAgain !== undefined) this.context.out.event({ type: "working.changed", sessionId: null, message: null });
    if (resume === undefined) registry.open({ kind: "new" }, (opened) => this.ready(opened));
    else if (resume === "") registry.openNamed(resume, "", (opened) => this.resumed(opened));
    else {
      registry.open({ kind: "old", id: resume }, (opened) => {
        // It may be the beginning of an id.
        if ("session" in opened || !this.context.facts.canList) this.resumed(opened);
        else registry.openNamed(resume, opened.problem, (named) => this.resumed(named));
      });
    }
  }

  private resumed(opened: Opened): void {
    if ("session" in opened) {
      this.ready(opened);
      return;
    }
    const words = `the session could not be resumed, so this is a new one: ${opened.problem}`;
    this.context.out.notice(null, "warn", words);
    this.registry.open({ kind: "new" }, (other) => this.ready(other));
  }

  private ready(opened: Opened): void {
    if ("problem" in opened) {
      this.giveUp(opened.problem);
      return;
    }
    const { session } = opened;
    this.registry.activeId = session.id;
    const { model } = session.settings;
    this.context.out.event({
      type: "agent.readied",
      sessionId: session.id,
      ui: true,
      protocolVersion: `acp ${ACP_VERSION}`,
      ...(model === null ? {} : { model }),
      ...(this.context.facts.takesImages ? { images: true } : {}),
    });
  }

  private notification(method: string, params: JsonObject): void {
    const { out } = this.context;
    if (method === "session/update") {
      const { sessionId } = params;
      if (typeof sessionId === "string") this.registry.update(sessionId, objectOf(params["update"]));
      else out.unknown("session update", "one without a session", params);
    } else if (method === "elicitation/complete") this.elicitations.completed(params["elicitationId"]);
    // Names with these prefixes are private extensions and may be ignored.
    else if (!method.startsWith("_") && !method.startsWith("$/")) out.unknown("notification", method, params);
  }
}
