// Creates MCP servers from the list of tools: one per connection, or per request where the protocol has no connections. They
// share the open questions and the record of calls.

import { randomBytes } from "node:crypto";
import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  McpServer,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Ask, AskOutcome, WithdrawReason } from "../../contract/asks.js";
import { objectOf } from "../../contract/json-value.js";
import { errorMessage } from "../../contract/plain-word.js";
import { realTimers, steadyNowMs, type Timers } from "../../system/timers.js";
import { askTools, notifyTool, statusTool } from "./ask-tools.js";
import { type Elicit, elicitationOf, InputNeeded, mayElicit } from "./client-elicitation.js";
import { daemonTools } from "./daemon-tools.js";
import { type ForwardedResult, type McpAsks, type McpLimits, type McpPorts, mcpLimitsDefault } from "./mcp-ports.js";
import { type McpTool, type SettledAsk, type ToolAnswer, ToolRefusal } from "./mcp-tool.js";

interface CallEvent {
  readonly tool: string;
  readonly client: string;
  readonly atMs: number;
  readonly durationMs: number;
  readonly ended: "answered" | "failed";
}

export interface CallSummary {
  readonly calls: number;
  readonly byTool: Readonly<Record<string, number>>;
  /** The newest last. */
  readonly recent: readonly CallEvent[];
}

const EVENTS_KEPT_MAX = 50;

// Arguments and answers are not kept, because they may be secret.
class CallRecord {
  private readonly byTool = new Map<string, number>();
  private recent: CallEvent[] = [];
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  begin(): void {
    this.running += 1;
  }

