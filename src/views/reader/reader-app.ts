// The terminal UI for somebody who listens: it only ever appends lines, one utterance each, and takes lines from a keyboard
// that is echoed. It has the same conversation, commands, sessions and questions as the screen, and no live area at all.
//
//   You: fix the failing test
//   Agent: I'll look at the test first.
//   Tool read test/parser.test.ts, done, 214 lines, 0.1 s.
//   Question: edit src/parser.ts, plus 1, minus 1. 1 allow once. 2 no. Type a number and press Enter.
//   Answer: 1
import type { AskOutcome } from "../../contract/asks.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { responseTo } from "../../session/ask-response.js";
import { outcomeWords } from "../../session/outcome-words.js";
import { readSlash, slashCommands } from "../../session/slash-command.js";
import type { Size } from "../../terminal/painter/frame.js";
import { safeLine } from "../../text/safe.js";
import { Conversation } from "../inline/conversation.js";
import { keyWords } from "../inline/key-actions.js";
import type { SessionState } from "../inline/session-state.js";
import { SlashRunner } from "../inline/slash-runner.js";
import type { AppOptions, AppPorts } from "../inline/terminal-app.js";
import { OpenList } from "./open-list.js";
import { ReaderActions } from "./reader-actions.js";
import { ReaderAsks } from "./reader-asks.js";
import { readerCommands, readReaderCommand } from "./reader-commands.js";
import { type LinePurpose, ReaderKeys } from "./reader-keys.js";
import { SessionNews } from "./session-news.js";
import { ShellCommands } from "./shell-commands.js";
import { SlowTools } from "./slow-tools.js";
import { Speech } from "./speech.js";
import { SpokenSessions } from "./spoken-sessions.js";

export type ReaderPorts = Omit<AppPorts, "face" | "attention">;

export interface ReaderOptions extends AppOptions {
  readonly columns: number;
  /** Whether the terminal has a clipboard that can be reached, and a bell that may ring when an answer is needed. */
  readonly clipboard: "osc52" | "none";
  readonly bell: "on" | "off";
}

export class ReaderApp {
  readonly talk: Conversation;
  private readonly options: ReaderOptions;
  private readonly ports: ReaderPorts;
  private readonly transcripts: SpokenSessions;
  private readonly news: SessionNews;
  private readonly speech: Speech;
  private readonly asks: ReaderAsks;
  private readonly slash: SlashRunner;
  private readonly keys: ReaderKeys;
  private readonly deeds: ReaderActions;
  private readonly shell: ShellCommands;
  private readonly slowTools: SlowTools;
  private readonly list: OpenList;
  /** What stands there already because it was typed a moment ago. */
  private justTyped: string | null = null;
  private branch: string | null = null;

  constructor(options: ReaderOptions, ports: ReaderPorts) {
    this.options = options;
    this.ports = ports;
    this.transcripts = new SpokenSessions(options.look);
    this.news = new SessionNews(options.agent);
    this.list = new OpenList({ say: (lines) => this.say(lines), onClosed: () => void this.asks.repeat() });
    this.speech = new Speech({ write: (bytes) => ports.terminal.write(bytes), typed: () => this.keys.editor.shown });
    this.talk = new Conversation({
      nowMs: () => this.now,
      send: (command) => ports.send(command),
      onBlock: (pane, change) => {
        const isEcho =
          change.type === "closed" && change.block.kind === "prompt" && change.block.text === this.justTyped;
        if (!isEcho) this.transcripts.of(pane).follow(change);
        if (pane === this.talk.active) this.slowTools.follow(change);
      },
      onSwitched: (from, to) => this.switched(from, to),
      onGone: (pane, id) => this.sayUnheard(pane, id),
      setComposer: (text) => this.keys.setText(text),
    });
    this.slowTools = new SlowTools(ports.clock, (line) => this.say([line]));
    this.shell = new ShellCommands({
      shell: options.shell,
      folder: options.folder,
      record: (event) => {
        this.talk.record(event);
        this.draw();
      },
    });
    this.asks = this.createAsks();
    this.slash = this.createSlash();
    this.keys = this.createKeys();
    this.deeds = this.createDeeds();
  }

