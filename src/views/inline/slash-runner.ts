// Does what the commands after a slash mean. It talks to the agent through the source and to the user through its host, so
// that every view of the terminal UI has the same commands.
import { objectOf } from "../../contract/json-value.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import { plainWord } from "../../contract/plain-word.js";
import { modeNamed, modeSetting, neverAsks } from "../../session/agent-mode.js";
import { answerWords, type CommandReply, knownModels } from "../../session/answer-words.js";
import { activeSession, type SessionState } from "../../session/engine/engine-state.js";
import type { Source } from "../../session/engine/source.js";
import { type Keymap, keyRows } from "../../session/keymap.js";
import type { SavedSessions } from "../../session/saved-session.js";
import type { AgentSettings, SessionFacts } from "../../session/session-facts.js";
import { type OpenSession, sessionNamed } from "../../session/session-list.js";
import { availableCommands, ownCommands, type SlashAction, type SlashCommand } from "../../session/slash-command.js";
import type { Journal } from "../../session/transcript/journal.js";
import { clipboardBytes } from "../../terminal/device/modes.js";
import type { OwnedTerminal } from "../../terminal/device/owned-terminal.js";
import { queuedWords } from "../../terminal/painter/blocks/waiting-rows.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { humanDuration } from "../../text/humanize.js";
import { shortenEnd } from "../../text/shorten.js";
import { THEMES } from "../../text/themes.js";
import { SessionResume } from "./session-resume.js";

export interface Option {
  readonly label: string;
  readonly detail: string;
  readonly value: string;
  /** What holds already; a list begins there. */
  readonly isNow?: boolean;
}

/** A thing the user may change here and now: what it is, what it may be. */
export interface Setting {
  readonly key: string;
  readonly value: string;
  readonly words: string;
  /** Empty for free text. */
  readonly values: readonly string[];
}

/** The selection has moved there; null when the list was left without a choice. */
export type OnMoved = (value: string | null) => void;

export interface SlashHost {
  leave(): void;
  restart(): void;
  clear(): void;
  readonly clock: Pick<ScreenClock, "nowMs">;
  /** The time of day. */
  wallMs(): number;
  readonly keymap: Keymap;
  /** Puts a list before the user; a cancel is no choice. */
  choose(title: string, options: readonly Option[], onChosen: (value: string) => void, onMoved?: OnMoved): void;
  search(words: string): void;
  /** A sentence about the view itself; it is kept nowhere. */
  remark(text: string): void;
  readonly agent: string;
  readonly folder: string;
  /** The home folder; a path in it is shown with a tilde. */
  readonly home?: string | undefined;
  /** Missing where only the agent knows its sessions. */
  readonly saved?: SavedSessions | undefined;
  readonly terminal: Pick<OwnedTerminal, "write">;
  readonly clipboard: "osc52" | "none";
  /** Where the transcript was written, or why not, in words. */
  exportTranscript(journal: Journal, format: string, path: string): Promise<string>;
  /** Opens this session to a browser; `say` gets the address, and what came of it. Missing where another process has the session. */
  readonly pair?: ((say: (words: string) => void) => void) | undefined;
  settings(): readonly Setting[];
  /** Applies it and, unless it is only tried, keeps it for the next time; answers with words when that was not possible. */
  change(key: string, value: string, use?: "tried"): string | null;
  /** Something that took its time is done and wants to be seen. */
  draw(): void;
}

export class SlashRunner {
  private readonly source: Source;
  private readonly host: SlashHost;
  /** Which list the user is waiting for. */
  private wanted: "models" | "new session" | null = null;
  private readonly saved: SessionResume;
  /** The setting whose change the user waits for. */
  private setting: string | null = null;

  constructor(source: Source, host: SlashHost) {
    this.source = source;
    this.host = host;
    this.saved = new SessionResume(source, host, (ref) => this.startSession({ session_file: ref }));
  }

  obey({ meaning }: SlashCommand, argument: string): void {
    if (meaning.type === "local") this.actions[meaning.action](argument);
    else if (meaning.command === "ping" || meaning.command === "debug") this.send({ type: meaning.command });
    else if (meaning.command === "reset") this.reset();
    else this.source.dispatch({ type: meaning.command });
  }

  /** By the keyboard instead of the slash. */
  obeyNamed(action: SlashAction): void {
    this.actions[action]("");
  }

