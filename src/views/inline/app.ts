// The one app of the terminal UI: it follows the changes of its source and turns what the user wants into intents. How a session
// is shown and how the user writes is up to its renderer: rows on a screen, or spoken lines.
import { DOUBLE_PRESS_MS } from "../../contract/limits.js";
import { modeSetting, nextMode } from "../../session/agent-mode.js";
import type { Change, PromptImage } from "../../session/engine/engine-messages.js";
import { activeSession, type SessionState } from "../../session/engine/engine-state.js";
import type { Source } from "../../session/engine/source.js";
import type { KeyAction, Keymap } from "../../session/keymap.js";
import type { SavedSessions } from "../../session/saved-session.js";
import { QUEUE_FULL_WORDS } from "../../session/session-facts.js";
import { neighbour } from "../../session/session-list.js";
import { availableCommands, isCommand, readSlash } from "../../session/slash-command.js";
import type { BlockChange } from "../../session/transcript/block.js";
import type { Journal } from "../../session/transcript/journal.js";
import { type ClipboardImage, clipboardImage } from "../../system/clipboard-image.js";
import type { OwnedTerminal } from "../../terminal/device/owned-terminal.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import type { AppLook } from "./app-look.js";
import type { AskController } from "./ask-controller.js";
import type { Written } from "./composer.js";
import type { DraftKeeper } from "./draft-file.js";
import type { Edited } from "./external-editor.js";
import { followBranch } from "./git-branch.js";
import type { PromptHistory } from "./history-file.js";
import { ShellCommands } from "./shell-run.js";
import { type OnMoved, type Option, type Setting, SlashRunner } from "./slash-runner.js";
import type { Welcome } from "./welcome.js";

export interface AppPorts {
  readonly source: Source;
  readonly clock: ScreenClock;
  readonly terminal: Pick<OwnedTerminal, "write">;
  /** The user wants to leave, or to start the agent again. */
  leave(): void;
  restart(): void;
  /** Gives the terminal to an editor, and takes it again. */
  edit(text: string): Promise<Edited>;
  exportTranscript(journal: Journal, format: string, path: string): Promise<string>;
  /** Missing where another process has the session. */
  readonly pair?: ((say: (words: string) => void) => void) | undefined;
  settings(): readonly Setting[];
  /** "tried": it is not kept. */
  change(key: string, value: string, use?: "tried"): string | null;
  /** Missing where only the agent knows its sessions. */
  readonly saved?: SavedSessions | undefined;
}

export interface AppOptions {
  readonly agent: string;
  readonly folder: string;
  /** The home folder; a path in it is shown with a tilde. */
  readonly home?: string;
  readonly look: AppLook;
  readonly keymap: Keymap;
  readonly history: PromptHistory;
  /** What an @ completes; the files below the folder when nothing is said. */
  readonly files?: () => Promise<readonly string[]>;
  readonly draft: DraftKeeper;
  readonly shell: string;
  readonly typingGuardMs: number;
  /** The time of day, for the ages of saved sessions; the machine's if missing. */
  readonly wallMs?: () => number;
  /** "none" for a terminal that would show the bytes for its clipboard as letters. */
  readonly clipboard?: "osc52" | "none";
  /** Reads an image from the clipboard; by the desktop's program if missing. */
  readonly clipboardImage?: () => Promise<ClipboardImage>;
}

/** What an app of its own begins with. */
export interface AppStart {
  /** What was wrong with the settings, told once. */
  readonly warnings: readonly string[];
  /** The first screen; null when the agent needs none. Called after the first frame. */
  readonly welcome?: () => Promise<Welcome | null>;
  /** Sent as soon as the agent is ready. */
  readonly firstPrompt?: string;
  /** The command to begin with, when the agent is ready. */
  readonly first?: "resume" | undefined;
}

