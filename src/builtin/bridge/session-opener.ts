// Makes a session out of a wish: checks the folder, opens the model, reads the file to resume, loads what was remembered.
// What is wrong with the wish comes back as an error in words; nothing is left open then.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { DialogSkills } from "../../sdk/form-fallback.js";
import { createHeadlessUi } from "../../sdk/headless-ui.js";
import { createLinesUi, type LinesUi, type LinesUiOptions } from "../../sdk/lines-ui.js";
import type { UI } from "../../sdk/ui.js";
import { Sandbox } from "../../system/sandbox/sandbox.js";
import { modelName } from "../models/model.js";
import { changedWish, chooseModel, isOffline, type ModelChoice } from "../models/model-choice.js";
import { RuleMemory } from "../permission/rule-memory.js";
import type { SessionSandbox } from "../permission/sandbox-exit.js";
import { SessionPermissions } from "../permission/session-permissions.js";
import { noQuestions, questionsOver } from "../questions.js";
import { AgentSession, type AgentSessionParts } from "../session/agent-session.js";
import { Conversation } from "../session/conversation.js";
import { SessionFile } from "../session/session-file.js";
import { lockSession, SessionHeldError, type SessionLock } from "../session/session-lock.js";
import { type RecordedSession, SESSION_FILE_VERSION, type SessionHeader } from "../session/session-record.js";
import { SessionStore } from "../session/session-store.js";
import { stateFolder } from "../state-folder.js";
import type { AgentOptions } from "./bridge-options.js";
import { CommandError } from "./command-error.js";

export type SessionRequest = {
  readonly folder?: string | undefined;
  readonly model?: string | undefined;
  readonly systemPrompt?: string | undefined;
  /** The file of a session to go on with, or its id. */
  readonly sessionFile?: string | undefined;
  /** What to do when there is no such session; to refuse is the default. */
  readonly whenMissing?: "begin" | undefined;
  readonly parent?: string | undefined;
};

/** `front` is null when nobody is asked anything. */
export type OpenedSession = { readonly session: AgentSession; readonly front: LinesUi | null };

export type SessionWires = Pick<LinesUiOptions, "send"> &
  Pick<AgentSessionParts, "agreements"> & {
    skills(): DialogSkills;
    emit(sessionId: string, ...event: Parameters<AgentSessionParts["emit"]>): Promise<void>;
  };

export class SessionOpener {
  readonly store: SessionStore;
  readonly #options: AgentOptions;
  readonly #wires: SessionWires;
  readonly #memory: RuleMemory;

  constructor(options: AgentOptions, wires: SessionWires) {
    const folder = stateFolder(options.environment);
    this.#options = options;
    this.#wires = wires;
    this.store = new SessionStore(folder);
    this.#memory = new RuleMemory(folder);
  }

  /** A session that exists is locked before it is read, so that what is read is all there is. */
  async open(wish: SessionRequest): Promise<OpenedSession> {
    const place = wish.sessionFile === undefined ? null : this.store.placeOf(wish.sessionFile);
    const lock = place === null ? null : await this.#lock(place);
    try {
      return await this.#open(wish, { place, lock });
    } catch (error) {
      await lock?.release();
      throw error;
    }
  }

  // Where there is no place for a lock there is none for the session either, which is told when it is written to.
  async #lock(place: string): Promise<SessionLock | null> {
    try {
      return await lockSession(place, () => this.#options.clock.nowMs());
    } catch (error) {
      if (error instanceof SessionHeldError) throw new CommandError("sessionBusy", error.message);
      return null;
    }
  }

  async #open(
    wish: SessionRequest,
    { place, lock }: { place: string | null; lock: SessionLock | null },
  ): Promise<OpenedSession> {
    const { clock, permissionsFor, tools, openModel, redact } = this.#options;
    const recorded = place === null ? "missing" : await this.store.read(place);
    if (place !== null && recorded === "missing" && wish.whenMissing !== "begin") {
      throw new Error(`there is no session ${wish.sessionFile}`);
    }
    const folder = await existingFolder(
      wish.folder ?? (recorded === "missing" || !this.store.holds(place) ? undefined : recorded.header.cwd),
      this.#options,
    );
    const { mode, rules } = await permissionsFor(folder);
    const choice = this.#choose(wish, recorded);
    const model = await openModel(choice);
    const header = this.#headerOf(recorded, { cwd: folder, model: modelName(model), parent: wish.parent });
    const path = place ?? this.store.pathOf(header.id);
    const front = this.#front(header.id);
    const ui = front ?? this.#headless();
    const onProblem = (words: string) => ui.notify(words, "warn");
    const state = recorded === "missing" ? "new" : "resumed";
    const { nowMs } = clock;
    const redaction = redact === undefined ? {} : { redact };
    const file = new SessionFile({ path, header, state, lock, nowMs, onProblem, ...redaction });
    const presence = front === null ? "nobody" : this.#options.ui === "away" ? "away" : "person";
    const sandbox = await this.#sandbox(folder, { ui, presence });
    const session = new AgentSession(model, {
      id: header.id,
      folder,
      file,
      conversation: new Conversation(file, recorded === "missing" ? [] : recorded.messages),
      permissions: await SessionPermissions.open({ folder, mode, presence, rules, memory: this.#memory, onProblem }),
      tools,
      ui,
      questions: front === null ? noQuestions : questionsOver(front, this.#wires.skills),
      sandbox,
      clock,
      emit: (event) => this.#wires.emit(header.id, event),
      agreements: this.#wires.agreements,
      systemPrompt: wish.systemPrompt ?? this.#options.systemPrompt,
    });
    if (recorded !== "missing" && recorded.lost > 0) {
      onProblem(`${recorded.lost} damaged ${recorded.lost === 1 ? "line" : "lines"} of ${path} left out`);
    }
    return { session, front };
  }

  // What is named now comes first. The model of a resumed session is used again when that is still possible.
  #choose(wish: SessionRequest, recorded: RecordedSession | "missing"): ModelChoice {
    const { wish: given, environment } = this.#options;
    const named = wish.model ?? given.model;
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
    { ui, presence }: { ui: UI; presence: "person" | "away" | "nobody" },
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

  #front(sessionId: string): LinesUi | null {
    if (this.#options.ui === "none") return null;
    const { send, skills } = this.#wires;
    return createLinesUi({ send, sessionId, skills, timeoutMs: Number.POSITIVE_INFINITY });
  }

  #headless(): UI {
    return createHeadlessUi({ log: (level, words) => this.#options.log(`${level}: ${words}`) });
  }
}

async function existingFolder(wished: string | undefined, { folder }: AgentOptions): Promise<string> {
  const path = resolve(folder, wished ?? ".");
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() !== true) throw new Error(`${path} is not a folder`);
  return path;
}