  hear(event: SessionEvent): void {
    if (event.type === "ask.raised") this.asks.desk.ask(event.ask);
    else if (event.type === "ask.withdrawn") {
      this.asks.desk.withdraw({ type: "withdraw", askId: event.askId, reason: event.reason, atMs: this.now });
    } else if (event.type === "prompt.finished") this.withdrawAll(event.sessionId, "turn_ended");
    else if (event.type === "session.closed") this.withdrawAll(event.sessionId, "session_closed");
    this.talk.hear(event);
    if (event.type === "command.answered") this.slash.answered(event.command, event.answer);
    if (event.type === "session.started" && event.sessionId !== null) this.slash.sessionStarted(event.sessionId);
    this.draw();
    this.tellNews();
  }

  /** Somebody else has answered. */
  askSettled(askId: string, outcome: AskOutcome): void {
    this.asks.desk.settledElsewhere(askId, outcome);
    this.draw();
  }

  /** Said when it is asked for. */
  setBranch(branch: string | null): void {
    this.branch = branch;
  }

  linkChanged(change: "opened" | "closed", words: readonly string[]): void {
    if (change === "closed") {
      this.asks.desk.withdraw({ type: "withdraw-all", of: "everyone", reason: "disconnected", atMs: this.now });
    }
    this.talk.linkChanged(change);
    if (words.length > 0) this.talk.say(change === "closed" ? "error" : "info", words.join("\n"));
    this.draw();
    this.tellNews();
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
    this.speech.say(this.transcripts.of(this.talk.active).take());
    this.asks.lookAgain();
  }

  restoreDraft(text: string): void {
    this.say(["Notice: the message you had not sent is back."]);
    if (this.keys.editor.isEmpty) this.keys.setText(text);
  }

  /** Nothing here has a look. */
  restyle(): void {}

  /** Somebody else has the terminal for a while: what comes meanwhile is said when it is ours again. */
  pause(): void {
    this.speech.pause();
  }

  goOn(): void {
    this.speech.goOn();
  }

  /** The end has come in the middle of a sentence: as much of it is said as there is. */
  sayOpen(): void {
    this.talk.cutShort();
    this.say([]);
  }

  close(): void {
    this.asks.desk.close();
    this.slowTools.close();
    this.shell.stop();
    void this.options.draft.end();
    this.sayOpen();
    this.speech.close();
  }

  private get now(): number {
    return this.ports.clock.nowMs();
  }

  private say(lines: readonly string[]): void {
    this.speech.say(this.transcripts.of(this.talk.active).take());
    this.speech.say(lines);
  }

  private createAsks(): ReaderAsks {
    return new ReaderAsks({
      clock: this.ports.clock,
      typingGuardMs: this.options.typingGuardMs,
      say: (lines) => this.say(lines),
      tellAgent: (ask, outcome) => this.ports.send(responseTo(ask, outcome)),
      onClosed: (ask, outcome) =>
        this.talk.record(
          { type: "ask.settled", title: ask.question.params.title, outcome: outcomeWords(ask, outcome) },
          this.talk.list.sessions.some(({ id }) => id === ask.sessionId) ? (ask.sessionId ?? "") : undefined,
        ),
      isQuiet: () => this.keys.editor.isEmpty && !this.list.isOpen,
      elsewhere: ({ sessionId }) => {
        const session = this.talk.list.sessions.find(({ id }) => id === sessionId);
        return session === undefined || session.id === this.talk.list.active ? null : session.name || session.id;
      },
      onAnnounced: () => {
        if (this.options.bell === "on") this.ports.terminal.write("\x07");
      },
    });
  }

