// The embedded agent on the lines wire: reads commands, keeps the table of sessions, numbers their events. Commands are
// obeyed in the order in which they come; prompts only begin here and run beside everything else, so that the agent
// always listens.

import type { Decoded } from "../../agents/dialects/frames/frame-decoder.js";
import { createCommandDecoder, encodeOutput } from "../../agents/dialects/lines/lines-codec.js";
import type { AgentEvent } from "../../contract/agent-events.js";
import {
  agreeOnMessageDeltas,
  agreeOnPreflightEvents,
  PROTOCOL_VERSION,
  type ServerCapabilities,
  type UiCapabilities,
} from "../../contract/capabilities.js";
import { wireErrorCodes } from "../../contract/errors.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { LinesOutput } from "../../contract/lines-outputs.js";
import { errorMessage } from "../../contract/plain-word.js";
import { dialogSkills } from "../../sdk/form-fallback.js";
import type { LinesUi } from "../../sdk/lines-ui.js";
import { createOutlet, type Outlet } from "../../sdk/outlet.js";
import type { SendResult } from "../../sdk/pending-dialogs.js";
import { type Model, modelName } from "../models/model.js";
import { changedWish, chooseModel } from "../models/model-choice.js";
import type { AgentSession } from "../session/agent-session.js";
import type { AgentOptions } from "./bridge-options.js";
import { CommandError } from "./command-error.js";
import { busy, obey } from "./commands.js";
import { type OpenedSession, SessionOpener, type SessionRequest } from "./session-opener.js";

/** How much of a resumed conversation is told to the front end again. */
const RETOLD_MESSAGES_MAX = 400;
const SESSIONS_MAX = 64;

/** Runs until `quit`, or until the input ends and what was begun is done. */
export async function serveAgent(options: AgentOptions): Promise<void> {
  await new AgentBridge(options).serve();
}

export class AgentBridge {
  readonly options: AgentOptions;
  readonly opener: SessionOpener;
  readonly serverCapabilities: ServerCapabilities = {
    supports_sessions: true,
    supports_models: true,
    supports_config: true,
    supports_save: true,
    supports_permission_preflight_events: true,
    supports_message_deltas: true,
  };
  uiCapabilities: UiCapabilities = {};
  readonly #outlet: Outlet;
  readonly #sessions = new Map<string, OpenedSession>();
  readonly #eventSeqs = new Map<string, number>();
  #activeId: string | null = null;
  /** What was to be said before the greeting, which has to be first; null after it. */
  #early: LinesOutput[] | null = [];
  #obeyed: Promise<void> = Promise.resolve();
  #leave: (how: "quit" | "gone") => void = () => {};

  constructor(options: AgentOptions) {
    this.options = options;
    this.#outlet = createOutlet(options.output, { onClosed: () => this.#leave("gone") });
    this.opener = new SessionOpener(options, {
      send: (frame) => this.send(frame),
      skills: () => dialogSkills(this.uiCapabilities),
      agreements: () => ({
        updates: agreeOnMessageDeltas(this.uiCapabilities, this.serverCapabilities) ? "deltas" : "whole",
        preflight: agreeOnPreflightEvents(this.uiCapabilities, this.serverCapabilities) ? "events" : "texts",
      }),
      emit: (sessionId, event) => this.#emit(sessionId, event),
    });
  }

