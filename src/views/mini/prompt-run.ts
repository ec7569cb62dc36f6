// One prompt to one agent, from its start to its end, as a view on the source of a connection: what the agent says goes to
// standard output as it comes, everything else aside. It keeps the time; it knows neither terminals nor processes.
//
//   starting ──agent.readied──► asked ──prompt.started──► working ──prompt.finished──► ended
//                                  any of them ──failure, time, Ctrl+C, an ask without answer──► ended
import type { Ask, AskOutcome } from "../../contract/asks.js";
import type { Usage } from "../../contract/messages.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { answerCommandWords, isApproval } from "../../session/ask-facts.js";
import type { Change } from "../../session/engine/engine-messages.js";
import {
  cliMode,
  type Piece,
  type PromptModeInput,
  type PromptModeState,
  reducePromptMode,
} from "../../session/prompt-mode.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { safeLine } from "../../text/safe.js";
import { AnswerText } from "./answer-text.js";
import { asideLines } from "./aside-lines.js";
import { AskDecider } from "./ask-decider.js";
import { type AskRecord, outcomeLine, recordOf, unansweredRecord, uncoveredWords } from "./ask-record.js";
import type { AskManner } from "./ask-view.js";
import { jsonAnswer } from "./json-answer.js";
import { jsonLine } from "./json-line.js";
import type {
  AgentEnd,
  PromptConnection,
  PromptEnd,
  PromptOptions,
  PromptPorts,
  PromptResult,
} from "./prompt-options.js";

/** An agent may refuse something else that we said before the prompt; if it was the prompt, nothing follows. */
const REFUSAL_GRACE_MS = 3_000;
/** How long an interrupted agent may take to end its turn. */
const INTERRUPT_GRACE_MS = 10_000;
/** How many pieces of messages are kept until it is known whether they belong to this turn. */
const EARLY_EVENTS_MAX = 10_000;
/** Of how many running tools the arguments are kept. */
const TOOLS_MAX = 1_000;
const STARTED_OVER = "the agent sent its greeting again in the middle of the turn, so the prompt is lost";
const ENDED_WITHOUT_START = "the agent ended the turn without starting it or answering";

export class PromptRun {
  private readonly options: PromptOptions;
  private readonly ports: PromptPorts;
  private readonly connection: PromptConnection;
  private readonly decider: AskDecider;
  private readonly answer = new AnswerText();
  private readonly records: AskRecord[] = [];
  /** Tool calls that are nothing but an ask: its outcome is told, and that is all there is to tell. */
  private readonly askingCalls = new Set<string>();
  /** What running tools work on. */
  private readonly toolArgs = new Map<string, unknown>();
  private readonly ended: Promise<PromptResult>;
  private tellEnd: (result: PromptResult) => void = () => undefined;
  private agent: "takes prompts" | "works by itself" = "takes prompts";
  /** With which code a program that works by itself ended, if it failed. */
  programCode: number | null = null;
  private phase: "starting" | "asked" | "working" | "ending" | "ended" = "starting";
  private mode: PromptModeState = cliMode;
  private isInterrupted = false;
  private failure: string | null = null;
  private sessionId: string | null = null;
  private usage: Usage | null = null;
  private turns = 0;
  private readonly silence: SilenceWatch;
  /** What was said after the prompt was sent and before its turn started: earlier messages, or an answer without a start. */
  private early: SessionEvent[] = [];
  private cancelLimits: (() => void)[] = [];
  /** The last ask that was left elsewhere, and its id there. */
  private left: { askId: string; id: string } | null = null;

