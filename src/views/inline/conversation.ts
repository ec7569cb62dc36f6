// The talk with one agent, whatever shows it: sessions with their transcripts, the notices so far, the prompts that wait.
// It hears session events and sends commands; a front end follows it through `onChange` and never writes here.
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { NotifyLevel } from "../../contract/notices.js";
import type { SessionEvent } from "../../contract/session-events.js";
import type { FactsEffect, FactsInput } from "../../session/session-facts.js";
import { oneSession, reduceSessionList, type SessionList, type SessionListInput } from "../../session/session-list.js";
import type { BlockChange } from "../../session/transcript/block.js";
import type { TranscriptInput } from "../../session/transcript/transcript.js";
import { SessionState } from "./session-state.js";

export interface Notice {
  readonly atMs: number;
  readonly level: NotifyLevel;
  readonly text: string;
}

export interface ConversationPorts {
  nowMs(): number;
  send(command: LinesCommand): void;
  /** A block of this session came, grew, changed or ended. */
  onBlock(pane: SessionState, change: BlockChange): void;
  /** Another session is before the person now. */
  onSwitched(from: SessionState, to: SessionState): void;
  /** A session is over that was not before the person: what he has not seen of it must not be lost. */
  onGone(pane: SessionState, id: string): void;
  setComposer(text: string): void;
}

const NAME_CHARS_MAX = 60;
const NOTICES_MAX = 200;

/** Commands that concern one session say which. */
type SessionCommand = Extract<LinesCommand, { type: "prompt" | "abort" | "reset" | "save" | "stats" }>;

export class Conversation {
  list: SessionList = oneSession;
  readonly notices: Notice[] = [];
  private readonly ports: ConversationPorts;
  private readonly panes = new Map<string, SessionState>([[oneSession.active, new SessionState()]]);

  constructor(ports: ConversationPorts) {
    this.ports = ports;
  }

  get active(): SessionState {
    return this.paneOf(this.list.active);
  }

  /** null for the one session of an agent that names none. */
  get activeId(): string | null {
    return this.list.active === "" ? null : this.list.active;
  }

  paneOf(id: string): SessionState {
    const known = this.panes.get(id);
    if (known !== undefined) return known;
    const pane = new SessionState();
    // The agent is there already, else nobody could have named a session.
    pane.front = { ...pane.front, phase: "idle", model: this.panes.get(this.list.active)?.front.model ?? null };
    this.panes.set(id, pane);
    return pane;
  }

  get isWorking(): boolean {
    return [...this.panes.values()].some(({ front }) => front.phase === "working" || front.phase === "starting");
  }

  hear(event: SessionEvent): void {
    this.keepList(event);
    const id = event.sessionId !== null && this.panes.has(event.sessionId) ? event.sessionId : this.list.active;
    const atMs = event.atMs ?? this.ports.nowMs();
    if (event.type === "notice.shown") this.remember(event.level, event.message, atMs);
    this.record(event, id, atMs);
    this.feed(event, id, atMs);
  }

  /** The agent itself came or went: every session is affected. */
  linkChanged(change: "opened" | "closed"): void {
    if (change === "opened") this.startAgain();
    else this.cutShort();
    for (const id of this.panes.keys()) this.feed({ type: change === "opened" ? "link.opened" : "link.closed" }, id);
  }

  /** Nobody will hear the rest of what is being said: as far as it has come, it is whole. */
  cutShort(): void {
    for (const id of this.panes.keys()) this.record({ type: "prompt.finished", sessionId: null }, id);
  }

  submit(text: string): void {
    this.feed({ type: "prompt.submitted", text }, this.list.active);
  }

  /** Palaver's own words in the transcript. */
  say(level: NotifyLevel, text: string): void {
    this.record({ type: "notice.shown", sessionId: null, level, message: text }, this.list.active);
  }

  record(input: TranscriptInput, id: string = this.list.active, atMs = this.ports.nowMs()): void {
    const pane = this.paneOf(id);
    for (const change of pane.record(input, atMs)) {
      if (change.type === "closed") this.feedList({ type: "block-ended", id });
      this.ports.onBlock(pane, change);
    }
  }

