// One session of the agent, its messages and its settings. The protocol marks no beginnings and ends: a message is complete when the other
// side speaks, a tool starts, its id changes, or the turn ends. User messages are sent whole, so that a front end can
// recognise its own prompt.

import { objectOf } from "../../../contract/json-value.js";
import type { ContentBlock } from "../../../contract/messages.js";
import { plainWord } from "../../../contract/plain-word.js";
import type { SessionEvent } from "../../../contract/session-events.js";
import type { StepBuilder } from "../step-builder.js";
import type { AcpEffect } from "./acp-effect.js";
import { type AcpConfigOption, type AcpSessionResult, acpConfigOptionSchema } from "./acp-frames.js";
import { Grants } from "./grants.js";
import { ToolCalls, type ToolSurroundings } from "./tool-calls.js";

export class Session {
  readonly id: string;
  readonly cwd: string;
  readonly messages: MessageFlow;
  readonly tools: ToolCalls;
  readonly settings: Settings;
  readonly grants: Grants;
  turn: "none" | "running" | "stopping" = "none";
  /** "being-told" while the agent replays the history; "told-again" when that history is on the screen already. */
  history: "being-told" | "told-again" | "told" = "told";
  /** How many updates came. */
  updates = 0;
  /** A timer will end the message outside a turn. */
  strayTimer = false;
  turns = 0;
  context: { used: number; size: number } | null = null;
  cost: number | null = null;

  constructor(around: ToolSurroundings) {
    const { sessionId, cwd, out } = around;
    this.id = sessionId;
    this.cwd = cwd;
    this.messages = new MessageFlow(sessionId, out);
    this.tools = new ToolCalls(around);
    this.settings = new Settings();
    this.grants = new Grants(cwd);
  }
}

type Part = { kind: "text" | "thinking"; text: string };

/** A longer message is split. */
const MESSAGE_CHARS_MAX = 4 * 1024 * 1024;

class MessageFlow {
  private readonly sessionId: string;
  private readonly out: StepBuilder<AcpEffect>;
  private parts: Part[] | null = null;
  private messageId: string | null = null;
  private chars = 0;
  private person: string | null = null;
  private echo: string | null = null;

  constructor(sessionId: string, out: StepBuilder<AcpEffect>) {
    this.sessionId = sessionId;
    this.out = out;
  }

  get isOpen(): boolean {
    return this.parts !== null || this.person !== null;
  }

  /** An echo of this prompt by the agent is not shown again. */
  expectEcho(text: string): void {
    this.finish();
    this.echo = text;
  }

  agentSaid(kind: Part["kind"], text: string, messageId: string | null): void {
    if (text === "") return;
    this.finishPerson();
    const isOther = messageId !== null && this.messageId !== null && messageId !== this.messageId;
    if (isOther || this.chars > MESSAGE_CHARS_MAX) this.finishAgent();
    const parts = this.openParts(messageId);
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else parts.push({ kind, text });
    this.chars += text.length;
    const { sessionId } = this;
    this.out.event({ type: "message.grew", sessionId, index: parts.length - 1, kind, delta: text });
  }

  agentShowed(picture: { data: string; mimeType: string }): void {
    this.finish();
    const content = [{ type: "image", data: picture.data, mime_type: picture.mimeType }];
    this.out.message({ role: "assistant", content }, this.sessionId);
  }

  personSaid(text: string, messageId: string | null): void {
    this.finishAgent();
    if (this.person !== null && messageId !== null && messageId !== this.messageId) this.finishPerson();
    this.messageId = messageId;
    this.person = (this.person ?? "") + text;
  }

  finish(): void {
    this.finishPerson();
    this.finishAgent();
  }

  private openParts(messageId: string | null): Part[] {
    this.messageId = messageId ?? this.messageId;
    if (this.parts === null) {
      this.parts = [];
      const { sessionId } = this;
      this.out.event({ type: "message.started", sessionId, message: { role: "assistant", content: [] } });
    }
    return this.parts;
  }

  private finishAgent(): void {
    if (this.parts === null) return;
    const content = this.parts.map(blockOf);
    this.parts = null;
    this.messageId = null;
    this.chars = 0;
    const { sessionId } = this;
    this.out.event({ type: "message.finished", sessionId, message: { role: "assistant", content } });
  }

  private finishPerson(): void {
    const { person } = this;
    if (person === null) return;
    this.person = null;
    this.messageId = null;
    const isEcho = this.echo?.trim().startsWith(person.trim()) === true;
    this.echo = null;
    if (!isEcho) this.out.message({ role: "user", content: [{ type: "text", text: person }] }, this.sessionId);
  }
}

function blockOf({ kind, text }: Part): ContentBlock {
  return kind === "text" ? { type: "text", text } : { type: "thinking", thinking: text };
}

type Setting = Extract<SessionEvent, { type: "settings.changed" }>["settings"][number];