  constructor(options: PromptOptions, ports: PromptPorts) {
    this.options = options;
    this.ports = ports;
    this.ended = new Promise((resolve) => {
      this.tellEnd = resolve;
    });
    this.connection = ports.connect({
      onEvent: (event) => this.hear(event),
      onEnded: (end) => this.agentEnded(end),
    });
    const { source } = this.connection;
    this.decider = new AskDecider(options, {
      source,
      onOpening: (manner) => this.dialogOpened(manner),
      onClosed: () => this.followDialog("closed"),
      onSettled: (ask, outcome, how) => this.record(ask, outcome, how),
      onUnanswered: (ask, why) => this.unanswered(ask, why),
      onLeft: (ask, id) => this.leftElsewhere(ask, id),
      onWarning: (words) => this.aside(`▲ ${safeLine(words)}`),
    });
    source.subscribe((changes) => {
      for (const change of changes) this.follow(change);
    });
    this.silence = new SilenceWatch({
      clock: ports.clock,
      idleTimeoutMs: options.idleTimeoutMs,
      isAskOpen: () => source.state.asks.open.length > 0,
      turn: () => (this.phase === "asked" ? "not begun" : this.phase === "working" ? "open" : "over"),
      onTimeout: (words) => void this.end("timed-out", words),
      onFailure: (words) => void this.end("failed", words),
      onMention: (words) => {
        if (options.notes === "all") this.aside(`▲ ${words}`);
      },
    });
  }

  start(): Promise<PromptResult> {
    const { clock } = this.ports;
    const { timeoutMs } = this.options;
    this.silence.signOfLife();
    if (timeoutMs !== null) {
      const seconds = timeoutMs / 1000;
      this.cancelLimits.push(clock.after(timeoutMs, () => void this.end("timed-out", `not done after ${seconds} s`)));
    }
    return this.connection.open().then(() => this.ended);
  }

  /** Ctrl+C: the agent is asked to stop, and ended after this time. "again" when it was asked before. */
  interrupt(graceMs: number = INTERRUPT_GRACE_MS): "first" | "again" {
    if (this.isInterrupted || this.isOver) return "again";
    this.isInterrupted = true;
    this.connection.source.take({ type: "withdraw", reason: "turn_ended" });
    if (this.phase !== "working" && this.phase !== "asked") void this.end("interrupted");
    else {
      this.connection.source.dispatch({ type: "abort" });
      this.cancelLimits.push(this.ports.clock.after(graceMs, () => void this.end("interrupted")));
    }
    return "first";
  }

  // Below the agent's words an ask begins on a line of its own.
  private dialogOpened(manner: AskManner): void {
    if (manner === "spoken" && this.options.outputs !== "apart") this.speak(this.answer.breakLine());
    this.followDialog("opened");
  }

  private followDialog(change: "opened" | "closed"): void {
    this.feedMode({ type: `dialog.${change}` });
    this.silence.signOfLife();
  }

  private aside(line: string): void {
    this.printAside(`${line}\n`);
  }

  // On one terminal for both, a line of ours does not begin in the middle of the agent's.
  private printAside(text: string): void {
    const lineEnd = this.options.outputs === "one-terminal" ? this.answer.breakLine() : "";
    this.print({ stream: "err", text: lineEnd + text });
  }

  private get isOver(): boolean {
    return this.phase === "ending" || this.phase === "ended";
  }

  private follow(change: Change): void {
    if (this.phase === "ended" || (this.isOver && change.type !== "ask.settled")) return;
    if (change.type === "notice") {
      const { level, text: message } = change.notice;
      this.hearAside({ type: "notice.shown", sessionId: null, level, message });
    }
    if (change.type === "ask.raised" || change.type === "notice") this.silence.signOfLife();
    this.decider.follow(change);
  }

  private hear(event: SessionEvent): void {
    // What an agent says while it is being stopped is not part of the answer.
    if (this.isOver) return;
    this.silence.hear(event, this.phase === "working" ? "working" : "not yet working");
    if (event.sessionId !== null) this.sessionId ??= event.sessionId;
    if (this.options.output === "stream-json") this.print({ stream: "out", text: jsonLine(event) });
    // An agent that resumes a session repeats it first; only what follows the start of the turn is the answer.
    if (this.phase === "working") this.speak(this.answer.take(event));
    else if (this.phase === "asked" && event.type.startsWith("message.")) this.keepEarly(event);
    // Notices come from tools as well, so that they are told when they are in the state.
    if (event.type !== "notice.shown") this.hearAside(event);
    this.heard(event);
  }

