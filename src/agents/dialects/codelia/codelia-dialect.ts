// codelia's runtime: JSON-RPC over stdio with numbered runs. A run ends with its status; a final text may be missing.
//
//   initialize → agent.readied     run.start → prompt.started … run.status completed|error|cancelled → prompt.finished
//   ui.*.request → ask             permission.preview, permission.ready → the question that follows is about that tool
import { wireErrorCodes } from "../../../contract/errors.js";
import type { LinesCommand } from "../../../contract/lines-commands.js";
import type { Usage } from "../../../contract/messages.js";
import { plainWord } from "../../../contract/plain-word.js";
import { notice } from "../agent-notices.js";
import type { Dialect, DialectOptions, DialectStep, Wire } from "../dialect.js";
import { DialectBase, type PlainCommand } from "../dialect-base.js";
import { errorWords } from "../error-words.js";
import { takeByType } from "../frame-table.js";
import type { JsonObject } from "../frames/json-frame.js";
import { filled, present } from "../frames/lenient-field.js";
import { type CommandHandlers, handleCommand, refuse, type Settings, tellAnswer } from "../front-end-commands.js";
import { JsonRpcPeer, type JsonRpcWire, type RpcReply, resultOf } from "../json-rpc-peer.js";
import { createLegacyPreflight } from "../lines/legacy-preflight.js";
import { type RpcTurn, RpcTurns } from "../rpc-turn.js";
import { CodeliaEvents } from "./codelia-events.js";
import {
  CODELIA_PROTOCOL_VERSION,
  type CodeliaNotice,
  codeliaNotices,
  codeliaResultSchemas,
} from "./codelia-frames.js";
import { CodeliaQuestions } from "./codelia-ui.js";

/** Ignored notices. */
const quietNotices: ReadonlySet<string> = new Set(["client.tool.cancel", "ui.context.update"]);

const uiCapabilities = {
  supports_confirm: true,
  supports_prompt: true,
  supports_pick: true,
  supports_markdown: true,
  supports_permission_preflight_events: true,
} as const;

type NoticeMethod = keyof typeof codeliaNotices;

/** The runtime answers late after a cancel. */
const RPC: JsonRpcWire = { envelope: { jsonrpc: "2.0" }, ids: "names", cancelMethod: null, lateAnswers: "dropped" };

export function createCodeliaDialect(options: DialectOptions = { clientVersion: "0" }): Dialect {
  return new CodeliaDialect(options);
}

/** The session to resume is sent on the wire. */
export const wire: Wire = { create: createCodeliaDialect, args: (given) => given };

class CodeliaDialect extends DialectBase {
  private readonly options: DialectOptions;
  private readonly peer = new JsonRpcPeer(this.out, RPC);
  private readonly questions = new CodeliaQuestions(this.out, this.asks, () => this.events.waiting);
  private settings: Settings = [];
  private readonly legacy = createLegacyPreflight();
  private readonly events = new CodeliaEvents(this.out, (tool) => {
    this.questions.announced = tool;
  });
  private readonly runs = new CodeliaRuns(this.out, this.peer, () => {
    this.asks.giveUp("turn_ended");
    this.questions.announced = null;
    this.events.runEnded();
  });
  private serverCapabilities: JsonObject = {};

  private readonly takers: { readonly [Method in NoticeMethod]: (notice: CodeliaNotice<Method>) => void } = {
    "agent.event": (notice) => {
      this.runs.name(notice.run_id);
      this.events.take(notice);
    },
    "run.status": (status) => this.runs.took(status),
    "run.context": ({ context_left_percent: left }) =>
      this.out.tell({ type: "usage.changed", context: { used: Math.max(0, 100 - left), size: 100 } }),
    "run.diagnostics": (counted) => this.runs.spent(counted),
  };

  private readonly table = { noun: "notice", schemas: codeliaNotices, takers: this.takers };