  end(event: CallEvent): void {
    this.byTool.set(event.tool, (this.byTool.get(event.tool) ?? 0) + 1);
    this.recent = [...this.recent, event].slice(-EVENTS_KEPT_MAX);
    this.running -= 1;
    if (this.running === 0) for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Resolves when no call is running. */
  whenIdle(): Promise<void> {
    return this.running === 0 ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  summary(): CallSummary {
    const counts = [...this.byTool.values()];
    return {
      calls: counts.reduce((sum, count) => sum + count, 0),
      byTool: Object.fromEntries(this.byTool),
      recent: this.recent,
    };
  }
}

export interface ServerFactory {
  readonly questions: OpenQuestions;
  readonly calls: CallRecord;
  create(): McpServer;
  /** Withdraws open questions, and resolves when the clients have their answers. */
  close(reason: WithdrawReason): Promise<void>;
}

const CLOSE_MS_MAX = 500;

const INSTRUCTIONS =
  "Palaver connects you with the user you work for. When you need a decision, a value or a permission that only they can " +
  "give, ask with one of the ask_ tools: ask_select for a choice, ask_confirm for yes or no, ask_input for a line, " +
  "ask_editor for a longer text, ask_form for several things at once. These calls wait until the user answers, which may " +
  "take minutes; a cancel is an answer too. notify tells them something without waiting.";

export function createServerFactory(ports: McpPorts): ServerFactory {
  const questions = new OpenQuestions(ports);
  const calls = new CallRecord();
  const tools = toolsOf(ports);
  const maxToolInputElements = ports.limits?.argumentPartsMax ?? mcpLimitsDefault.argumentPartsMax;
  return {
    questions,
    calls,
    create() {
      const server = new McpServer(
        { name: "palaver", title: "Palaver", version: ports.version },
        { capabilities: { tools: { listChanged: false } }, instructions: INSTRUCTIONS, maxToolInputElements },
      );
      for (const tool of tools) register(server, tool, { ports, questions, calls });
      ports.extend?.(server);
      server.server.onerror = (error) => ports.onFault?.(error);
      return server;
    },
    async close(reason) {
      questions.close(reason);
      await Promise.race([calls.whenIdle(), pause(CLOSE_MS_MAX)]);
      // The last answers are written after their calls end.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

// A tool that hangs must not delay the shutdown.
function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs).unref();
  });
}

function toolsOf({ daemon, onStatus, onNotice }: McpPorts): readonly McpTool[] {
  return [
    statusTool((report) => onStatus?.(report)),
    ...askTools,
    ...(onNotice === undefined ? [] : [notifyTool(onNotice)]),
    ...(daemon === undefined ? [] : daemonTools(daemon)),
  ];
}

interface Parts {
  readonly ports: McpPorts;
  readonly questions: OpenQuestions;
  readonly calls: CallRecord;
}

function register(server: McpServer, tool: McpTool, parts: Parts): void {
  const { title, description, input: inputSchema, output: outputSchema, hints } = tool;
  const annotations = {
    readOnlyHint: hints.reads === "only",
    openWorldHint: hints.world === "open",
    ...(hints.world === "open" ? { destructiveHint: false } : {}),
  };
  server.registerTool(tool.name, { title, description, inputSchema, outputSchema, annotations }, (args, context) =>
    recorded(tool, args, context, server, parts),
  );
}

async function recorded(
  tool: McpTool,
  args: Record<string, unknown>,
  context: ServerContext,
  server: McpServer,
  parts: Parts,
): Promise<CallToolResult | InputRequiredResult> {
  const { nowMs = steadyNowMs, elicitation } = parts.ports;
  const atMs = nowMs();
  const asker = {
    ...askerOf(context, server),
    elicit: elicitation === "first" ? elicitationOf(context, server) : null,
  };
  parts.calls.begin();
  const result = await answered(tool, args, asker, parts);
  parts.calls.end({
    tool: tool.name,
    client: asker.client,
    atMs,
    durationMs: nowMs() - atMs,
    ended: "isError" in result && result.isError === true ? "failed" : "answered",
  });
  return result;
}

async function answered(
  tool: McpTool,
  args: Record<string, unknown>,
  asker: Asker,
  { ports, questions }: Parts,
): Promise<CallToolResult | InputRequiredResult> {
  const { client, signal } = asker;
  try {
    const forward = () =>
      ports.forward?.({ tool: tool.name, client, args, signal, onProgress: () => asker.keepAlive() });
    const forwarded = asker.elicit !== null && tool.asks?.(args) === true ? null : await forward();
    if (forwarded !== undefined && forwarded !== null) return forwardedResult(forwarded);
    return localResult(
      await tool.run(args, { client, signal, ask: (question, options) => questions.ask(asker, question, options) }),
    );
  } catch (error) {
    if (error instanceof InputNeeded) return error.result;
    if (!(error instanceof ToolRefusal)) ports.onFault?.(error instanceof Error ? error : new Error(String(error)));
    const text = error instanceof ToolRefusal ? error.message : "Palaver failed at this call.";
    return { content: [{ type: "text", text }], isError: true };
  }
}

function localResult({ text, structured, failed }: ToolAnswer): CallToolResult {
  return {
    content: [{ type: "text", text }],
    structuredContent: { ...structured },
    ...(failed === true ? { isError: true } : {}),
  };
}

function forwardedResult({ text, structured, isError }: ForwardedResult): CallToolResult {
  return {
    content: [{ type: "text", text }],
    ...(structured === undefined ? {} : { structuredContent: { ...structured } }),
    ...(isError ? { isError: true } : {}),
  };
}

const NAMELESS = "MCP client";
const NAME_CHARS_MAX = 80;

function askerOf(context: ServerContext, server: McpServer): Omit<Asker, "elicit"> {
  const request = context.http?.req;
  const signals = [context.mcpReq.signal, ...(request === undefined ? [] : [request.signal])];
  const signal = AbortSignal.any(signals);
  return {
    client: clientName(context, server),
    signal,
    // Any abort that is not a lost connection is a cancel of the client.
    goneWhy(): WithdrawReason {
      const { reason } = context.mcpReq.signal;
      const isLost = reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed;
      return isLost || request?.signal.aborted === true ? "disconnected" : "agent_cancelled";
    },
    keepAlive: keepAliveOf(context),
  };
}

// Untrusted: cut here, made safe where it is shown.
function clientName({ mcpReq }: ServerContext, server: McpServer): string {
  const envelope = (mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>;
  const told = envelope[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion();
  const { name } = objectOf(told);
  return typeof name === "string" && name.trim() !== "" ? name.slice(0, NAME_CHARS_MAX) : NAMELESS;
}

// Only clients that sent a token get progress; the others have the comments in the stream.
function keepAliveOf({ mcpReq }: ServerContext): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return () => {
    const params = { progressToken, progress, message: "waiting for the user" };
    progress += 1;
    // A lost client aborts the signal.
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

// The open questions of one MCP server. Each belongs to one call of one client, which gets progress messages while it waits;
// when the client cancels or disconnects, the question is withdrawn wherever it is shown.

/** The client of a call, for as long as the call lasts. */
export interface Asker {
  readonly client: string;
  readonly signal: AbortSignal;
  /** Why the signal aborted. */
  goneWhy(): WithdrawReason;
  /** Sends a progress message. */
  keepAlive(): void;
  /** Asks in the client's own window; null when it cannot. */
  readonly elicit: Elicit | null;
}

class OpenQuestions {
  private readonly asks: McpAsks;
  private readonly owner: NonNullable<McpPorts["owner"]>;
  private readonly limits: McpLimits;
  private readonly nowMs: () => number;
  private readonly timers: Timers;
  // Unique among all servers that ask the same person.
  private readonly prefix = `mcp-${randomBytes(4).toString("hex")}`;
  private readonly open = new Map<string, (reason: WithdrawReason) => void>();
  private count = 0;
  private closed = false;

  constructor({ asks, owner, limits, nowMs = steadyNowMs, timers = realTimers }: McpPorts) {
    this.asks = asks;
    this.owner = owner ?? { sessionId: null, turnId: null };
    this.limits = { ...mcpLimitsDefault, ...limits };
    this.nowMs = nowMs;
    this.timers = timers;
  }

  async ask(
    asker: Asker,
    question: Ask["question"],
    { timeoutMs }: { timeoutMs?: number | undefined } = {},
  ): Promise<SettledAsk> {
    if (this.closed) return { id: "", outcome: { kind: "withdrawn", reason: "shutdown" } };
    if (asker.signal.aborted) return { id: "", outcome: { kind: "withdrawn", reason: asker.goneWhy() } };
    if (this.open.size >= this.limits.openAsksMax) {
      throw new ToolRefusal(`${this.open.size} questions are already open; ask again later.`);
    }
    const ask = this.askOf(asker, question, timeoutMs);
    const { elicit } = asker;
    const put = elicit !== null && mayElicit(question) ? () => elicit(ask, timeoutMs) : () => this.asks.ask(ask);
    return { id: ask.id, outcome: await this.outcomeOf(ask, asker, put) };
  }

  /** Withdraws everything; later questions are refused. */
  close(reason: WithdrawReason): void {
    this.closed = true;
    for (const withdraw of [...this.open.values()]) withdraw(reason);
  }

  private askOf({ client }: Asker, question: Ask["question"], timeoutMs: number | undefined): Ask {
    this.count += 1;
    return {
      id: `${this.prefix}-${this.count}`,
      ...this.owner,
      origin: { kind: "mcp", name: client },
      question,
      deadlineMs: timeoutMs === undefined ? null : this.nowMs() + timeoutMs,
    };
  }

  // Settles at once when the question is withdrawn, whatever `asks` does.
  private outcomeOf(ask: Ask, asker: Asker, put: () => Promise<AskOutcome>): Promise<AskOutcome> {
    return new Promise((resolve, reject) => {
      const stopWaiting = this.remindOf(asker);
      const onGone = () => withdraw(asker.goneWhy());
      const end = () => {
        stopWaiting();
        asker.signal.removeEventListener("abort", onGone);
        return this.open.delete(ask.id);
      };
      const withdraw = (reason: WithdrawReason) => {
        if (!end()) return;
        this.asks.withdraw(ask.id, reason);
        resolve({ kind: "withdrawn", reason });
      };
      this.open.set(ask.id, withdraw);
      asker.signal.addEventListener("abort", onGone, { once: true });
      put().then(
        (outcome) => end() && resolve(outcome),
        (error: unknown) =>
          end() && reject(error instanceof InputNeeded ? error : new ToolRefusal(errorMessage(error))),
      );
    });
  }

  private remindOf(asker: Asker): () => void {
    let cancel: () => void = () => undefined;
    const again = () => {
      asker.keepAlive();
      cancel = this.timers.after(this.limits.keepAliveMs, again);
    };
    again();
    return () => cancel();
  }
}
