// The agent's side of a terminal session: opens the link, keeps app and link together, starts the agent again when it
// wants that or the person does. Exit code 75 means "start me again"; an agent that says so at once, again and again, is left.

import type { AgentExit } from "../../agents/agent-process.js";
import type { SessionLink } from "../../agents/dialect-link.js";
import { causeLines } from "../../agents/exit-cause.js";
import { RESTART_CODE, RestartBudget } from "../../agents/restart-budget.js";
import type { Ask, AskOutcome } from "../../contract/asks.js";
import { introduction } from "../../contract/introduction.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { responseTo } from "../../session/ask-response.js";
import { SessionEngine } from "../../session/engine/source.js";
import { humanDuration } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import { type DraftKeeper, draftPath, keepDraft } from "./draft-file.js";
import { EventInbox } from "./event-inbox.js";
import { type BranchWatch, watchBranch } from "./git-branch.js";
import { historyPath, openHistory, stateFolder } from "./history-file.js";
import type { AgentSource, RunPorts } from "./run-in-terminal.js";
import type { AppOptions, AppPorts, TerminalApp } from "./terminal-app.js";

type TalkPorts = Pick<RunPorts, "environment" | "folder" | "clock" | "look" | "keymap" | "typingGuardMs">;

/** What a talk needs of an app, be it the screen's or the reader's. */
type TalkApp = Pick<TerminalApp, "setBranch" | "restoreDraft"> & Partial<Pick<TerminalApp, "heard">>;

/** Makes the app; the ports are those that lead to the agent. */
export type MakeApp<App> = (options: AppOptions, agent: Pick<AppPorts, "source" | "restart">) => App;

const STDERR_LINES_SHOWN = 5;
const EARLY_COMMANDS_MAX = 100;

export class AgentConnection<App extends TalkApp> {
  readonly app: App;
  readonly source: SessionEngine;
  private readonly partner: AgentSource;
  private readonly ports: TalkPorts;
  private readonly draft: DraftKeeper;
  private readonly branch: BranchWatch;
  private readonly inbox: EventInbox;
  private link: SessionLink | null = null;
  private readonly early: LinesCommand[] = [];
  private isOpening = false;
  private openedAtMs = 0;
  private readonly restarts = new RestartBudget();
  private turn: "none" | "sent" | "started" = "none";
  private state: "running" | "restarting" | "leaving" = "running";

  constructor(partner: AgentSource, ports: TalkPorts, makeApp: MakeApp<App>) {
    this.partner = partner;
    this.ports = ports;
    this.draft = keepDraft(draftPath(stateFolder(ports.environment), ports.folder), ports.clock);
    this.source = new SessionEngine({
      clock: ports.clock,
      send: (frame) => this.send(frame),
      respond: (ask: Ask, outcome: AskOutcome) => this.send(responseTo(ask, outcome)),
    });
    this.app = makeApp(
      {
        agent: partner.name,
        folder: ports.folder,
        look: ports.look,
        keymap: ports.keymap,
        history: openHistory(historyPath(ports.environment)),
        draft: this.draft,
        typingGuardMs: ports.typingGuardMs,
        shell: ports.environment["SHELL"] || "sh",
      },
      { source: this.source, restart: () => void this.restart() },
    );
    this.inbox = new EventInbox({
      clock: ports.clock,
      hear: (event) => this.hear(event),
      onHeard: () => this.app.heard?.(),
      setFlow: (flow) => this.link?.setFlow(flow),
    });
    this.branch = watchBranch(ports.folder, ports.clock, (branch) => this.app.setBranch(branch));
  }

  /** What was half written when the last run ended all of a sudden stands in the composer again. */
  recoverDraft(): void {
    const text = this.draft.recover();
    if (text !== null) this.app.restoreDraft(text);
  }

