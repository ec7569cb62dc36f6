// The app as spoken lines: it only ever appends lines, one utterance each, and takes lines from a keyboard that is echoed. There
// is no live area at all.
//
//   You: fix the failing test
//   Agent: I'll look at the test first.
//   Tool read test/parser.test.ts, done, 214 lines, 0.1 s.
//   Question: edit src/parser.ts, plus 1, minus 1. 1 allow once. 2 no. Type a number and press Enter.
//   Answer: 1
import type { Change } from "../../session/engine/engine-messages.js";
import type { SessionState } from "../../session/engine/engine-state.js";
import type { SessionFacts } from "../../session/session-facts.js";
import { slashCommands } from "../../session/slash-command.js";
import type { BlockChange, ToolBlock } from "../../session/transcript/block.js";
import type { Size } from "../../terminal/painter/frame.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { toolWords } from "../../terminal/painter/reader/block-speech.js";
import { SpokenTranscript } from "../../terminal/painter/reader/spoken-transcript.js";
import { modeNews, planNews } from "../../terminal/painter/reader/status-speech.js";
import { safeLine } from "../../text/safe.js";
import { App, type AppOptions, type AppPorts, type Renderer } from "../inline/app.js";
import type { Written } from "../inline/composer.js";
import type { Option } from "../inline/slash-runner.js";
import { type Welcome, welcomeLines } from "../inline/welcome.js";
import { OpenList, ReaderActions } from "./reader-actions.js";
import { ReaderAsks } from "./reader-asks.js";
import { readerCommands, readReaderCommand } from "./reader-commands.js";
import { type LinePurpose, ReaderKeys } from "./reader-keys.js";
import { Speech } from "./speech.js";

export interface ReaderOptions extends AppOptions {
  readonly columns: number;
  /** Whether a bell may ring when an answer is needed. */
  readonly bell: "on" | "off";
}

const HELP = /^\s*\/help(?:\s|$)/;

export class SpeechRenderer implements Renderer {
  readonly app: App;
  readonly errorLinesMax = Number.POSITIVE_INFINITY;
  private readonly options: ReaderOptions;
  private readonly ports: AppPorts;
  /** What has happened in a session is said when it is active. */
  private readonly transcripts = new Map<number, SpokenTranscript>();
  private readonly news: SessionNews;
  private readonly speech: Speech;
  readonly asks: ReaderAsks;
  private readonly keys: ReaderKeys;
  private readonly actions: ReaderActions;
  private readonly slowTools: SlowTools;
  private readonly list: OpenList;
  /** The text that is on the terminal already, because it was typed a moment ago. */
  private justTyped: string | null = null;

  constructor(options: ReaderOptions, ports: AppPorts) {
    this.options = options;
    this.ports = ports;
    this.app = new App(options, ports, this);
    this.news = new SessionNews(options.agent);
    this.list = new OpenList({ say: (lines) => this.say(lines), onClosed: () => void this.asks.repeat() });
    this.speech = new Speech({ write: (bytes) => ports.terminal.write(bytes), typed: () => this.keys.editor.shown });
    this.slowTools = new SlowTools(ports.clock, (line) => this.say([line]));
    this.asks = this.createAsks();
    this.keys = this.createKeys();
    this.actions = this.createActions();
  }

  key(sequence: string): void {
    this.keys.key(sequence);
    this.draw();
  }

  resize({ columns }: Size): void {
    this.keys.editor.columns = columns;
  }

  drained(): void {
    this.speech.drained();
    this.draw();
  }

  /** Says what is new; there is nothing to draw again. */
  draw(): void {
    // Beside a question there is only what the user has typed.
    const isFree = this.asks.count === 0 && !this.list.isOpen;
    this.keys.suggest(isFree ? this.app.active.facts.suggestion : null);
    this.speech.say(this.transcript(this.app.active.key).take());
    this.asks.lookAgain();
  }

  /** Nothing here has a look. */
  restyle(): void {}

  /** Another program has the terminal for a while: what comes meanwhile is said when it is ours again. */
  suspend(): void {
    this.speech.pause();
  }

  resume(): void {
    this.speech.goOn();
  }

  /** The end has come in the middle of a sentence: as much of it is said as there is. */
  settleOpen(): void {
    this.ports.source.dispatch({ type: "cut-short" });
    this.say([]);
  }

  close(): void {
    this.app.close();
    this.asks.controller.close();
    this.slowTools.close();
    this.settleOpen();
    this.speech.close();
  }