  /** The agent answered a command. */
  answered(command: string, answer: CommandReply): void {
    const { wanted } = this;
    if (command === "models_list" && wanted === "models") this.chooseModel(answer);
    else if (command === "sessions_list" && this.saved.listed(answer)) return;
    else if (command === "config_state") this.configured(answer);
    else {
      const words = answerWords(command, answer);
      if (words.length > 0) this.say(words.join("\n"));
      return;
    }
    if (command !== "config_state") this.wanted = null;
  }

  /** Changes a setting of the agent. */
  set(key: string, value: string): void {
    this.setting = key;
    this.send({ type: "set_config", key, value });
  }

  /** A session was opened; the user who asked for it wants to see it. */
  sessionStarted(id: string): void {
    if (this.wanted !== "new session") return;
    this.wanted = null;
    this.activate(id);
    this.saved.sessionStarted(id);
  }

  private readonly actions: Readonly<Record<SlashAction, (argument: string) => void>> = {
    help: () => this.say(helpLines(this.active.facts, this.host.agent).join("\n")),
    keys: () => this.say(keyWords(this.host.keymap).join("\n")),
    quit: () => this.host.leave(),
    restart: () => this.host.restart(),
    clear: (argument) => this.clear(argument),
    queue: (argument) => this.queue(argument),
    copy: (argument) => this.copy(argument),
    search: (argument) => this.host.search(argument),
    export: (argument) => this.export(argument),
    notifications: () => this.notifications(),
    pair: () => this.pair(),
    sessions: () => this.pickSession("The open sessions", (id) => this.activate(id)),
    switch: (argument) => this.withSession(argument, "Go to which session?", (id) => this.activate(id)),
    close: (argument) => this.close(argument),
    new: (argument) => this.startSession(argument === "" ? {} : { cwd: argument }),
    resume: (argument) => this.saved.resume(argument),
    model: (argument) => this.model(argument),
    mode: (argument) => this.mode(argument),
    theme: (argument) => this.changeSetting("theme", argument),
    screen: (argument) => this.changeSetting("screen", argument),
    thinking: (argument) => this.changeSetting("thinking", argument),
    settings: () => this.settings(),
  };

  private get active(): SessionState {
    return activeSession(this.source.state);
  }

  private send(command: LinesCommand): void {
    this.source.dispatch({ type: "command", command });
  }

  private activate(id: string): void {
    this.source.dispatch({ type: "activate", id });
  }

  private say(text: string): void {
    this.source.dispatch({ type: "notice", level: "info", text });
  }

  private clear(argument: string): void {
    const isScreenOnly = argument === "screen" || !this.canReset;
    if (!isScreenOnly && this.isBusy()) return;
    this.host.clear();
    if (!isScreenOnly) this.reset();
    else if (argument === "screen") this.host.remark("screen cleared");
    else this.host.remark(`screen cleared; ${this.host.agent} cannot clear the conversation`);
  }

  private reset(): void {
    if (this.isBusy()) return;
    if (!this.canReset) {
      this.host.remark(`${this.host.agent} cannot clear the conversation; restart it`);
      return;
    }
    // The agent says when it is done.
    this.source.dispatch({ type: "reset" });
  }

  private get canReset(): boolean {
    return availableCommands(this.active.facts).some(({ name }) => name === "reset");
  }

  /** In a turn, the conversation would be cut off in the middle, and a queued message lost. */
  private isBusy(): boolean {
    const { facts } = this.active;
    const isBusy = facts.phase === "working" || facts.queue.length > 0;
    if (isBusy) this.host.remark("stop the agent first (esc)");
    return isBusy;
  }

  private queue(argument: string): void {
    const { queue } = this.active.facts;
    const [word = "", number = String(queue.length)] = argument.split(/\s+/);
    const text = queue[Number(number) - 1];
    if (queue.length === 0) this.host.remark("nothing is queued");
    else if (word === "") this.pickQueued(queue);
    else if (word === "clear") {
      this.source.dispatch({ type: "queue.remove" });
      this.host.remark("the queue is empty");
    } else if (word !== "edit" && word !== "remove") this.host.remark("/queue takes edit, remove or clear");
    else if (text === undefined) this.host.remark(`there is no queued message ${number}`);
    else this.source.dispatch({ type: word === "edit" ? "queue.take-back" : "queue.remove", text });
  }

  private pickQueued(queue: readonly string[]): void {
    const options = queue.map((text, at) => ({
      label: `${at + 1}  ${queuedWords(text)}`,
      detail: "",
      value: text,
    }));
    this.host.choose("Edit which queued message?", options, (text) =>
      this.source.dispatch({ type: "queue.take-back", text }),
    );
  }

