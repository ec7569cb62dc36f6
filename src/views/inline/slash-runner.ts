// Does what the commands after a slash mean. It talks to the agent through the source and to the user through its host, so
// that every view of the terminal UI has the same commands.
import { objectOf } from "../../contract/json-value.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import { plainWord } from "../../contract/plain-word.js";
import { modeNamed, modeSetting, neverAsks } from "../../session/agent-mode.js";
import { answerWords, type CommandReply, knownModels, savedSessions } from "../../session/answer-words.js";
import { activeSession, type SessionState } from "../../session/engine/engine-state.js";
import type { Source } from "../../session/engine/source.js";
import { type Keymap, keyRows } from "../../session/keymap.js";
import { type SavedSession, sessionDetail } from "../../session/saved-session.js";
import type { AgentSettings } from "../../session/session-facts.js";
import { type OpenSession, sessionNamed } from "../../session/session-list.js";
import { type SlashAction, type SlashCommand, slashCommands } from "../../session/slash-command.js";
import type { Journal } from "../../session/transcript/journal.js";
import { clipboardBytes } from "../../terminal/device/modes.js";
import type { OwnedTerminal } from "../../terminal/device/owned-terminal.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { humanDuration } from "../../text/humanize.js";

export interface Option {
  readonly label: string;
  readonly detail: string;
  readonly value: string;
  /** What holds already; a list begins there. */
  readonly isNow?: boolean;
}

/** A thing the person may change here and now: what it is, what it may be. */
export interface Setting {
  readonly key: string;
  readonly value: string;
  readonly words: string;
  /** Empty for free text. */
  readonly values: readonly string[];
}

export interface SlashHost {
  leave(): void;
  restart(): void;
  clear(): void;
  readonly clock: Pick<ScreenClock, "nowMs">;
  readonly keymap: Keymap;
  /** Puts a list before the person; a cancel is no choice. */
  choose(title: string, options: readonly Option[], onChosen: (value: string) => void): void;
  search(words: string): void;
  /** A sentence about the view itself; it is kept nowhere. */
  remark(text: string): void;
  readonly agent: string;
  readonly terminal: Pick<OwnedTerminal, "write">;
  readonly clipboard: "osc52" | "none";
  /** Where the transcript was written, or why not, in words. */
  exportTranscript(journal: Journal, format: string, path: string): Promise<string>;
  settings(): readonly Setting[];
  /** Applies it and keeps it for the next time; answers with words when that was not possible. */
  change(key: string, value: string): string | null;
  /** Something that took its time is done and wants to be seen. */
  draw(): void;
}

export class SlashRunner {
  private readonly source: Source;
  private readonly host: SlashHost;
  /** Which list the person is waiting for. */
  private wanted: "models" | "saved sessions" | "new session" | null = null;
  /** The setting whose change the user waits for. */
  private setting: string | null = null;

  constructor(source: Source, host: SlashHost) {
    this.source = source;
    this.host = host;
  }

  obey({ meaning }: SlashCommand, argument: string): void {
    if (meaning.type === "local") this.actions[meaning.action](argument);
    else if (meaning.command === "ping" || meaning.command === "debug") this.send({ type: meaning.command });
    else this.source.dispatch({ type: meaning.command });
    // Nothing on the screen would tell otherwise that it was heard.
    if (meaning.type === "send" && meaning.command === "reset")
      this.say("the agent was told to forget the conversation");
  }

  /** By the keyboard instead of the slash. */
  obeyNamed(action: SlashAction): void {
    this.actions[action]("");
  }

