// Models and saved sessions of codelia's runtime.

import { errorWords } from "../error-words.js";
import type { JsonObject } from "../frames/json-frame.js";
import { present } from "../frames/lenient-field.js";
import { refuse, type Settings, tellAnswer } from "../front-end-commands.js";
import { type JsonRpcPeer, resultOf } from "../json-rpc-peer.js";
import type { StepBuilder } from "../step-builder.js";
import { codeliaResultSchemas } from "./codelia-frames.js";

export class CodeliaCatalog {
  settings: Settings = [];
  private readonly out: StepBuilder;
  private readonly peer: JsonRpcPeer;

  constructor(out: StepBuilder, peer: JsonRpcPeer) {
    this.out = out;
    this.peer = peer;
  }

  listModels(): void {
    this.askForModels((providers) => tellAnswer(this.out, "models_list", { providers }));
  }

  askForModels(then: (providers: readonly JsonObject[]) => void = () => undefined): void {
    this.peer.request("model.list", {}, (answer) => {
      const listed = resultOf(codeliaResultSchemas["model.list"], answer);
      if (listed === undefined) return then([]);
      const { provider, models, current = "" } = listed;
      this.tellModel(
        current,
        models.map((model) => ({ value: model, label: model })),
      );
      return then([{ id: provider, models: models.map((id) => ({ id })) }]);
    });
  }

  private tellModel(value: string, options: Settings[number]["options"]): void {
    this.settings = [{ key: "model", label: "Model", kind: "model", value, options }];
    this.out.tell({ type: "settings.changed", settings: this.settings });
  }

  set(key: string, value: string): void {
    if (key !== "model") {
      refuse(this.out, `codelia has no setting "${key}"; it has model`);
      return;
    }
    this.peer.request("model.set", { name: value, scope: "session" }, (answer) => {
      if (answer.ok) this.tellModel(value, this.settings[0]?.options ?? []);
      else this.out.tell({ type: "command.failed", message: `codelia kept its model: ${errorWords(answer)}` });
    });
  }

  listSessions(): void {
    this.peer.request("session.list", {}, (answer) => {
      const listed = resultOf(codeliaResultSchemas["session.list"], answer)?.sessions ?? [];
      const sessions = listed.map(({ session_id, updated_at, cwd }) =>
        present({ id: session_id, timestamp: updated_at, cwd }),
      );
      tellAnswer(this.out, "sessions_list", { sessions, error: answer.ok ? null : errorWords(answer) });
    });
  }
}
