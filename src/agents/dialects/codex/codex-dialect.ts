// codex over its app-server: JSON-RPC with threads, turns and items. Here are the handshake, the thread that is opened or
// resumed, and which notification goes where. Notifications of other threads, such as those of sub-agents, are not shown; their
// questions are asked.
//
//   initialize → initialized → thread/start | thread/read, thread/resume, thread/turns/list → agent.readied
//   turn/start → prompt.started … item/* … turn/completed → prompt.finished
//   item/*/requestApproval, requestUserInput, elicitation → ask     serverRequest/resolved → ask.withdrawn
import { wireErrorCodes } from "../../../contract/errors.js";
import { objectOf } from "../../../contract/json-value.js";
import type { Usage } from "../../../contract/messages.js";
import { plainWord } from "../../../contract/plain-word.js";
import { notice, retryWorking } from "../agent-notices.js";
import type { Dialect, DialectOptions, Wire } from "../dialect.js";
import { DialectBase, type PlainCommand } from "../dialect-base.js";
import { errorWords } from "../error-words.js";
import { takeByType } from "../frame-table.js";
import type { JsonObject } from "../frames/json-frame.js";
import { filled, present } from "../frames/lenient-field.js";
import { type CommandHandlers, handleCommand, refuse } from "../front-end-commands.js";
import { JsonRpcPeer, type JsonRpcWire, type RpcReply, resultOf } from "../json-rpc-peer.js";
import { type RpcTurn, RpcTurns } from "../rpc-turn.js";
import type { Happening } from "../step-builder.js";
import { CodexCatalog, serverConfig } from "./codex-catalog.js";
import {
  type CodexNotice,
  type CodexNoticeMethod,
  type CodexThread,
  type CodexTurn,
  codexNotices,
  codexResultSchemas,
} from "./codex-frames.js";
import { CodexItems } from "./codex-items.js";
import { CodexMessages } from "./codex-messages.js";
import { CodexRequests } from "./codex-requests.js";

const RPC: JsonRpcWire = { envelope: {}, ids: "names", cancelMethod: null, lateAnswers: "reported" };

/** How many turns of a resumed thread are shown. */
const HISTORY_TURNS_MAX = 100;

const planStatus: ReadonlyMap<string, "in_progress" | "completed" | "pending"> = new Map([
  ["inProgress", "in_progress"],
  ["completed", "completed"],
]);

export function createCodexDialect(options: DialectOptions = { clientVersion: "0" }): Dialect {
  return new CodexDialect(options);
}

/** Without a subcommand codex opens a UI of its own. */
export const wire: Wire = {
  create: createCodexDialect,
  args: (given) => (given.includes("app-server") ? given : [...given, "app-server"]),
};

class CodexDialect extends DialectBase {
  private readonly options: DialectOptions;
  private readonly peer = new JsonRpcPeer(this.out, RPC);
  private readonly messages = new CodexMessages(this.out);
  private readonly items = new CodexItems(this.out, this.messages);
  private readonly requests = new CodexRequests(this.out, this.asks, this.items);
  private readonly catalog = new CodexCatalog(this.out, this.peer, () => (this.turns.isOpen ? "turn" : "pause"));
  private readonly limits = new CodexLimits();
  private lastWarning: string | null = null;
  private readonly turns = new CodexTurns(this.out, this.peer, () => {
    this.asks.giveUp("turn_ended");
    this.messages.finish();
    this.items.turnEnded();
    this.catalog.turnChanged();
  });