  feed(input: FactsInput, id: string = this.list.active, atMs = this.ports.nowMs()): void {
    for (const effect of this.paneOf(id).feed(input, atMs)) this.perform(effect, id);
  }

  send(command: SessionCommand, id: string = this.list.active): void {
    this.ports.send(id === "" ? command : { ...command, session_id: id });
    if (command.type === "abort") this.sayStopped(id);
  }

  activate(id: string): void {
    if (id === this.list.active) return;
    this.switchBy({ type: "activated", id });
    this.ports.send({ type: "set_active_session", session_id: id });
  }

  // Half an answer without a reason under it looks like a fault. The words tell what the person did, which is true also of an
  // agent that takes its time or does not obey, and they are said once, however often he does it.
  private sayStopped(id: string): void {
    const pane = this.paneOf(id);
    const { phase, workingSinceMs } = pane.front;
    const turnMs = workingSinceMs ?? 0;
    if (phase !== "working" || pane.stoppedTurnMs === turnMs) return;
    pane.stoppedTurnMs = turnMs;
    this.record({ type: "notice.shown", sessionId: null, level: "info", message: "you asked it to stop" }, id);
  }

  // The sessions of an agent end with it. Its successor names its own; the one before the person is the first of them.
  private startAgain(): void {
    const { active } = this;
    const others = this.list.sessions.filter(({ id }) => id !== this.list.active);
    for (const { id } of others) this.ports.onGone(this.paneOf(id), id);
    this.panes.clear();
    this.panes.set("", active);
    this.feedList({ type: "restarted" });
  }

  private perform(effect: FactsEffect, id: string): void {
    switch (effect.type) {
      case "send-prompt":
        this.nameByPrompt(effect.text, id);
        this.record({ type: "prompt.sent", text: effect.text }, id);
        this.send({ type: "prompt", text: effect.text }, id);
        return;
      case "set-composer":
        if (id === this.list.active) this.ports.setComposer(effect.text);
        else this.paneOf(id).draft = effect.text;
        return;
      case "set-title":
        this.feedList({ type: "named", id, name: effect.title });
        return;
    }
  }

  // What was asked first is what a person knows a session by, until the agent finds a better name.
  private nameByPrompt(text: string, id: string): void {
    const session = this.list.sessions.find((candidate) => candidate.id === id);
    const [first = ""] = text.trim().split("\n");
    if (session?.name === "") this.feedList({ type: "named", id, name: first.slice(0, NAME_CHARS_MAX) });
  }

  private remember(level: NotifyLevel, text: string, atMs: number): void {
    this.notices.push({ atMs, level, text });
    if (this.notices.length > NOTICES_MAX) this.notices.shift();
  }

  private keepList(event: SessionEvent): void {
    const { sessionId } = event;
    if (sessionId === null) return;
    if (event.type === "session.started") this.switchBy({ type: "started", id: sessionId, cwd: event.cwd ?? null });
    else if (event.type === "session.closed") this.switchBy({ type: "closed", id: sessionId });
    else if (event.type === "session.activated") this.switchBy({ type: "activated", id: sessionId });
    else this.switchBy({ type: "heard", id: sessionId });
  }

  private feedList(input: SessionListInput): void {
    this.list = reduceSessionList(this.list, input, (entry) => entry);
  }

  // The list may rename its only session, gain one, lose one, or show another; the panes follow.
  private switchBy(input: SessionListInput): void {
    const before = this.list;
    const from = this.active;
    const closed = input.type === "closed" ? this.panes.get(input.id) : undefined;
    if (closed !== undefined && closed !== from && input.type === "closed") this.ports.onGone(closed, input.id);
    this.feedList(input);
    const isRenamed = before.active === "" && this.list.active !== "" && before.sessions.length === 1;
    if (isRenamed && !this.panes.has(this.list.active)) {
      this.panes.delete("");
      this.panes.set(this.list.active, from);
    }
    for (const { id } of this.list.sessions) this.paneOf(id);
    if (input.type === "closed" && !this.list.sessions.some(({ id }) => id === input.id)) this.panes.delete(input.id);
    if (this.active !== from) this.ports.onSwitched(from, this.active);
  }
}
