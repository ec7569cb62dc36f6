// What codex has on offer: its models with the efforts of each, and the saved threads of this folder. A model or an effort that
// is chosen holds from the next turn on, because it goes along with it.
import { type CodexModel, codexResultSchemas } from "../../../contract/codex.js";
import { errorWords } from "../error-words.js";
import type { JsonObject } from "../frames/json-frame.js";
import { refuse, type Settings, tellAnswer } from "../front-end-commands.js";
import type { JsonRpcPeer } from "../json-rpc-peer.js";
import type { StepBuilder } from "../step-builder.js";

const THREADS_MAX = 100;

export class CodexCatalog {
  private readonly out: StepBuilder;
  private readonly peer: JsonRpcPeer;
  private models: readonly CodexModel[] = [];
  private model = "";
  private effort = "";
  private wished: { model?: string; effort?: string } = {};

  constructor(out: StepBuilder, peer: JsonRpcPeer) {
    this.out = out;
    this.peer = peer;
  }

  get settings(): Settings {
    const models = this.models.map(({ model, displayName, description }) => ({
      value: model,
      label: displayName ?? model,
      ...(description === undefined ? {} : { description }),
    }));
    const named = models.some(({ value }) => value === this.model) ? [] : [{ value: this.model, label: this.model }];
    const efforts = this.models.find(({ model }) => model === this.model)?.supportedReasoningEfforts ?? [];
    const levels = efforts.map(({ reasoningEffort: value, description }) => ({
      value,
      label: value,
      ...(description === undefined ? {} : { description }),
    }));
    return [
      { key: "model", label: "Model", kind: "model", value: this.model, options: [...named, ...models] },
      ...(levels.length === 0
        ? []
        : [{ key: "effort", label: "Effort", kind: "other" as const, value: this.effort, options: levels }]),
    ];
  }

  /** What the next turn is told; what codex was told once it keeps. */
  takeWishes(): JsonObject {
    const { wished } = this;
    this.wished = {};
    return wished;
  }

  /** What codex says it uses. */
  use({ model, effort }: { readonly model?: string | undefined; readonly effort?: string | undefined }): void {
    this.model = this.wished.model ?? model ?? this.model;
    this.effort = this.wished.effort ?? effort ?? this.effort;
    this.out.tell({ type: "settings.changed", settings: this.settings });
  }

  askForModels(then: (models: readonly CodexModel[]) => void = () => undefined): void {
    this.peer.request("model/list", {}, (answer) => {
      const { data } = codexResultSchemas["model/list"].safeParse(answer.ok ? answer.result : null);
      this.models = data?.data.filter(({ hidden }) => hidden !== true) ?? this.models;
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
    this.wished = { ...this.wished, [key]: value };
    this.use({});
  }

  listThreads(workspace: string | undefined): void {
    const ofFolder = workspace === undefined ? {} : { cwd: workspace };
    this.peer.request("thread/list", { limit: THREADS_MAX, ...ofFolder }, (answer) => {
      const { data } = codexResultSchemas["thread/list"].safeParse(answer.ok ? answer.result : null);
      const sessions = (data?.data ?? []).map(({ id, cwd, updatedAt, name, preview }) => ({
        id,
        ...(cwd === undefined ? {} : { cwd }),
        ...(updatedAt === undefined ? {} : { timestamp: updatedAt * 1_000 }),
        ...((name ?? preview ?? "") === "" ? {} : { title: name ?? preview }),
      }));
      tellAnswer(this.out, "sessions_list", { sessions, error: answer.ok ? null : errorWords(answer) });
    });
  }
}