  async open(): Promise<void> {
    this.state = "running";
    this.isOpening = true;
    this.turn = "none";
    this.openedAtMs = this.ports.clock.nowMs();
    this.restarts.started(this.openedAtMs);
    this.agentChanged("opened");
    const link = await this.partner.openLink({
      onEvent: (event) => this.inbox.push(event),
      onAskSettled: (askId, outcome) => {
        this.catchUp();
        this.source.take({ type: "settled-elsewhere", askId, outcome });
      },
      nowMs: () => this.ports.clock.nowMs(),
    });
    // The person may have left while the link was being made.
    if (this.isLeaving) {
      await link.stop();
      return;
    }
    this.link = link;
    this.isOpening = false;
    for (const frame of this.early.splice(0)) link.send(frame);
    void link.exited.then((exit) => this.closed(exit));
  }

  /** What the agent has said so far is shown before anything else happens. */
  catchUp(): void {
    this.inbox.drain();
  }

  /** Ends the agent; the app is closed already. */
  async close(): Promise<void> {
    this.state = "leaving";
    await Promise.all([this.link?.stop(), this.draft.end()]);
  }

  private get isLeaving(): boolean {
    return this.state === "leaving";
  }

  // What the person wants before there is a link waits for it.
  private send(frame: LinesCommand): void {
    if (frame.type === "prompt" && this.turn === "none") this.turn = "sent";
    if (this.link !== null) this.link.send(frame);
    else if (this.isOpening && this.early.length < EARLY_COMMANDS_MAX) this.early.push(frame);
  }

  private hear(event: SessionEvent): void {
    // The last words of an agent that is on its way out concern nobody any more.
    if (this.state === "restarting") return;
    if (event.type === "agent.readied") this.link?.send(introduction);
    this.followTurn(event);
    this.source.take({ type: "event", event });
    if (event.type === "agent.readied" || event.type === "prompt.finished") this.branch.refresh();
  }

  private followTurn(event: SessionEvent): void {
    if (event.type === "prompt.started") this.turn = "started";
    else if (event.type === "command.failed" && this.turn === "sent") this.turn = "none";
    else if (event.type === "prompt.finished" && event.isCutOff !== true) this.turn = "none";
  }

  private closed(exit: AgentExit): void {
    this.catchUp();
    this.link = null;
    if (this.state === "leaving") return;
    const wantsAgain = this.state === "restarting" || this.mayStartAgain(exit);
    if (this.state !== "restarting")
      this.agentChanged("closed", wantsAgain ? this.cutOffWords() : this.lastWords(exit));
    if (wantsAgain) void this.open();
  }

  private agentChanged(change: "opened" | "closed", words: readonly string[] = []): void {
    this.source.take({ type: "agent", change, words });
  }

  private mayStartAgain({ code }: AgentExit): boolean {
    return code === RESTART_CODE && this.restarts.mayStartAgain(this.ports.clock.nowMs());
  }

  private cutOffWords(): string[] {
    if (this.turn === "none") return [];
    return [
      `the turn was cut off: ${safeLine(this.partner.name)} ended with code ${RESTART_CODE} and is started again`,
    ];
  }

  private lastWords(exit: AgentExit): string[] {
    const took = humanDuration(this.ports.clock.nowMs() - this.openedAtMs);
    const name = safeLine(this.partner.name);
    const again = exit.code === RESTART_CODE ? ["it asked to be started again too often, and is not running"] : [];
    const head =
      exit.error === null
        ? `${name} ended with code ${exit.code} after ${took}`
        : `${name} could not be started: ${safeLine(exit.error)}`;
    const stderr = causeLines(exit.stderrTail).slice(0, STDERR_LINES_SHOWN);
    return [head, ...again, ...stderr, "/restart starts it again, /quit leaves"];
  }

  private async restart(): Promise<void> {
    this.restarts.forget();
    if (this.link === null) return this.open();
    this.catchUp();
    this.state = "restarting";
    // At once: what is typed from now on is for the next one, and waits for it.
    this.agentChanged("closed");
    this.agentChanged("opened");
    await this.link.stop();
  }
}