  private hearAside(event: SessionEvent): void {
    if (event.type === "tool.finished" && this.askingCalls.delete(event.toolCallId) && !event.isError) return;
    if (event.type === "tool.started" && this.toolArgs.size < TOOLS_MAX) {
      this.toolArgs.set(event.toolCallId, event.args);
    }
    const args = event.type === "tool.finished" ? this.toolArgs.get(event.toolCallId) : null;
    if (event.type === "tool.finished") this.toolArgs.delete(event.toolCallId);
    for (const line of asideLines(event, this.options.notes, args)) this.aside(line);
  }

  private heard(event: SessionEvent): void {
    switch (event.type) {
      case "agent.readied":
        if (this.phase === "starting")
          this.prompt(event.protocolVersion === "rpc" ? "works by itself" : "takes prompts");
        else this.startedOver();
        return;
      case "prompt.started":
        this.early = [];
        this.works();
        return;
      case "turn.started":
        this.countTurn();
        return;
      case "agent.failed":
        this.failure = event.message;
        return;
      case "command.failed":
        this.refused(event.message);
        return;
      case "ask.raised":
        this.works();
        this.rememberCall(event.ask);
        return;
      case "prompt.finished":
        // An agent that ended instead is told of with its exit, which follows.
        if (event.isCutOff !== true) this.finished(event.usage ?? null);
        return;
      default:
        return;
    }
  }

  private rememberCall(ask: Ask): void {
    const { question } = ask;
    const call = question.kind === "permission" || isApproval(ask) ? undefined : question.params.opts?.tool_call_id;
    if (call !== undefined) this.askingCalls.add(call);
  }

  // Whatever it did before, it has forgotten the prompt, unless it was only late with a second greeting.
  private startedOver(): void {
    if (this.phase === "working") void this.end("failed", STARTED_OVER);
    else this.refused(STARTED_OVER);
  }

  private prompt(agent: "takes prompts" | "works by itself"): void {
    this.phase = "asked";
    this.agent = agent;
    const { text } = this.options;
    if (agent === "works by itself") {
      if (text !== "")
        this.aside("▲ the message was not sent: this program takes none, it works by itself and only asks");
    } else this.connection.source.dispatch({ type: "submit", text });
  }

  private works(): void {
    if (this.phase !== "asked") return;
    this.phase = "working";
    for (const event of this.early.splice(0)) this.speak(this.answer.take(event));
  }

  private keepEarly(event: SessionEvent): void {
    this.early.push(event);
    if (this.early.length > EARLY_EVENTS_MAX) this.early.shift();
  }

  private refused(message: string): void {
    if (this.phase !== "asked") return;
    const look = () => {
      if (this.phase === "asked") void this.end("failed", message);
    };
    this.cancelLimits.push(this.ports.clock.after(REFUSAL_GRACE_MS, look));
  }

  private countTurn(): void {
    const { turnsMax } = this.options;
    this.turns += 1;
    if (turnsMax !== null && this.turns > turnsMax) void this.end("failed", `stopped after ${turnsMax} turns`);
  }

  private finished(usage: Usage | null): void {
    if (this.phase !== "working" && this.phase !== "asked") return;
    const hasStarted = this.phase === "working";
    // An answer whose start was not announced is an answer all the same.
    this.works();
    this.usage = usage;
    if (this.isInterrupted) void this.end("interrupted");
    else if (this.failure !== null) void this.end("failed", this.failure);
    else if (!hasStarted && this.answer.answer === "") void this.end("failed", ENDED_WITHOUT_START);
    else void this.end("done");
  }

