// The built-in agent on the lines wire, written on what every author imports. Streams, environment, clock and configuration
// arrive as options; nothing below reads them for itself.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import {
  CommandError,
  type LinesSession,
  type SessionFront,
  type SessionRequest,
  serveSessions,
  type UI,
  withinSignal,
} from "../sdk/exports.js";
import type { LayeredRule, PermissionMode, Presence } from "../session/permission/policy.js";
import { type NoSandbox, Sandbox } from "../system/sandbox/sandbox.js";
import type { Clock } from "../system/timers.js";
import { type Model, modelName } from "./models/model.js";
import {
  changedModel,
  chooseModel,
  type Environment,
  isOffline,
  type ModelChoice,
  type ModelFacts,
  type ModelRequest,
  missingKey,
  modelsList,
} from "./models/model-choice.js";
import type { SessionSandbox } from "./permission/permission-gate.js";
import { RuleMemory, SessionPermissions } from "./permission/session-permissions.js";
import { AgentSession } from "./session/agent-session.js";
import { Conversation } from "./session/conversation.js";
import { lockSession, SessionFile, SessionHeldError, type SessionLock } from "./session/session-file.js";
import { SESSION_FILE_VERSION, type SessionHeader, type SessionRecord } from "./session/session-record.js";
import { SessionStore } from "./session/session-store.js";
import { stateFolder } from "./state-folder.js";
import type { Tool } from "./tool.js";
import { bashTool } from "./tools/bash-tool.js";
import { editTool, writeTool } from "./tools/change-tools.js";
import { grepTool } from "./tools/grep-tool.js";
import { globTool, lsTool, readTool } from "./tools/read-tool.js";

export type AgentOptions = {
  readonly input: Readable;
  readonly output: Writable;
  readonly environment: Environment;
  /** Where sessions begin that name no folder of their own. */
  readonly folder: string;
  /** The folder the user named for the first session, also when it is resumed. */
  readonly namedFolder?: string | undefined;
  readonly version: string;
  readonly clock: Clock;
  readonly tools: readonly Tool[];
  openModel(choice: ModelChoice): Promise<Model>;
  /** What the user says about models, for the list to choose from. */
  readonly modelFacts?: ModelFacts | undefined;
  /** What the user named; what is missing is chosen from the environment. */
  readonly requested: ModelRequest;
  /** Why the configured model is not used; the user is told. */
  readonly modelProblem?: string | undefined;
  /** A key was typed: nothing that is written or logged may hold it. */
  onSecret?(secret: string): void;
  readonly systemPrompt?: string | undefined;
  /** The session to resume, or to write to. */
  readonly sessionFile?: string | undefined;
  /** "none": nothing is asked and nothing shown beyond the events. */
  readonly ui: "person" | "away" | "none";
  /** The rules of a folder, which a session works under: each project may have its own. Rejects, in words. */
  permissionsFor(folder: string): Promise<{ readonly mode: PermissionMode; readonly rules: readonly LayeredRule[] }>;
  /** Where the commands of a session in this folder run. Left out, they run as they are, and nothing is said of it. */
  sandboxFor?(folder: string): Promise<Sandbox | NoSandbox | "off">;
  readonly debug: boolean;
  /** A line for stderr. */
  log(line: string): void;
  /** Takes secrets out of what goes to disk. */
  redact?(record: SessionRecord): SessionRecord;
};

/** Runs until `quit`, or until the input ends and what was begun is done. A dialog waits for its answer without a limit. */
export async function serveAgent(options: AgentOptions): Promise<void> {
  const { input, output, clock, version, modelFacts, ui, debug, log } = options;
  const opener = new SessionOpener(options);
  await serveSessions(
    {
      name: "palaver agent",
      version,
      open: (request, connect) => opener.open(request, connect),
      savedSessions: () => opener.store.list(),
      models: () => modelsList(opener.environment, modelFacts),
    },
    {
      input,
      output,
      clock,
      debug,
      log,
      ui: ui === "none" ? "none" : "person",
      dialogTimeoutMs: Number.POSITIVE_INFINITY,
    },
  );
}

// Makes a session out of a request: checks the folder, opens the model, reads the file to resume, loads what was remembered.
// What is wrong with the request comes back as an error in words; nothing is left open then.
/** The session to begin or resume: its file is locked when it has one. */
type Place = {
  readonly path: string | null;
  readonly lock: SessionLock | null;
  /** What to do when there is no such session. */
  readonly whenMissing: "begin" | "refuse";
};

class SessionOpener {
  readonly store: SessionStore;
  readonly #options: AgentOptions;
  readonly #memory: RuleMemory;
  /** Typed in this run, by their variables; they are kept nowhere else. */
  readonly #keys: Record<string, string> = {};

  constructor(options: AgentOptions) {
    const folder = stateFolder(options.environment);
    this.#options = options;
    this.store = new SessionStore(folder);
    this.#memory = new RuleMemory(folder);
  }