  get draft(): Written {
    return this.keys.draft;
  }

  set draft({ text, as }: Written) {
    this.keys.setText(text, as);
  }

  insert(text: string): void {
    const { text: before, as } = this.keys.draft;
    this.keys.setText(before + text, as);
  }

  clear(): void {
    this.say(["New page."]);
  }

  remark(text: string): void {
    this.say([`Notice: ${/[?!]$/.test(text) ? text : `${text}.`}`]);
  }

  welcome(welcome: Welcome): void {
    this.say(welcomeLines(welcome));
  }

  choose(title: string, options: readonly Option[], onChosen: (value: string) => void): void {
    this.list.choose(title, options, onChosen);
  }

  search(words: string): void {
    this.actions.search(words);
  }

  blockChanged(session: number, change: BlockChange): void {
    const isEcho = change.type === "closed" && change.block.kind === "prompt" && change.block.text === this.justTyped;
    if (!isEcho) this.transcript(session).follow(change);
    if (session === this.app.active.key) this.slowTools.follow(change);
  }

  switched(from: number): void {
    this.keys.suggest(null);
    this.speech.say(this.transcript(from).take());
    const { active } = this.app;
    const place = this.ports.source.state.sessions.indexOf(active) + 1;
    this.speech.say([`Session ${place}: ${safeLine(active.name || active.id)}.`]);
    this.actions.forgetReading();
  }

  sessionEnded({ session, entry: { name, id } }: Extract<Change, { type: "session.gone" }>): void {
    const lines = this.transcript(session).take();
    if (lines.length > 0) this.speech.say([`Session ${safeLine(name || id)}, which has ended:`, ...lines]);
  }

  drop(session: number): void {
    this.transcripts.delete(session);
    this.news.drop(session);
  }

  followed(changes: readonly Change[]): void {
    this.draw();
    if (!changes.some(({ type }) => type === "facts" || type === "agent")) return;
    for (const sentence of this.news.take(this.app.active)) this.say([sentence]);
  }

  private say(lines: readonly string[]): void {
    this.speech.say(this.transcript(this.app.active.key).take());
    this.speech.say(lines);
  }

  private transcript(session: number): SpokenTranscript {
    const { look } = this.options;
    const transcript =
      this.transcripts.get(session) ??
      new SpokenTranscript({
        outputLinesMax: () => look.outputLinesMax,
        thinking: () => (look.thinking === "shown" ? "shown" : "hidden"),
      });
    this.transcripts.set(session, transcript);
    return transcript;
  }

  private createAsks(): ReaderAsks {
    return new ReaderAsks({
      source: this.ports.source,
      clock: this.ports.clock,
      typingGuardMs: this.options.typingGuardMs,
      say: (lines) => this.say(lines),
      isQuiet: () => this.keys.editor.isEmpty && !this.list.isOpen,
      onAnnounced: () => {
        if (this.options.bell === "on") this.ports.terminal.write("\x07");
      },
    });
  }

  private createKeys(): ReaderKeys {
    const { options, ports } = this;
    return new ReaderKeys({
      keymap: options.keymap,
      history: options.history,
      draft: options.draft,
      columns: options.columns,
      clock: ports.clock,
      speech: this.speech,
      commandNames: () => [
        ...slashCommands.map(({ name }) => name),
        ...this.app.active.facts.commands.map(({ name }) => name),
      ],
      purpose: () => this.purpose(),
      onTyped: (line) => this.asks.typed(line),
      quietMs: options.typingGuardMs,
      onLine: (line, as) => this.submit({ text: line, as }),
      onTaken: () => ports.source.dispatch({ type: "suggestion.take" }),
      onAnswer: (askId, line) => this.answer(askId, line),
      onChoice: (line) => this.list.pick(line),
      cancelInnermost: () => this.cancelInnermost(),
      stopWork: () => this.app.stopWork(),
      interrupt: (clear) => this.app.interrupt(clear, "press control c again to quit"),
      leave: () => ports.leave(),
      edit: (written) => this.edit(written),
      act: (action) => this.actions.act(action),
      say: (line) => this.say([line]),
    });
  }

  private createActions(): ReaderActions {
    return new ReaderActions({
      app: this.app,
      say: (lines) => this.say(lines),
      lastCut: () => this.transcript(this.app.active.key).lastCut,
      questions: () => this.asks.count,
      repeatQuestion: () => this.asks.repeat(),
      edit: () => this.edit({ text: "", as: "typed" }),
    });
  }

