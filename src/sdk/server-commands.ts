// What an agent does about each command of the lines wire: one function a command, in a table. A command that is wrong
// or not supported throws, and becomes one `error` frame.
import { type AgentModes, agreedVersion } from "../contract/capabilities.js";
import type { LinesCommand, LinesCommandType } from "../contract/lines-commands.js";
import type { LinesOutput } from "../contract/lines-outputs.js";
import { CommandError } from "./errors.js";
import type { LinesSession } from "./lines-agent.js";
import type { LinesServer } from "./lines-server.js";

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

export function obey(server: LinesServer, command: LinesCommand, signal: AbortSignal): Promise<void> | void {
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
  prompt(server, { text, session_id }) {
    server.find(session_id).prompt(text);
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
export function modesOf({ settings }: LinesSession): { modes?: AgentModes } {
  const mode = settings?.["mode"];
  return mode?.options === undefined ? {} : { modes: { current: String(mode.read()), options: [...mode.options] } };
}
