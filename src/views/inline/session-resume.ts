// `/resume`: lists the saved sessions of all agents and resumes one in place. They come from files on this machine or from the
// agent. An agent that cannot change its session is restarted on the chosen one; for another agent the UI opens again.
import { namedSession } from "../../contract/named-session.js";
import { plainWord } from "../../contract/plain-word.js";
import { type CommandReply, savedSessions } from "../../session/answer-words.js";
import { activeSession, type SessionState } from "../../session/engine/engine-state.js";
import type { Source } from "../../session/engine/source.js";
import {
  hereFirst,
  newestFirst,
  type SavedSession,
  type SavedSessions,
  sessionDetail,
} from "../../session/saved-session.js";
import { safeLine } from "../../text/safe.js";
import { shortenEnd } from "../../text/shorten.js";
import type { SlashHost } from "./slash-runner.js";

type ResumeHost = Pick<
  SlashHost,
  "agent" | "choose" | "remark" | "restart" | "leave" | "draw" | "wallMs" | "folder" | "home"
> & {
  readonly saved?: SavedSessions | undefined;
};

/** A longer title would wrap in most windows. */
const TITLE_CELLS_MAX = 48;

export class SessionResume {
  private readonly source: Source;
  private readonly host: ResumeHost;
  private readonly start: (ref: string) => void;
  private isAsked = false;
  private others: readonly SavedSession[] = [];
  /** An empty session, which the resumed one takes the place of. */
  private replaced: string | null = null;

  /** `start` tells the agent to open a session. */
  constructor(source: Source, host: ResumeHost, start: (ref: string) => void) {
    this.source = source;
    this.host = host;
    this.start = start;
  }

  /** `name` is an id or the beginning of one; without it the user chooses. */
  resume(name: string): void {
    const { saved } = this.host;
    if (saved === undefined) {
      this.askAgent(name);
      return;
    }
    void Promise.all([saved.list(), saved.others()]).then(([sessions, others]) => {
      this.others = others;
      if (sessions === null) this.askAgent(name);
      else this.offer(sessions, name);
      this.host.draw();
    });
  }

  /** The agent's list has come; false when it was not asked for. */
  listed(answer: CommandReply): boolean {
    if (!this.isAsked) return false;
    this.isAsked = false;
    const told = savedSessions(answer, this.host.agent);
    this.choose(told, plainWord(answer["error"] ?? ""));
    return true;
  }

  /** Another session is open now. */
  sessionStarted(id: string): void {
    const { replaced } = this;
    this.replaced = null;
    if (replaced !== null && replaced !== id) this.source.dispatch({ type: "close", id: replaced });
  }

  private askAgent(name: string): void {
    if (activeSession(this.source.state).facts.phase === "starting") {
      this.host.remark("the agent is still starting");
    } else if (name !== "") this.offer([], name);
    else {
      this.isAsked = true;
      this.source.dispatch({ type: "command", command: { type: "list_sessions" } });
    }
  }

  private offer(sessions: readonly SavedSession[], name: string): void {
    if (name === "") {
      this.choose(sessions);
      return;
    }
    const chosen = namedSession([...sessions, ...this.others], name);
    if ("session" in chosen) this.open(chosen.session);
    else if (chosen.problem !== null) this.host.remark(chosen.problem);
    else this.tellAgent(name);
  }

  /** `problem`: why there are none. */
  private choose(sessions: readonly SavedSession[], problem = ""): void {
    const { folder, home = "" } = this.host;
    const nowMs = this.host.wallMs();
    const open = new Set(this.source.state.sessions.map(({ id }) => id));
    const all = newestFirst([...sessions, ...this.others]);
    const ordered = hereFirst(all, folder).filter(({ id }) => !open.has(id));
    if (ordered.length === 0) {
      this.host.remark(problem || `there are no ${sessions.length > 0 ? "other " : ""}saved sessions`);
      return;
    }
    const agentCells = this.others.length === 0 ? 0 : Math.max(...ordered.map(({ agent }) => agent.length)) + 2;
    const options = ordered.map((session, at) => ({
      label: shortenEnd(safeLine(session.title || session.id), TITLE_CELLS_MAX),
      detail: session.agent.padEnd(agentCells).slice(0, agentCells) + sessionDetail(session, { nowMs, folder, home }),
      value: String(at),
    }));
    this.host.choose("Resume which session?", options, (at) => {
      const session = ordered[Number(at)];
      if (session !== undefined) this.open(session);
    });
  }

  private open(session: SavedSession): void {
    if (session.id === this.source.state.active) {
      this.host.remark("this session is already open");
      return;
    }
    void Promise.resolve(this.host.saved?.problemWith(session)).then((problem = null) => {
      if (problem === null) this.openNow(session);
      else this.host.remark(problem);
      this.host.draw();
    });
  }

  private openNow(session: SavedSession): void {
    const { saved, remark } = this.host;
    const { state } = this.source;
    const way = saved?.howToOpen(session) ?? "told";
    const isWorking = ({ facts }: SessionState) => facts.phase === "working";
    if (way === "told") this.tellAgent(session.ref);
    else if (way === "restart" ? isWorking(activeSession(state)) : state.sessions.some(isWorking)) {
      remark("stop the agent first: esc");
    } else this.startOn(session, way);
  }

  private startOn(session: SavedSession, way: "restart" | "reopen"): void {
    this.host.saved?.startNextOn(session);
    if (way === "reopen") {
      this.host.leave();
      return;
    }
    if (this.isSpoken()) this.source.dispatch({ type: "notice", level: "info", text: `resumed: ${session.title}` });
    this.source.dispatch({ type: "resume", title: session.title });
    this.host.restart();
  }

  private tellAgent(ref: string): void {
    this.replaced = this.isSpoken() ? null : this.source.state.active;
    this.start(ref);
  }

  /** Whether something was said in the active session. */
  private isSpoken(): boolean {
    return activeSession(this.source.state).journal.blocks.some(({ kind }) => kind === "prompt");
  }
}