  /** The agent answered a command. */
  answered(command: string, answer: CommandReply): void {
    const { wanted } = this;
    if (command === "models_list" && wanted === "models") this.chooseModel(answer);
    else if (command === "sessions_list" && wanted === "saved sessions") this.chooseSaved(answer);
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

  /** A session was opened; the person who asked for it wants to see it. */
  sessionStarted(id: string): void {
    if (this.wanted !== "new session") return;
    this.wanted = null;
    this.activate(id);
  }

  private readonly actions: Readonly<Record<SlashAction, (argument: string) => void>> = {
    help: () => this.say(helpLines().join("\n")),
    keys: () => this.say(keyWords(this.host.keymap).join("\n")),
    quit: () => this.host.leave(),
    restart: () => this.host.restart(),
    clear: () => this.host.clear(),
    queue: (argument) => this.queue(argument),
    copy: (argument) => this.copy(argument),
    search: (argument) => this.host.search(argument),
    export: (argument) => this.export(argument),
    notifications: () => this.notifications(),
    sessions: () => this.pickSession("The open sessions", (id) => this.activate(id)),
    switch: (argument) => this.withSession(argument, "Go to which session?", (id) => this.activate(id)),
    close: (argument) => this.close(argument),
    new: (argument) => this.startSession(argument === "" ? {} : { cwd: argument }),
    resume: (argument) => this.resume(argument),
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

  private queue(argument: string): void {
    if (argument === "clear") this.source.dispatch({ type: "queue.clear" });
    if (argument === "edit") this.source.dispatch({ type: "queue.take-back" });
    const { queue } = this.active.facts;
    if (queue.length === 0) this.host.remark("nothing is queued");
    else this.say(queue.map((text, at) => `${at + 1}  ${text}`).join("\n"));
  }

  private copy(argument: string): void {
    const { blocks } = this.active.journal;
    const prose = blocks.flatMap((block) => (block.kind === "prose" ? [block.text] : []));
    const last = prose.at(-1);
    const text = argument === "all" ? prose.join("\n\n") : argument === "code" ? lastFence(last ?? "") : last;
    if (text === undefined || text === "") {
      this.host.remark("there is nothing to copy yet");
      return;
    }
    if (this.host.clipboard === "none") {
      this.host.remark("this terminal has no clipboard; /export writes a file");
      return;
    }
    // The terminal puts it on the clipboard, also over ssh; the source, not what it looks like.
    this.host.terminal.write(clipboardBytes(text));
    this.host.remark(
      `copied ${argument === "all" ? "all replies" : argument === "code" ? "the last code" : "the last reply"}`,
    );
  }

  private export(argument: string): void {
    const [first = "md", ...rest] = argument.split(/\s+/).filter(Boolean);
    const isFormat = /^(?:md|markdown|json|html)$/.test(first);
    const path = (isFormat ? rest : [first, ...rest]).join(" ");
    const format = isFormat ? first : (/\.(json|html)$/.exec(path)?.[1] ?? "md");
    const { journal } = this.active;
    void this.host.exportTranscript(journal, format === "markdown" ? "md" : format, path).then((words) => {
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

  private resume(argument: string): void {
    if (argument !== "") {
      this.startSession({ session_file: argument });
      return;
    }
    this.wanted = "saved sessions";
    this.send({ type: "list_sessions" });
  }

  private chooseSaved(answer: CommandReply): void {
    const told = savedSessions(answer, this.host.agent);
    if (told.length > 0) this.choose(told);
    else this.host.remark(plainWord(answer["error"] ?? "") || "there are no saved sessions");
  }

  private choose(sessions: readonly SavedSession[]): void {
    const nowMs = this.host.clock.nowMs();
    const options = sessions.map((session, at) => ({
      label: session.title || session.id,
      detail: sessionDetail(session, nowMs),
      value: String(at),
    }));
    this.host.choose("Resume which session?", options, (at) => {
      const session = sessions[Number(at)];
      if (session !== undefined) this.startSession({ session_file: session.path ?? session.id });
    });
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
    if (models.length === 0) this.host.remark("the agent knows no models");
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
        detail: each === setting.value ? "now" : "",
        value: each,
        ...(each === setting.value ? { isNow: true } : {}),
      }));
      this.host.choose(`${key}: ${setting.words}`, options, (chosen) => this.changeSetting(key, chosen));
    } else {
      this.host.remark(`${key} is ${setting.value}; palaver config set ${key} VALUE changes it`);
    }
  }
}

function choiceOf({ value, label, description }: AgentSettings[number]["options"][number], now: string): Option {
  return { label, detail: description ?? "", value, ...(value === now ? { isNow: true } : {}) };
}

function helpLines(): string[] {
  const names = slashCommands.map(({ name, argument }) =>
    argument === undefined ? `/${name}` : `/${name} ${argument}`,
  );
  const width = Math.max(...names.map((name) => name.length));
  return [
    ...slashCommands.map(({ summary }, at) => `${(names[at] ?? "").padEnd(width)}  ${summary}`),
    `${"!command".padEnd(width)}  run it in your shell`,
    `${"@file".padEnd(width)}  name a file`,
  ];
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
