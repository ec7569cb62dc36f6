// An agent on the lines wire: reads commands, keeps the table of sessions, numbers their events. Commands are obeyed in the
// order in which they come; prompts only begin here and run beside everything else, so that the agent always listens.
import type { Decoded } from "../agents/dialects/frames/frame-decoder.js";
import { createCommandDecoder, encodeOutput } from "../agents/dialects/lines/lines-codec.js";
import type { AgentEvent } from "../contract/agent-events.js";
import type { AgentModes, ServerCapabilities, UiCapabilities } from "../contract/capabilities.js";
import { wireErrorCodes } from "../contract/errors.js";
import type { LinesCommand, LinesCommandType } from "../contract/lines-commands.js";
import type { LinesOutput } from "../contract/lines-outputs.js";
import { namedEvent } from "../contract/lines-version-1.js";
import { errorMessage } from "../contract/plain-word.js";
import {
  agreedVersion,
  agreeOnMessageDeltas,
  agreeOnPreflightEvents,
  PROTOCOL_VERSION,
  type ProtocolVersion,
} from "../contract/protocol-versions.js";
import { realClock } from "../system/timers.js";
import { CommandError } from "./errors.js";
import { createHeadlessUi } from "./headless-ui.js";
import type { LinesSession, SessionRequest, SessionsAgent, SessionsOptions } from "./lines-agent.js";
import { createLinesUi } from "./lines-ui.js";
import { type Connection, OpenSession } from "./open-session.js";
import { createOutlet, type Outlet, readFrames } from "./outlet.js";
import type { SendResult } from "./pending-dialogs.js";
import { createSessionFront } from "./session-front.js";
import { dialogSkills } from "./wired-ui.js";

/** How much of a resumed conversation is sent to the front end again. */
const RETOLD_MESSAGES_MAX = 400;
const SESSIONS_MAX = 64;

type Leave = "quit" | "end" | "gone";

export class LinesServer {
  readonly agent: SessionsAgent;
  /** "one": there is the session it began with; a prompt does not wait, and the end of the input stops it. */
  readonly sessions: "one" | "several";
  capabilities: ServerCapabilities = {};
  uiCapabilities: UiCapabilities = {};
  /** Of the frames that it sends. */
  version: ProtocolVersion;
  readonly #options: SessionsOptions;
  readonly #outlet: Outlet;
  readonly #open = new Map<string, OpenSession>();
  #activeId: string | null = null;
  /** Frames from before the greeting, which has to be first; null after it. */
  #early: LinesOutput[] | null = [];
  #obeyed: Promise<void> = Promise.resolve();
  /** Aborted by the next stop: the commands before it ask nothing more. */
  #untilStop = new AbortController();
  #leave: (how: Leave) => void = () => {};

  constructor(agent: SessionsAgent, { sessions, ...options }: SessionsOptions & { sessions: "one" | "several" }) {
    this.agent = agent;
    this.sessions = sessions;
    this.#options = options;
    this.version = options.protocolVersion ?? PROTOCOL_VERSION;
    this.#outlet = createOutlet(options.output ?? process.stdout, { onClosed: () => this.#leave("gone") });
  }

  async serve(): Promise<void> {
    const { input = process.stdin } = this.#options;
    const first = await this.#openSession(null);
    const { session } = first;
    this.#activeId = session.id;
    this.capabilities = this.#capabilitiesOf(session);
    const left = new Promise<Leave>((resolve) => {
      this.#leave = resolve;
    });
    const stopReading = readFrames(input, createCommandDecoder(), {
      onDecoded: (item) => this.#arrived(item),
      onEnd: () => {
        if (this.sessions === "several") for (const { ui } of this.opened()) ui?.disconnect();
        void this.#obeyed.then(() => this.#leave("end"));
      },
    });
    this.#greet(session);
    await retell(first);
    await this.#finish(await left);
    stopReading();
  }

