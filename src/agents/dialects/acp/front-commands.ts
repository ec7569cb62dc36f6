// Commands of the front end as ACP requests. A command without an ACP counterpart is answered from known facts, or refused.

import { wireErrorCodes } from "../../../contract/errors.js";
import type { LinesCommand } from "../../../contract/lines-commands.js";
import { plainWord } from "../../../contract/plain-word.js";
import { errorWords } from "../error-words.js";
import { type CommandHandlers, handleCommand } from "../front-end-commands.js";
import type { AcpContext } from "./context.js";
import type { Session } from "./session.js";
import type { Opened, SessionRegistry } from "./session-registry.js";
import { settingsChanged } from "./session-updates.js";
import type { Turns } from "./turns.js";

export class FrontCommands {
  private readonly context: AcpContext;
  private readonly registry: SessionRegistry;
  private readonly turns: Turns;

  private readonly handlers: CommandHandlers = {
    initialize: () => this.answer("initialized", this.whoIsThere()),
    prompt: (command) => this.withSession(command.session_id, (session) => this.prompt(session, command)),
    abort: ({ session_id }) => this.abort(session_id),
    reset: ({ session_id }) => this.withSession(session_id, (session) => this.reset(session)),
    stats: ({ session_id }) => this.withSession(session_id, (session) => this.stats(session)),
    save: () => this.refuse(`${this.context.facts.name} manages its own sessions`),
    debug: () => this.answer("debug", { agent: this.context.facts, waitingFor: this.context.peer.waitingFor() }),
    quit: () => this.context.out.want({ type: "hang-up" }),
    list_sessions: () => this.list(),
    list_running_sessions: () =>
      this.answer("running_sessions", { sessions: [...this.registry.sessions.values()].map(runningOf) }),
    start_session: (command) => this.start(command),
    close_session: ({ session_id }) => this.withSession(session_id, (session) => this.registry.close(session)),
    set_active_session: ({ session_id }) => this.activate(session_id),
    list_models: () => this.withSession(undefined, (session) => this.models(session)),
    get_config: () =>
      this.withSession(undefined, (session) => this.answer("config_state", { config: configOf(session) })),
    set_config: ({ key, value }) => this.withSession(undefined, (session) => this.configure(session, key, value)),
  };

  constructor(context: AcpContext, registry: SessionRegistry, turns: Turns) {
    this.context = context;
    this.registry = registry;
    this.turns = turns;
  }

  handle(command: LinesCommand): void {
    const { name } = this.context.facts;
    handleCommand(this.context.out, this.handlers, command, { name, capabilities: {}, settings: [] });
  }

  private list(): void {
    this.registry.list((listed) => {
      if ("problem" in listed) this.answer("sessions_list", { sessions: [], error: listed.problem });
      else this.answer("sessions_list", { sessions: listed });
    });
  }

  private prompt(session: Session, command: Extract<LinesCommand, { type: "prompt" }>): void {
    const { out } = this.context;
    if (session.turn === "none") this.turns.start(session, command);
    else out.failed(session.id, "the agent is still working on the last prompt", wireErrorCodes.sessionBusy);
  }

  // Outside a turn, signing in or loading a session may still be running.
  private abort(sessionId: string | undefined): void {
    const session = this.registry.find(sessionId);
    if (session !== null && session.turn !== "none") {
      this.turns.stop(session);
      return;
    }
    const { peer } = this.context;
    for (const { id, method } of peer.waitingFor()) {
      if (method === "authenticate" || method === "session/load" || method === "session/resume") peer.takeBack(id);
    }
  }

  private reset(session: Session): void {
    if (session.turn !== "none") {
      this.refuse("the agent is working; stop it before you clear the conversation", wireErrorCodes.sessionBusy);
      return;
    }
    this.registry.open({ kind: "new", cwd: session.cwd, insteadOf: session }, (opened) => {
      if (!this.isOpen(opened)) return;
      this.setActive(opened.session);
      this.registry.close(session);
    });
  }

