// What keys do besides writing: stop, search, go to another session, open an editor or a shell. Each action of the keymap has
// one entry here; an entry that has nothing to do leaves its key to the composer.
import type { ShellEvent } from "../../session/engine/engine-messages.js";
import { activeSession, type SessionState } from "../../session/engine/engine-state.js";
import type { Source } from "../../session/engine/source.js";
import { type KeyAction, type Keymap, keyRows } from "../../session/keymap.js";
import { neighbour } from "../../session/session-list.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { documentOf, growingDocument } from "../../terminal/painter/viewer/transcript-document.js";
import type { AppLook } from "./app-look.js";
import type { Composer } from "./composer.js";
import type { Edited } from "./external-editor.js";
import type { PromptHistory } from "./history-file.js";
import type { Overlays } from "./overlays.js";
import { runInShell, type ShellRun } from "./shell-run.js";
import type { SlashRunner } from "./slash-runner.js";
import type { Surface } from "./surface.js";

export interface KeyDeedParts {
  readonly source: Source;
  readonly composer: Composer;
  readonly overlays: Overlays;
  readonly slash: SlashRunner;
  readonly screen: Surface;
  readonly clock: ScreenClock;
  readonly look: AppLook;
  readonly history: PromptHistory;
  readonly shell: string;
  readonly folder: string;
  leave(): void;
  edit(text: string): Promise<Edited>;
  /** Whether a question is open. */
  isAsking(): boolean;
  restyle(): void;
  draw(urgency: "soon" | "now"): void;
}

const DOUBLE_PRESS_MS = 2_000;
/** What the person's own commands are called among the tools. */
export const SHELL_TOOL = "!";

export class KeyActions {
  private readonly parts: KeyDeedParts;
  private shellRun: ShellRun | null = null;
  private shellRuns = 0;
  private isShellStopped = false;
  private lastCtrlCMs = Number.NEGATIVE_INFINITY;

  constructor(parts: KeyDeedParts) {
    this.parts = parts;
  }

  close(): void {
    this.shellRun?.stop();
  }

  /** Keys with a meaning of their own; false when the key is the composer's. */
  act(action: KeyAction | null): boolean {
    const deed = action === null ? undefined : this.deeds[action];
    return deed?.() ?? false;
  }

  private readonly deeds: Readonly<Partial<Record<KeyAction, () => boolean>>> = {
    cancel: () => done(this.ctrlC()),
    "open-viewer": () => done(this.openTranscript()),
    leave: () => this.parts.composer.text === "" && done(this.parts.leave()),
    abort: () => this.isStoppable && !this.parts.composer.isCompleting && done(this.stopWork()),
    redraw: () => done(this.parts.screen.resize(this.parts.screen.size)),
    "external-editor": () => done(void this.editDraft()),
    "history-search": () => done(this.searchHistory()),
    "queue-edit": () =>
      this.active.facts.queue.length > 0 && done(this.parts.source.dispatch({ type: "queue.take-back" })),
    "toggle-thinking": () => done(this.toggleThinking()),
    "next-mode": () => this.nextMode(),
    "new-session": () => done(this.parts.slash.obeyNamed("new")),
    "next-session": () => done(this.goTo(1)),
    "previous-session": () => done(this.goTo(-1)),
    "open-whole": () => done(this.openLastOutput()),
  };

  private get active(): SessionState {
    return activeSession(this.parts.source.state);
  }

  private notice(level: "info" | "warn", text: string): void {
    this.parts.source.dispatch({ type: "notice", level, text });
  }

  private goTo(step: 1 | -1): void {
    const { source } = this.parts;
    source.dispatch({ type: "activate", id: neighbour(source.state, step) });
  }

  private get isStoppable(): boolean {
    return this.shellRun !== null || this.active.facts.phase === "working";
  }

  private stopWork(): void {
    if (this.shellRun !== null) {
      this.isShellStopped = true;
      this.shellRun.stop();
    } else this.parts.source.dispatch({ type: "abort" });
  }

  private async editDraft(): Promise<void> {
    const edited = await this.parts.edit(this.parts.composer.text);
    if ("text" in edited) this.parts.composer.rewrite(edited.text);
    else this.notice("warn", edited.trouble);
    this.parts.draw("now");
  }