  get environment(): Environment {
    return { ...this.#options.environment, ...this.#keys };
  }

  /** A session that exists is locked before it is read, so that what is read is all there is. */
  async open(asked: SessionRequest | null, connect: (id: string) => SessionFront): Promise<LinesSession> {
    const { sessionFile, namedFolder } = this.#options;
    const request = asked ?? { session_file: sessionFile, cwd: namedFolder };
    const path = request.session_file === undefined ? null : this.store.placeOf(request.session_file);
    const lock = path === null ? null : await this.#lock(path);
    try {
      return await this.#open(request, { path, lock, whenMissing: asked === null ? "begin" : "refuse" }, connect);
    } catch (error) {
      await lock?.release();
      throw error;
    }
  }

  // A place that cannot be locked cannot be written to either; the first write says so.
  async #lock(place: string): Promise<SessionLock | null> {
    try {
      return await lockSession(place, this.#options.clock);
    } catch (error) {
      if (error instanceof SessionHeldError) throw new CommandError("sessionBusy", error.message);
      return null;
    }
  }

  async #open(request: SessionRequest, place: Place, connect: (id: string) => SessionFront): Promise<LinesSession> {
    const { clock, permissionsFor, tools, redact, requested } = this.#options;
    const recorded = place.path === null ? null : await this.store.read(place.path);
    if (place.path !== null && recorded === null && place.whenMissing === "refuse") {
      throw new Error(`there is no session ${request.session_file}`);
    }
    const before = this.store.holds(place.path) ? recorded?.header.cwd : undefined;
    const folder = await existingFolder(request.cwd ?? before, this.#options);
    const { mode, rules } = await permissionsFor(folder);
    const firstChoice = () => this.#choose(request.model, recorded?.model);
    const isKeyMissing = missingKey(firstChoice()) !== null;
    const model = await this.#options.openModel(firstChoice());
    const header = recorded?.header ?? this.#newHeader(folder, modelName(model), request.parent_session);
    const path = place.path ?? this.store.pathOf(header.id);
    const { ui } = connect(header.id);
    const onProblem = (words: string) => ui.notify(words, "warn");
    const state = recorded === null ? "new" : "resumed";
    const redaction = redact === undefined ? {} : { redact };
    const file = new SessionFile({ path, header, state, lock: place.lock, clock, onProblem, ...redaction });
    const presence = this.#options.ui === "none" ? "headless" : this.#options.ui;
    const sandbox = await this.#sandbox(folder, { ui, presence });
    const session = new AgentSession(model, {
      id: header.id,
      folder,
      file,
      conversation: new Conversation(file, recorded?.messages ?? []),
      permissions: await SessionPermissions.open({ folder, mode, presence, rules, memory: this.#memory, onProblem }),
      tools,
      ui,
      sandbox,
      clock,
      openModel: (name, { signal }) =>
        this.#openModel(() => chooseModel(changedModel(requested, name), this.environment), withinSignal(ui, signal)),
      openWithKey:
        isKeyMissing && presence === "person"
          ? ({ signal }) => this.#openModel(firstChoice, withinSignal(ui, signal))
          : null,
      systemPrompt: request.system_prompt ?? this.#options.systemPrompt,
    });
    if (this.#options.modelProblem !== undefined) onProblem(`${this.#options.modelProblem}\n/model chooses another`);
    if (recorded !== null && recorded.lost > 0) {
      onProblem(`${recorded.lost} damaged ${recorded.lost === 1 ? "line" : "lines"} of ${path} left out`);
    }
    return session;
  }

  /** `choose` is called again once the key is there. */
  async #openModel(choose: () => ModelChoice, ui: UI): Promise<Model> {
    const variable = missingKey(choose());
    if (variable !== null) await this.#askForKey(variable, ui);
    return this.#options.openModel(choose());
  }

  async #askForKey(variable: string, ui: UI): Promise<void> {
    const { ui: presence, onSecret } = this.#options;
    if (presence !== "person") throw new Error(`this model needs a key: set ${variable}`);
    const answers = await ui.form({
      title: `This model needs a key: ${variable}`,
      message: `It stays in memory until Palaver exits and is not saved. To keep it, set ${variable} in your environment.`,
      fields: { key: { label: "Key", kind: "secret", required: true } },
    });
    const key = answers?.key.trim() ?? "";
    if (key === "") throw new Error(`the model is unchanged: it needs ${variable}`);
    onSecret?.(key);
    this.#keys[variable] = key;
  }

  // What is named now comes first. The model of a resumed session is used again when that is still possible.
  #choose(asked: string | undefined, before: string | undefined): ModelChoice {
    const { environment } = this;
    const { requested: given } = this.#options;
    const named = asked ?? given.model;
    if (named !== undefined) return chooseModel(changedModel(given, named), environment);
    try {
      if (before !== undefined && !isOffline(before)) return chooseModel({ ...given, model: before }, environment);
    } catch {
      // It needs what is not here any more; the environment decides instead.
    }
    return chooseModel(given, environment);
  }

  #newHeader(cwd: string, model: string, parent: string | undefined): SessionHeader {
    const created = this.#options.clock.nowMs();
    const id = this.store.newId(created);
    const descent = parent === undefined ? {} : { parent };
    return { type: "session", version: SESSION_FILE_VERSION, id, cwd, model, created, ...descent };
  }

  async #sandbox(
    folder: string,
    { ui, presence }: { ui: UI; presence: Presence },
  ): Promise<SessionSandbox | undefined> {
    const found = await this.#options.sandboxFor?.(folder);
    if (found === undefined) return undefined;
    const isOn = found instanceof Sandbox;
    ui.setStatus("sandbox", isOn ? "sandbox" : "no sandbox");
    const problem = isOn ? found.problem() : null;
    if (problem !== null) ui.notify(`commands do not run, because the sandbox cannot be set up: ${problem}`, "warn");
    if (!isOn && found !== "off") ui.notify(`commands run without a sandbox: ${found.why}`, "warn");
    return isOn ? { box: found, exit: presence === "person" ? "asked" : "closed" } : undefined;
  }
}

async function existingFolder(requested: string | undefined, { folder }: AgentOptions): Promise<string> {
  const path = resolve(folder, requested ?? ".");
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() !== true) throw new Error(`${path} is not a folder`);
  return path;
}

// The tools that the embedded agent has from the start, from harmless to powerful.
export function builtInTools(): readonly Tool[] {
  return [readTool, lsTool, globTool, grepTool, editTool, writeTool, bashTool];
}