  private readonly takers: { readonly [Method in CodexNoticeMethod]: (notice: CodexNotice<Method>) => void } = {
    "turn/started": ({ turn }) => {
      this.turns.started(turn);
      this.catalog.turnChanged();
    },
    "turn/completed": ({ turn }) => {
      this.turns.completed(turn, this.requests.endsTurn);
      this.requests.endsTurn = false;
    },
    "item/started": ({ item }) => this.items.take("started", item),
    "item/completed": ({ item }) => this.items.take("completed", item),
    "item/agentMessage/delta": ({ itemId, delta }) => this.messages.grow(itemId, "text", delta),
    "item/plan/delta": ({ itemId, delta }) => this.messages.grow(itemId, "text", delta),
    "item/reasoning/summaryTextDelta": ({ itemId, delta, summaryIndex }) =>
      this.messages.grow(itemId, "thinking", delta, `summary ${summaryIndex}`),
    "item/reasoning/textDelta": ({ itemId, delta, contentIndex }) =>
      this.messages.grow(itemId, "thinking", delta, `content ${contentIndex}`),
    "item/commandExecution/outputDelta": ({ itemId, delta }) => this.items.grow(itemId, delta),
    "item/fileChange/patchUpdated": ({ itemId, changes }) => this.items.keepPatches(itemId, changes),
    "item/mcpToolCall/progress": ({ itemId, message }) => this.items.grow(itemId, `${message}\n`),
    "turn/plan/updated": ({ plan }) => {
      const entries = plan.map(({ step: text, status }) => ({ text, status: planStatus.get(status) ?? "pending" }));
      this.out.tell({ type: "plan.changed", entries });
    },
    "thread/tokenUsage/updated": (told) => this.turns.spend(told),
    "thread/settings/updated": ({ threadSettings }) => this.catalog.use(threadSettings),
    "thread/name/updated": ({ threadName: title = "" }) => {
      if (title !== "") this.out.tell({ type: "title.changed", title });
    },
    "thread/closed": () => this.out.tell(notice("warn", "codex closed this thread")),
    // Told by an item, too.
    "thread/compacted": () => undefined,
    "serverRequest/resolved": ({ requestId }) => this.peer.settledElsewhere(requestId),
    "account/rateLimits/updated": (told) => this.out.tell(...this.limits.news(told)),
    "model/rerouted": (told) => this.out.tell(reroutedNews(told)),
    "mcpServer/startupStatus/updated": (told) => this.out.tell(...serverNews(told)),
    "hook/completed": (told) => this.out.tell(...hookNews(told)),
    "account/login/completed": (told) => this.out.tell(loginNews(told)),
    error: (told) => this.turns.failed(told),
    warning: ({ message }) => {
      // codex repeats some of its warnings in every turn.
      if (message !== this.lastWarning) this.out.tell(notice("warn", message));
      this.lastWarning = message;
    },
    guardianWarning: ({ message }) => this.out.tell(notice("warn", message)),
    configWarning: (told) => this.out.tell(summaryNews(told)),
    deprecationNotice: (told) => this.out.tell(summaryNews(told)),
  };
  private readonly table = { noun: "notification", schemas: codexNotices, takers: this.takers };

  private readonly commands: CommandHandlers = {
    prompt: ({ text }) => this.prompt(text),
    abort: () => this.stop(),
    list_models: () => this.catalog.listModels(),
    set_config: ({ key, value }) => this.catalog.set(key, plainWord(value)),
    list_sessions: () => this.catalog.listThreads(this.options.workspace),
    start_session: ({ session_file }) => this.changeThread(session_file ?? null),
    reset: () => this.clear(),
  };

  constructor(options: DialectOptions) {
    super();
    this.options = options;
  }

  protected start(): void {
    const clientInfo = { name: "palaver", title: "Palaver", version: this.options.clientVersion };
    this.peer.request("initialize", { clientInfo, capabilities: null }, (answer) => {
      // One that was greeted to find out how it speaks says so; it is initialized all the same.
      if (!answer.ok && !/already initialized/i.test(answer.message)) {
        this.giveUp(`codex refused the handshake: ${errorWords(answer)}`);
        return;
      }
      this.peer.notify("initialized", {});
      this.catalog.askForModels();
      if (this.options.resume === undefined) this.openThread();
      else this.resumeThread(this.options.resume);
    });
    this.expectReady("codex has not opened a thread for 30 s");
  }

  protected readFrame(frame: JsonObject): void {
    this.peer.read(frame, {
      onRequest: (request) => this.requests.take(request, this.nowMs),
      onNotification: (method, params) => this.takeNotice(method, params),
    });
  }

  protected obey(command: PlainCommand): void {
    handleCommand(this.out, this.commands, command, {
      name: "codex",
      capabilities: { supports_sessions: true, supports_models: true, supports_config: true },
      settings: this.catalog.settings,
    });
  }

  protected override sayGoodbye(): void {
    this.stop();
  }

  protected override end(): void {
    this.messages.finish();
    this.turns.cutOff();
  }

