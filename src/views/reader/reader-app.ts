// The terminal UI for somebody who listens: it only ever appends lines, one utterance each, and takes lines from a keyboard
// that is echoed. It has the same conversation, commands, sessions and questions as the screen, and no live area at all.
//
//   You: fix the failing test
//   Agent: I'll look at the test first.
//   Tool read test/parser.test.ts, done, 214 lines, 0.1 s.
//   Question: edit src/parser.ts, plus 1, minus 1. 1 allow once. 2 no. Type a number and press Enter.
//   Answer: 1
import type { Change } from "../../session/engine/engine-messages.js";
import { activeSession, type SessionState } from "../../session/engine/engine-state.js";
import type { OpenSession } from "../../session/session-list.js";
import { readSlash, slashCommands } from "../../session/slash-command.js";
import type { BlockChange } from "../../session/transcript/block.js";
import type { Size } from "../../terminal/painter/frame.js";
import { safeLine } from "../../text/safe.js";
import { keyWords } from "../inline/key-actions.js";
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
  /** What is half written for the sessions that are not active, by their keys. */
  private readonly drafts = new Map<number, ReaderKeys["draft"]>();

  constructor(options: ReaderOptions, ports: ReaderPorts) {
    this.options = options;
    this.ports = ports;
    this.transcripts = new SpokenSessions(options.look);
    this.news = new SessionNews(options.agent);
    this.list = new OpenList({ say: (lines) => this.say(lines), onClosed: () => void this.asks.repeat() });
    this.speech = new Speech({ write: (bytes) => ports.terminal.write(bytes), typed: () => this.keys.editor.shown });
    this.slowTools = new SlowTools(ports.clock, (line) => this.say([line]));
    this.shell = new ShellCommands({
      shell: options.shell,
      folder: options.folder,
      record: (event) => ports.source.dispatch({ type: "shell", event }),
    });
    this.asks = this.createAsks();
    this.slash = this.createSlash();
    this.keys = this.createKeys();
    this.deeds = this.createDeeds();
    ports.source.subscribe((changes) => this.follow(changes));
  }

  /** Said when it is asked for. */
  setBranch(branch: string | null): void {
    this.branch = branch;
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
    this.keys.suggest(isFree ? this.active.facts.suggestion : null);
    this.speech.say(this.transcripts.of(this.active.key).take());
    this.asks.lookAgain();
  }

  recoverDraft(): void {
    const text = this.options.draft.recover();
    if (text === null) return;
    this.say(["Notice: the message you had not sent is back."]);
    if (this.keys.draft[0] === "") this.keys.setText(text);
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
    this.ports.source.dispatch({ type: "cut-short" });
    this.say([]);
  }

  close(): void {
    this.asks.close();
    this.slowTools.close();
    this.shell.stop();
    void this.options.draft.end();
    this.sayOpen();
    this.speech.close();
  }

  private get active(): SessionState {
    return activeSession(this.ports.source.state);
  }

  private notice(level: "info" | "warn" | "error", text: string): void {
    this.ports.source.dispatch({ type: "notice", level, text });
  }

  private get now(): number {
    return this.ports.clock.nowMs();
  }

  private say(lines: readonly string[]): void {
    this.speech.say(this.transcripts.of(this.active.key).take());
    this.speech.say(lines);
  }

  private createAsks(): ReaderAsks {
    return new ReaderAsks({
      source: this.ports.source,
      clock: this.ports.clock,
      typingGuardMs: this.options.typingGuardMs,
      say: (lines) => this.say(lines),
      isQuiet: () => this.keys.editor.isEmpty && !this.list.isOpen,
      elsewhere: ({ sessionId }) => {
        const { sessions, active } = this.ports.source.state;
        const session = sessions.find(({ id }) => id === sessionId);
        return session === undefined || session.id === active ? null : session.name || session.id;
      },
      onAnnounced: () => {
        if (this.options.bell === "on") this.ports.terminal.write("\x07");
      },
    });
  }

  private createSlash(): SlashRunner {
    const { ports } = this;
    return new SlashRunner(ports.source, {
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
        ...this.active.facts.commands.map(({ name }) => name),
      ],
      purpose: () => this.purpose(),
      onTyped: (line) => this.asks.typed(line),
      quietMs: options.typingGuardMs,
      onLine: (line, as) => (as === "prompt" ? this.send(line) : this.submit(line)),
      onTaken: () => ports.source.dispatch({ type: "suggestion.take" }),
      onAnswer: (askId, line) => this.answer(askId, line),
      onChoice: (line) => this.list.pick(line),
      cancelInnermost: () => this.cancelInnermost(),
      stopWork: () => this.stopWork(),
      leave: () => ports.leave(),
      edit: (text, as) => void this.edit(text, as),
      act: (action) => this.deeds.act(action),
      say: (line) => this.say([line]),
    });
  }

  private createDeeds(): ReaderActions {
    const { options, ports } = this;
    return new ReaderActions({
      source: ports.source,
      keys: this.keys,
      slash: this.slash,
      look: options.look,
      place: () => ({ agent: options.agent, branch: this.branch }),
      clipboard: options.clipboard,
      nowMs: () => this.now,
      write: (bytes) => void ports.terminal.write(bytes),
      say: (lines) => this.say(lines),
      choose: (title, choices, onChosen) => this.list.choose(title, choices, onChosen),
      lastCut: () => this.transcripts.of(this.active.key).lastCut,
      questions: () => this.asks.count,
      repeatQuestion: () => this.asks.repeat(),
      edit: () => void this.edit("", "message"),
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
      this.active.facts.commands.map(({ name }) => name),
    );
    if (input.type === "prompt") this.send(input.text);
    else if (input.type === "command") {
      this.slash.obey(input.command, input.argument);
      if (input.command.name === "help") this.say(readerCommands.map(({ name, summary }) => `/${name}  ${summary}`));
    } else if (input.type === "shell") this.shell.run(input.command);
    else {
      const hint = input.nearest === null ? "/help lists them" : `did you mean /${input.nearest}?`;
      this.notice("warn", `there is no command /${input.name}; ${hint}`);
    }
  }

  private send(text: string): void {
    const waiting = this.active.facts.queue.length;
    this.justTyped = text;
    this.ports.source.dispatch({ type: "submit", text });
    this.justTyped = null;
    const { queue } = this.active.facts;
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
    else if (this.active.facts.phase === "working") this.ports.source.dispatch({ type: "abort" });
    else return false;
    return true;
  }

  private async edit(text: string, as: "message" | "prompt"): Promise<void> {
    const edited = await this.ports.edit(text);
    if ("text" in edited) this.keys.setText(edited.text, as);
    else this.say([`Warning: ${safeLine(edited.trouble)}`]);
    this.draw();
  }

  private follow(changes: readonly Change[]): void {
    for (const change of changes) this.followOne(change);
    this.draw();
    if (changes.some(({ type }) => type === "facts" || type === "agent")) this.tellNews();
  }

  private followOne(change: Change): void {
    switch (change.type) {
      case "block":
        this.followBlock(change.session, change.change);
        return;
      case "facts":
      case "sessions":
      case "notice":
        return;
      case "composer":
        if (change.session === this.active.key) this.keys.setText(change.text, "prompt");
        return;
      case "session.started":
        this.slash.sessionStarted(change.id);
        return;
      case "session.switched":
        this.switched(change.from, change.to);
        return;
      case "session.gone":
        this.sayUnheard(change.session, change.entry);
        return;
      case "ask.raised":
      case "ask.settled":
        this.asks.follow(change);
        return;
      case "reply":
        this.slash.answered(change.command, change.answer);
        return;
      case "agent":
        if (change.words.length > 0)
          this.notice(change.change === "closed" ? "error" : "info", change.words.join("\n"));
        return;
    }
  }

  private followBlock(session: number, change: BlockChange): void {
    const isEcho = change.type === "closed" && change.block.kind === "prompt" && change.block.text === this.justTyped;
    if (!isEcho) this.transcripts.of(session).follow(change);
    if (session === this.active.key) this.slowTools.follow(change);
  }

  private sayUnheard(key: number, { name, id }: OpenSession): void {
    const lines = this.transcripts.of(key).take();
    if (lines.length > 0) this.speech.say([`Session ${safeLine(name || id)}, which has ended:`, ...lines]);
    this.drop(key);
  }

  private switched(from: number, to: number): void {
    const { sessions } = this.ports.source.state;
    this.keys.suggest(null);
    this.drafts.set(from, this.keys.draft);
    this.speech.say(this.transcripts.of(from).take());
    if (!sessions.some(({ key }) => key === from)) this.drop(from);
    const { name, id } = this.active;
    this.speech.say([`Session ${sessions.indexOf(this.active) + 1}: ${safeLine(name || id)}.`]);
    this.keys.setText(...(this.drafts.get(to) ?? (["", "message"] as const)));
    this.deeds.forgetReading();
  }

  private drop(session: number): void {
    this.transcripts.drop(session);
    this.news.drop(session);
    this.drafts.delete(session);
  }

  private tellNews(): void {
    for (const sentence of this.news.take(this.active)) this.say([sentence]);
  }
}
