// Commands of the front end as requests to pi. A response is matched by its id, or by the command it names when the id is
// missing or unknown, the oldest first.
import { objectOf } from "../../../contract/json-value.js";
import type { LinesCommand } from "../../../contract/lines-commands.js";
import { plainWord } from "../../../contract/plain-word.js";
import { DialectBase, type PlainCommand } from "../dialect-base.js";
import type { JsonObject } from "../frames/json-frame.js";
import { filled, present } from "../frames/lenient-field.js";
import { type CommandHandlers, handleCommand, refuse, tellAnswer } from "../front-end-commands.js";
import { SentRequests } from "../sent-requests.js";
import type { StepBuilder } from "../step-builder.js";
import { type PiData, type PiFrame, piDataSchemas } from "./pi-frames.js";
import { messageOf } from "./pi-messages.js";
import { PiRun } from "./pi-run.js";
import { modelName, PiSettings } from "./pi-settings.js";

type PiAnswer = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: string };

function dataOf<Command extends keyof typeof piDataSchemas>(command: Command, answer: PiAnswer) {
  return (answer.ok ? piDataSchemas[command].safeParse(answer.data).data : undefined) as PiData<Command> | undefined;
}

class PiRequests {
  private readonly out: StepBuilder;
  private readonly sent = SentRequests.named<PiAnswer>();

  constructor(out: StepBuilder) {
    this.out = out;
  }

  send(command: JsonObject & { readonly type: string }, then: (answer: PiAnswer) => void = () => undefined): void {
    const id = this.sent.add(command.type, then);
    this.out.send({ id, ...command });
  }

  take(frame: PiFrame<"response">): void {
    const { id = "", command, success, data, error = "no reason given" } = frame;
    const known = this.sent.has(id) ? id : this.sent.waiting().find(({ name }) => name === command)?.id;
    if (known === undefined) this.takeUnexpected(frame);
    else this.sent.settle(known, success ? { ok: true, data } : { ok: false, error });
  }

  // An older pi may answer an unknown command under another name.
  private takeUnexpected(frame: PiFrame<"response">): void {
    const { command, success, error = "no reason given" } = frame;
    if (!success && /unknown command/i.test(error)) return;
    if (success)
      this.out.fault("invalidFrame", `a response to a command that was not sent: ${command.slice(0, 80)}`, frame);
    else this.out.tell({ type: "command.failed", message: `pi: ${command}: ${error}` });
  }
}

/** Commands of pi's terminal that RPC mode has under another name. */
const ownCommands = [{ name: "compact", summary: "summarise the conversation to make room", hint: "[what to keep]" }];

export abstract class PiCommands extends DialectBase {
  protected readonly requests = new PiRequests(this.out);
  protected readonly settings = new PiSettings();
  protected readonly run = new PiRun();
  /** Commands that an extension runs without the model. */
  private extensionCommands: ReadonlySet<string> = new Set();

  private readonly handlers: CommandHandlers = {
    prompt: (command) => this.prompt(command),
    abort: () => this.abort(),
    start_session: (command) => this.startSession(command),
    reset: () => this.startSession({ type: "start_session" }, "cleared"),
    list_models: () =>
      this.askForModels(() => tellAnswer(this.out, "models_list", { providers: this.settings.byProvider })),
    stats: () =>
      this.requests.send({ type: "get_session_stats" }, (answer) => {
        if (answer.ok) tellAnswer(this.out, "stats", { stats: objectOf(answer.data) });
        else this.fail(answer.error);
      }),
    set_config: ({ key, value }) => this.set(key, plainWord(value)),
  };

  protected abstract beginRun(): void;
  protected abstract endRun(): void;
  protected abstract abort(): void;
  /** pi's state names the session. */
  protected abstract askForSession(kind: "first" | "resumed" | "new" | "loaded" | "cleared"): void;

  protected obey(command: PlainCommand): void {
    handleCommand(this.out, this.handlers, command, {
      name: "pi",
      capabilities: { supports_models: true, supports_config: true, supports_sessions: true },
      settings: this.settings.all,
    });
  }

  protected askForCommands(): void {
    this.requests.send({ type: "get_commands" }, (answer) => {
      const data = dataOf("get_commands", answer);
      if (data === undefined) return;
      const isExtension = data.commands.filter(({ source }) => source === "extension");
      this.extensionCommands = new Set(isExtension.map(({ name }) => name));
      const commands = data.commands.map(({ name, description }) => ({ name, summary: description ?? "" }));
      this.out.tell({ type: "commands.changed", commands: [...commands, ...ownCommands] });
    });
  }