  private takeNotice(method: string, params: JsonObject): void {
    const { threadId } = params;
    const isOther = typeof threadId === "string" && threadId !== this.out.sessionId;
    // A change of a sub-agent is not shown, but may be asked about.
    if (isOther) this.keepForQuestions(method, params);
    else if (!quietMethods.has(method)) takeByType(this.table, this.out, method, params, { method, params });
  }

  private keepForQuestions(method: string, params: JsonObject): void {
    if (method === "serverRequest/resolved") this.peer.settledElsewhere(params.requestId);
    const item = method === "item/started" ? objectOf(params.item) : {};
    const patches = codexNotices["item/fileChange/patchUpdated"].safeParse({
      itemId: item["id"],
      changes: item["changes"],
    });
    if (patches.success) this.items.keepPatches(patches.data.itemId, patches.data.changes);
  }

  private prompt(text: string): void {
    if (this.turns.isOpen) {
      const message = "codex is busy; it takes one prompt at a time";
      this.out.tell({ type: "command.failed", message, code: wireErrorCodes.sessionBusy });
    } else if (this.out.sessionId === null) refuse(this.out, "codex has not opened a thread yet");
    else {
      const input = [{ type: "text", text, text_elements: [] }];
      this.turns.start({ threadId: this.out.sessionId, input, ...this.catalog.takeChosen() });
    }
  }

  // The turn is interrupted before its questions are refused, so that codex does not continue after one of them.
  private stop(): void {
    this.turns.stop();
    this.asks.giveUp("turn_ended");
  }

  private changeThread(id: string | null): void {
    if (this.turns.isOpen) refuse(this.out, "codex is busy; stop it before you switch sessions");
    else if (id === null) this.openThread();
    else this.resumeThread(id);
  }

  private clear(): void {
    if (this.turns.isOpen) refuse(this.out, "codex is busy; stop it before you clear the conversation");
    else this.openThread("cleared");
  }

  private get threadParams(): JsonObject {
    const { workspace, mcpServers = [] } = this.options;
    return { ...present({ cwd: workspace }), ...serverConfig(mcpServers) };
  }

  /** "cleared": it takes the place of the thread before. */
  private openThread(before: "kept" | "cleared" = "kept"): void {
    this.peer.request("thread/start", this.threadParams, (answer) => {
      const opened = this.openedThread(answer);
      if (opened === null) return;
      if (before === "cleared") this.out.tell({ type: "session.cleared", replacedBy: opened.thread.id });
      this.takeThread(opened);
    });
  }

  // A thread works in the folder that it was started in, so one of another folder is not resumed here.
  private resumeThread(threadId: string): void {
    const { workspace } = this.options;
    this.peer.request("thread/read", { threadId }, (read) => {
      const cwd = resultOf(codexResultSchemas.thread, read)?.thread.cwd;
      if (!read.ok) this.failThread(errorWords(read));
      else if (workspace !== undefined && cwd !== undefined && cwd !== workspace) {
        this.failThread(`this session belongs to another folder; start palaver there: ${cwd}`);
      } else this.resumeHere(threadId);
    });
  }

  private resumeHere(threadId: string): void {
    this.peer.request("thread/resume", { threadId, excludeTurns: true, ...this.threadParams }, (answer) => {
      const opened = this.openedThread(answer);
      if (opened === null) return;
      const page = { threadId, limit: HISTORY_TURNS_MAX, sortDirection: "desc", itemsView: "full" };
      this.peer.request("thread/turns/list", page, (listed) => {
        this.takeThread(opened);
        this.tellHistory(listed);
      });
    });
  }

  private openedThread(answer: RpcReply): CodexThread | null {
    const opened = resultOf(codexResultSchemas.thread, answer) ?? null;
    if (opened === null) this.failThread(answer.ok ? "it does not name the thread" : errorWords(answer));
    return opened;
  }

  private tellHistory(listed: RpcReply): void {
    const turns = resultOf(codexResultSchemas["thread/turns/list"], listed)?.data ?? [];
    for (const { items } of turns.toReversed()) for (const item of items) this.items.take("completed", item);
    this.items.turnEnded();
  }