  async serve(): Promise<void> {
    const { namedFolder, sessionFile, ui, debug, input } = this.options;
    const first = await this.opener.open({ sessionFile, folder: namedFolder, whenMissing: "begin" });
    const { session } = first;
    this.#sessions.set(session.id, first);
    this.#activeId = session.id;
    const left = this.#read();
    this.#greet({
      type: "ready",
      protocol_version: PROTOCOL_VERSION,
      cwd: session.folder,
      model: { provider: session.model.provider, id: session.model.id },
      debug,
      ui: ui !== "none",
      primary_session_id: session.id,
      active_session_id: session.id,
    });
    await this.#retell(session);
    await this.#finish(await left);
    input.pause();
  }

  send(frame: LinesOutput): SendResult {
    if (this.#early === null) return this.#outlet.send(encodeOutput(frame));
    this.#early.push(frame);
    return "sent";
  }

  #greet(ready: LinesOutput): void {
    const early = this.#early ?? [];
    this.#early = null;
    for (const frame of [ready, ...early]) this.send(frame);
  }

  debug(line: string): void {
    if (this.options.debug) this.options.log(line);
  }

  /** The named session, else the active one. */
  session(id?: string): AgentSession {
    const wanted = id ?? this.#activeId;
    if (wanted === null) throw new CommandError("noActiveSession", "no active session");
    const found = this.#sessions.get(wanted);
    if (found === undefined) throw new CommandError("sessionNotFound", `session not found: ${wanted}`);
    return found.session;
  }

  /** Where the person is asked, one for each session. */
  fronts(): LinesUi[] {
    return [...this.#sessions.values()].flatMap(({ front }) => (front === null ? [] : [front]));
  }

  prompt(text: string, sessionId?: string): void {
    if (this.session(sessionId).prompt(text) === "busy") throw busy();
  }

  async startSession(wish: SessionRequest): Promise<void> {
    if (this.#sessions.size >= SESSIONS_MAX) {
      throw new CommandError("notSupported", `${SESSIONS_MAX} sessions are open; close one first`);
    }
    const opened = await this.opener.open(wish);
    const { session } = opened;
    if (this.#sessions.has(session.id)) {
      await session.close("shutdown");
      throw new CommandError("sessionBusy", `session ${session.id} is open already`);
    }
    this.#sessions.set(session.id, opened);
    if (this.#activeId === null) this.activate(session.id);
    const model = { provider: session.model.provider, id: session.model.id };
    this.send({ type: "session_started", session_id: session.id, cwd: session.folder, model });
    await this.#retell(session);
  }

  async closeSession(id: string): Promise<void> {
    const found = this.#sessions.get(id);
    if (found === undefined) {
      this.send({ type: "session_closed", session_id: id, reason: "not_found" });
      return;
    }
    await found.session.close("session_closed");
    this.#sessions.delete(id);
    this.#eventSeqs.delete(id);
    this.send({ type: "session_closed", session_id: id, reason: "normal" });
    if (this.#activeId === id) this.activate(null);
  }

  activate(id: string | null): void {
    this.#activeId = id;
    this.send({ type: "active_session", session_id: id });
  }

  openModel(name: string): Promise<Model> {
    const { wish, environment, openModel } = this.options;
    return openModel(chooseModel(changedWish(wish, name), environment));
  }

  runningSessions() {
    return [...this.#sessions.values()].map(({ session }) => ({
      session_id: session.id,
      cwd: session.folder,
      is_streaming: session.isStreaming,
      model: modelName(session.model),
    }));
  }

  innerState(): Record<string, unknown> {
    return {
      active_session_id: this.#activeId,
      ui_capabilities: this.uiCapabilities,
      sessions: [...this.#sessions.values()].map(({ session }) => ({ session_id: session.id, ...session.stats() })),
      pid: process.pid,
      memory_bytes: process.memoryUsage().rss,
    };
  }

  quit(): void {
    this.#leave("quit");
  }

  #read(): Promise<"quit" | "end" | "gone"> {
    const { input } = this.options;
    const decoder = createCommandDecoder();
    return new Promise((resolve) => {
      this.#leave = resolve;
      const end = () => void this.#obeyed.then(() => resolve("end"));
      input.on("data", (chunk: Uint8Array | string) => {
        this.#take(decoder.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk));
      });
      input.on("end", () => {
        this.#take(decoder.end());
        end();
      });
      input.on("error", end);
    });
  }

  #take(decoded: readonly Decoded<LinesCommand>[]): void {
    for (const item of decoded) this.#obeyed = this.#obeyed.then(() => this.#obey(item));
  }

  async #obey(item: Decoded<LinesCommand>): Promise<void> {
    try {
      if (item.kind === "fault") throw new CommandError(item.fault.name, item.fault.message);
      this.debug(item.kind === "text" ? "a prompt in plain text" : `command ${item.frame.type}`);
      if (item.kind === "text") this.prompt(item.text);
      else await obey(this, item.frame);
    } catch (error) {
      const name = error instanceof CommandError ? error.wireName : "invalidField";
      const message = errorMessage(error);
      this.send({ type: "error", code: wireErrorCodes[name], message });
    }
  }

  #emit(sessionId: string, event: AgentEvent): Promise<void> {
    const seq = this.#eventSeqs.get(sessionId) ?? 0;
    this.#eventSeqs.set(sessionId, seq + 1);
    this.send({ type: "event", session_id: sessionId, event_seq: seq, event });
    return this.#outlet.drained();
  }

  // A front end that resumes a conversation wants to see it. Every output of a tool is marked as untrusted for the model; a mark
  // at every tool would tell a person nothing.
  async #retell({ id, messages }: AgentSession): Promise<void> {
    for (const kept of messages.slice(-RETOLD_MESSAGES_MAX)) {
      const message = kept.role === "tool_result" ? { ...kept, trust: undefined } : kept;
      if (message.role !== "tool_result") await this.#emit(id, { type: "message_start", data: [message] });
      await this.#emit(id, { type: "message_end", data: [message] });
    }
  }

  // After `quit` nothing is waited for. When only the input ended, somebody may still read: what was begun is finished,
  // as far as it needs no answer from anybody.
  async #finish(how: "quit" | "end" | "gone"): Promise<void> {
    const sessions = [...this.#sessions.values()].map(({ session }) => session);
    for (const front of this.fronts()) {
      if (how === "quit") front.close();
      else front.disconnect();
    }
    if (how === "end") {
      const gone = new Promise<void>((resolve) => {
        this.#leave = () => resolve();
      });
      await Promise.race([Promise.all(sessions.map((session) => session.idle())), gone]);
    }
    await Promise.all(sessions.map((session) => session.close("shutdown")));
    await this.#outlet.drained();
  }
}