  send(frame: LinesOutput): SendResult {
    if (this.#early === null) return this.#outlet.send(encodeOutput(frame, this.version));
    this.#early.push(frame);
    return "sent";
  }

  debug(line: string): void {
    if (this.#options.debug === true) this.#options.log?.(line);
  }

  refuse(command: string): never {
    throw new CommandError("notSupported", `${command} is not supported by ${this.agent.name}`);
  }

  opened(): OpenSession[] {
    return [...this.#open.values()];
  }

  /** The named session, else the active one. */
  find(id?: string): OpenSession {
    const wanted = id ?? this.#activeId;
    if (wanted === null) throw new CommandError("noActiveSession", "no active session");
    const found = this.#open.get(wanted);
    if (found === undefined) throw new CommandError("sessionNotFound", `session not found: ${wanted}`);
    return found;
  }

  async startSession(request: SessionRequest): Promise<void> {
    if (this.#open.size >= SESSIONS_MAX) {
      throw new CommandError("notSupported", `${SESSIONS_MAX} sessions are open; close one first`);
    }
    const opened = await this.#openSession(request);
    const { session } = opened;
    if (this.#activeId === null) this.activate(session.id);
    this.send({ type: "session_started", session_id: session.id, cwd: session.cwd, ...factsOf(session) });
    await retell(opened);
  }

  async closeSession(id: string): Promise<void> {
    const found = this.#open.get(id);
    await found?.close("session_closed");
    this.#open.delete(id);
    this.send({ type: "session_closed", session_id: id, reason: found === undefined ? "not_found" : "normal" });
    if (found !== undefined && this.#activeId === id) this.activate(null);
  }

  activate(id: string | null): void {
    this.#activeId = id;
    this.send({ type: "active_session", session_id: id });
  }

  innerState(): Record<string, unknown> {
    return {
      active_session_id: this.#activeId,
      ui_capabilities: this.uiCapabilities,
      sessions: this.opened().map(({ session }) => ({ session_id: session.id, ...session.stats?.() })),
      pid: process.pid,
      memory_bytes: process.memoryUsage().rss,
    };
  }

  quit(): void {
    this.#leave("quit");
  }

  async #openSession(request: SessionRequest | null): Promise<OpenSession> {
    const connections = new Map<string, Connection>();
    const connect = (id: string) => {
      const connection = connections.get(id) ?? this.#connect(id);
      connections.set(id, connection);
      return connection;
    };
    const session = await this.agent.open(request, (id) => connect(id).front);
    const opened = new OpenSession(session, connect(session.id), { waitingMax: this.sessions === "one" ? 0 : 1 });
    if (this.#open.has(session.id)) {
      await opened.close("shutdown");
      throw new CommandError("sessionBusy", `session ${session.id} is already open`);
    }
    this.#open.set(session.id, opened);
    return opened;
  }

  #connect(sessionId: string): Connection {
    const { ui: kind, dialogTimeoutMs, log = () => {}, clock = realClock } = this.#options;
    const timeout = dialogTimeoutMs === undefined ? {} : { timeoutMs: dialogTimeoutMs };
    const skills = () => dialogSkills(this.uiCapabilities);
    const send = (frame: LinesOutput) => this.send(frame);
    const ui = kind === "none" ? null : createLinesUi({ send, sessionId, skills, ...timeout });
    let eventSeq = 0;
    const front = createSessionFront({
      ui: ui ?? createHeadlessUi({ log: (level, message) => log(`${level}: ${message}`) }),
      clock,
      emit: (given: AgentEvent) => {
        // Authors without types may still write events as version 1 has them.
        const event = namedEvent(given) as AgentEvent;
        this.send({ type: "event", session_id: sessionId, event_seq: eventSeq++, event });
        return this.#outlet.drained();
      },
      agreements: () => ({
        updates: agreeOnMessageDeltas(this.uiCapabilities, this.capabilities) ? "deltas" : "whole",
        previews: agreeOnPreflightEvents(this.uiCapabilities, this.capabilities) ? "events" : "texts",
      }),
    });
    return { front, ui };
  }

  #capabilitiesOf({ settings, save, reset, stats, images = false }: LinesSession): ServerCapabilities {
    return {
      ...(this.sessions === "one" ? {} : { supports_sessions: true }),
      supports_models: this.agent.models !== undefined,
      supports_config: settings !== undefined,
      supports_save: save !== undefined,
      supports_reset: reset !== undefined,
      supports_stats: stats !== undefined,
      supports_debug: this.sessions === "several",
      supports_images: images,
      supports_permission_preflight_events: true,
      supports_message_deltas: true,
    };
  }

  #greet(session: LinesSession): void {
    const { ui, debug = false } = this.#options;
    const several = { ...factsOf(session), debug, primary_session_id: session.id };
    const early = this.#early ?? [];
    this.#early = null;
    this.send({
      type: "ready",
      protocol_version: this.version,
      cwd: session.cwd,
      ui: ui !== "none",
      active_session_id: session.id,
      ...(this.sessions === "one" ? {} : several),
    });
    for (const frame of early) this.send(frame);
  }

  // A command may wait for an answer, which then must not wait for the command. A stop withdraws the question, so that
  // its turn comes at once; it is still obeyed in order, because it stops the prompts before it and no others.
  #arrived(item: Decoded<LinesCommand>): void {
    const { signal } = this.#untilStop;
    const type = item.kind === "frame" ? item.frame.type : "prompt";
    if (type === "ui_response") void this.#obey(item, signal);
    else this.#obeyed = this.#obeyed.then(() => this.#obey(item, signal));
    if (type !== "abort" && type !== "quit") return;
    this.#untilStop.abort(type === "abort" ? "aborted" : "shutdown");
    this.#untilStop = new AbortController();
  }

