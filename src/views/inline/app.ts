// The one app of the terminal UI: it follows the changes of its source and turns what the user wants into intents. How a session
// is shown and how the user writes is up to its renderer: rows on a screen, or spoken lines.
import { modeSetting, nextMode } from "../../session/agent-mode.js";
import type { Change } from "../../session/engine/engine-messages.js";
import { activeSession, type SessionState } from "../../session/engine/engine-state.js";
import type { Source } from "../../session/engine/source.js";
import type { KeyAction, Keymap } from "../../session/keymap.js";
import { neighbour } from "../../session/session-list.js";
import { isCommand, readSlash } from "../../session/slash-command.js";
import type { BlockChange } from "../../session/transcript/block.js";
import type { Journal } from "../../session/transcript/journal.js";
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
import { type Option, type Setting, SlashRunner } from "./slash-runner.js";

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
  settings(): readonly Setting[];
  change(key: string, value: string): string | null;
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
  /** "none" for a terminal that would show the bytes for its clipboard as letters. */
  readonly clipboard?: "osc52" | "none";
}

export interface Renderer {
  /** What the user has written and not sent, which a suggestion is not. */
  draft: Written;
  readonly asks: { readonly controller: AskController };
  /** Of how many lines an error is shown whole. */
  readonly errorLinesMax: number;
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
  choose(title: string, options: readonly Option[], onChosen: (value: string) => void): void;
  /** Finds words in the transcript of the active session. */
  search(words: string): void;
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

const DOUBLE_PRESS_MS = 2_000;
const NOTHING_WRITTEN: Written = { text: "", as: "typed" };

export class App {
  readonly options: AppOptions;
  readonly ports: AppPorts;
  readonly slash: SlashRunner;
  branch: string | null = null;
  private readonly renderer: Renderer;
  private readonly shell: ShellCommands;
  private isClosed = false;
  private lastInterruptMs = Number.NEGATIVE_INFINITY;
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
      choose: (title, choices, onChosen) => renderer.choose(title, choices, onChosen),
      search: (words) => renderer.search(words),
      remark: (text) => renderer.remark(text),
      agent: options.agent,
      clipboard: options.clipboard ?? "osc52",
      change: (key, value) => {
        const trouble = ports.change(key, value);
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

  /** Shows what is there when an app of its own begins; `warnings` are about the settings. */
  start(warnings: readonly string[]): void {
    const { source, clock } = this.ports;
    followBranch(source, this.options.folder, clock, (branch) => this.setBranch(branch));
    for (const text of warnings) this.notice("warn", text);
    this.recoverDraft();
    this.renderer.draw("now");
  }

  setBranch(branch: string | null): void {
    if (branch === this.branch || this.isClosed) return;
    this.branch = branch;
    this.renderer.draw("soon");
  }

  readonly submit = ({ text, as }: Written): void => {
    this.renderer.followEnd?.();
    const own = this.active.facts.commands.map(({ name }) => name);
    const input = as === "prompt" ? ({ type: "prompt", text } as const) : readSlash(text, own);
    if (input.type === "prompt") this.ports.source.dispatch({ type: "submit", text: input.text });
    else if (input.type === "command") this.slash.obey(input.command, input.argument);
    else if (input.type === "shell") this.shell.run(input.command);
    else {
      const hint = input.nearest === null ? "/help lists them" : `did you mean /${input.nearest}?`;
      this.renderer.remark(`there is no command /${input.name}; ${hint}`);
    }
  };

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

  /** Clears what was typed, or stops the work; twice in a row it leaves. */
  interrupt(clear: () => boolean, hint: string): void {
    const isSecond = this.nowMs - this.lastInterruptMs < DOUBLE_PRESS_MS;
    this.lastInterruptMs = this.nowMs;
    if (isSecond) this.ports.leave();
    else if (!clear() && !this.stopWork()) this.renderer.remark(hint, DOUBLE_PRESS_MS);
  }

  /** The words for the mode that was chosen; null when the agent has none. */
  nextMode(): string | null {
    const mode = modeSetting(this.active.facts);
    const next = mode === null ? null : nextMode(mode);
    if (mode === null || next === null) return null;
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
    void this.options.draft.end();
  }

  private readonly actions: Readonly<Partial<Record<KeyAction, () => unknown>>> = {
    "new-session": () => this.slash.obeyNamed("new"),
    "next-session": () => this.goTo(1),
    "previous-session": () => this.goTo(-1),
    "queue-edit": () =>
      this.active.facts.queue.length > 0 && void this.ports.source.dispatch({ type: "queue.take-back" }),
    "toggle-thinking": () => this.toggleThinking(),
    "history-search": () => this.searchHistory(),
  };

  // If the last run ended suddenly, its unsent message is put back, unless something is written already. An agent's words may
  // be part of it, but a command of an agent is never kept.
  private recoverDraft(): void {
    const text = this.options.draft.recover();
    if (text === null) return;
    this.renderer.remark("restored your unsent message");
    if (this.renderer.draft.text === "") this.renderer.draft = { text, as: isCommand(text) ? "typed" : "prompt" };
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
    if (options.length === 0) this.renderer.remark("nothing was sent yet");
    else {
      this.renderer.choose("What you sent before", options, (text) => {
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
          if (change.session === this.active.key) this.renderer.draft = { text: change.text, as: "prompt" };
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
          if (change.change === "closed") this.tellEnd(change.words);
          else if (change.words.length > 0) this.notice("info", change.words.join("\n"));
          break;
      }
    }
    this.renderer.followed(changes);
  };

  // A long error is folded at its end, and what can be done about it stands there: then it is told apart from it.
  private tellEnd(words: readonly string[]): void {
    const isLong = words.length - 1 > this.renderer.errorLinesMax;
    const told = isLong ? words.slice(0, -1) : words;
    if (told.length > 0) this.notice("error", told.join("\n"));
    if (isLong) this.notice("info", words.at(-1) ?? "");
  }

  private switched(from: number, to: number): void {
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