export interface Renderer {
  /** What the user has written and not sent, which a suggestion is not. */
  draft: Written;
  readonly asks: { readonly controller: AskController };
  /** Of how many lines an error is shown whole. */
  readonly errorLinesMax: number;
  /** Puts a text where the cursor is in what is being written. */
  insert(text: string): void;
  /** Shows what is new. */
  draw(urgency: "soon" | "now"): void;
  /** The look changed. */
  restyle(): void;
  /** The user sends something and wants to see what follows, whatever was being read. */
  followEnd?(): void;
  /** Begins a fresh page. */
  clear(): void;
  /** A short sentence about the view itself, without its full stop. It is shown for a moment and kept nowhere. */
  remark(text: string, forMs?: number): void;
  /** Puts a list before the user; a cancel is no choice. */
  choose(title: string, options: readonly Option[], onChosen: (value: string) => void, onMoved?: OnMoved): void;
  /** Finds words in the transcript of the active session. */
  search(words: string): void;
  welcome(welcome: Welcome): void;
  blockChanged(session: number, change: BlockChange): void;
  /** Another session is active; the draft follows. */
  switched(from: number): void;
  /** What was not shown of a session that has ended is shown now. */
  sessionEnded(change: Extract<Change, { type: "session.gone" }>): void;
  /** The session is over. */
  drop(session: number): void;
  /** All changes of one step were followed. */
  followed(changes: readonly Change[]): void;
}

