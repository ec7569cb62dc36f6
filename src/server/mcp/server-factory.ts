// Makes MCP servers from the list of tools: one for each connection or, where the protocol keeps none, for each request. All
// of them share the open questions and the record of calls, so that it does not matter how a client is connected.
import { type CallToolResult, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import type { WithdrawReason } from "../../contract/asks.js";
import { steadyNowMs } from "../../system/steady-clock.js";
import { askTools } from "./ask-tools.js";
import { askerOf } from "./asker.js";
import { CallRecord } from "./call-record.js";
import { daemonTools } from "./daemon-tools.js";
import { type ForwardedResult, type McpPorts, mcpLimitsDefault } from "./mcp-ports.js";
import { type McpTool, type ToolAnswer, ToolRefusal } from "./mcp-tool.js";
import { notifyTool } from "./notify-tool.js";
import { OpenQuestions } from "./open-questions.js";
import { statusTool } from "./status-tool.js";

export interface ServerFactory {
  readonly questions: OpenQuestions;
  readonly calls: CallRecord;
  create(): McpServer;
  /** Withdraws what is asked, and resolves when whoever asked has been told. */
  close(reason: WithdrawReason): Promise<void>;
}

const CLOSE_MS_MAX = 500;

const INSTRUCTIONS =
  "Palaver connects you with the person you work for. When you need a decision, a value or a permission that only they can " +
  "give, ask with one of the ask_ tools: ask_select for a choice, ask_confirm for yes or no, ask_input for a line, " +
  "ask_editor for a longer text, ask_form for several things at once. These calls wait until the person answers, which may " +
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
      // The last answers are written after their calls have ended.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

// A tool that hangs may not hold up the end.
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
): Promise<CallToolResult> {
  const { nowMs = steadyNowMs } = parts.ports;
  const atMs = nowMs();
  const asker = askerOf(context, server);
  parts.calls.begin();
  const result = await answered(tool, args, asker, parts);
  parts.calls.end({
    tool: tool.name,
    client: asker.client,
    atMs,
    durationMs: nowMs() - atMs,
    ended: result.isError === true ? "failed" : "answered",
  });
  return result;
}

async function answered(
  tool: McpTool,
  args: Record<string, unknown>,
  asker: ReturnType<typeof askerOf>,
  { ports, questions }: Parts,
): Promise<CallToolResult> {
  const { client, signal } = asker;
  try {
    const forwarded = await ports.forward?.({ tool: tool.name, args, signal, onProgress: () => asker.keepAlive() });
    if (forwarded !== undefined && forwarded !== null) return forwardedResult(forwarded);
    return localResult(
      await tool.run(args, { client, signal, ask: (question, options) => questions.ask(asker, question, options) }),
    );
  } catch (error) {
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