  private takeThread({ thread, model, cwd, reasoningEffort, approvalPolicy, sandbox }: CodexThread): void {
    this.out.sessionId = thread.id;
    this.requests.folder = cwd ?? thread.cwd ?? "";
    this.turns.forget();
    if (!this.isReady) {
      this.isReady = true;
      this.out.tell({ type: "agent.readied", ui: true, protocolVersion: "2", ...present({ model }) });
    }
    const place = filled({ cwd: this.requests.folder });
    this.out.tell({ type: "session.started", ...place }, { type: "session.activated" });
    this.catalog.use({ model, effort: reasoningEffort, approvalPolicy, sandbox });
  }

  // Without a first thread there is nothing to do; another one that does not open leaves the first.
  private failThread(words: string): void {
    const message = `codex cannot open the session: ${words}`;
    if (this.isReady) this.out.tell({ type: "command.failed", message });
    else this.giveUp(message);
  }
}

// The turns of codex, and what they cost. Tokens are counted for the whole thread; those of a turn are the difference.

type Counts = CodexNotice<"thread/tokenUsage/updated">["tokenUsage"]["total"];

type Turn = RpcTurn & {
  /** What the thread had spent; null until it is known. */
  before: Counts | null;
  hasRetried: boolean;
  failure: string;
};

class CodexTurns extends RpcTurns<Turn> {
  protected readonly agent = "codex";
  protected readonly noun = "turn";
  protected readonly startMethod = "turn/start";
  private spent: Counts | null = null;

  /** codex begins turns by itself, too. */
  started({ id }: CodexTurn): void {
    if (this.turn === null && id !== this.lastId) this.begin(id);
    else this.name(id);
  }

  completed({ id, status, error }: CodexTurn, isEndedByUser: boolean): void {
    const { turn } = this;
    if (turn === null || id === this.lastId || (turn.id ?? id) !== id) return;
    turn.id = id;
    if (status === "failed") {
      const words = error === undefined ? "codex failed without giving a reason" : failureWords(error);
      if (words !== turn.failure) this.out.tell({ type: "agent.failed", message: words });
    } else if (status === "interrupted" && turn.stop === "none" && !isEndedByUser) {
      this.out.tell(notice("info", "interrupted"));
    }
    this.end(turn);
  }

  /** An error of a turn: codex tries again, or the turn fails with it. */
  failed({ error, willRetry }: CodexNotice<"error">): void {
    const words = failureWords(error);
    const { turn } = this;
    if (willRetry) {
      this.out.tell(...retryWorking(words, { isFirst: turn?.hasRetried !== true }));
      if (turn !== null) turn.hasRetried = true;
      return;
    }
    this.out.tell({ type: "agent.failed", message: words });
    if (turn !== null) turn.failure = words;
  }

  spend({ tokenUsage: { total, last, modelContextWindow: size } }: CodexNotice<"thread/tokenUsage/updated">): void {
    if (this.turn !== null) this.turn.before ??= less(total, last);
    this.spent = total;
    const context = size === undefined ? {} : { context: { used: last.totalTokens, size } };
    this.out.tell({ type: "usage.changed", usage: usageOf(total), ...context });
  }

  /** Another thread has its own count, which it does not tell before its first answer. */
  forget(): void {
    this.spent = null;
    this.lastId = null;
  }

  protected idIn(answer: RpcReply): string | undefined {
    return resultOf(codexResultSchemas["turn/start"], answer)?.turn.id;
  }

  protected stopCall(turnId: string) {
    return ["turn/interrupt", { threadId: this.out.sessionId, turnId }] as const;
  }

  protected opened(id: string | null): Turn {
    return { id, stop: "none", before: this.spent, hasRetried: false, failure: "" };
  }

  protected ended({ before }: Turn): void {
    const { spent } = this;
    const isCounted = spent !== null && before !== null && spent.totalTokens > before.totalTokens;
    const usage = isCounted ? { usage: usageOf(less(spent, before)) } : {};
    this.out.tell({ type: "working.changed", message: null }, { type: "prompt.finished", ...usage });
  }
}

function less(now: Counts, before: Counts): Counts {
  const names = Object.keys(before) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, Number(now[name]) - Number(before[name])])) as Counts;
}

// codex counts what came from the cache among the input.
function usageOf(counts: Counts): Usage {
  return {
    input: counts.inputTokens - counts.cachedInputTokens,
    output: counts.outputTokens,
    cache_read: counts.cachedInputTokens,
    cache_write: counts.cacheWriteInputTokens,
    total_tokens: counts.totalTokens,
  };
}