  private start(command: Extract<LinesCommand, { type: "start_session" }>): void {
    const { session_file: id, cwd, model } = command;
    const wanted =
      id === undefined ? ({ kind: "new", ...(cwd ? { cwd } : {}) } as const) : ({ kind: "old", id } as const);
    this.registry.open(wanted, (opened) => {
      if (!this.isOpen(opened)) return;
      if (this.registry.activeId === null) this.setActive(opened.session);
      if (model !== undefined) this.configure(opened.session, "model", model);
    });
  }

  private activate(id: string): void {
    const known = this.registry.find(id);
    if (known !== null) this.setActive(known);
    else {
      this.registry.open({ kind: "old", id }, (opened) => {
        if (this.isOpen(opened)) this.setActive(opened.session);
      });
    }
  }

  private setActive(session: Session): void {
    this.registry.activeId = session.id;
    this.context.out.event({ type: "session.activated", sessionId: session.id });
  }

  private isOpen(opened: Opened): opened is { session: Session } {
    if ("problem" in opened) this.context.out.failed(null, opened.problem);
    return !("problem" in opened);
  }

  private configure(session: Session, key: string, wanted: unknown): void {
    const { out, peer } = this.context;
    const setting = session.settings.find(key);
    const value = plainWord(wanted);
    if (setting === null) {
      out.failed(session.id, `there is no setting ${key}`, wireErrorCodes.invalidField);
      return;
    }
    if (setting.options.length > 0 && !setting.options.some((option) => option.value === value)) {
      const choices = setting.options.map((option) => option.value).join(", ");
      out.failed(session.id, `${key} must be one of ${choices}, not ${value}`, wireErrorCodes.invalidField);
      return;
    }
    const { method, params } = session.settings.callFor(setting, value);
    peer.request(method, { sessionId: session.id, ...params }, (answer) => {
      if (!answer.ok) {
        out.failed(session.id, `${key} could not be changed: ${errorWords(answer)}`, answer.code);
        return;
      }
      session.settings.changed(setting, value, answer.result);
      out.event(settingsChanged(session));
      this.answer("config_state", { config: configOf(session) }, session.id);
    });
  }

  private models(session: Session): void {
    const setting = session.settings.find("model");
    const models = (setting?.options ?? []).map(({ value, label }) => ({ id: value, name: label }));
    this.answer("models_list", { providers: models.length === 0 ? [] : [{ id: this.context.facts.name, models }] });
  }

  private stats(session: Session): void {
    const { turns, context, cost } = session;
    const room = context === null ? {} : { context_used: context.used, context_size: context.size };
    const stats = { turns, ...room, ...(cost === null ? {} : { cost }) };
    this.answer("stats", { stats }, session.id);
  }

  private whoIsThere() {
    const { name, version, canList, canLoad, canResume } = this.context.facts;
    return {
      protocol_version: "1",
      server: { name, ...(version === null ? {} : { version }) },
      server_capabilities: {
        supports_sessions: canList || canLoad || canResume,
        supports_models: true,
        supports_config: true,
        supports_save: false,
        supports_message_deltas: true,
      },
      commands: Object.keys(this.handlers),
    };
  }

  private withSession(id: string | undefined, run: (session: Session) => void): void {
    const session = this.registry.find(id);
    if (session !== null) run(session);
    else if (id === undefined) this.refuse("there is no session yet", wireErrorCodes.noActiveSession);
    else this.refuse(`there is no session ${id}`, wireErrorCodes.sessionNotFound);
  }

  private refuse(message: string, code: number = wireErrorCodes.notSupported): void {
    this.context.out.failed(null, message, code);
  }

  private answer(command: string, answer: Record<string, unknown>, sessionId: string | null = null): void {
    this.context.out.event({ type: "command.answered", sessionId, command, answer });
  }
}

function configOf(session: Session): Record<string, string> {
  return Object.fromEntries(session.settings.list().map(({ key, value }) => [key, value]));
}

function runningOf(session: Session) {
  return { session_id: session.id, cwd: session.cwd, is_streaming: session.turn !== "none" };
}
