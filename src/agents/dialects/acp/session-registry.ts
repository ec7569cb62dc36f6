// The sessions of one agent: new, load, resume, list, close, and which is active. Agents send updates before they name the
// session, so early updates wait for it.

import { wireErrorCodes } from "../../../contract/errors.js";
import { namedAmongAll } from "../../../contract/named-session.js";
import { errorWords } from "../error-words.js";
import type { JsonObject } from "../frames/json-frame.js";
import { filled, present } from "../frames/lenient-field.js";
import { type RpcReply, resultOf } from "../json-rpc-peer.js";
import { keepNewest } from "../step-builder.js";
import { type AcpListedSession, acpErrorCodes, acpSessionListSchema, acpSessionResultSchema } from "./acp-frames.js";
import type { AcpContext } from "./context.js";
import { absolutePath } from "./paths.js";
import { Session } from "./session.js";
import { settingsChanged, takeUpdate } from "./session-updates.js";
import { signIn } from "./sign-in.js";
import type { Terminals } from "./terminals.js";
import type { Turns } from "./turns.js";

export type SessionRequest =
  /** `insteadOf`: the session that the new one takes the place of. */
  | { readonly kind: "new"; readonly cwd?: string; readonly insteadOf?: Session }
  | { readonly kind: "old"; readonly id: string };

export type Opened = { readonly session: Session } | { readonly problem: string };

export type ListedSession = { id: string; cwd?: string; timestamp?: string; title?: string };

/** Limits for updates of sessions that are not open yet; the oldest session is dropped. */
const EARLY_SESSIONS_MAX = 16;
const EARLY_UPDATES_MAX = 512;
const LIST_PAGES_MAX = 20;
const SIGN_INS_MAX = 3;
const LATE_STORY_ROUNDS_MAX = 40;

const openings: ReadonlySet<string> = new Set([
  "initialize",
  "authenticate",
  "session/new",
  "session/load",
  "session/resume",
]);

export class SessionRegistry {
  readonly sessions = new Map<string, Session>();
  activeId: string | null = null;
  private readonly context: AcpContext;
  private readonly terminals: Terminals;
  private readonly turns: Turns;
  private readonly early = new Map<string, JsonObject[]>();
  private readonly folders = new Map<string, string>();
  private readonly tellings = new Map<string, number>();

  constructor(context: AcpContext, terminals: Terminals, turns: Turns) {
    this.context = context;
    this.terminals = terminals;
    this.turns = turns;
  }

  /** The named session, or the active one. */
  find(id: string | null | undefined): Session | null {
    const wanted = id ?? this.activeId;
    return wanted === null ? null : (this.sessions.get(wanted) ?? null);
  }

  open(wanted: SessionRequest, settle: (opened: Opened) => void): void {
    if (wanted.kind === "new") this.openNew(wanted, settle, SIGN_INS_MAX);
    else this.openOld(wanted.id, settle, SIGN_INS_MAX);
  }

  /** By the beginning of its id; empty means the newest. `problem` is told when there is none. */
  openNamed(name: string, problem: string, settle: (opened: Opened) => void): void {
    this.list((listed) => {
      if ("problem" in listed) return settle(listed);
      const chosen = namedAmongAll(listed, name, this.context.options.workspace);
      if ("session" in chosen) return this.openOld(chosen.session.id, settle, SIGN_INS_MAX);
      return settle({ problem: chosen.problem ?? problem });
    });
  }

  update(sessionId: string, update: JsonObject): void {
    const session = this.sessions.get(sessionId);
    if (session !== undefined) {
      session.updates += 1;
      takeUpdate(this.context, session, update);
    } else {
      if (!this.isAwaited(sessionId)) this.context.out.unknown("session", sessionId, update);
      this.keep(sessionId, update);
    }
  }

  close(session: Session): void {
    const { peer, facts } = this.context;
    this.turns.stop(session);
    const done = () => this.remove(session);
    if (facts.canClose) peer.request("session/close", { sessionId: session.id }, done);
    else done();
  }

