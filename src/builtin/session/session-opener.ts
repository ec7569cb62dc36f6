// Makes a session out of a request: checks the folder, opens the model, reads the file to resume, loads what was remembered.
// What is wrong with the request comes back as an error in words; nothing is left open then.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandError, type LinesSession, type SessionFront, type SessionRequest, type UI } from "../../sdk/exports.js";
import type { Presence } from "../../session/permission/policy.js";
import { Sandbox } from "../../system/sandbox/sandbox.js";
import { type Model, modelName } from "../models/model.js";
import { changedWish, chooseModel, isOffline, type ModelChoice } from "../models/model-choice.js";
import type { SessionSandbox } from "../permission/permission-gate.js";
import { RuleMemory, SessionPermissions } from "../permission/session-permissions.js";
import type { AgentOptions } from "../serve-agent.js";
import { stateFolder } from "../state-folder.js";
import { AgentSession } from "./agent-session.js";
import { Conversation } from "./conversation.js";
import { lockSession, SessionFile, SessionHeldError, type SessionLock } from "./session-file.js";
import { type RecordedSession, SESSION_FILE_VERSION, type SessionHeader } from "./session-record.js";
import { SessionStore } from "./session-store.js";

/** The session to begin or resume: its file is locked when it has one. */
type Place = {
  readonly path: string | null;
  readonly lock: SessionLock | null;
  /** What to do when there is no such session. */
  readonly whenMissing: "begin" | "refuse";
};

export class SessionOpener {
  readonly store: SessionStore;
  readonly #options: AgentOptions;
  readonly #memory: RuleMemory;

  constructor(options: AgentOptions) {
    const folder = stateFolder(options.environment);
    this.#options = options;
    this.store = new SessionStore(folder);
    this.#memory = new RuleMemory(folder);
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
      return await lockSession(place, () => this.#options.clock.nowMs());
    } catch (error) {
      if (error instanceof SessionHeldError) throw new CommandError("sessionBusy", error.message);
      return null;
    }
  }

  async #open(request: SessionRequest, place: Place, connect: (id: string) => SessionFront): Promise<LinesSession> {
    const { clock, permissionsFor, tools, redact } = this.#options;
    const recorded = place.path === null ? "missing" : await this.store.read(place.path);
    if (place.path !== null && recorded === "missing" && place.whenMissing === "refuse") {
      throw new Error(`there is no session ${request.session_file}`);
    }
    const folder = await existingFolder(
      request.cwd ?? (recorded === "missing" || !this.store.holds(place.path) ? undefined : recorded.header.cwd),
      this.#options,
    );
    const { mode, rules } = await permissionsFor(folder);
    const model = await this.#options.openModel(this.#choose(request.model, recorded));
    const header = this.#headerOf(recorded, { cwd: folder, model: modelName(model), parent: request.parent_session });
    const path = place.path ?? this.store.pathOf(header.id);
    const { ui } = connect(header.id);
    const onProblem = (words: string) => ui.notify(words, "warn");
    const state = recorded === "missing" ? "new" : "resumed";
    const { nowMs } = clock;
    const redaction = redact === undefined ? {} : { redact };
    const file = new SessionFile({ path, header, state, lock: place.lock, nowMs, onProblem, ...redaction });
    const presence = this.#options.ui === "none" ? "headless" : this.#options.ui;
    const sandbox = await this.#sandbox(folder, { ui, presence });
    const session = new AgentSession(model, {
      id: header.id,
      folder,
      file,
      conversation: new Conversation(file, recorded === "missing" ? [] : recorded.messages),
      permissions: await SessionPermissions.open({ folder, mode, presence, rules, memory: this.#memory, onProblem }),
      tools,
      ui,
      sandbox,
      clock,
      openModel: (name) => this.#openModel(name),
      systemPrompt: request.system_prompt ?? this.#options.systemPrompt,
    });
    if (recorded !== "missing" && recorded.lost > 0) {
      onProblem(`${recorded.lost} damaged ${recorded.lost === 1 ? "line" : "lines"} of ${path} left out`);
    }
    return session;
  }

  #openModel(name: string): Promise<Model> {
    const { wish, environment, openModel } = this.#options;
    return openModel(chooseModel(changedWish(wish, name), environment));
  }

  // What is named now comes first. The model of a resumed session is used again when that is still possible.
  #choose(asked: string | undefined, recorded: RecordedSession | "missing"): ModelChoice {
    const { wish: given, environment } = this.#options;
    const named = asked ?? given.model;
    if (named !== undefined) return chooseModel(changedWish(given, named), environment);
    try {
      const before = recorded === "missing" ? undefined : recorded.model;
      if (before !== undefined && !isOffline(before)) return chooseModel({ ...given, model: before }, environment);
    } catch {
      // It needs what is not here any more; the environment decides instead.
    }
    return chooseModel(given, environment);
  }

  #headerOf(
    recorded: RecordedSession | "missing",
    { cwd, model, parent }: { cwd: string; model: string; parent: string | undefined },
  ): SessionHeader {
    if (recorded !== "missing") return recorded.header;
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

async function existingFolder(wished: string | undefined, { folder }: AgentOptions): Promise<string> {
  const path = resolve(folder, wished ?? ".");
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() !== true) throw new Error(`${path} is not a folder`);
  return path;
}