// The state of codex in sentences: warnings, limits, servers that do not start. A notification that is in no list here and in no
// schema is reported once.

/** Known, and not shown, or shown in another way. */
const quietMethods: ReadonlySet<string> = new Set([
  ...["thread/started", "thread/status/changed", "thread/readState/changed", "thread/archived", "thread/unarchived"],
  ...["thread/deleted", "thread/reverted", "thread/attachment/updated", "thread/queue/changed"],
  ...["thread/project/updated", "thread/goal/updated", "thread/goal/cleared", "thread/prediction/updated"],
  ...["project/changed", "skills/changed", "thread/environment/connected", "thread/environment/disconnected"],
  ...["turn/moderationMetadata", "turn/diff/updated", "item/reasoning/summaryPartAdded"],
  ...["item/fileChange/outputDelta", "item/commandExecution/terminalInteraction", "item/autoApprovalReview/started"],
  ...["item/autoApprovalReview/completed", "autoApprovalReview/strictReviewRequired", "hook/started"],
  ...["rawResponseItem/completed", "rawResponse/completed", "mcpServer/event/stream/notification"],
  ...["mcpServer/oauthLogin/completed", "account/updated", "account/gatewayOAuth/changed", "app/list/updated"],
  ...["remoteControl/status/changed", "fs/changed", "model/verification", "model/safetyBuffering/updated"],
  ...["modelProvider/authRecoveryStarted", "modelProvider/authRecoveryCompleted"],
]);

function summaryNews({ summary, details }: CodexNotice<"configWarning">): Happening {
  return notice("warn", summary, details);
}

function reroutedNews({ fromModel, toModel, reason }: CodexNotice<"model/rerouted">): Happening {
  return notice("warn", `${toModel} answers instead of ${fromModel}`, reason);
}

function serverNews({ name, status, error }: CodexNotice<"mcpServer/startupStatus/updated">): Happening[] {
  return status === "failed" ? [notice("warn", `the MCP server ${name} did not start`, error)] : [];
}

function hookNews({ run }: CodexNotice<"hook/completed">): Happening[] {
  const { eventName = "", status, statusMessage } = run;
  return ["failed", "blocked", "stopped"].includes(status)
    ? [notice("warn", `the hook ${eventName} ${status === "failed" ? "failed" : `${status} codex`}`, statusMessage)]
    : [];
}

function loginNews({ success, error }: CodexNotice<"account/login/completed">): Happening {
  return success ? notice("success", "signed in") : notice("error", "the login failed", error);
}

function failureWords({ message, additionalDetails }: CodexNotice<"error">["error"]): string {
  const details = additionalDetails === undefined || message.includes(additionalDetails) ? [] : [additionalDetails];
  return [message, ...details].filter(Boolean).join(": ") || "codex failed without giving a reason";
}

const NEAR_PERCENT = 90;

/** The limits of the account. codex repeats them after every answer; each is told when it comes near and when it is reached. */
class CodexLimits {
  private readonly told = new Set<string>();

  news({ rateLimits }: CodexNotice<"account/rateLimits/updated">): Happening[] {
    const { primary, secondary, rateLimitReachedType: reached } = rateLimits;
    const near = [primary, secondary].flatMap((limit) => {
      const name = limitName(limit?.windowDurationMins);
      const isNear = limit !== undefined && limit.usedPercent >= NEAR_PERCENT;
      const words = `${name} is near: ${Math.round(limit?.usedPercent ?? 0)} % used`;
      return this.once(name, isNear) ? [notice("warn", words)] : [];
    });
    const isReached = reached !== undefined;
    const words = `a limit of your account is reached: ${(reached ?? "").replaceAll("_", " ")}`;
    return this.once("reached", isReached) ? [...near, notice("error", words)] : near;
  }

  private once(name: string, isSo: boolean): boolean {
    const isNews = isSo && !this.told.has(name);
    if (isSo) this.told.add(name);
    else this.told.delete(name);
    return isNews;
  }
}

function limitName(minutes: number | undefined): string {
  if (minutes === undefined) return "the rate limit";
  const hours = Math.round(minutes / 60);
  return hours >= 48 ? `the limit of ${Math.round(hours / 24)} days` : `the limit of ${Math.max(1, hours)} h`;
}