  list(settle: (listed: ListedSession[] | { problem: string }) => void, cursor?: string, before: ListedSession[] = []) {
    const { peer, facts, options } = this.context;
    if (!facts.canList) return settle({ problem: `${facts.name} cannot list its sessions` });
    return peer.request("session/list", present({ cwd: options.workspace, cursor }), (answer) => {
      if (!answer.ok) return settle({ problem: errorWords(answer) });
      const { sessions = [], nextCursor } = resultOf(acpSessionListSchema, answer) ?? {};
      const listed = [...before, ...sessions.map((entry) => this.listed(entry))];
      const isMore = listed.length > before.length && before.length < LIST_PAGES_MAX * 100;
      return nextCursor && isMore ? this.list(settle, nextCursor, listed) : settle(listed);
    });
  }

  // Updates of a closed session may still arrive; others belong to a session that is being opened, or are a fault.
  private isAwaited(sessionId: string): boolean {
    const isOpening = this.context.peer.waitingFor().some(({ method }) => openings.has(method));
    return isOpening || this.tellings.has(sessionId);
  }

  /** The agent is gone. */
  dropAll(): void {
    for (const session of this.sessions.values()) {
      this.turns.drop(session, "cut off");
      session.messages.finish();
    }
  }

  private openNew(
    wanted: Extract<SessionRequest, { kind: "new" }>,
    settle: (opened: Opened) => void,
    tries: number,
  ): void {
    const { options } = this.context;
    const cwd = absolutePath(wanted.cwd ?? options.workspace, options.workspace);
    this.request("session/new", this.params(cwd), (answer) => {
      if (!answer.ok) {
        this.failed(answer, settle, tries, () => this.openNew(wanted, settle, tries - 1));
        return;
      }
      const id = resultOf(acpSessionResultSchema, answer)?.sessionId;
      if (!id) settle({ problem: "it opened a session without giving its id" });
      else if (this.sessions.has(id)) settle({ problem: "it gave a new session the id of an open one" });
      else settle({ session: this.adopt(this.create(id, cwd), answer.result, wanted) });
    });
  }

  private openOld(id: string, settle: (opened: Opened) => void, tries: number): void {
    const { options, facts } = this.context;
    if (!facts.canLoad && !facts.canResume) {
      settle({ problem: `${facts.name} cannot resume a session` });
      return;
    }
    const cwd = this.sessions.get(id)?.cwd ?? options.workspace;
    const listed = this.folders.get(id) ?? cwd;
    if (absolutePath(listed, options.workspace) !== cwd) {
      settle({ problem: `this session belongs to another folder; start palaver there: ${listed}` });
      return;
    }
    const before = this.sessions.get(id);
    const session = this.create(id, cwd);
    const isAgain = options.startedAgain !== undefined && id === options.resume;
    session.history = isAgain ? "told-again" : "being-told";
    this.sessions.set(id, session);
    this.flush(session);
    const method = facts.canLoad && !(isAgain && facts.canResume) ? "session/load" : "session/resume";
    this.request(method, { sessionId: id, ...this.params(cwd) }, (answer) => {
      if (answer.ok) {
        this.whenTold(session, () => settle({ session: this.adopt(session, answer.result) }));
        return;
      }
      endStory(session);
      if (before === undefined) this.sessions.delete(id);
      else this.sessions.set(id, before);
      this.failed(answer, settle, tries, () => this.openOld(id, settle, tries - 1));
    });
  }

  // The time limit counts from the last frame of any kind: replaying a long history takes long.
  private request(method: string, params: JsonObject, settle: (answer: RpcReply) => void): void {
    const { peer, effects, limits } = this.context;
    let timer: string | null = null;
    const id = peer.request(method, params, (answer) => {
      effects.forget(timer);
      settle(answer);
    });
    const watch = (delayMs: number) => {
      timer = effects.after(delayMs, () => {
        const leftMs = limits.greetingMs - this.turns.silentMs;
        if (leftMs > 0) return watch(leftMs);
        peer.forget(id);
        const message = `no answer to ${method} within ${Math.round(limits.greetingMs / 1000)} s`;
        settle({ ok: false, code: wireErrorCodes.internal, message });
      });
    };
    watch(limits.greetingMs);
  }