  private readonly commands: CommandHandlers = {
    prompt: (command) => this.prompt(command),
    abort: () => this.cancel(),
    list_models: () => this.askForModels((providers) => tellAnswer(this.out, "models_list", { providers })),
    set_config: ({ key, value }) => this.set(key, plainWord(value)),
    list_sessions: () => this.listSessions(),
    start_session: ({ session_file }) => this.startSession(session_file ?? null),
    reset: () => this.clear(),
  };

  constructor(options: DialectOptions) {
    super();
    this.options = options;
  }

  protected start(): void {
    const client = { name: "palaver", version: this.options.clientVersion };
    const params = { protocol_version: CODELIA_PROTOCOL_VERSION, client, ui_capabilities: uiCapabilities };
    this.peer.request("initialize", params, (answer) => {
      if (!answer.ok) {
        this.giveUp(`codelia refused the handshake: ${errorWords(answer)}`);
        return;
      }
      const { data } = codeliaResultSchemas.initialize.safeParse(answer.result ?? {});
      this.isReady = true;
      this.serverCapabilities = data?.server_capabilities ?? {};
      const protocolVersion = data?.protocol_version ?? CODELIA_PROTOCOL_VERSION;
      this.out.tell({ type: "agent.readied", ui: true, protocolVersion });
      const other = `codelia uses protocol version ${protocolVersion}; Palaver supports version ${CODELIA_PROTOCOL_VERSION}`;
      if (protocolVersion !== CODELIA_PROTOCOL_VERSION) this.out.tell(notice("warn", other));
      this.askForModels();
      if (this.options.resume !== undefined) this.startSession(this.options.resume);
    });
    this.expectReady("codelia has not answered for 30 s");
  }

  protected readFrame(frame: JsonObject): void {
    this.peer.read(frame, {
      onRequest: (request) => this.questions.take(request),
      onNotification: (method, params) => this.takeNotice(method, params),
    });
  }

  protected obey(command: PlainCommand): void {
    handleCommand(this.out, this.commands, command, {
      name: "codelia",
      capabilities: {
        supports_sessions: true,
        supports_models: true,
        supports_config: true,
        supports_permission_preflight_events: this.hasPreflightEvents,
      },
      settings: this.settings,
    });
  }

  protected override sayGoodbye(): void {
    this.cancel();
  }

  protected override end(): void {
    this.runs.cutOff();
  }

  // A runtime without permission events announces tools in texts.
  protected override step(nowMs: number, act: () => void): DialectStep {
    const step = super.step(nowMs, act);
    if (this.hasPreflightEvents) return step;
    const events = this.legacy.read(step.events);
    for (const event of events) {
      if (event.type !== "permission.readied") continue;
      this.questions.announced = { tool: event.tool, toolCallId: event.toolCallId };
    }
    return { ...step, events };
  }

  private get hasPreflightEvents(): boolean {
    return this.serverCapabilities.supports_permission_preflight_events === true;
  }

  private prompt({ text }: Extract<LinesCommand, { type: "prompt" }>): void {
    if (!this.runs.isOpen) {
      const session = filled({ session_id: this.out.sessionId });
      this.runs.start({ input: { type: "text", text }, ...session });
      return;
    }
    const message = "codelia is busy; it takes one prompt at a time";
    this.out.tell({ type: "command.failed", message, code: wireErrorCodes.sessionBusy });
  }

  private cancel(): void {
    this.asks.giveUp("turn_ended");
    this.runs.stop();
  }

  private takeNotice(method: string, params: JsonObject): void {
    if (!quietNotices.has(method)) takeByType(this.table, this.out, method, params, { method, params });
  }

  // The runtime starts a session with the first run that names none, and replays the history of a resumed one.
  // The next run opens the new session.
  private clear(): void {
    if (this.runs.isOpen) {
      refuse(this.out, "codelia is busy; stop it before you clear the conversation");
      return;
    }
    this.out.tell({ type: "session.cleared" });
    this.out.sessionId = null;
  }