  private copy(argument: string): void {
    const { blocks } = this.active.journal;
    const prose = blocks.flatMap((block) => (block.kind === "prose" ? [block.text] : []));
    const code = prose.map(lastFence).findLast((found) => found !== "");
    const text = argument === "all" ? prose.join("\n\n") : argument === "code" ? code : prose.at(-1);
    if (text === undefined || text === "") {
      this.host.remark(argument === "code" ? "no reply has code in it" : "there is nothing to copy yet");
      return;
    }
    if (this.host.clipboard === "none") {
      this.host.remark("this terminal has no clipboard; /export writes a file");
      return;
    }
    // The terminal puts it on the clipboard, also over ssh; the source, not what it looks like.
    this.host.terminal.write(clipboardBytes(text));
    this.host.remark(
      `copied ${argument === "all" ? "all replies" : argument === "code" ? "the last code block" : "the last reply"}`,
    );
  }

  private export(argument: string): void {
    const [first = "md", ...rest] = argument.split(/\s+/).filter(Boolean);
    const isFormat = /^(?:md|markdown|json|html)$/.test(first);
    if (!isFormat && rest.length === 0 && /^\w+$/.test(first)) {
      this.host.remark(`/export writes md, json or html; for a file of this name: /export md ${first}`);
      return;
    }
    const path = (isFormat ? rest : [first, ...rest]).join(" ");
    const format = isFormat ? first : (/\.(json|html)$/.exec(path)?.[1] ?? "md");
    const { journal } = this.active;
    void this.host.exportTranscript(journal, format === "markdown" ? "md" : format, path).then((words) => {
      this.say(words);
      this.host.draw();
    });
  }

  private pair(): void {
    const { pair } = this.host;
    if (pair === undefined) this.host.remark("this session is in a daemon: palaver pair pairs a browser with it");
    pair?.((words) => {
      this.say(words);
      this.host.draw();
    });
  }

  private notifications(): void {
    const { notices } = this.source.state;
    const now = this.host.clock.nowMs();
    const ages = notices.map(({ atMs }) => `${humanDuration(now - atMs)} ago`);
    const ageCells = Math.max(0, ...ages.map((age) => age.length));
    const levelCells = Math.max(0, ...notices.map(({ level }) => level.length));
    const lines = notices.map(
      ({ level, text }, at) => `${(ages[at] ?? "").padEnd(ageCells)}  ${level.padEnd(levelCells)}  ${text}`,
    );
    if (lines.length === 0) this.host.remark("no notifications yet");
    else this.say(lines.join("\n"));
  }

  private pickSession(title: string, onChosen: (id: string) => void): void {
    const { sessions, active } = this.source.state;
    const options = sessions.map((session, at) => ({
      label: `${at + 1} ${sessionLabel(session)}`,
      detail: [
        session.id === active ? "here" : "",
        session.unread > 0 ? `${session.unread} unread` : "",
        session.cwd ?? "",
      ]
        .filter(Boolean)
        .join("  "),
      value: session.id,
    }));
    this.host.choose(title, options, onChosen);
  }

  private withSession(words: string, title: string, onChosen: (id: string) => void): void {
    if (words === "") {
      this.pickSession(title, onChosen);
      return;
    }
    const session = sessionNamed(this.source.state, words);
    if (session === null) this.host.remark(`there is no session ${words}; /sessions lists them`);
    else onChosen(session.id);
  }

  private close(argument: string): void {
    const { sessions, active } = this.source.state;
    const end = (id: string) => this.source.dispatch({ type: "close", id });
    if (argument === "" && sessions.length === 1) this.host.remark("this is the only session; /quit to exit");
    else if (argument === "" && active !== "") end(active);
    else this.withSession(argument, "", end);
  }

  private startSession(fields: { cwd?: string; session_file?: string }): void {
    this.wanted = "new session";
    this.send({ type: "start_session", ...fields });
  }

  private mode(argument: string): void {
    const setting = modeSetting(this.active.facts);
    if (setting === null) this.host.remark(`${this.host.agent} has no modes`);
    else if (argument === "") {
      const options = setting.options.map((option) => ({
        ...choiceOf(option, setting.value),
        ...(neverAsks(option) ? { detail: ["never asks", option.description ?? ""].filter(Boolean).join("; ") } : {}),
      }));
      this.host.choose("Which mode?", options, (value) => this.set(setting.key, value));
    } else {
      const named = modeNamed(setting, argument);
      const known = setting.options.map(({ label }) => label).join(", ");
      if (named === null) this.host.remark(`there is no mode ${argument}; there are ${known}`);
      else this.set(setting.key, named.value);
    }
  }