  // What a line is for is decided when it is begun, so that a question that comes or goes meanwhile cannot get hold of it.
  private purpose(): LinePurpose {
    if (this.list.isOpen) return { type: "choice" };
    const open = this.asks.answerable;
    if (open === null) return { type: "message" };
    return { type: "answer", askId: open.askId, secret: open.question.secret, takesText: open.question.takesText };
  }

  private submit(written: Written): void {
    const { text } = written;
    const own = written.as === "typed" ? readReaderCommand(text) : null;
    if (own !== null) {
      this.actions.obey(own);
      return;
    }
    const waiting = this.app.active.facts.queue.length;
    this.justTyped = text;
    this.app.submit(written);
    this.justTyped = null;
    const { queue } = this.app.active.facts;
    if (queue.length > waiting) this.remark(`the agent is busy; ${queue.length} queued`);
    if (written.as === "typed" && HELP.test(text))
      this.say(readerCommands.map(({ name, summary }) => `/${name}  ${summary}`));
  }

  private answer(askId: string, line: string): void {
    const open = this.asks.answerable;
    if (open?.askId !== askId) {
      this.say(["Notice: that question has ended; what you typed was not sent."]);
      return;
    }
    this.asks.controller.key(line);
  }

  private cancelInnermost(): boolean {
    if (this.list.isOpen) this.list.pick("");
    else if (this.asks.isOpen) this.asks.controller.cancel();
    else return false;
    return true;
  }

  private edit({ text, as }: Written): void {
    void this.app.edit(text, (edited) => this.keys.setText(edited ?? text, as));
  }
}

// Speaks what the screen shows with the spinner, the mode and the plan: one sentence for each change.

interface Told {
  readonly plan: string;
  readonly mode: string;
  readonly stop: string;
  readonly phase: SessionFacts["phase"];
}

class SessionNews {
  private readonly agent: string;
  private readonly told = new Map<number, Told>();

  constructor(agent: string) {
    this.agent = agent;
  }

  /** The sentences since it was asked last. */
  take({ key, facts }: SessionState): string[] {
    const { phase } = facts;
    const plan = planNews(facts.plan);
    const mode = modeNews(facts);
    const stop = facts.stoppingSinceMs === null ? "" : "Stopping. If it does not stop, /restart ends it.";
    const before = this.told.get(key);
    this.told.set(key, { phase, plan, mode, stop });
    const news = [
      ...(plan !== "" && plan !== before?.plan ? [plan] : []),
      ...(mode !== "" && mode !== before?.mode ? [mode] : []),
      ...(stop !== "" && stop !== before?.stop ? [stop] : []),
    ];
    return phase === before?.phase ? news : [...news, ...this.phaseNews(phase, before?.phase)];
  }

  /** The session is over. */
  drop(session: number): void {
    this.told.delete(session);
  }

  private phaseNews(phase: SessionFacts["phase"], before: SessionFacts["phase"] | undefined): string[] {
    if (phase === "starting") return [`Starting ${safeLine(this.agent)}.`];
    if (phase !== "idle" || before === undefined) return [];
    return [before === "starting" ? "Ready. Type a message and press Enter; /help lists the commands." : "Done."];
  }
}

const SLOW_MS = 5_000;

/** Says that a tool is still at work when it takes long: silence does not tell waiting from a program that hangs. */
class SlowTools {
  private readonly clock: ScreenClock;
  private readonly say: (line: string) => void;
  private readonly waiting = new Map<string, () => void>();

  constructor(clock: ScreenClock, say: (line: string) => void) {
    this.clock = clock;
    this.say = say;
  }

  follow(change: BlockChange): void {
    if (change.type === "grew" || change.block.kind !== "tool") return;
    if (change.type === "closed") this.forget(change.block.id);
    else if (change.block.phase === "running" && !this.waiting.has(change.block.id)) this.watch(change.block);
  }

  close(): void {
    for (const id of [...this.waiting.keys()]) this.forget(id);
  }

  private watch(tool: ToolBlock): void {
    this.waiting.set(
      tool.id,
      this.clock.after(SLOW_MS, () => this.say(`Tool ${toolWords(tool)}, still running.`)),
    );
  }

  private forget(id: string): void {
    this.waiting.get(id)?.();
    this.waiting.delete(id);
  }
}