  async #obey(item: Decoded<LinesCommand>, signal: AbortSignal): Promise<void> {
    try {
      if (item.kind === "fault") throw new CommandError(item.fault.name, item.fault.message);
      this.debug(item.kind === "text" ? "a prompt in plain text" : `command ${item.frame.type}`);
      if (item.kind === "text") this.find().prompt({ text: item.text });
      else await obey(this, item.frame, signal);
    } catch (error) {
      const name = error instanceof CommandError ? error.wireName : "invalidField";
      const message = errorMessage(error);
      this.send({ type: "error", code: wireErrorCodes[name], message });
    }
  }

  // After `quit` nothing is waited for. When only the input ended, the output may still be read: what was begun is finished,
  // as far as it needs no answer.
  async #finish(how: Leave): Promise<void> {
    const sessions = this.opened();
    const isWaitedFor = how === "end" && this.sessions === "several";
    if (isWaitedFor || how === "gone") for (const { ui } of sessions) ui?.disconnect();
    if (isWaitedFor) {
      const gone = new Promise<void>((resolve) => {
        this.#leave = () => resolve();
      });
      await Promise.race([Promise.all(sessions.map((session) => session.idle())), gone]);
    }
    await Promise.all(sessions.map((session) => session.close("shutdown")));
    await this.#outlet.drained();
  }
}

function factsOf(session: LinesSession): Pick<Extract<LinesOutput, { type: "ready" }>, "model" | "commands" | "modes"> {
  const { model, commands } = session;
  return {
    ...(model === undefined ? {} : { model: { provider: model.provider, id: model.id } }),
    ...(commands === undefined ? {} : { commands: [...commands] }),
    ...modesOf(session),
  };
}

// A front end that resumes a conversation shows it. Every output of a tool is marked as untrusted for the model; shown at
// every tool, the mark would mean nothing.
async function retell({ session: { messages = [] }, front }: OpenSession): Promise<void> {
  for (const kept of messages.slice(-RETOLD_MESSAGES_MAX)) {
    const message = kept.role === "tool_result" ? { ...kept, trust: undefined } : kept;
    if (message.role !== "tool_result") await front.emit({ type: "message_start", message });
    await front.emit({ type: "message_end", message });
  }
}

// A table with one function per command of the lines protocol. A command that is invalid or not supported throws, and the
// front end gets one `error` frame.

type Command<Type extends LinesCommandType> = Extract<LinesCommand, { type: Type }>;

/** The signal ends what the command asks the user. */
type Handler<Of> = (server: LinesServer, command: Of, signal: AbortSignal) => Promise<void> | void;

type Handlers = {
  readonly [Type in LinesCommandType]: Handler<Command<Type>>;
};

const sessionCommands: ReadonlySet<LinesCommandType> = new Set([
  "debug",
  "list_running_sessions",
  "start_session",
  "close_session",
  "set_active_session",
]);