  private searchHistory(): void {
    const sent = [...new Set(this.parts.history.load().reverse())];
    if (sent.length === 0) this.notice("info", "nothing was sent yet");
    else {
      const options = sent.map((text) => ({ label: text.replaceAll("\n", " "), detail: "", value: text }));
      this.parts.overlays.choose("What you sent before", options, (text) => {
        this.parts.composer.text = text;
      });
    }
  }

  private toggleThinking(): void {
    const { look } = this.parts;
    look.thinking = look.thinking === "shown" ? "hidden" : "shown";
    this.parts.restyle();
    this.notice("info", `thinking is ${look.thinking}`);
  }

  private nextMode(): boolean {
    const mode = this.active.facts.settings.find(({ kind }) => kind === "mode");
    if (mode === undefined || mode.options.length === 0) return false;
    const at = mode.options.findIndex(({ value }) => value === mode.value);
    const next = mode.options[(at + 1) % mode.options.length];
    if (next === undefined) return true;
    const command = { type: "set_config", key: mode.key, value: next.value } as const;
    this.parts.source.dispatch({ type: "command", command });
    return true;
  }

  private openTranscript(): void {
    const { source, screen, look, clock, overlays } = this.parts;
    const shown = this.active;
    const journal = () => (source.state.sessions.find(({ key }) => key === shown.key) ?? shown).journal;
    const document = growingDocument(journal, screen.size.columns - 1, look);
    const first = document();
    const isAsking = () => this.parts.isAsking();
    if (first !== null) overlays.read(first, { at: "end", follow: { clock, document, isAsking } });
  }

  private openLastOutput(): void {
    const { blocks } = this.active.journal;
    const tool = blocks.findLast((block) => block.kind === "tool" && block.output !== "");
    if (tool === undefined) this.notice("info", "no tool has written anything yet");
    else {
      const journal = { blocks: [tool], units: 0, dropped: 0 };
      this.parts.overlays.read(documentOf(journal, this.parts.screen.size.columns - 1, this.parts.look), {
        at: "start",
      });
    }
  }

  // First it clears what was typed, then it stops the agent, and twice in a row it leaves.
  private ctrlC(): void {
    const isSecond = this.parts.clock.nowMs() - this.lastCtrlCMs < DOUBLE_PRESS_MS;
    this.lastCtrlCMs = this.parts.clock.nowMs();
    if (isSecond) this.parts.leave();
    else if (this.parts.composer.text !== "") this.parts.composer.text = "";
    else if (this.isStoppable) this.stopWork();
    else this.notice("info", "ctrl+c again leaves");
  }

  // Shown like a tool of the agent's, for that is what it looks like; the agent does not hear of it.
  runShell(command: string): void {
    this.shellRuns += 1;
    const call = { sessionId: null, toolCallId: `shell-${this.shellRuns}`, name: SHELL_TOOL };
    const report = (event: ShellEvent) => {
      this.parts.source.dispatch({ type: "shell", event });
      this.parts.draw("soon");
    };
    this.isShellStopped = false;
    report({ type: "tool.started", ...call, args: { command } });
    this.shellRun = runInShell(command, {
      shell: this.parts.shell,
      folder: this.parts.folder,
      onOutput: (output) => report({ type: "tool.updated", ...call, output }),
      onEnd: (code, output) => {
        this.shellRun = null;
        const told = toldOutput(output, this.isShellStopped ? "stopped" : code);
        report({ type: "tool.finished", ...call, output: told, isError: code !== 0 });
      },
    });
  }
}

/** A command that failed may have written nothing; then how it ended is all that it says. */
export function toldOutput(output: string, end: number | null | "stopped"): string {
  if (end === 0 || end === null) return output;
  const gap = output === "" || output.endsWith("\n") ? "" : "\n";
  return `${output}${gap}${end === "stopped" ? "stopped" : `ended with code ${end}`}`;
}

function done(_: unknown): true {
  return true;
}

/** For /keys: which key does what. */
export function keyWords(keymap: Keymap): string[] {
  const rows = keyRows(keymap);
  const width = Math.max(...rows.map(({ keys }) => keys.length));
  return rows.map(({ keys, words }) => `${keys.padEnd(width)}  ${words}`);
}