  private createSlash(): SlashRunner {
    const { ports } = this;
    return new SlashRunner(this.talk, {
      send: (command) => ports.send(command),
      leave: () => ports.leave(),
      restart: () => ports.restart(),
      clear: () => this.say(["New page."]),
      nowMs: () => this.now,
      draw: () => this.draw(),
      choose: (title, options, onChosen) => this.list.choose(title, options, onChosen),
      openViewer: (search) => this.deeds.search(search),
      copy: (text) => this.deeds.copy(text),
      exportTranscript: (journal, format, path) => ports.exportTranscript(journal, format, path),
      settings: () => ports.settings(),
      change: (key, value) => ports.change(key, value),
      keyWords: () => keyWords(this.options.keymap),
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
        ...this.talk.active.front.commands.map(({ name }) => name),
      ],
      purpose: () => this.purpose(),
      onTyped: (line) => this.asks.typed(line),
      onLine: (line) => this.submit(line),
      onAnswer: (askId, line) => this.answer(askId, line),
      onChoice: (line) => this.list.pick(line),
      cancelInnermost: () => this.cancelInnermost(),
      stopWork: () => this.stopWork(),
      leave: () => ports.leave(),
      edit: (text) => void this.edit(text),
      act: (action) => this.deeds.act(action),
      say: (line) => this.say([line]),
    });
  }

  private createDeeds(): ReaderActions {
    const { options, ports } = this;
    return new ReaderActions({
      talk: this.talk,
      keys: this.keys,
      slash: this.slash,
      look: options.look,
      place: () => ({ agent: options.agent, branch: this.branch }),
      clipboard: options.clipboard,
      nowMs: () => this.now,
      send: (command) => ports.send(command),
      write: (bytes) => void ports.terminal.write(bytes),
      say: (lines) => this.say(lines),
      choose: (title, choices, onChosen) => this.list.choose(title, choices, onChosen),
      lastCut: () => this.transcripts.of(this.talk.active).lastCut,
      questions: () => this.asks.desk.open.length,
      repeatQuestion: () => this.asks.repeat(),
      edit: () => void this.edit(""),
    });
  }

  // What a line is for is decided when it is begun, so that a question that comes or goes meanwhile cannot get hold of it.
  private purpose(): LinePurpose {
    if (this.list.isOpen) return { type: "choice" };
    const open = this.asks.answerable;
    if (open === null) return { type: "message" };
    return { type: "answer", askId: open.askId, secret: open.question.secret, takesText: open.question.takesText };
  }

  private submit(text: string): void {
    const own = readReaderCommand(text);
    if (own !== null) {
      this.deeds.obey(own);
      return;
    }
    const input = readSlash(
      text,
      this.talk.active.front.commands.map(({ name }) => name),
    );
    if (input.type === "prompt") this.send(input.text);
    else if (input.type === "command") {
      this.slash.obey(input.command, input.argument);
      if (input.command.name === "help") this.say(readerCommands.map(({ name, summary }) => `/${name}  ${summary}`));
    } else if (input.type === "shell") this.shell.run(input.command);
    else {
      const hint = input.nearest === null ? "/help lists them" : `did you mean /${input.nearest}?`;
      this.talk.say("warn", `there is no command /${input.name}; ${hint}`);
    }
  }

  private send(text: string): void {
    const waiting = this.talk.active.front.queue.length;
    this.justTyped = text;
    this.talk.submit(text);
    this.justTyped = null;
    const { queue } = this.talk.active.front;
    if (queue.length > waiting) this.say([`Notice: the agent is busy; ${queue.length} queued.`]);
  }

  private answer(askId: string, line: string): void {
    const open = this.asks.answerable;
    if (open?.askId !== askId) {
      this.say(["Notice: that question is gone; what you typed was not sent."]);
      return;
    }
    this.asks.answer(line);
  }

  private cancelInnermost(): boolean {
    if (this.list.isOpen) this.list.pick("");
    else if (this.asks.isOpen) this.asks.cancel();
    else return false;
    return true;
  }

  private stopWork(): boolean {
    if (this.shell.isRunning) this.shell.stop();
    else if (this.talk.active.front.phase === "working") this.talk.send({ type: "abort" });
    else return false;
    return true;
  }

  private async edit(text: string): Promise<void> {
    const edited = await this.ports.edit(text);
    if ("text" in edited) this.keys.setText(edited.text);
    else this.say([`Warning: ${safeLine(edited.trouble)}`]);
    this.draw();
  }

  private sayUnheard(pane: SessionState, id: string): void {
    const lines = this.transcripts.of(pane).take();
    const name = this.talk.list.sessions.find((session) => session.id === id)?.name || id;
    if (lines.length > 0) this.speech.say([`Session ${safeLine(name)}, which has ended:`, ...lines]);
  }

  private switched(from: SessionState, to: SessionState): void {
    from.draft = this.keys.editor.text;
    this.speech.say(this.transcripts.of(from).take());
    const { sessions, active } = this.talk.list;
    const at = sessions.findIndex(({ id }) => id === active);
    this.speech.say([`Session ${at + 1}: ${safeLine(sessions[at]?.name || active)}.`]);
    this.keys.setText(to.draft);
    this.deeds.forgetReading();
  }

  // An agent with one session may leave its name out in one frame and say it in another.
  private withdrawAll(sessionId: string | null, reason: "turn_ended" | "session_closed"): void {
    const of = this.talk.list.sessions.length > 1 && sessionId !== null ? { sessionId } : "everyone";
    this.asks.desk.withdraw({ type: "withdraw-all", of, reason, atMs: this.now });
  }

  private tellNews(): void {
    for (const sentence of this.news.take(this.talk.active)) this.say([sentence]);
  }
}