  protected askForModels(then: () => void = () => undefined): void {
    this.requests.send({ type: "get_available_models" }, (answer) => {
      const data = dataOf("get_available_models", answer);
      this.settings.models = data?.models ?? this.settings.models;
      this.tellSettings();
      then();
    });
  }

  protected askForLevels(): void {
    this.requests.send({ type: "get_available_thinking_levels" }, (answer) => {
      const data = dataOf("get_available_thinking_levels", answer);
      if (data === undefined) return;
      this.settings.levels = data.levels;
      this.tellSettings();
    });
  }

  protected askForUsage(): void {
    this.requests.send({ type: "get_session_stats" }, (answer) => {
      const data = dataOf("get_session_stats", answer);
      if (data === undefined) return;
      const { tokens, cost, contextUsage } = data;
      const usage = present({ total_tokens: tokens?.total, cost: cost === undefined ? undefined : { total: cost } });
      const { tokens: used, contextWindow: size } = contextUsage ?? {};
      const context = used === undefined || size === undefined ? {} : { context: { used, size } };
      this.out.tell({ type: "usage.changed", usage, ...context });
    });
  }

  protected askForHistory(): void {
    this.requests.send({ type: "get_messages" }, (answer) => {
      for (const known of dataOf("get_messages", answer)?.messages ?? []) {
        const message = messageOf(known);
        if (message !== null) this.out.message(message);
      }
    });
  }

  private prompt(command: Extract<LinesCommand, { type: "prompt" }>): void {
    const { run } = this;
    const [, compact, instructions = ""] = /^\/(compact)(?:\s+([\s\S]*))?$/.exec(command.text.trim()) ?? [];
    if (compact !== undefined) {
      this.compact(instructions);
      return;
    }
    // While pi works, a prompt must say how it is queued.
    const behavior = command.streaming_behavior === "steer" ? "steer" : "followUp";
    const busy = run.open ? { streamingBehavior: behavior } : {};
    const wasOpen = run.open;
    this.beginRun();
    this.requests.send({ type: "prompt", message: command.text, ...imagesOf(command.images), ...busy }, (answer) => {
      if (!answer.ok) this.fail(answer.error);
      const isDone = !answer.ok || this.extensionCommands.has(command.text.slice(1).split(/\s/)[0] ?? "");
      if (isDone && !wasOpen && !run.working) this.endRun();
    });
  }

  private compact(instructions: string): void {
    this.beginRun();
    this.requests.send({ type: "compact", ...filled({ customInstructions: instructions }) }, (answer) => {
      if (!answer.ok) this.fail(answer.error);
      if (!this.run.working) this.endRun();
    });
  }

  private startSession(
    { session_file, parent_session }: Extract<LinesCommand, { type: "start_session" }>,
    fresh: "new" | "cleared" = "new",
  ): void {
    const request =
      session_file === undefined
        ? { type: "new_session", ...present({ parentSession: parent_session }) }
        : { type: "switch_session", sessionPath: session_file };
    this.requests.send(request, (answer) => {
      if (!answer.ok) this.fail(answer.error);
      else if (dataOf("new_session", answer)?.cancelled === true)
        this.fail("an extension refused to change the session");
      else this.askForSession(session_file === undefined ? fresh : "loaded");
    });
  }

  private set(key: string, value: string): void {
    const { out, settings, requests } = this;
    if (key === "thinking") {
      requests.send({ type: "set_thinking_level", level: value }, (answer) => {
        if (!answer.ok) return this.fail(answer.error);
        settings.level = value;
        return this.tellSettings();
      });
      return;
    }
    const model = key === "model" ? settings.modelNamed(value) : null;
    if (model === null) {
      const known = settings.models.map(modelName).join(", ");
      refuse(out, key === "model" ? `pi has no model "${value}"; it has ${known}` : `pi has no setting "${key}"`);
      return;
    }
    requests.send({ type: "set_model", provider: model.provider, modelId: model.id }, (answer) => {
      if (!answer.ok) return this.fail(answer.error);
      settings.model = model;
      this.tellSettings();
      // Levels depend on the model.
      return this.askForLevels();
    });
  }

  protected tellSettings(): void {
    this.out.tell({ type: "settings.changed", settings: this.settings.all });
  }

  private fail(error: string): void {
    this.out.tell({ type: "command.failed", message: `pi: ${error}` });
  }
}

function imagesOf(images: unknown): JsonObject {
  if (!Array.isArray(images) || images.length === 0) return {};
  const known = images.map(objectOf).filter(({ data }) => typeof data === "string");
  return { images: known.map(({ data, mime_type }) => ({ type: "image", data, mimeType: mime_type ?? "image/png" })) };
}