function obey(server: LinesServer, command: LinesCommand, signal: AbortSignal): Promise<void> | void {
  if (server.sessions === "one" && sessionCommands.has(command.type)) server.refuse(command.type);
  // The table is by type, so that the handler is the one for this command.
  const handler = handlers[command.type] as Handler<LinesCommand>;
  return handler(server, command, signal);
}

const handlers: Handlers = {
  initialize(
    server,
    { ui_capabilities = {}, protocol_version: first = server.version, protocol_versions: all = [first] },
  ) {
    server.uiCapabilities = ui_capabilities;
    server.version = agreedVersion(server.version, all);
    const { name, version } = server.agent;
    server.send({
      type: "initialized",
      protocol_version: server.version,
      server: version === undefined ? { name } : { name, version },
      server_capabilities: server.capabilities,
    });
  },
  prompt(server, { text, session_id, images }) {
    server.find(session_id).prompt(images === undefined ? { text } : { text, images });
  },
  abort(server, { session_id }) {
    server.find(session_id).abort("aborted");
  },
  ui_response(server, response) {
    for (const { ui } of server.opened()) if (ui?.handleResponse(response) === "settled") return;
    server.debug(`an answer to a question that is not open: ${response.id}`);
  },
  async reset(server, { session_id }) {
    const open = server.find(session_id);
    if (open.session.reset === undefined) return server.refuse("reset");
    open.abort("reset");
    await open.idle();
    await open.session.reset();
  },
  async save(server, { session_id }) {
    const { session } = server.find(session_id);
    const result = await (session.save?.() ?? server.refuse("save"));
    server.send({ type: "save_result", ...result, session_id: session.id });
  },
  stats(server, { session_id }) {
    const { session } = server.find(session_id);
    server.send({ type: "stats", stats: session.stats?.() ?? server.refuse("stats"), session_id: session.id });
  },
  ping(server) {
    server.send({ type: "pong" });
  },
  debug(server) {
    server.send({ type: "debug", ...server.innerState() });
  },
  quit(server) {
    server.quit();
  },
  async list_sessions(server) {
    const sessions = await (server.agent.savedSessions?.() ?? server.refuse("list_sessions"));
    server.send({ type: "sessions_list", sessions });
  },
  list_running_sessions(server) {
    const sessions = server.opened().map(({ session: { id, cwd, model }, isStreaming }) => ({
      session_id: id,
      cwd,
      is_streaming: isStreaming,
      ...(model === undefined ? {} : { model: `${model.provider}:${model.id}` }),
    }));
    server.send({ type: "running_sessions", sessions });
  },
  list_models(server) {
    server.send({ type: "models_list", providers: server.agent.models?.() ?? server.refuse("list_models") });
  },
  start_session(server, request) {
    return server.startSession(request);
  },
  close_session(server, { session_id }) {
    return server.closeSession(session_id);
  },
  set_active_session(server, { session_id }) {
    server.activate(server.find(session_id).session.id);
  },
  get_config(server) {
    const { session } = server.find();
    if (session.settings === undefined) server.refuse("get_config");
    server.send(configState(session));
  },
  async set_config(server, { key, value }, signal) {
    const open = server.find();
    const { session } = open;
    const { settings = server.refuse("set_config") } = session;
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined;
    if (setting === undefined) {
      const known = Object.keys(settings).join(", ");
      throw new CommandError("invalidField", `unknown config key: ${key}. Known keys: ${known}`);
    }
    await setting.write(value, { signal: open.withinTurn(signal) });
    server.send(configState(session));
  },
};

function configState(session: LinesSession): Extract<LinesOutput, { type: "config_state" }> {
  const entries = Object.entries(session.settings ?? {}).map(([key, setting]) => [key, setting.read()]);
  return { type: "config_state", session_id: session.id, config: Object.fromEntries(entries), ...modesOf(session) };
}

/** The modes of a session, if it has a setting `mode` with options. */
function modesOf({ settings }: LinesSession): { modes?: AgentModes } {
  const mode = settings?.["mode"];
  return mode?.options === undefined ? {} : { modes: { current: String(mode.read()), options: [...mode.options] } };
}