type SettingCall = { readonly method: string; readonly params: Readonly<Record<string, unknown>> };

type SettingOption = Setting["options"][number];

// Modes, models and options. The protocol has three places for them and agents use any mixture, so they become one list; an
// option wins over the older calls for the same setting.
class Settings {
  private options: readonly AcpConfigOption[] = [];
  private modes: { current: string; options: SettingOption[] } | null = null;
  private models: { current: string; options: SettingOption[] } | null = null;
  /** The mode that the agent was asked for, until it answers. */
  askedMode: string | null = null;

  take({ modes, models, configOptions }: AcpSessionResult): void {
    if (modes) {
      const options = modes.availableModes.map(({ id, name, description }) => optionOf(id, name, description));
      this.modes = { current: modes.currentModeId, options };
    }
    if (models) {
      const options = models.availableModels.map(({ modelId, name, description }) =>
        optionOf(modelId, name, description),
      );
      this.models = { current: models.currentModelId, options };
    }
    if (configOptions) this.takeOptions(configOptions);
  }

  takeOptions(options: readonly unknown[]): void {
    this.options = options.flatMap((option) => acpConfigOptionSchema.safeParse(option).data ?? []);
  }

  takeMode(mode: string): void {
    if (this.modes !== null) this.modes = { ...this.modes, current: mode };
    this.options = this.options.map((option) =>
      kindOf(option) === "mode" ? { ...option, currentValue: mode } : option,
    );
  }

  takeModel(model: string): void {
    if (this.models !== null) this.models = { ...this.models, current: model };
  }

  list(): Setting[] {
    const settings = this.options.map(settingOf);
    const hasKind = (kind: Setting["kind"]) => settings.some((setting) => setting.kind === kind);
    const legacy: Setting[] = [];
    if (this.models !== null && !hasKind("model")) legacy.push(legacySetting("model", "Model", this.models));
    if (this.modes !== null && !hasKind("mode")) legacy.push(legacySetting("mode", "Mode", this.modes));
    return [...legacy, ...settings];
  }

  /** By key or by kind: `model` and `mode` work with every agent that has one. */
  find(key: string): Setting | null {
    const settings = this.list();
    return settings.find((setting) => setting.key === key) ?? settings.find(({ kind }) => kind === key) ?? null;
  }

  callFor(setting: Setting, value: string): SettingCall {
    if (setting.kind === "mode") this.askedMode = value;
    const option = this.options.find(({ id }) => id === setting.key);
    if (option !== undefined) {
      const choice = option.type === "boolean" ? { type: "boolean", value: value === "true" } : { value };
      return { method: "session/set_config_option", params: { configId: option.id, ...choice } };
    }
    if (setting.kind === "mode") return { method: "session/set_mode", params: { modeId: value } };
    return { method: "session/set_model", params: { modelId: value } };
  }

  /** The agent accepted the change. Some agents answer with all options, some do not report it. */
  changed(setting: Setting, value: string, result: unknown): void {
    if (setting.kind === "mode") this.askedMode = null;
    const { configOptions } = objectOf(result);
    if (Array.isArray(configOptions)) this.takeOptions(configOptions);
    else if (this.options.some(({ id }) => id === setting.key)) this.setOption(setting.key, value);
    else if (setting.kind === "mode") this.takeMode(value);
    else this.takeModel(value);
  }

  get model(): string | null {
    return this.find("model")?.value ?? null;
  }

  private setOption(id: string, value: string): void {
    this.options = this.options.map((option) =>
      option.id === id ? { ...option, currentValue: option.type === "boolean" ? value === "true" : value } : option,
    );
  }
}

function settingOf(option: AcpConfigOption): Setting {
  const options = option.type === "boolean" ? [optionOf("true", "on"), optionOf("false", "off")] : choicesOf(option);
  return {
    key: option.id,
    label: option.name || option.id,
    kind: kindOf(option),
    value: plainWord(option.currentValue ?? ""),
    options,
  };
}

function kindOf({ category, id }: AcpConfigOption): Setting["kind"] {
  const word = category || id;
  return word === "model" || word === "mode" ? word : "other";
}

// A group is an entry with entries of its own.
function choicesOf({ options }: AcpConfigOption): SettingOption[] {
  return (options ?? []).flatMap((entry) => {
    const inner = entry["options"];
    const entries = Array.isArray(inner) ? inner.map(objectOf) : [entry];
    return entries.flatMap(({ value, name, description }) =>
      typeof value === "string" ? [optionOf(value, name, description)] : [],
    );
  });
}

function legacySetting(
  kind: "mode" | "model",
  label: string,
  { current, options }: { current: string; options: SettingOption[] },
): Setting {
  return { key: kind, label, kind, value: current, options };
}

function optionOf(value: string, name?: unknown, description?: unknown): SettingOption {
  const label = typeof name === "string" && name !== "" ? name : value;
  return { value, label, ...(typeof description === "string" ? { description } : {}) };
}
