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

const THREADS_MAX = 100;

export class CodexCatalog {
  private readonly out: StepBuilder;
  private readonly peer: JsonRpcPeer;
  private models: readonly CodexModel[] = [];
  private model = "";
  private effort = "";
  private readonly modes = new CodexModes();
  private chosen: { model?: string; effort?: string } = {};

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
  takeChosen(): JsonObject {
    const { chosen } = this;
    this.chosen = {};
    return { ...chosen, ...this.modes.takeChosen() };
  }

  /** What codex says it uses. */
  use(told: { readonly model?: string | undefined; readonly effort?: string | undefined } & CodexPolicies): void {
    this.model = this.chosen.model ?? told.model ?? this.model;
    this.effort = this.chosen.effort ?? told.effort ?? this.effort;
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
    if (key !== "mode") this.chosen = { ...this.chosen, [key]: value };
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

// What codex may do without asking, as one mode: its approval policy and its sandbox together. Any other pair, from the user's
// configuration of codex, is a mode of its own that is shown but cannot be chosen.

interface CodexMode {
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly approvalPolicy: string;
  readonly sandbox: string;
}

const modes: readonly CodexMode[] = [
  {
    ...{ value: "read-only", label: "read only", description: "asks before it changes anything" },
    ...{ approvalPolicy: "on-request", sandbox: "readOnly" },
  },
  {
    ...{ value: "ask", label: "ask", description: "asks before edits and before commands not known to be safe" },
    ...{ approvalPolicy: "untrusted", sandbox: "workspaceWrite" },
  },
  {
    ...{ value: "auto", label: "auto", description: "works in this folder; asks for the network and other folders" },
    ...{ approvalPolicy: "on-request", sandbox: "workspaceWrite" },
  },
  {
    ...{ value: "full-access", label: "full access", description: "no sandbox" },
    ...{ approvalPolicy: "never", sandbox: "dangerFullAccess" },
  },
];

/** The policies, as codex tells them. */
type CodexPolicies = {
  readonly approvalPolicy?: unknown;
  readonly sandbox?: unknown;
  readonly sandboxPolicy?: unknown;
};

type ModeOption = Settings[number]["options"][number];

class CodexModes {
  /** What codex works in; null until it has told of its policies. */
  private running: ModeOption | null = null;
  /** Goes along with every turn, so that a turn that failed to start does not leave codex in another mode than is shown. */
  private chosen: { readonly mode: CodexMode; isSent: boolean } | null = null;

  get isKnown(): boolean {
    return this.running !== null;
  }

  /** Whether codex has yet to be told of a choice. */
  get isPending(): boolean {
    return this.chosen?.isSent === false;
  }

  /** A choice does not change the turn that runs, so both are shown until it has ended. */
  settingDuring(time: "turn" | "pause"): Settings[number] {
    const { running, isPending } = this;
    const shown = (isPending ? this.chosen?.mode : running) ?? running;
    const isLater = time === "turn" && isPending && shown?.value !== running?.value;
    const options = modes.map(({ value, label, description }) => {
      const later = isLater && value === shown?.value ? `${running?.label}, ${label} from the next turn` : label;
      return { value, label: later, description };
    });
    const custom = shown?.value === "custom" ? [shown] : [];
    return {
      ...{ key: "mode", label: "Permissions", kind: "mode" },
      ...{ value: shown?.value ?? "", options: [...custom, ...options] },
    };
  }

  heard({ approvalPolicy, sandbox, sandboxPolicy }: CodexPolicies): void {
    if (approvalPolicy === undefined || approvalPolicy === null) return;
    const box = objectOf(sandboxPolicy ?? sandbox);
    const place = plainWord(box["type"] ?? "");
    const extras = extrasOf(box);
    const isKnown = (mode: CodexMode) => mode.approvalPolicy === approvalPolicy && mode.sandbox === place;
    const known = extras === "" ? modes.find(isKnown) : undefined;
    const policy = typeof approvalPolicy === "string" ? approvalPolicy : "granular";
    const label = [policy, spaced(place), extras].filter(Boolean).join(", ");
    this.running = known ?? { value: "custom", label };
    // A choice that codex has not been told yet stands.
    if (!this.isPending && known !== this.chosen?.mode) this.chosen = null;
  }

  /** False for a mode that there is not. */
  choose(value: string): boolean {
    const mode = modes.find((known) => known.value === value);
    if (mode === undefined) return false;
    this.chosen = { mode, isSent: false };
    return true;
  }

  /** What the next turn is told. */
  takeChosen(): JsonObject {
    if (this.chosen === null) return {};
    this.chosen.isSent = true;
    this.running = this.chosen.mode;
    const { approvalPolicy, sandbox } = this.chosen.mode;
    return { approvalPolicy, sandboxPolicy: { type: sandbox } };
  }
}

/** What the sandbox allows beyond its type, which no mode of ours promises. */
function extrasOf({ type, networkAccess = false, writableRoots = [] }: JsonObject): string {
  if (type === "dangerFullAccess") return "";
  const hasNetwork = ![false, null, "restricted"].some((closed) => closed === networkAccess);
  const hasRoots = !Array.isArray(writableRoots) || writableRoots.length > 0;
  const extras = [hasNetwork ? "network" : "", hasRoots ? "other folders" : ""].filter(Boolean).join(", ");
  return extras === "" ? "" : `with ${extras}`;
}

/** "workspaceWrite" as words. */
function spaced(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