  private startSession(sessionId: string | null): void {
    if (this.runs.isOpen) {
      refuse(this.out, "codelia is busy; stop it before you switch sessions");
      return;
    }
    this.out.sessionId = sessionId;
    this.out.tell({ type: "session.started" });
    if (sessionId === null) return;
    this.out.tell({ type: "session.activated" });
    this.peer.request("session.history", { session_id: sessionId }, (answer) => {
      if (!answer.ok) this.out.tell({ type: "command.failed", message: `codelia: ${errorWords(answer)}` });
    });
  }

  private askForModels(then: (providers: readonly JsonObject[]) => void = () => undefined): void {
    this.peer.request("model.list", {}, (answer) => {
      const listed = resultOf(codeliaResultSchemas["model.list"], answer);
      if (listed === undefined) return then([]);
      const { provider, models, current = "" } = listed;
      const options = models.map((model) => ({ value: model, label: model }));
      this.tellModel(current, options);
      return then([{ id: provider, models: models.map((id) => ({ id })) }]);
    });
  }

  private tellModel(value: string, options: Settings[number]["options"]): void {
    this.settings = [{ key: "model", label: "Model", kind: "model", value, options }];
    this.out.tell({ type: "settings.changed", settings: this.settings });
  }

  private set(key: string, value: string): void {
    if (key !== "model") {
      refuse(this.out, `codelia has no setting "${key}"; it has model`);
      return;
    }
    this.peer.request("model.set", { name: value, scope: "session" }, (answer) => {
      if (answer.ok) this.tellModel(value, this.settings[0]?.options ?? []);
      else
        this.out.tell({ type: "command.failed", message: `codelia did not change its model: ${errorWords(answer)}` });
    });
  }

  private listSessions(): void {
    this.peer.request("session.list", {}, (answer) => {
      const listed = resultOf(codeliaResultSchemas["session.list"], answer)?.sessions ?? [];
      const sessions = listed.map(({ session_id, updated_at, cwd }) =>
        present({ id: session_id, timestamp: updated_at, cwd }),
      );
      tellAnswer(this.out, "sessions_list", { sessions, error: answer.ok ? null : errorWords(answer) });
    });
  }
}

type Run = RpcTurn & { usage: Usage | null };

class CodeliaRuns extends RpcTurns<Run> {
  protected readonly agent = "codelia";
  protected readonly noun = "run";
  protected readonly startMethod = "run.start";

  took({ run_id, status, message }: CodeliaNotice<"run.status">): void {
    this.name(run_id);
    const run = this.turn;
    if (run === null || run.id !== run_id || status === "running" || status === "awaiting_ui") return;
    if (status === "error") {
      this.out.tell({ type: "agent.failed", message: message ?? "codelia failed without giving a reason" });
    } else if (status === "cancelled") {
      if (run.stop === "none") this.out.tell(notice("info", "interrupted"));
    } else if (status !== "completed") {
      this.out.unknown("status", status, { run_id, status });
      return;
    }
    this.end(run);
  }

  spent({ summary }: CodeliaNotice<"run.diagnostics">): void {
    if (summary === undefined || this.turn === null) return;
    const { total_tokens, total_cost_usd } = summary;
    this.turn.usage = {
      input: summary.total_input_tokens ?? 0,
      output: summary.total_output_tokens ?? 0,
      cache_read: summary.total_cached_input_tokens ?? 0,
      cache_write: summary.total_cache_creation_tokens ?? 0,
      ...present({ total_tokens, cost: total_cost_usd === undefined ? undefined : { total: total_cost_usd } }),
    };
  }

  protected idIn(answer: RpcReply): string | undefined {
    const { run_id, session_id } = resultOf(codeliaResultSchemas["run.start"], answer) ?? {};
    if (session_id !== undefined && session_id !== this.out.sessionId) {
      this.out.sessionId = session_id;
      this.out.tell({ type: "session.started" });
    }
    return run_id;
  }

  protected stopCall(runId: string) {
    return ["run.cancel", { run_id: runId, reason: "user" }] as const;
  }

  protected opened(id: string | null): Run {
    return { id, stop: "none", usage: null };
  }

  protected ended({ usage }: Run): void {
    this.out.tell({ type: "prompt.finished", ...filled({ usage }) });
  }
}
