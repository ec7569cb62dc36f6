// What codex offers: its models with the efforts of each, its modes, and the saved threads. A chosen model, effort or mode holds
// from the next turn on, because it is sent with it. Also the servers of tools that codex is offered, in its configuration's
// format.

import { objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import { OWN_SERVER_NAME } from "../../../contract/wire-names.js";
import { errorWords } from "../error-words.js";
import type { JsonObject } from "../frames/json-frame.js";
import { present } from "../frames/lenient-field.js";
import { refuse, type Settings, tellAnswer } from "../front-end-commands.js";
import { type JsonRpcPeer, resultOf } from "../json-rpc-peer.js";
import type { StepBuilder } from "../step-builder.js";
import { type CodexModel, codexResultSchemas } from "./codex-frames.js";
import { CodexModes, type CodexPolicies } from "./codex-modes.js";

const THREADS_MAX = 100;

export class CodexCatalog {
  private readonly out: StepBuilder;
  private readonly peer: JsonRpcPeer;
  private models: readonly CodexModel[] = [];
  private model = "";
  private effort = "";
  private readonly modes = new CodexModes();
  private wished: { model?: string; effort?: string } = {};

  /** Whether a turn runs. */
  private readonly time: () => "turn" | "pause";

  constructor(out: StepBuilder, peer: JsonRpcPeer, time: () => "turn" | "pause") {
    this.out = out;
    this.peer = peer;
    this.time = time;
  }

  get settings(): Settings {
    const models = this.models.map(({ model, displayName = model, description }) =>
      present({ value: model, label: displayName, description }),
    );
    const named = models.some(({ value }) => value === this.model) ? [] : [{ value: this.model, label: this.model }];
    const efforts = this.models.find(({ model }) => model === this.model)?.supportedReasoningEfforts ?? [];
    const levels = efforts.map(({ reasoningEffort: value, description }) =>
      present({ value, label: value, description }),
    );
    const effort = { key: "effort", label: "Effort", kind: "other" as const, value: this.effort, options: levels };
    return [
      { key: "model", label: "Model", kind: "model", value: this.model, options: [...named, ...models] },
      ...(levels.length === 0 ? [] : [effort]),
      ...(this.modes.isKnown ? [this.modes.settingDuring(this.time())] : []),
    ];
  }

  /** What the next turn is told; codex keeps a model and an effort that it was told once. */
  takeWishes(): JsonObject {
    const { wished } = this;
    this.wished = {};
    return { ...wished, ...this.modes.takeWishes() };
  }

  /** What codex says it uses. */
  use(told: { readonly model?: string | undefined; readonly effort?: string | undefined } & CodexPolicies): void {
    this.model = this.wished.model ?? told.model ?? this.model;
    this.effort = this.wished.effort ?? told.effort ?? this.effort;
    this.modes.heard(told);
    this.out.tell({ type: "settings.changed", settings: this.settings });
  }

  /** A turn began or ended: the mode that was chosen meanwhile may be shown otherwise. */
  turnChanged(): void {
    if (this.modes.isPending) this.out.tell({ type: "settings.changed", settings: this.settings });
  }

  askForModels(then: (models: readonly CodexModel[]) => void = () => undefined): void {
    this.peer.request("model/list", {}, (answer) => {
      const listed = resultOf(codexResultSchemas["model/list"], answer);
      this.models = listed?.data.filter(({ hidden }) => hidden !== true) ?? this.models;
      if (this.model !== "") this.out.tell({ type: "settings.changed", settings: this.settings });
      then(this.models);
    });
  }

  listModels(): void {
    this.askForModels((models) => {
      const listed = models.map(({ model, displayName }) => ({ id: model, name: displayName ?? model }));
      tellAnswer(this.out, "models_list", { providers: [{ id: "codex", models: listed }] });
    });
  }

  set(key: string, value: string): void {
    const setting = this.settings.find((known) => known.key === key);
    if (setting === undefined) {
      refuse(this.out, `codex has no setting "${key}"; it has ${this.settings.map((known) => known.key).join(", ")}`);
      return;
    }
    if (key !== "mode") this.wished = { ...this.wished, [key]: value };
    else if (!this.modes.choose(value)) {
      refuse(this.out, `codex has no mode "${value}"`);
      return;
    }
    this.use({});
  }

  listThreads(workspace: string | undefined): void {
    this.peer.request("thread/list", present({ limit: THREADS_MAX, cwd: workspace }), (answer) => {
      const listed = resultOf(codexResultSchemas["thread/list"], answer)?.data ?? [];
      const sessions = listed.map(({ id, cwd, updatedAt, name, preview }) => {
        const timestamp = updatedAt === undefined ? undefined : updatedAt * 1_000;
        return present({ id, cwd, timestamp, title: (name ?? preview) || undefined });
      });
      tellAnswer(this.out, "sessions_list", { sessions, error: answer.ok ? null : errorWords(answer) });
    });
  }
}

/** An answer may take a day; codex gives up on a tool after a minute unless it is told. */
const CALL_SECONDS_MAX = 24 * 60 * 60;

export function serverConfig(servers: readonly JsonObject[]): JsonObject {
  const named = servers.map((server) => [plainWord(server.name), serverEntry(server)]);
  return named.length === 0 ? {} : { config: { mcp_servers: Object.fromEntries(named) } };
}

function serverEntry({ name, url, headers, command, args, env }: JsonObject): JsonObject {
  const place = url === undefined ? { command, args, env: table(env) } : { url, http_headers: table(headers) };
  // Asking the user needs no permission.
  const allowed = name === OWN_SERVER_NAME ? { default_tools_approval_mode: "approve" } : {};
  return { ...place, tool_timeout_sec: CALL_SECONDS_MAX, ...allowed };
}

function table(list: unknown): JsonObject {
  const pairs = Array.isArray(list) ? list.map(objectOf) : [];
  return Object.fromEntries(pairs.map(({ name, value }) => [plainWord(name), value]));
}