  private record(ask: Ask, outcome: AskOutcome, how: "person" | "beforehand" | "alone"): void {
    const record = recordOf(ask, outcome, how === "alone" ? "alone" : "person");
    this.keep(record);
    const inWords = how === "person" && this.options.records === "words";
    if (!inWords) this.printAside(jsonLine(record));
    else if (outcome.kind !== "withdrawn") this.aside(outcomeLine(ask, outcome));
    this.silence.signOfLife();
  }

  private keep(record: AskRecord): void {
    this.records.push(record);
    if (this.options.output !== "stream-json") return;
    this.print({ stream: "out", text: jsonLine({ type: "ask.settled", ...record }) });
  }

  private leftElsewhere(ask: Ask, id: string): void {
    this.left = { askId: ask.id, id };
    if (this.sessionId !== null) this.ports.savePaused(ask, this.sessionId, id);
    if (this.options.notes === "few") return;
    this.aside(
      `? ${safeLine(ask.question.params.title)}  waits at the daemon: ${answerCommandWords(ask, safeLine(id))}`,
    );
  }

  private unanswered(ask: Ask, why: string): void {
    const waitsAs = this.left?.askId === ask.id ? this.left.id : null;
    const resume = this.sessionId === null ? null : this.ports.savePaused(ask, this.sessionId, waitsAs);
    const record = unansweredRecord(ask, { why, resume });
    this.keep(record);
    this.printAside(jsonLine(record));
    const uncovered = uncoveredWords(ask, this.options.beforehand.tools);
    void this.end("answer-needed", `an answer was needed: ${ask.question.params.title}${uncovered}`);
  }

  private agentEnded({ error, code, cause: line }: AgentEnd): void {
    if (this.isOver) return;
    if (this.agent === "works by itself") this.programCode = code;
    const cause = safeLine(line);
    const said = cause === "" ? "" : `: ${cause}`;
    const start = `the agent could not be started: ${safeLine(error ?? "")}${cause === "" ? "" : `; its stderr says${said}`}`;
    const words = error === null ? `the agent ended with code ${code}${said}` : start;
    void this.end(this.isInterrupted ? "interrupted" : "failed", this.failure ?? words);
  }

  private async end(end: PromptEnd, error: string | null = null): Promise<void> {
    if (this.isOver) return;
    this.phase = "ending";
    this.silence.stop();
    for (const cancel of this.cancelLimits) cancel();
    const stopped = this.connection.end("shutdown");
    await this.decider.close();
    this.phase = "ended";
    this.speak(this.answer.close());
    const result = this.result(end, error);
    this.report(result);
    await stopped;
    this.tellEnd(result);
  }

  private result(end: PromptEnd, error: string | null): PromptResult {
    const { answer: text } = this.answer;
    const about = { text, sessionId: this.sessionId, usage: this.usage, asks: this.records };
    const { schema } = this.options;
    if (end !== "done" || schema === null) return { ...about, end, error };
    const judged = jsonAnswer(text, schema);
    if (judged.ok) return { ...about, end, error, value: judged.value };
    return { ...about, end: "failed", error: judged.problem };
  }

  private report(result: PromptResult): void {
    const { output, schema } = this.options;
    if (result.error !== null && result.error !== this.failure) this.aside(`✕ ${safeLine(result.error)}`);
    if (output !== "text") this.print({ stream: "out", text: jsonLine({ type: "result", ...result }) });
    else if (schema !== null && result.end === "done") {
      this.print({ stream: "out", text: jsonLine(result.value) });
    }
  }

  private speak(text: string): void {
    const isStreamed = this.options.output === "text" && this.options.schema === null;
    if (text !== "" && isStreamed) this.print({ stream: "out", text });
  }

  private print(piece: Piece): void {
    this.feedMode({ type: "print", piece });
  }