const IMAGES_KEPT_MAX = 20;
const IMAGE_MARK = /\[image #(\d+)\]/g;
const NOTHING_WRITTEN: Written = { text: "", as: "typed" };

export class App {
  readonly options: AppOptions;
  readonly ports: AppPorts;
  readonly slash: SlashRunner;
  branch: string | null = null;
  private readonly renderer: Renderer;
  private readonly shell: ShellCommands;
  private isClosed = false;
  /** What to do when the agent is ready. */
  private first: AppStart["first"];
  private lastInterruptMs = Number.NEGATIVE_INFINITY;
  /** Pasted ones, by their numbers. */
  private readonly images = new Map<number, PromptImage>();
  private imageCount = 0;
  /** What the last run left unsent and has not come back yet. */
  private unsent: string | null = null;
  /** What is half written for the sessions that are not active, by their keys. */
  private readonly drafts = new Map<number, Written>();

  constructor(options: AppOptions, ports: AppPorts, renderer: Renderer) {
    this.options = options;
    this.ports = ports;
    this.renderer = renderer;
    this.shell = new ShellCommands({ ...options, source: ports.source });
    this.slash = new SlashRunner(ports.source, {
      ...ports,
      keymap: options.keymap,
      clear: () => renderer.clear(),
      draw: () => renderer.draw("soon"),
      choose: (...list) => renderer.choose(...list),
      search: (words) => renderer.search(words),
      remark: (text) => renderer.remark(text),
      agent: options.agent,
      folder: options.folder,
      home: options.home,
      wallMs: options.wallMs ?? Date.now,
      clipboard: options.clipboard ?? "osc52",
      change: (...changed) => {
        const trouble = ports.change(...changed);
        renderer.restyle();
        return trouble;
      },
    });
    ports.source.subscribe(this.follow);
  }

  get active(): SessionState {
    return activeSession(this.ports.source.state);
  }

  get nowMs(): number {
    return this.ports.clock.nowMs();
  }

  notice(level: "info" | "warn" | "error", text: string): void {
    this.ports.source.dispatch({ type: "notice", level, text });
  }

  /** Shows what is there when an app of its own begins. */
  start({ warnings, welcome, firstPrompt, first }: AppStart): void {
    const { source, clock } = this.ports;
    this.first = first;
    followBranch(source, this.options.folder, clock, (branch) => this.setBranch(branch));
    for (const text of warnings) this.notice("warn", text);
    this.unsent = this.options.draft.recover();
    // Keys typed right after the start are a new message, not the end of a recovered one.
    clock.after(this.options.typingGuardMs, () => this.recoverDraft());
    this.renderer.draw("now");
    if (firstPrompt !== undefined) source.dispatch({ type: "submit", text: firstPrompt });
    else void welcome?.().then((found) => found !== null && !this.isClosed && this.renderer.welcome(found));
  }

  setBranch(branch: string | null): void {
    if (branch === this.branch || this.isClosed) return;
    this.branch = branch;
    this.renderer.draw("soon");
  }

  readonly submit = ({ text, as }: Written): void => {
    this.renderer.followEnd?.();
    const { facts } = this.active;
    const own = facts.commands.map(({ name }) => name);
    const input =
      as === "prompt" ? ({ type: "prompt", text } as const) : readSlash(text, own, availableCommands(facts));
    if (input.type === "prompt") {
      const context = this.shell.takeOutputs(this.active.key);
      const images = this.imagesIn(input.text);
      const { key } = this.active;
      const sent = this.ports.source.dispatch({ type: "submit", text: input.text, context, images });
      if (sent.result === "refused") this.refused(key, input.text, context);
    } else if (input.type === "command") this.slash.obey(input.command, input.argument);
    else if (input.type === "shell") this.shell.run(input.command);
    else {
      const hint = input.nearest === null ? "/help lists them" : `did you mean /${input.nearest}?`;
      this.renderer.remark(`there is no command /${input.name}; ${hint}`);
    }
    this.recoverDraft();
  };

  private refused(session: number, text: string, context: string | undefined): void {
    if (context !== undefined) this.shell.keep(session, context);
    this.renderer.remark(QUEUE_FULL_WORDS);
    this.putBack(session, text);
  }

  /** Keys that mean the same to every renderer; false when there is nothing to do. */
  act(action: KeyAction): boolean {
    const perform = this.actions[action];
    return perform !== undefined && perform() !== false;
  }

  /** Stops the user's own command, or the agent; false when neither works. */
  stopWork(): boolean {
    if (this.shell.isRunning) this.shell.stop();
    else if (this.active.facts.phase === "working") this.ports.source.dispatch({ type: "abort" });
    else return false;
    return true;
  }

  /** Clears what was typed, or stops the work; twice in a row it leaves, with nothing typed that would be lost. */
  interrupt(clear: () => boolean, hint: string): void {
    const isSecond = this.nowMs - this.lastInterruptMs < DOUBLE_PRESS_MS;
    this.lastInterruptMs = this.nowMs;
    if (clear()) {
      // The next one stops the work.
      if (this.isAtWork) this.lastInterruptMs = Number.NEGATIVE_INFINITY;
      else this.renderer.remark(hint, DOUBLE_PRESS_MS);
    } else if (isSecond) this.ports.leave();
    else if (!this.stopWork()) this.renderer.remark(hint, DOUBLE_PRESS_MS);
  }

  private get isAtWork(): boolean {
    return this.shell.isRunning || this.active.facts.phase === "working";
  }

  /**
   * The words for the mode that was chosen; null when the agent has none. Beside a question the same key moves its selection,
   * and pressed too soon for that, it must not change what the agent asks about.
   */
  nextMode(): string | null {
    if (this.renderer.asks.controller.shown !== null) return null;
    const mode = modeSetting(this.active.facts);
    if (mode === null) {
      if (this.active.facts.phase !== "starting") this.renderer.remark(`${this.options.agent} has no modes`);
      return null;
    }
    const next = nextMode(mode);
    if (next === null) return null;
    this.slash.set(mode.key, next.value);
    return next.label;
  }

  /** `onEdited` gets null when the editor failed, which the user has been told then. */
  async edit(text: string, onEdited: (text: string | null) => void): Promise<void> {
    const edited = await this.ports.edit(text);
    if ("trouble" in edited) this.notice("warn", edited.trouble);
    onEdited("text" in edited ? edited.text : null);
    this.renderer.draw("now");
  }

  close(): void {
    this.isClosed = true;
    this.shell.stop();
    void this.endDraft();
  }

  /** A message that has not come back yet waits for the next run. */
  endDraft(): Promise<void> {
    return this.options.draft.end(this.unsent ?? "");
  }

  private readonly actions: Readonly<Partial<Record<KeyAction, () => unknown>>> = {
    "new-session": () => this.slash.obeyNamed("new"),
    "next-session": () => this.goTo(1),
    "previous-session": () => this.goTo(-1),
    "queue-edit": () =>
      this.active.facts.queue.length > 0 && void this.ports.source.dispatch({ type: "queue.take-back" }),
    "toggle-thinking": () => this.toggleThinking(),
    "history-search": () => this.searchHistory(),
    "paste-image": () => void this.pasteImage(),
  };

  private async pasteImage(): Promise<void> {
    const { agent, clipboardImage: read = clipboardImage } = this.options;
    const image = this.active.facts.images ? await read() : { problem: `${agent} takes no images` };
    if ("problem" in image) this.renderer.remark(image.problem);
    else if (!this.isClosed) {
      this.imageCount += 1;
      this.images.set(this.imageCount, image);
      this.images.delete(this.imageCount - IMAGES_KEPT_MAX);
      this.renderer.insert(`[image #${this.imageCount}] `);
      this.renderer.draw("now");
    }
  }

  private imagesIn(text: string): PromptImage[] | undefined {
    const found = [...text.matchAll(IMAGE_MARK)].flatMap(([, number]) => this.images.get(Number(number)) ?? []);
    return found.length === 0 ? undefined : found;
  }

  // If the last run with this agent ended suddenly, its unsent message is put back: on an empty line, so that nothing is appended
  // to it unseen, else after the message that is being written. An agent's words may be part of it, but a command of an agent is
  // never kept.
  private recoverDraft(): void {
    const text = this.unsent;
    if (text === null || this.isClosed) return;
    if (this.renderer.draft.text !== "") this.renderer.remark("your unsent message comes back after this one");
    else {
      this.unsent = null;
      this.renderer.remark("restored your unsent message");
      this.renderer.draft = { text, as: isCommand(text) ? "typed" : "prompt" };
      this.options.draft.changed(text);
    }
  }

  private goTo(step: 1 | -1): void {
    const { source } = this.ports;
    source.dispatch({ type: "activate", id: neighbour(source.state, step) });
  }

  private toggleThinking(): void {
    const { look } = this.options;
    look.thinking = look.thinking === "shown" ? "hidden" : "shown";
    this.renderer.restyle();
    this.renderer.remark(`thinking is ${look.thinking}`);
  }

  private searchHistory(): void {
    const sent = [...new Set(this.options.history.load().reverse())];
    const options = sent.map((text) => ({ label: text.replaceAll("\n", " "), detail: "", value: text }));
    if (options.length === 0) this.renderer.remark("no messages yet");
    else {
      this.renderer.choose("Message history", options, (text) => {
        this.renderer.draft = { text, as: "typed" };
      });
    }
  }

  private readonly follow = (changes: readonly Change[]): void => {
    for (const change of changes) {
      switch (change.type) {
        case "block":
          this.renderer.blockChanged(change.session, change.change);
          break;
        case "composer":
          this.putBack(change.session, change.text);
          break;
        case "session.started":
          this.slash.sessionStarted(change.id);
          break;
        case "session.switched":
          this.switched(change.from, change.to);
          break;
        case "session.gone":
          this.renderer.sessionEnded(change);
          this.drop(change.session);
          break;
        case "ask.raised":
        case "ask.settled":
          this.renderer.asks.controller.follow(change);
          break;
        case "reply":
          this.slash.answered(change.command, change.answer);
          break;
        case "agent":
          if (change.change === "closed") this.tellEnd(change.words, change.isWell ? "info" : "error");
          else if (change.words.length > 0) this.notice("info", change.words.join("\n"));
          break;
      }
    }
    this.renderer.followed(changes);
    if (this.first !== undefined && this.active.facts.phase === "idle") this.beginWith(this.first);
  };

  private beginWith(action: NonNullable<AppStart["first"]>): void {
    this.first = undefined;
    this.slash.obeyNamed(action);
  }

  private putBack(session: number, text: string): void {
    const isActive = session === this.active.key;
    const { text: written } = isActive ? this.renderer.draft : (this.drafts.get(session) ?? NOTHING_WRITTEN);
    const draft = { text: written === "" ? text : `${text}\n\n${written}`, as: "prompt" } as const;
    if (isActive) this.renderer.draft = draft;
    else this.drafts.set(session, draft);
  }

  // A long error is folded at its end, where the advice is, so the advice becomes a notice of its own.
  private tellEnd(words: readonly string[], level: "info" | "error"): void {
    const isLong = words.length - 1 > this.renderer.errorLinesMax;
    const told = isLong ? words.slice(0, -1) : words;
    if (told.length > 0) this.notice(level, told.join("\n"));
    if (isLong) this.notice("info", words.at(-1) ?? "");
  }

  private switched(from: number, to: number): void {
    this.renderer.asks.controller.sessionSwitched();
    this.drafts.set(from, this.renderer.draft);
    this.renderer.switched(from);
    if (!this.ports.source.state.sessions.some(({ key }) => key === from)) this.drop(from);
    this.renderer.draft = this.drafts.get(to) ?? NOTHING_WRITTEN;
  }

  private drop(session: number): void {
    this.renderer.drop(session);
    this.drafts.delete(session);
  }
}
