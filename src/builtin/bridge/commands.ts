// What the agent does about each command of the lines wire: one function a command, in a table. Whatever is wrong with a
// command is thrown, and becomes one `error` frame.
import { PROTOCOL_VERSION } from "../../contract/capabilities.js";
import type { LinesCommand, LinesCommandType } from "../../contract/lines-commands.js";
import { modelsList } from "../models/models-list.js";
import type { AgentBridge } from "./agent-bridge.js";
import { CommandError } from "./command-error.js";
import { configOf, setConfig } from "./session-config.js";

type Command<Type extends LinesCommandType> = Extract<LinesCommand, { type: Type }>;

type Handlers = {
  readonly [Type in LinesCommandType]: (bridge: AgentBridge, command: Command<Type>) => Promise<void> | void;
};

export function obey(bridge: AgentBridge, command: LinesCommand): Promise<void> | void {
  // The table is by type, so that the handler is the one for this command.
  const handler = handlers[command.type] as (bridge: AgentBridge, command: LinesCommand) => Promise<void> | void;
  return handler(bridge, command);
}

const handlers: Handlers = {
  initialize(bridge, { ui_capabilities = {} }) {
    bridge.uiCapabilities = ui_capabilities;
    bridge.send({
      type: "initialized",
      protocol_version: PROTOCOL_VERSION,
      server: { name: "palaver agent", version: bridge.options.version },
      server_capabilities: bridge.serverCapabilities,
    });
  },
  prompt(bridge, { text, session_id }) {
    bridge.prompt(text, session_id);
  },
  abort(bridge, { session_id }) {
    bridge.session(session_id).abort("aborted");
  },
  ui_response(bridge, response) {
    for (const front of bridge.fronts()) if (front.handleResponse(response) === "settled") return;
    bridge.debug(`an answer that nobody waits for: ${response.id}`);
  },
  async reset(bridge, { session_id }) {
    await bridge.session(session_id).reset();
  },
  async save(bridge, { session_id }) {
    const session = bridge.session(session_id);
    bridge.send({ type: "save_result", ...(await session.save()), session_id: session.id });
  },
  stats(bridge, { session_id }) {
    const session = bridge.session(session_id);
    bridge.send({ type: "stats", stats: session.stats(), session_id: session.id });
  },
  ping(bridge) {
    bridge.send({ type: "pong" });
  },
  debug(bridge) {
    bridge.send({ type: "debug", ...bridge.innerState() });
  },
  quit(bridge) {
    bridge.quit();
  },
  async list_sessions(bridge) {
    bridge.send({ type: "sessions_list", sessions: await bridge.opener.store.list() });
  },
  list_running_sessions(bridge) {
    bridge.send({ type: "running_sessions", sessions: bridge.runningSessions() });
  },
  list_models(bridge) {
    const { environment, modelFacts } = bridge.options;
    bridge.send({ type: "models_list", providers: modelsList(environment, modelFacts) });
  },
  async start_session(bridge, { cwd, model, system_prompt, session_file, parent_session }) {
    const wish = { folder: cwd, model, systemPrompt: system_prompt, sessionFile: session_file, parent: parent_session };
    await bridge.startSession(wish);
  },
  async close_session(bridge, { session_id }) {
    await bridge.closeSession(session_id);
  },
  set_active_session(bridge, { session_id }) {
    bridge.activate(bridge.session(session_id).id);
  },
  get_config(bridge) {
    bridge.send({ type: "config_state", config: configOf(bridge.session()) });
  },
  async set_config(bridge, { key, value }) {
    const session = bridge.session();
    await setConfig(session, key, value, (name) => bridge.openModel(name));
    bridge.send({ type: "config_state", config: configOf(session) });
  },
};

export function busy(): CommandError {
  return new CommandError("sessionBusy", "a turn is running and a prompt waits already; abort it first");
}