  private feedMode(input: PromptModeInput): void {
    const { state, effects } = reducePromptMode(this.mode, input);
    this.mode = state;
    for (const effect of effects) {
      if (effect.type === "write") for (const piece of effect.pieces) this.ports.write(piece);
      else if (effect.type === "mode-changed") this.ports.onMode?.(effect.mode);
      else this.connection.setFlow(effect.type === "pause-agent" ? "paused" : "flowing");
    }
  }
}

// Limits how long the agent of one prompt may be silent: the idle timeout that the user set, 30 s after an invalid frame, and
// otherwise no limit, because a slow model is not an error. After 30 s of silence the user is told once.

/** A refused frame may have been the end of the turn: an agent that says nothing readable for so long after one has failed. */
const SILENCE_AFTER_FAULT_MS = 30_000;
/** After this a silent agent is mentioned. */
const SILENCE_MENTIONED_MS = 30_000;

interface SilencePorts {
  readonly clock: ScreenClock;
  /** The longest time without any sign of life; null for no limit. */
  readonly idleTimeoutMs: number | null;
  /** While the user thinks, the agent may be silent for as long as it takes. */
  isAskOpen(): boolean;
  /** Of the prompt that was sent. */
  turn(): "not begun" | "open" | "over";
  onTimeout(words: string): void;
  onFailure(words: string): void;
  onMention(words: string): void;
}

class SilenceWatch {
  private readonly ports: SilencePorts;
  private cancelSilence: () => void = () => undefined;
  private cancelFaultWait: (() => void) | null = null;
  private isMentioned = false;
  private isStopped = false;

  constructor(ports: SilencePorts) {
    this.ports = ports;
  }

  /** Something happened, on the agent's side or the user's. */
  signOfLife(): void {
    this.cancelSilence();
    const { clock, idleTimeoutMs, isAskOpen, onTimeout } = this.ports;
    if (this.isStopped || isAskOpen()) return;
    this.cancelSilence =
      idleTimeoutMs === null
        ? clock.after(SILENCE_MENTIONED_MS, () => this.mention())
        : clock.after(idleTimeoutMs, () => onTimeout(`silent for ${idleTimeoutMs / 1000} s`));
  }

  // The time runs from the first refused frame: more of them are no progress, anything readable is. A frame of unknown type
  // costs nothing once the agent works: newer agents send such frames, and then think for as long as they like.
  hear(event: SessionEvent, agent: "not yet working" | "working"): void {
    // A working message may be about the silence itself.
    if (event.type !== "working.changed") this.signOfLife();
    if (event.type !== "fault.reported") {
      this.cancelFaultWait?.();
      this.cancelFaultWait = null;
    } else if (this.cancelFaultWait === null && (event.fault.name !== "unknownType" || agent === "not yet working")) {
      this.waitAfterFault(event.fault.message);
    }
  }

  stop(): void {
    this.isStopped = true;
    this.cancelSilence();
    this.cancelFaultWait?.();
  }

  private waitAfterFault(fault: string): void {
    const words = `the agent sent nothing readable for ${SILENCE_AFTER_FAULT_MS / 1000} s after a refused frame: ${fault}`;
    this.cancelFaultWait = this.ports.clock.after(SILENCE_AFTER_FAULT_MS, () => {
      if (this.ports.isAskOpen()) this.waitAfterFault(fault);
      else if (this.ports.turn() !== "over") this.ports.onFailure(words);
    });
  }

  private mention(): void {
    const turn = this.ports.turn();
    if (this.isMentioned || turn === "over" || this.cancelFaultWait !== null) return;
    this.isMentioned = true;
    const what =
      turn === "open" ? "has not ended its turn" : "has not begun its turn; does it read its standard input?";
    const end = `${turn === "open" ? ";" : ""} --idle-timeout SECONDS ends a silent agent`;
    this.ports.onMention(`the agent has been silent for ${SILENCE_MENTIONED_MS / 1000} s and ${what}${end}`);
  }
}