  // A session is open only when its history has arrived; otherwise history would mix with the first answer.
  private whenTold(session: Session, settle: () => void, roundsLeft = LATE_STORY_ROUNDS_MAX): void {
    const { effects, facts, limits } = this.context;
    const { updates } = session;
    if (facts.habits.story === "before-the-answer" || roundsLeft === 0) {
      endStory(session);
      settle();
      return;
    }
    effects.after(limits.lateStoryMs, () => {
      this.whenTold(session, settle, session.updates === updates ? 0 : roundsLeft - 1);
    });
  }

  private failed(
    answer: Extract<RpcReply, { ok: false }>,
    settle: (opened: Opened) => void,
    tries: number,
    again: () => void,
  ): void {
    const words = errorWords(answer);
    if (answer.code !== acpErrorCodes.authRequired || tries === 0) {
      settle({ problem: words });
      return;
    }
    signIn(this.context, words, (problem) => {
      if (problem === null) again();
      else settle({ problem });
    });
  }

  private adopt(
    session: Session,
    result: unknown,
    { insteadOf }: Pick<Extract<SessionRequest, { kind: "new" }>, "insteadOf"> = {},
  ): Session {
    const { out } = this.context;
    if (insteadOf !== undefined)
      out.event({ type: "session.cleared", sessionId: insteadOf.id, replacedBy: session.id });
    this.sessions.set(session.id, session);
    const { data } = acpSessionResultSchema.safeParse(result);
    if (data !== undefined) session.settings.take(data);
    out.event({ type: "session.started", sessionId: session.id, cwd: session.cwd });
    if (session.settings.list().length > 0) out.event(settingsChanged(session));
    this.flush(session);
    return session;
  }

  private create(id: string, cwd: string): Session {
    const telling = (this.tellings.get(id) ?? 0) + 1;
    this.tellings.set(id, telling);
    const terminalText = (terminalId: string) => this.terminals.textOf(terminalId);
    return new Session({ sessionId: id, cwd, out: this.context.out, telling, terminalText });
  }

  private remove(session: Session): void {
    const { out, asks } = this.context;
    this.turns.drop(session, "closed");
    asks.giveUp("session_closed", { sessionId: session.id });
    this.terminals.endSession(session);
    this.sessions.delete(session.id);
    out.event({ type: "session.closed", sessionId: session.id, reason: "normal" });
    if (this.activeId !== session.id) return;
    this.activeId = [...this.sessions.keys()].at(-1) ?? null;
    if (this.activeId !== null) out.event({ type: "session.activated", sessionId: this.activeId });
  }

  private params(cwd: string): JsonObject {
    const { options, facts } = this.context;
    const servers = (options.mcpServers ?? []).filter(({ type }) => {
      return type === "http" ? facts.mcp.http : type === "sse" ? facts.mcp.sse : true;
    });
    const meta = facts.habits.sessionMeta;
    return { cwd, mcpServers: servers, ...filled({ _meta: meta }) };
  }

  private keep(sessionId: string, update: JsonObject): void {
    const waiting = this.early.get(sessionId) ?? [];
    if (waiting.length < EARLY_UPDATES_MAX) waiting.push(update);
    keepNewest(this.early, sessionId, waiting, EARLY_SESSIONS_MAX);
  }

  private flush(session: Session): void {
    const waiting = this.early.get(session.id) ?? [];
    this.early.delete(session.id);
    for (const update of waiting) takeUpdate(this.context, session, update);
  }

  private listed({ sessionId: id, cwd, title, updatedAt: timestamp }: AcpListedSession): ListedSession {
    if (cwd) this.folders.set(id, cwd);
    return { id, ...filled({ cwd, timestamp, title }) };
  }
}

/** The history is complete; calls that did not end in it have failed. */
function endStory(session: Session): void {
  session.messages.finish();
  session.tools.endAll();
  session.history = "told";
}