  private model(argument: string): void {
    const setting = this.active.facts.settings.find(({ kind }) => kind === "model");
    const key = setting?.key ?? "model";
    if (argument !== "") this.set(key, argument);
    else if (setting === undefined) {
      this.wanted = "models";
      this.send({ type: "list_models" });
    } else {
      const options = setting.options.map((option) => choiceOf(option, setting.value));
      this.host.choose("Which model?", options, (value) => this.set(key, value));
    }
  }

  private chooseModel(answer: CommandReply): void {
    const models = knownModels(answer).map(({ id, label }) => ({
      label: id,
      detail: label === id ? "" : label,
      value: id,
    }));
    if (models.length === 0) this.host.remark("the agent lists no models");
    else this.host.choose("Which model?", models, (value) => this.set("model", value));
  }

  // What the status line shows needs no words.
  private configured({ config }: CommandReply): void {
    const { setting } = this;
    this.setting = null;
    if (setting === null || this.active.facts.settings.some(({ key }) => key === setting)) return;
    const value = objectOf(config)[setting];
    if (value !== undefined) this.host.remark(`${setting.replaceAll("_", " ")} is ${plainWord(value)}`);
  }

  private settings(): void {
    const options = this.host
      .settings()
      .map(({ key, value, words }) => ({ label: `${key} = ${value}`, detail: words, value: key }));
    this.host.choose("Settings", options, (key) => this.changeSetting(key, ""));
  }

  private changeSetting(key: string, value: string): void {
    const setting = this.host.settings().find((candidate) => candidate.key === key);
    if (setting === undefined) {
      this.host.remark(`${key} cannot be set here`);
    } else if (value !== "") {
      const trouble = this.host.change(key, value);
      this.host.remark(trouble ?? `${key} is ${value}`);
    } else if (setting.values.length > 0) {
      const options = setting.values.map((each) => ({
        label: each,
        detail: [key === "theme" ? groundOf(each) : "", each === setting.value ? "now" : ""].filter(Boolean).join(", "),
        value: each,
        ...(each === setting.value ? { isNow: true } : {}),
      }));
      const preview: OnMoved = (value) => void this.host.change(key, value ?? setting.value, "tried");
      const onMoved = key === "theme" ? preview : undefined;
      this.host.choose(`${key}: ${setting.words}`, options, (chosen) => this.changeSetting(key, chosen), onMoved);
    } else {
      this.host.remark(`${key} is ${setting.value}; palaver config set ${key} VALUE changes it`);
    }
  }
}

function choiceOf({ value, label, description }: AgentSettings[number]["options"][number], now: string): Option {
  return { label, detail: description ?? "", value, ...(value === now ? { isNow: true } : {}) };
}

/** Which background a theme is made for. */
function groundOf(theme: string): string {
  return theme in THEMES ? THEMES[theme as keyof typeof THEMES].ground : "";
}

function helpLines(facts: SessionFacts, agent: string): string[] {
  const available = availableCommands(facts);
  const ours = available.map(({ name, argument = "", summary }) => [`/${name} ${argument}`, summary]);
  const own = ownCommands(facts.commands, available).map(({ name, hint = "", summary }) => [
    `/${name} ${hint}`,
    // Some agents describe their commands to the model, in many lines.
    shortenEnd(summary.split("\n", 1)[0] ?? "", SUMMARY_CELLS),
  ]);
  const rows = [...ours, ["!command", "run it in your shell; the agent gets the output"], ["@file", "name a file"]];
  return [...inColumns(rows), ...(own.length === 0 ? [] : [`commands of ${agent}:`, ...inColumns(own)])];
}

const SUMMARY_CELLS = 60;

function inColumns(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([first = ""]) => first.trim().length));
  return rows.map(([first = "", second = ""]) => `${first.trim().padEnd(width)}  ${second}`.trimEnd());
}

/** Which key does what. */
function keyWords(keymap: Keymap): string[] {
  const rows = keyRows(keymap);
  const width = Math.max(...rows.map(({ keys }) => keys.length));
  return rows.map(({ keys, words }) => `${keys.padEnd(width)}  ${words}`);
}

function sessionLabel({ id, name, cwd }: OpenSession): string {
  return name || cwd?.split("/").at(-1) || id || "main";
}

const FENCE = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?^\1\s*$/gm;

function lastFence(text: string): string {
  return [...text.matchAll(FENCE)].at(-1)?.[2] ?? "";
}
